"""Copies of a tensor with one part overwritten: a slice, a range, a diagonal."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.diagonals import diagonal, diagonal_view
from engine.ops.dims import wrap_dim
from engine.ops.pieces import select, slice_dim
from engine.ops.record import Array, op
from engine.ops.samples import Sample, t
from engine.ops.zeros import fresh_zeros
from engine.tensor import Tensor


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
