"""Combining by index along a dim: scatter_reduce; copies with one part overwritten."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.compare import where, zero_like
from engine.ops.cumulative import fresh_zeros
from engine.ops.dims import wrap_dim
from engine.ops.gather import gather, places, scatter_add, scatter_value
from engine.ops.pieces import diagonal, diagonal_view, select, slice_dim
from engine.ops.record import PUBLIC, Array, function, op
from engine.ops.samples import Sample, T, t
from engine.tensor import Tensor

INDEX = T([[0, 2], [1, 1]], "int64")
COMBINE: dict[str, Any] = {
    "sum": np.add, "mean": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum,
}  # fmt: skip
NEUTRAL = {"sum": 0, "mean": 0, "prod": 1, "amax": -np.inf, "amin": np.inf}


def _ways() -> list[Sample]:
    x, src = t(2, 3, low=0.4), t(2, 2, seed=1, low=0.3)
    return [Sample((x, 1, INDEX, src, way)) for way in COMBINE] + [
        Sample((x, 1, INDEX, src, "sum"), {"include_self": False})
    ]


def _counts(shape: Any, dim: int, index: Any, include_self: bool) -> Any:
    """Return how many numbers meet at each place."""
    counts = np.full(tuple(shape), 1 if include_self else 0, np.int64)
    np.add.at(counts, places(index, dim, len(shape)), 1)
    return counts


@op(
    "scatter_reduce",
    latex=r"\val{result} = \val{input} \text{ combined with } \val{src} \text{ at } \val{index}",
    grad_fn="ScatterReduceBackward0",
    binds=("torch.scatter_reduce", "Tensor.scatter_reduce", "Tensor.scatter_reduce_"),
    samples=_ways,
)
def scatter_reduce(
    input: Array, dim: int, index: Array, src: Array, reduce: str, *, include_self: bool = True
) -> Array:
    """Combine elements by an index along one dim: sum, mean, prod, amax or amin.

    >>> torch.zeros(3).scatter_reduce(0, torch.tensor([0, 0]), torch.tensor([1., 2.]), "sum")
    tensor([3., 0., 0.])
    """
    if not input.ndim:  # one number is a vector of one
        row = scatter_reduce.forward(
            np.reshape(input, 1), 0, np.reshape(index, -1), np.reshape(src, -1), reduce,
            include_self=include_self,
        )  # fmt: skip
        return row[0]
    result = np.array(input)
    at = places(np.asarray(index), dim, input.ndim)
    part = src[tuple(slice(n) for n in index.shape)]
    if not include_self:
        neutral = NEUTRAL[reduce]
        if not np.isfinite(neutral) and result.dtype.kind in "iu":
            info = np.iinfo(result.dtype)
            neutral = info.min if reduce == "amax" else info.max
        result[at] = neutral
    COMBINE[reduce].at(result, at, part)
    if reduce == "mean":
        counts = np.maximum(_counts(input.shape, dim, index, include_self), 1)
        divided = result / counts if result.dtype.kind == "f" else result // counts
        result = divided.astype(input.dtype)
    return result


@scatter_reduce.prepare
def _(
    input: Tensor, dim: Any, index: Tensor, src: Tensor, reduce: str, include_self: bool
) -> dict[str, Any]:
    if reduce not in COMBINE:
        raise fail(
            "reduce",
            f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}",
        )
    if src.dtype is not input.dtype:
        raise fail("dtypes-differ", "scatter(): Expected self.dtype to be equal to src.dtype")
    return {"dim": wrap_dim(dim, input.ndim)}


def _shares(input: Any, dim: int, index: Any, src: Any, result: Any, include_self: bool) -> Any:
    """Return where input and source are the extreme, and how many are so at each place."""
    mine = (input == result) * 1.0
    if not include_self:
        mine = scatter_value(mine, dim, index, 0)
    theirs = (src == gather(result, dim, index)) * 1.0
    return mine, theirs, scatter_add(mine, dim, index, theirs)


@scatter_reduce.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \text{ through the combination of } \val{input}, \val{src}"
    r" \text{ at } \val{index} \text{ into } \val{result}",
)
def _(
    grad: Any, input: Any, src: Any, index: Any, result: Any, dim: int, reduce: str,
    include_self: bool,
) -> Any:  # fmt: skip
    if reduce == "prod":
        grad = grad * result / input
    elif reduce == "mean":
        grad = grad / _float_counts(grad, dim, index, include_self)
    elif reduce in ("amax", "amin"):
        mine, _, number = _shares(input, dim, index, src, result, include_self)
        grad = mine * grad / number
        return grad
    return grad if include_self else scatter_value(grad, dim, index, 0)


def _float_counts(grad: Any, dim: int, index: Any, include_self: bool) -> Any:
    from engine.tensor import make

    array = index._array if isinstance(index, Tensor) else index
    kind = grad.dtype.np if isinstance(grad, Tensor) else grad.dtype
    counts = np.maximum(_counts(grad.shape, dim, array, include_self), 1).astype(kind)
    return make(counts) if isinstance(grad, Tensor) else counts


@scatter_reduce.vjp(
    "src",
    latex=r"\grad{src} = \grad{result}[\val{index}] \text{ through the combination of }"
    r" \val{input},"
    r" \val{src} \text{ into } \val{result}",
)
def _(
    grad: Any, input: Any, src: Any, index: Any, result: Any, dim: int, reduce: str,
    include_self: bool,
) -> Any:  # fmt: skip
    if reduce == "prod":
        return gather(grad * result, dim, index) / src
    if reduce == "mean":
        grad = grad / _float_counts(grad, dim, index, include_self)
    elif reduce in ("amax", "amin"):
        _, theirs, number = _shares(input, dim, index, src, result, include_self)
        return theirs * gather(grad / where(number == 0, zero_like(number) + 1, number), dim, index)
    return gather(grad, dim, index)


# --- copies with one part overwritten ------------------------------------------------------------


def _same_shape(name: str, shape: Any, src: Tensor) -> None:
    if tuple(shape) != tuple(src.shape):
        raise fail(
            name,
            f"expected src to have a size equal to the slice of self. src size = {list(src.shape)},"
            f" slice size = {list(shape)}",
        )


WITHOUT = r"\grad{input} = \grad{result} \text{ with } 0 \text{ in that part}"
THERE = r"\grad{src} = \text{that part of } \grad{result}"


@op(
    "select_scatter",
    latex=r"\val{result} = \val{input} \text{ with } \val{src} \text{ at } \val{index}",
    grad_fn="SelectScatterBackward0",
    binds=("torch.select_scatter", "Tensor.select_scatter"),
    samples=lambda: [Sample((t(2, 3), t(3, seed=1), 0, 1))],
)
def select_scatter(input: Array, src: Array, dim: int, index: int) -> Array:
    """Copy a tensor with one index of a dim overwritten.

    >>> torch.select_scatter(torch.zeros(2, 2), torch.ones(2), 0, 0)
    tensor([[1., 1.],
            [0., 0.]])
    """
    result = np.array(input)
    result[(slice(None),) * dim + (index,)] = src
    return result


@select_scatter.prepare
def _(input: Tensor, src: Tensor, dim: int, index: int) -> dict[str, Any]:
    at = wrap_dim(dim, input.ndim)
    _same_shape("select-scatter", (*input.shape[:at], *input.shape[at + 1 :]), src)
    return {"dim": at, "index": index % input.shape[at]}


@select_scatter.vjp("input", latex=WITHOUT)
def _(grad: Any, src_shape: Any, dim: int, index: int) -> Any:
    return select_scatter(grad, fresh_zeros(grad, src_shape), dim, index)


@select_scatter.vjp("src", latex=THERE)
def _(grad: Any, dim: int, index: int) -> Any:
    return select(grad, dim, index)


@op(
    "slice_scatter",
    latex=r"\val{result} = \val{input} \text{ with } \val{src} \text{ in a range of } \val{dim}",
    grad_fn="SliceScatterBackward0",
    binds=("torch.slice_scatter", "Tensor.slice_scatter"),
    samples=lambda: [Sample((t(4, 2), t(2, 2, seed=1), 0, 1, 3, 1))],
)
def slice_scatter(
    input: Array, src: Array, dim: int = 0, start: Any = None, end: Any = None, step: int = 1
) -> Array:
    """Copy a tensor with a range of a dim overwritten.

    >>> torch.slice_scatter(torch.zeros(3), torch.ones(2), 0, 0, 2)
    tensor([1., 1., 0.])
    """
    result = np.array(input)
    result[(slice(None),) * dim + (slice(start, end, step),)] = src
    return result


@slice_scatter.prepare
def _(input: Tensor, src: Tensor, dim: int, start: Any, end: Any, step: int) -> dict[str, Any]:
    at = wrap_dim(dim, input.ndim)
    first, last, _ = slice(start, end).indices(input.shape[at])
    last = max(first, last)
    shape = list(input.shape)
    shape[at] = len(range(first, last, step))
    _same_shape("slice-scatter", shape, src)
    return {"dim": at, "start": first, "end": last}


@slice_scatter.vjp("input", latex=WITHOUT)
def _(grad: Any, src_shape: Any, dim: int, start: int, end: int, step: int) -> Any:
    return slice_scatter(grad, fresh_zeros(grad, src_shape), dim, start, end, step)


@slice_scatter.vjp("src", latex=THERE)
def _(grad: Any, dim: int, start: int, end: int, step: int) -> Any:
    return slice_dim(grad, dim, start, end, step)


@op(
    "diagonal_scatter",
    latex=r"\val{result} = \val{input} \text{ with } \val{src} \text{ on the diagonal}",
    grad_fn="DiagonalScatterBackward0",
    binds=("torch.diagonal_scatter", "Tensor.diagonal_scatter"),
    samples=lambda: [Sample((t(2, 3), t(2, seed=1)))],
)
def diagonal_scatter(
    input: Array, src: Array, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Array:
    """Copy a tensor with a diagonal overwritten.

    >>> torch.diagonal_scatter(torch.zeros(2, 2), torch.ones(2))
    tensor([[1., 0.],
            [0., 1.]])
    """
    result = np.array(input)
    diagonal_view(result, offset, dim1, dim2)[...] = src
    return result


@diagonal_scatter.prepare
def _(input: Tensor, src: Tensor, offset: int, dim1: int, dim2: int) -> dict[str, Any]:
    first, second = wrap_dim(dim1, input.ndim), wrap_dim(dim2, input.ndim)
    seen = np.diagonal(np.broadcast_to(np.int8(0), tuple(input.shape)), offset, first, second)
    _same_shape("diagonal-scatter", seen.shape, src)
    return {"dim1": first, "dim2": second}


@diagonal_scatter.vjp("input", latex=WITHOUT)
def _(grad: Any, src_shape: Any, offset: int, dim1: int, dim2: int) -> Any:
    return diagonal_scatter(grad, fresh_zeros(grad, src_shape), offset, dim1, dim2)


@diagonal_scatter.vjp("src", latex=THERE)
def _(grad: Any, offset: int, dim1: int, dim2: int) -> Any:
    return diagonal(grad, offset, dim1, dim2)


def _index_reduced(
    input: Any, dim: int, index: Any, source: Any, reduce: str, include_self: bool
) -> tuple[Any, ...]:
    at = wrap_dim(dim, input.ndim)
    shape = [1] * input.ndim
    shape[at] = -1
    wide = PUBLIC["torch.broadcast_to"](index.reshape(shape), tuple(source.shape))
    return input, at, wide.contiguous(), source, reduce


@function("torch.index_reduce", "Tensor.index_reduce")
def index_reduce(
    input: Any, dim: int, index: Any, source: Any, reduce: str, *, include_self: bool = True
) -> Tensor:
    """Combine slices at indices of a dim: prod, mean, amax or amin."""
    values = _index_reduced(input, dim, index, source, reduce, include_self)
    result: Tensor = scatter_reduce(*values, include_self=include_self)
    return result


@function("Tensor.index_reduce_")
def index_reduce_(
    input: Any, dim: int, index: Any, source: Any, reduce: str, *, include_self: bool = True
) -> Tensor:
    """Combine slices at indices of a dim, in place."""
    values = _index_reduced(input, dim, index, source, reduce, include_self)
    result: Tensor = scatter_reduce.forms.in_place(*values, include_self=include_self)
    return result
