"""Differences of neighbours, and the trapezoidal rule, which adds up neighbours."""

from __future__ import annotations

from typing import Any

from engine.errors import fail
from engine.ops.arithmetic import div_number, mul_number
from engine.ops.cumulative import cumsum
from engine.ops.dims import numpy_names, wrap_dim
from engine.ops.joining import cat
from engine.ops.logic import logical_xor
from engine.ops.pieces import select, slice_dim
from engine.ops.record import function
from engine.ops.reduce import sum_dims
from engine.tensor import Tensor


def _slice(x: Tensor, dim: int, start: int, end: int) -> Any:
    return slice_dim(x, dim, start, end, 1)


@function("torch.diff", "Tensor.diff")
@numpy_names
def diff(
    input: Tensor, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None
) -> Tensor:
    """Subtract from each element the one before, n times over."""
    if input.ndim == 0:
        raise fail("diff", "diff expects input to be at least one-dimensional")
    if n < 0:
        raise fail("diff", f"order must be non-negative but got {n}")
    at = wrap_dim(dim, input.ndim)
    around = [x for x in (prepend, input, append) if x is not None]
    if len(around) > 1:
        input = cat(around, at)
    for _ in range(min(n, input.shape[at])):
        size = input.shape[at]
        after, before = _slice(input, at, 1, size), _slice(input, at, 0, size - 1)
        plain = input.dtype.category != 0
        input = after - before if plain else logical_xor(after, before)
    return input


def _pairs(y: Tensor, dim: int) -> Any:
    n = y.shape[dim]
    return _slice(y, dim, 0, n - 1) + _slice(y, dim, 1, n)


def _steps(x: Tensor, y: Tensor, dim: int) -> Any:
    from engine.ops.shape import view

    if x.ndim == 1:
        x = view(x, (1,) * dim + (-1,) + (1,) * (y.ndim - dim - 1))
    along = wrap_dim(dim - y.ndim, x.ndim)
    n = x.shape[along]
    return _slice(x, along, 1, n) - _slice(x, along, 0, n - 1)


@function("torch.trapezoid", "torch.trapz")
def trapezoid(y: Tensor, x: Any = None, *, dx: float = 1.0, dim: int = -1) -> Tensor:
    """Integrate by the trapezoidal rule."""
    at = wrap_dim(dim, y.ndim)
    result: Tensor
    if x is not None:
        result = div_number(sum_dims(_pairs(y, at) * _steps(x, y, at), at), 2.0)
        return result
    n = y.shape[at]
    ends = select(y, at, 0) + select(y, at, n - 1)
    result = mul_number(sum_dims(y, at) - mul_number(ends, 0.5), dx)
    return result


@function("torch.cumulative_trapezoid")
def cumulative_trapezoid(y: Tensor, x: Any = None, *, dx: float = 1.0, dim: int = -1) -> Tensor:
    """Integrate by the trapezoidal rule up to each point."""
    at = wrap_dim(dim, y.ndim)
    result: Tensor
    if x is not None:
        result = div_number(cumsum(_pairs(y, at) * _steps(x, y, at), at), 2.0)
    else:
        result = cumsum(mul_number(_pairs(y, at), dx / 2), at)
    return result
