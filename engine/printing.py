"""The text of a tensor, from its array and the facts that follow the numbers.

Pure functions of numpy arrays and the options below; Tensor.__repr__ supplies the rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass
class PrintOptions:
    """How tensors are printed; `sci_mode` None means: decide by the values."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


OPTIONS = PrintOptions()
_PROFILES: dict[str, tuple[int, float, int, int]] = {
    "default": (4, 1000, 3, 80),
    "short": (2, 1000, 2, 80),
    "full": (4, math.inf, 3, 80),
}


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Choose how tensors print (torch.set_printoptions).

    What is not passed stays as it is, except `sci_mode`, which goes back to automatic.
    An unknown `profile` is ignored, as in PyTorch.
    """
    if profile in _PROFILES:
        (
            OPTIONS.precision,
            OPTIONS.threshold,
            OPTIONS.edgeitems,
            OPTIONS.linewidth,
        ) = _PROFILES[profile]
    if precision is not None:
        OPTIONS.precision = precision
    if threshold is not None:
        OPTIONS.threshold = threshold
    if edgeitems is not None:
        OPTIONS.edgeitems = edgeitems
    if linewidth is not None:
        OPTIONS.linewidth = linewidth
    OPTIONS.sci_mode = sci_mode


def get_printoptions() -> dict[str, Any]:
    """Return the options as keyword arguments of set_printoptions."""
    return asdict(OPTIONS)


@contextmanager
def printoptions(**options: Any) -> Iterator[None]:
    """Change the options inside a with block."""
    before = get_printoptions()
    set_printoptions(**options)
    try:
        yield
    finally:
        set_printoptions(**before)


def reset_printoptions() -> None:
    """Go back to what a fresh interpreter has."""
    set_printoptions(profile="default")


# -- one number


def _number_format(seen: Array) -> tuple[Callable[[Any], str], int]:
    """Turn the displayed elements into a function value → text, and the column's width."""
    if seen.dtype.kind != "f":
        width = max((len(str(v)) for v in seen.ravel().tolist()), default=1)
        return (lambda v: str(v).rjust(width)), width
    wide = seen.ravel().astype(np.float64)
    values = [v for v in wide.tolist() if v != 0 and math.isfinite(v)]
    whole = all(v == math.ceil(v) for v in values)
    spec, dot = (".0f", ".") if whole else (f".{OPTIONS.precision}f", "")
    if values and _is_scientific(values):
        spec, dot = f".{OPTIONS.precision}e", ""
    width = max((len(format(v, spec)) + len(dot) for v in values), default=1)

    def text(value: float) -> str:
        return (format(value, spec) + (dot if math.isfinite(value) else "")).rjust(width)

    return text, width


def _is_scientific(values: list[float]) -> bool:
    if OPTIONS.sci_mode is not None:
        return OPTIONS.sci_mode
    largest, smallest = max(map(abs, values)), min(map(abs, values))
    return largest / smallest > 1000.0 or largest > 1.0e8 or smallest < 1.0e-4


# -- layout


def _displayed(array: Array) -> Array:
    """Select the elements a summarised print shows; they alone decide the format."""
    edge = OPTIONS.edgeitems
    if edge == 0 and array.ndim > 1:
        return array[:0]
    for axis in range(array.ndim if edge else 0):
        length = array.shape[axis]
        if length > 2 * edge:
            kept = [*range(edge), *range(length - edge, length)]
            array = array.take(kept, axis)
    return array


def array_text(array: Array, indent: int) -> str:
    """Write the numbers in brackets; lines after the first start `indent` columns in."""
    if array.size == 0:
        return "[]"
    short = array.size > OPTIONS.threshold
    text, width = _number_format(_displayed(array) if short else array)
    if array.ndim == 0:
        return text(array.item())
    return _rows(array, indent, short, text, width)


def _rows(array: Array, indent: int, short: bool, text: Callable[[Any], str], width: int) -> str:
    edge = OPTIONS.edgeitems
    cut = short and len(array) > 2 * edge
    ends = [array[:edge], array[len(array) - edge :]] if cut else [array]
    pad = " " * (indent + 1)
    if array.ndim > 1:
        blocks = [[_rows(row, indent + 1, short, text, width) for row in end] for end in ends]
        items = blocks[0] + (["...", *blocks[1]] if cut else [])
        return "[" + ("," + "\n" * (array.ndim - 1) + pad).join(items) + "]"
    if short and edge == 0:
        items = ["..."]
    else:
        items = [text(v) for v in ends[0].tolist()]
        if cut:
            items += [" ..."] + [text(v) for v in ends[1].tolist()]
    per_line = max(1, (OPTIONS.linewidth - indent) // (width + 2))
    lines = [", ".join(items[i : i + per_line]) for i in range(0, len(items), per_line)]
    return "[" + (",\n" + pad).join(lines) + "]"


# -- the whole text


def tensor_suffixes(
    shape: Sequence[int],
    dtype: str,
    default_dtype: str,
    grad_fn: str | None = None,
    requires_grad: bool = False,
) -> list[str]:
    """List what follows the numbers; dtypes as PyTorch writes them ("torch.float32")."""
    suffixes = []
    if 0 in shape:
        if len(shape) != 1:
            suffixes.append(f"size={tuple(shape)}")
        plain = dtype == default_dtype
    else:
        if not OPTIONS.edgeitems:
            suffixes.append(f"size={tuple(shape)}")
        plain = dtype in (default_dtype, "torch.int64", "torch.bool")
    if not plain:
        suffixes.append(f"dtype={dtype}")
    if grad_fn is not None:
        suffixes.append(f"grad_fn=<{grad_fn}>")
    elif requires_grad:
        suffixes.append("requires_grad=True")
    return suffixes


def tensor_text(
    array: Array,
    suffixes: Sequence[str] = (),
    prefix: str = "tensor(",
    contents: str | None = None,
) -> str:
    """Write a tensor; `contents` replaces the numbers (Tensor.__repr__'s argument)."""
    indent = len(prefix)
    text = prefix + (array_text(array, indent) if contents is None else contents)
    used = len(text) - text.rfind("\n") + 1  # two columns more than the line has
    for suffix in suffixes:
        if used + len(suffix) + 2 > OPTIONS.linewidth:
            text += ",\n" + " " * indent + suffix
            used = indent + len(suffix)
        else:
            text += ", " + suffix
            used += len(suffix) + 2
    return text + ")"
