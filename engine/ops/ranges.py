"""Tensors of numbers in equal steps, and the identity."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.fused import fma
from engine.ops.conversions import check_device
from engine.ops.create import MISSING, Kind
from engine.ops.record import function
from engine.tensor import Tensor, make


def _number(value: Any) -> Any:
    return value.item() if isinstance(value, Tensor) else value  # type: ignore[attr-defined]


@function("torch.arange")
def arange(
    *bounds: Any,
    start: Any = 0,
    end: Any = None,
    step: Any = 1,
    dtype: Kind = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make a tensor of numbers from start up to, not with, end."""
    check_device(device)
    given = [_number(b) for b in bounds]
    for i, b in enumerate(given):
        if not isinstance(b, (int, float)):
            name = "end" if len(given) == 1 else ("start", "end", "step")[i]
            raise TypeError(
                f"arange(): argument '{name}' (position {i + 1}) must be Number, not"
                f" {type(b).__name__}"
            )
    if len(given) == 1:
        start, end = (start, given[0]) if end is None else (given[0], end)
    elif given:
        start, end, step = (*given, step)[:3]
    if step == 0:
        raise fail("arange-step", "step must be nonzero")
    if (end - start) * step < 0:
        raise fail("arange-bounds", "upper bound and lower bound inconsistent with step sign")
    kind = dtype or (
        dtypes.default if any(isinstance(x, float) for x in (start, end, step)) else dtypes.int64
    )
    if kind is dtypes.bool_:
        raise fail("arange-bool", "\"arange_cpu\" not implemented for 'Bool'", NotImplementedError)
    count = math.ceil((end - start) / step)
    values = start + np.arange(count, dtype=np.int64) * step
    return make(np.asarray(values).astype(kind.np), requires_grad, "arange")


OPTIONS = (
    "*, Tensor out = None, torch.dtype dtype = None, torch.layout layout = None, torch.device"
    " device ="
    " None, bool pin_memory = False, bool requires_grad = False"
)
LINSPACE = "".join(
    f" * ({a} start, {b} end, int steps, {OPTIONS})\n"
    for b, a in (
        ("Tensor", "Tensor"),
        ("Tensor", "Number"),
        ("Number", "Tensor"),
        ("Number", "Number"),
    )
)


@function("torch.range")
def range_(
    start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Kind = None, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """Make a tensor of numbers from start up to and with end."""
    warnings.warn(
        "torch.range is deprecated and will be removed in a future release because its behavior is"
        " inconsistent with Python's range builtin. Instead, use torch.arange, which produces"
        " values in [start, end).",
        UserWarning,
        stacklevel=3,
    )
    if end is None:
        start, end = 0, start
    kind = dtype or dtypes.default
    count = math.floor((end - start) / step) + 1
    values = (start + np.arange(count) * step).astype(kind.np)
    return make(values, requires_grad, "range")


@function("torch.linspace")
def linspace(
    start: Any,
    end: Any,
    steps: Any = MISSING,
    *,
    dtype: Kind = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Make a tensor of evenly spaced numbers from start to end, both included."""
    check_device(device)
    if steps is MISSING:
        given = ", ".join(type(x).__name__ for x in (start, end))
        raise TypeError(
            f"linspace() received an invalid combination of arguments - got ({given}), but expected"
            " one of:\n" + LINSPACE
        )
    kind = dtype or dtypes.default
    return make(_spaced(_number(start), _number(end), steps, kind), requires_grad, "linspace")


def _spaced(start: float, end: float, steps: int, kind: dtypes.dtype) -> Any:
    """Count from both ends in the type itself, as PyTorch does, so that the last bits agree."""
    if steps < 0:
        raise fail("linspace-steps", "number of steps must be non-negative", steps=steps)
    work = kind.np if kind.is_floating_point else np.dtype(np.float64)
    if steps <= 1:
        return np.full(steps, start).astype(kind.np)
    low, high = work.type(start), work.type(end)
    step = (high - low) / work.type(steps - 1)
    at = np.arange(steps)
    up = fma(step, at.astype(work), low)
    down = fma(-step, (steps - 1 - at).astype(work), high)
    return np.where(at < steps // 2, up, down).astype(kind.np)


@function("torch.logspace")
def logspace(
    start: Any,
    end: Any,
    steps: int,
    base: float = 10.0,
    *,
    dtype: Kind = None,
    requires_grad: bool = False,
) -> Tensor:
    """Make a tensor of powers of `base`, their exponents evenly spaced."""
    kind = dtype or dtypes.default
    exponents = _spaced(_number(start), _number(end), steps, kind)
    return make(np.power(kind.np.type(base), exponents).astype(kind.np), requires_grad, "logspace")


@function("torch.eye")
def eye(
    n: int, m: int | None = None, *, dtype: Kind = None, layout: Any = None, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """Make a matrix with ones on the diagonal."""
    check_device(device)
    if n < 0:
        raise fail("eye-size", f"n must be greater or equal to 0, got {n}", n=n)
    return make(np.eye(n, m, dtype=(dtype or dtypes.default).np), requires_grad, "eye")
