"""Quantiles: values below which given fractions of the elements lie."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops.blending import lerp
from engine.ops.dims import (
    add_reduce,
    wrap_dim,
)
from engine.ops.expanding import unsqueeze
from engine.ops.gather import gather
from engine.ops.mutate import squeeze_in_place, transpose_in_place, unsqueeze_in_place
from engine.ops.record import function
from engine.ops.shape import reshape
from engine.ops.sorting import sort_dim
from engine.tensor import Tensor, make


def _ranks(q: Tensor, sorted_values: Tensor, skip_nan: bool) -> Any:
    """Return the fractional places of quantiles among sorted values."""
    n = sorted_values.shape[-1]
    values = np.asarray(sorted_values._array)
    numbers = np.asarray(q._array).reshape(-1)
    if skip_nan:
        left = add_reduce(values == values, -1, np.int64, None, True)
        return np.maximum(numbers * (left - 1), 0).astype(values.dtype)
    lost = np.any(values != values, -1, keepdims=True)
    return np.where(lost, n - 1, numbers * (n - 1)).astype(values.dtype)


WAYS = ("linear", "lower", "higher", "midpoint", "nearest")


def _quantile(
    input: Tensor, q: Any, dim: Any, keepdim: bool, interpolation: str, skip_nan: bool
) -> Tensor:
    number = not isinstance(q, Tensor)
    q = _check_quantile(input, q, interpolation)
    at = 0 if dim is None else wrap_dim(dim, input.ndim)
    shape = tuple(input.shape)
    if dim is None:
        flat: Any = sort_dim(reshape(input, (-1,)), 0)[0]
        kept = (1,) * len(shape) if keepdim else ()
    else:
        last = at >= input.ndim - 1
        flat = sort_dim(input if last else unsqueeze(input, -1).transpose(at, -1), -1)[0]
        gone = (1,) if keepdim and shape else ()
        kept = shape[:at] + gone + shape[at + 1 :]
    flat = reshape(flat, (*kept, flat.shape[-1] if flat.ndim else 1))
    result = _between(flat, _ranks(q, flat, skip_nan), interpolation)
    if number or q.ndim == 0:
        return squeeze_in_place(result, -1)  # type: ignore[no-any-return]
    return squeeze_in_place(transpose_in_place(unsqueeze_in_place(result, 0), 0, -1), -1)  # type: ignore[no-any-return]


def _check_quantile(input: Tensor, q: Any, interpolation: str) -> Tensor:
    if not isinstance(q, Tensor) and not 0 <= q <= 1:
        raise fail("quantile", f"quantile() q must be in the range [0, 1] but got {q:g}")
    if not input.shape.numel():
        raise fail("quantile", "quantile() input tensor must be non-empty")
    if input.dtype not in (dtypes.float32, dtypes.float64):
        raise fail("quantile", "quantile() input tensor must be either float or double dtype")
    if interpolation not in WAYS:
        raise fail(
            "quantile",
            "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest,"
            f" but got {interpolation}",
        )
    if not isinstance(q, Tensor):
        return make(input.dtype.np.type(q))
    if q.ndim > 1:
        raise fail("quantile", "quantile() q must be a scalar or 1D tensor")
    if q.dtype is not input.dtype:
        raise fail("quantile", "quantile() q tensor must be same dtype as the input tensor")
    if np.any((q._array < 0) | (q._array > 1)):
        raise fail("quantile", "quantile() q values must be in the range [0, 1]")
    return q


def _between(flat: Tensor, ranks: Any, interpolation: str) -> Tensor:
    if interpolation == "lower":
        ranks = np.floor(ranks)
    elif interpolation == "higher":
        ranks = np.ceil(ranks)
    elif interpolation == "nearest":
        ranks = np.rint(ranks)
    low = np.floor(ranks)
    ranks = np.broadcast_to(ranks, (*flat.shape[:-1], ranks.shape[-1]))
    low = np.broadcast_to(low, ranks.shape)
    below = gather(flat, -1, make(low.astype(np.int64)))
    if interpolation not in ("linear", "midpoint"):
        result: Tensor = below
        return result
    weight = np.full(ranks.shape, 0.5, ranks.dtype) if interpolation == "midpoint" else ranks - low
    above = gather(flat, -1, make(np.ceil(ranks).astype(np.int64)))
    result = lerp(below, above, make(np.array(weight, ranks.dtype)))
    return result


@function("torch.quantile", "Tensor.quantile")
def quantile(
    input: Tensor,
    q: Any,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",
) -> Tensor:
    """Find values below which given fractions of the elements lie."""
    return _quantile(input, q, dim, keepdim, interpolation, False)


@function("torch.nanquantile", "Tensor.nanquantile")
def nanquantile(
    input: Tensor,
    q: Any,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",
) -> Tensor:
    """Find quantiles of the elements that are numbers."""
    return _quantile(input, q, dim, keepdim, interpolation, True)
