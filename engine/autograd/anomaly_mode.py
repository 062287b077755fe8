"""Anomaly mode: finding the operation whose gradient is nan, or fails.

While it is on, each node remembers the stack it was recorded on; a failing backward warns with it.
"""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import events
from engine.errors import fail
from engine.graph import Node

enabled = False
check_nan = True


def is_anomaly_enabled() -> bool:
    """Return whether anomaly mode is on."""
    return enabled


def is_anomaly_check_nan_enabled() -> bool:
    """Return whether anomaly mode looks for nan."""
    return check_nan


def set_anomaly_enabled(on: bool, nan: bool = True) -> None:
    """Switch anomaly mode and its look for nan."""
    global enabled, check_nan
    enabled, check_nan = bool(on), bool(nan)
    events.be_careful("anomaly", enabled)


class detect_anomaly:
    """Switch anomaly mode on inside the block, with a warning that it costs time."""

    def __init__(self, check_nan: bool = True) -> None:
        self.before = enabled, is_anomaly_check_nan_enabled()
        self.check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should"
            " only be enabled for debugging.",
            stacklevel=2,
        )

    def __enter__(self) -> None:
        set_anomaly_enabled(True, self.check_nan)

    def __exit__(self, *exc: object) -> None:
        set_anomaly_enabled(*self.before)


class set_detect_anomaly:
    """Switch anomaly mode on or off at once; as a context manager, only for the block."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.before = enabled, is_anomaly_check_nan_enabled()
        set_anomaly_enabled(mode, check_nan)

    def __enter__(self) -> None:
        """Do nothing: the mode was set when this was made."""

    def __exit__(self, *exc: object) -> None:
        set_anomaly_enabled(*self.before)


def remember(node: Node) -> None:
    """Keep the stack a node was recorded on."""
    node.more().stack = traceback.format_stack()[:-3]


def watch(node: Node, apply: Callable[..., Any], *args: Any) -> Any:
    """Run a node, and say where it was recorded when it fails or makes a nan."""
    try:
        passed = apply(node, *args)
        check(node, passed)
    except Exception:
        explain(node)
        raise
    return passed


def check(node: Node, passed: Any) -> None:
    """Refuse a gradient with a nan in it."""
    if not check_nan:
        return
    for i, grad in enumerate(passed):
        array = getattr(grad, "_array", grad)
        if array is not None and array.dtype.kind == "f" and np.isnan(array).any():
            raise fail(
                "nan-gradient",
                f"Function '{node.name()}' returned nan values in its {i}th output.",
                node=node.seq,
                grad_fn=node.name(),
                output=i,
            )


def explain(node: Node) -> None:
    """Warn with the stack of the forward call whose backward just failed."""
    stack = None if node.extra is None else node.extra.stack
    if stack is None:
        text = (
            f"Error detected in {node.name()}. No forward pass information available. Enable detect"
            " anomaly during forward pass for more information."
        )
    else:
        text = (
            f"Error detected in {node.name()}. Traceback of forward call that caused the error:\n"
            + "".join(stack)
        )
    warnings.warn(text, UserWarning, stacklevel=2)
