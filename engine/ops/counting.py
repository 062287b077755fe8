"""Which elements there are, how many, and where others belong."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops.dims import not_implemented, wrap_dim
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, t
from engine.ops.widths import narrowed
from engine.tensor import Tensor, make

UNIQUE = {
    "unique2": "Unique2",
    "unique_dim": "UniqueDim",
    "unique_consecutive": "UniqueConsecutive",
}


@op(
    "unique_values",
    latex=r"\val{result} = \{\val{input}_i\}",
    grad_fn=lambda name, **_: f"{UNIQUE[name]}Backward0",
    samples=lambda: [Sample((t(3), np.arange(3), "unique2"))],
)
def unique_values(input: Array, places: Any, name: str, dim: int | None = None) -> Array:
    """Take the elements, or slices along a dim, that differ from those before."""
    return np.take(np.ravel(input) if dim is None else input, places, 0 if dim is None else dim)


@unique_values.vjp("input", latex=r"\grad{input} \text{ undefined for } \grad{result}")
def _(grad: Any, name: str) -> Any:
    raise fail(
        "no-derivative", f"the derivative for '_{name}' is not implemented.", NotImplementedError
    )


def _several(input: Tensor, name: str, dim: int | None, parts: list[Any]) -> Any:
    """Return the elements at the places in `parts[0]`, and the other parts as they are."""
    values = unique_values(input, parts[0], name, dim)
    rest = [make(np.asarray(p)) for p in parts[1:]]
    return (values, *rest) if rest else values


@function("torch.unique", "Tensor.unique")
def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """Return the different elements, or slices along a dim, in order."""
    array = np.asarray(input._array)
    axis = None if dim is None else wrap_dim(dim, input.ndim)
    _, places, inverse, counts = np.unique(
        array,
        return_index=True,
        return_inverse=True,
        return_counts=True,
        axis=axis,
        equal_nan=False,
    )
    shape = array.shape if axis is None else (array.shape[axis],)
    parts = [places]
    if return_inverse:
        parts.append(inverse.reshape(shape).astype(np.int64))
    if return_counts:
        parts.append(counts.astype(np.int64))
    return _several(input, "unique2" if dim is None else "unique_dim", axis, parts)


@function("torch.unique_consecutive", "Tensor.unique_consecutive")
def unique_consecutive(
    input: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """Drop elements equal to the one before."""
    array = np.asarray(input._array)
    rows = array.reshape(-1, 1) if dim is None else np.moveaxis(array, dim, 0)
    n = rows.shape[0]
    flat = rows.reshape(n, -1)
    first = np.ones(n, np.bool_)
    if n:
        first[1:] = np.any(flat[1:] != flat[:-1], 1)
    kept = rows[first]
    parts: list[Any] = [np.flatnonzero(first)]
    inverse = np.cumsum(first, dtype=np.int64) - 1
    if return_inverse:
        parts.append(inverse.reshape(array.shape) if dim is None else inverse)
    if return_counts:
        parts.append(np.bincount(narrowed(inverse), minlength=len(kept)).astype(np.int64))
    return _several(input, "unique_consecutive", dim, parts)


def _bounds_shape(sorted_sequence: Tensor, input: Any) -> None:
    if not isinstance(input, Tensor) or sorted_sequence.ndim == 1:
        return
    if sorted_sequence.shape[:-1] != input.shape[:-1]:
        raise fail(
            "searchsorted",
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1"
            " dimensions of boundaries tensor and input value tensor must match, but we got"
            f" boundaries tensor {list(sorted_sequence.shape)} and input value tensor"
            f" {list(input.shape)}",
        )


def places(edges: Any, values: Any, side: Any) -> Any:
    """Search as PyTorch does: by comparisons alone, which nothing satisfies that is nan."""
    if np.all(edges == edges) and np.all(values == values):
        return np.searchsorted(edges, values, side)
    low = np.zeros(values.shape, np.int64)
    high = np.full(values.shape, len(edges))
    while np.any(low < high):
        middle = np.minimum((low + high) // 2, len(edges) - 1)
        at = edges[middle]
        before = ~(at >= values if side == "left" else at > values)
        open_ = low < high
        low = np.where(open_ & before, middle + 1, low)
        high = np.where(open_ & ~before, middle, high)
    return low


@function("torch.searchsorted")
def searchsorted(
    sorted_sequence: Tensor,
    input: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    """Find where values would have to be inserted to keep a sequence sorted."""
    _bounds_shape(sorted_sequence, input)
    to_right = right or side == "right"
    edges = np.asarray(sorted_sequence._array)
    if sorter is not None:
        edges = np.take_along_axis(edges, np.asarray(sorter._array), -1)
    values = np.asarray(input._array if isinstance(input, Tensor) else input)
    kind = np.int32 if out_int32 else np.int64
    where: Any = "right" if to_right else "left"
    if edges.ndim == 1:
        return make(np.asarray(places(edges, values, where)).astype(kind))
    found = [
        places(e, v, where)
        for e, v in zip(
            edges.reshape(-1, edges.shape[-1]), values.reshape(-1, values.shape[-1]), strict=True
        )
    ]
    return make(np.array(found, kind).reshape(values.shape))


@function("torch.bucketize")
def bucketize(
    input: Any, boundaries: Tensor, *, out_int32: bool = False, right: bool = False
) -> Tensor:
    """Find between which boundaries values lie."""
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)  # type: ignore[no-any-return]


@function("torch.bincount", "Tensor.bincount")
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """Count how often each non-negative integer occurs."""
    if input.dtype.is_floating_point:
        raise not_implemented("bincount_cpu", input)
    if input.ndim != 1 or np.any(input._array < 0):
        raise fail("bincount", "bincount only supports 1-d non-negative integral inputs.")
    if minlength < 0:
        raise fail("bincount", "minlength should be >= 0")
    array = narrowed(input._array)
    if weights is None:
        return make(np.bincount(array, minlength=minlength).astype(np.int64))
    kind = weights.dtype.np if weights.dtype is dtypes.float32 else np.float64
    return make(np.bincount(array, weights._array, minlength).astype(kind))


def _limits(array: Any, low: float, high: float) -> tuple[float, float]:
    if low == high == 0 and array.size:
        low, high = float(array.min()), float(array.max())
    if low == high:
        low, high = low - 1, high + 1
    if low > high:
        raise fail("histc", "torch.histc: max must be larger than min")
    return low, high


@function("torch.histc", "Tensor.histc")
def histc(input: Tensor, bins: int = 100, min: float = 0, max: float = 0) -> Tensor:
    """Count elements in equal bins between two bounds."""
    if not input.dtype.is_floating_point:
        raise not_implemented("histogram_cpu", input)
    if bins <= 0:
        raise fail("histc", "bins must be > 0")
    array = np.ravel(input._array)
    counts, _ = np.histogram(array, bins, _limits(array, min, max))
    return make(counts.astype(input.dtype.np))


@function("torch.histogram", "Tensor.histogram")
def histogram(
    input: Tensor,
    bins: Any,
    *,
    range: Any = None,
    weight: Tensor | None = None,
    density: bool = False,
) -> Any:
    """Count elements in bins, and return the edges of the bins."""
    from engine.ops.returns import named

    array = np.ravel(input._array)
    edges = bins._array if isinstance(bins, Tensor) else bins
    limits = None if isinstance(bins, Tensor) or range is None else tuple(range)
    counts, borders = np.histogram(
        array, edges, limits, density, None if weight is None else np.ravel(weight._array)
    )
    kind = input.dtype.np
    parts = make(counts.astype(kind)), make(borders.astype(kind))
    return named("histogram", ("hist", "bin_edges"))(*parts)
