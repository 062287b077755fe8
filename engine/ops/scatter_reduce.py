"""Combining by index along a dim: scatter_reduce, index_reduce."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dtypes import Size, bool_
from engine.errors import fail
from engine.ops.along_dim import as_source, check_inside, check_scatter, places
from engine.ops.apply import check_broadcast
from engine.ops.compare import where, zero_like
from engine.ops.dims import not_implemented, wrap_dim
from engine.ops.gather import gather, scatter_add
from engine.ops.record import Array, op
from engine.ops.samples import Sample, T, t
from engine.ops.scatter import scatter_value
from engine.ops.zeros import fresh_zeros
from engine.tensor import Tensor, make

INDEX = T([[0, 2], [1, 1]], "int64")
COMBINE: dict[str, Any] = {
    "sum": np.add, "mean": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum,
}  # fmt: skip
Way = tuple[str, bool]  # how numbers are combined, and whether what is there counts
NEUTRAL = {"sum": 0, "mean": 0, "prod": 1, "amax": -np.inf, "amin": np.inf}


def _ways() -> list[Sample]:
    x, src = t(2, 3, low=0.4), t(2, 2, seed=1, low=0.3)
    return [Sample((x, 1, INDEX, src, way)) for way in COMBINE] + [
        Sample((x, 1, INDEX, src, "sum"), {"include_self": False})
    ]


def _counts(shape: Any, dim: int, index: Any, include_self: bool) -> Any:
    """Return how many numbers meet at each place."""
    counts = np.full(tuple(shape) or (1,), 1 if include_self else 0, np.int64)
    if np.size(index):
        np.add.at(counts, places(np.atleast_1d(index), dim, counts.ndim), 1)
    return counts.reshape(tuple(shape))


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
    if not np.size(index):
        return result
    at = places(np.asarray(index), dim, input.ndim)
    part = src[tuple(slice(n) for n in index.shape)]
    if not include_self:
        neutral = NEUTRAL[reduce]
        if result.dtype.kind == "b":
            neutral = reduce in ("prod", "amin")
        elif not np.isfinite(neutral) and result.dtype.kind in "iu":
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
    at = check_scatter(input, dim, index, src)
    if reduce not in COMBINE:
        raise fail(
            "reduce",
            f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}",
        )
    if reduce == "mean" and input.dtype is bool_:
        raise not_implemented("scatter_gather_tensor_cpu_reduce_mean", input)
    return {"dim": check_inside(input, index, at)}


def _shares(input: Any, dim: int, index: Any, src: Any, result: Any) -> Any:
    """Return where input and source are the extreme, and how many are so at each place."""
    mine = as_numbers(input == result, input)
    theirs = as_numbers(src == gather(result, dim, index), src)
    return mine, theirs, scatter_add(mine, dim, index, theirs)


def _to_input(grad: Any, input: Any, src: Any, index: Any, result: Any, dim: int, way: Way) -> Any:
    reduce, include_self = way
    _check_together(src, index, reduce)
    if reduce == "prod":
        masked = where(input == 0, zero_like(input) + 1, input)
        whole = scatter_reduce(masked, dim, index, src, "prod", include_self=include_self)
        grad = grad * whole / masked
    elif reduce == "mean":
        grad = grad / _float_counts(grad, dim, index, include_self)
    elif reduce in ("amax", "amin"):
        mine, _, number = _shares(input, dim, index, src, result)
        grad = mine * (grad / number)
    return grad if include_self else scatter_value(grad, dim, index, 0)


def _check_together(src: Any, index: Any, reduce: str) -> None:
    """Refuse a source larger than its index where PyTorch's rule sets the two side by side."""
    if reduce in ("prod", "amax", "amin"):
        check_broadcast([Size(src.shape), Size(index.shape)])


def _to_src(grad: Any, input: Any, src: Any, index: Any, result: Any, dim: int, way: Way) -> Any:
    reduce, include_self = way
    _check_together(src, index, reduce)
    if reduce == "prod":
        zero, nothing = src == 0, fresh_zeros(grad, src.shape)
        marks = where(zero, nothing + 1, nothing)
        together = scatter_add(fresh_zeros(grad, result.shape), dim, index, marks)
        alone = where(zero, gather(together, dim, index), nothing) == 1
        full = where(alone, nothing + 1, src)
        others = scatter_reduce(input, dim, index, full, "prod", include_self=include_self)
        divided = gather(grad * result, dim, index) / where(zero, nothing + 1, src)
        return where(alone, gather(grad * others, dim, index), divided)
    if reduce == "mean":
        counts = _float_counts(grad, dim, index, include_self)
        return gather(grad, dim, index) / gather(counts, dim, index)
    if reduce in ("amax", "amin"):
        _, theirs, number = _shares(input, dim, index, src, result)
        return theirs * gather(grad / number, dim, index)
    return gather(grad, dim, index)


def as_numbers(truth: Any, like: Any) -> Any:
    """Return a comparison's result as ones and zeros of another's type."""
    if isinstance(truth, Tensor):
        return truth.to(like.dtype)  # type: ignore[attr-defined]
    return truth.astype(like.dtype)


def _float_counts(grad: Any, dim: int, index: Any, include_self: bool) -> Any:
    array = index._array if isinstance(index, Tensor) else index
    kind = grad.dtype.np if isinstance(grad, Tensor) else grad.dtype
    counts = np.maximum(_counts(grad.shape, dim, array, include_self), 1).astype(kind)
    return make(counts) if isinstance(grad, Tensor) else counts


INTO = (
    r"\grad{input} = \grad{result} \text{ through the combination of } \val{input}, \val{%s}"
    r" \text{ at } \val{index} \text{ into } \val{result}"
)
FROM = (
    r"\grad{%s} = \grad{result}[\val{index}] \text{ through the combination of }"
    r" \val{input}, \val{%s} \text{ into } \val{result}"
)


@scatter_reduce.vjp("input", latex=INTO % "src")
def _(
    grad: Any, input: Any, src: Any, index: Any, result: Any, dim: int, reduce: str,
    include_self: bool,
) -> Any:  # fmt: skip
    return _to_input(grad, input, src, index, result, dim, (reduce, include_self))


@scatter_reduce.vjp("src", latex=FROM % ("src", "src"))
def _(
    grad: Any, input: Any, src: Any, index: Any, result: Any, dim: int, reduce: str,
    include_self: bool,
) -> Any:  # fmt: skip
    got = _to_src(grad, input, src, index, result, dim, (reduce, include_self))
    return as_source(got, src.shape, "ScatterReduceBackward0")


def _widened(index: Any, dim: int, shape: Any) -> Any:
    """Return an index for every element of slices, of a tensor or an array."""
    array = np.asarray(index._array if isinstance(index, Tensor) else index)
    places = [1] * len(shape)
    places[dim] = -1
    wide = np.ascontiguousarray(np.broadcast_to(array.reshape(places), tuple(shape)))
    return make(wide) if isinstance(index, Tensor) else wide


@op(
    "index_reduce",
    latex=r"\val{result} = \val{input} \text{ combined with } \val{source} \text{ at } \val{index}",
    grad_fn="IndexReduceBackward0",
    binds=("torch.index_reduce", "Tensor.index_reduce", "Tensor.index_reduce_"),
    samples=lambda: [
        Sample((t(3, 2, low=0.4), 0, T([2, 0, 2], "int64"), t(3, 2, seed=1, low=0.3), way))
        for way in ("prod", "mean", "amax", "amin")
    ],
)
def index_reduce(
    input: Array, dim: int, index: Array, source: Array, reduce: str, *, include_self: bool = True
) -> Array:
    """Combine slices at indices of a dim: prod, mean, amax or amin.

    >>> torch.ones(2).index_reduce(0, torch.tensor([0, 0]), torch.tensor([2., 3.]), "prod")
    tensor([6., 1.])
    """
    wide = _widened(index, dim, source.shape)
    return scatter_reduce.forward(input, dim, wide, source, reduce, include_self=include_self)


@index_reduce.prepare
def _(
    input: Tensor, dim: Any, index: Tensor, source: Tensor, reduce: str, include_self: bool
) -> dict[str, Any]:
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise fail(
            "reduce",
            "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got"
            f" {reduce}.",
        )
    return {"dim": wrap_dim(dim, input.ndim)}


@index_reduce.vjp("input", latex=INTO % "source")
def _(
    grad: Any, input: Any, source: Any, index: Any, result: Any, dim: int, reduce: str,
    include_self: bool,
) -> Any:  # fmt: skip
    wide = _widened(index, dim, source.shape)
    return _to_input(grad, input, source, wide, result, dim, (reduce, include_self))


@index_reduce.vjp("source", latex=FROM % ("source", "source"))
def _(
    grad: Any, input: Any, source: Any, index: Any, result: Any, dim: int, reduce: str,
    include_self: bool,
) -> Any:  # fmt: skip
    wide = _widened(index, dim, source.shape)
    return _to_src(grad, input, source, wide, result, dim, (reduce, include_self))
