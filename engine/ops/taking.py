"""Picking and writing by place in memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dtypes import LEGACY_NAMES
from engine.errors import fail
from engine.ops.dims import broadcast_shapes, wrap_dim
from engine.ops.gather import gather
from engine.ops.masks import _check_flat
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, T, t
from engine.ops.widths import narrowed
from engine.ops.zeros import fresh_zeros
from engine.tensor import Tensor, make


@op(
    "take",
    latex=r"\val{result} = \operatorname{flat}(\val{input})[\val{index}]",
    grad_fn="TakeBackward0",
    binds=("torch.take", "Tensor.take"),
    samples=lambda: [Sample((t(2, 3), T([[0, 5], [1, 0]], "int64")))],
)
def take(input: Array, index: Array) -> Array:
    """Read by indices into the flattened tensor.

    >>> torch.take(torch.tensor([[1, 2], [3, 4]]), torch.tensor([0, 3]))
    tensor([1, 4])
    """
    return np.take(input, narrowed(index))


@take.prepare
def _(input: Tensor, index: Tensor) -> None:
    _check_flat("take", input, index)


@take.vjp("input", latex=r"\grad{input} = \grad{result} \text{ added up at } \val{index}")
def _(grad: Any, input_shape: Any, index: Any) -> Any:
    return put(fresh_zeros(grad, input_shape), index, grad, True)


@op(
    "put",
    latex=r"\val{result} = \val{input} \text{ with } \val{source} \text{ at flat } \val{index}",
    grad_fn="PutBackward0",
    binds=("torch.put", "Tensor.put", "Tensor.put_"),
    samples=lambda: [
        Sample((t(2, 3), T([0, 4], "int64"), t(2, seed=1))),
        Sample((t(2, 3), T([0, 0], "int64"), t(2, seed=1), True)),
    ],
)
def put(input: Array, index: Array, source: Array, accumulate: bool = False) -> Array:
    """Write by indices into the flattened tensor.

    >>> torch.zeros(3).put(torch.tensor([0, 2]), torch.tensor([1., 2.]))
    tensor([1., 0., 2.])
    """
    flat = np.array(input).ravel()
    if accumulate:
        np.add.at(flat, np.ravel(index), np.ravel(source))
    else:
        flat[np.ravel(index)] = np.ravel(source)
    return flat.reshape(input.shape)


@put.prepare
def _(input: Tensor, index: Tensor, source: Tensor, accumulate: bool) -> None:
    if source.shape.numel() != index.shape.numel():
        raise fail(
            "put-count",
            "put_(): Expected source and index to have the same number of elements, but got"
            f" source.numel() = {source.shape.numel()}, index.numel() = {index.shape.numel()}",
            IndexError,
        )
    if source.dtype is not input.dtype:
        raise fail(
            "dtypes-differ",
            "put_(): self and source expected to have the same dtype, but got self.dtype ="
            f" {LEGACY_NAMES[input.dtype]} and source.dtype = {LEGACY_NAMES[source.dtype]}",
        )
    _check_flat("put_", input, index)


@put.vjp(
    "input", latex=r"\grad{input} = \grad{result} \text{ with } 0 \text{ at flat } \val{index}"
)
def _(grad: Any, index: Any, accumulate: bool) -> Any:
    return grad if accumulate else put(grad, index, fresh_zeros(grad, index.shape))


@put.vjp("source", latex=r"\grad{source} = \operatorname{flat}(\grad{result})[\val{index}]")
def _(grad: Any, source_shape: Any, index: Any) -> Any:
    return take(grad, index).reshape(tuple(source_shape))


@function("torch.take_along_dim", "Tensor.take_along_dim")
def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    """Read by an index along one dim; the other dims broadcast."""
    from engine.ops.expanding import expand
    from engine.ops.shape import reshape

    result: Tensor
    if dim is None:
        result = gather(reshape(input, (-1,)), 0, reshape(indices, (-1,)))
        return result
    at = wrap_dim(dim, input.ndim)
    if indices.ndim != input.ndim:
        raise fail(
            "index-dims",
            "torch.take_along_dim(): input and indices should have the same number of dimensions,"
            f" but got {input.ndim} dimensions for input, and {indices.ndim} dimensions for"
            " indices",
        )
    rest = [tuple(1 if d == at else n for d, n in enumerate(x.shape)) for x in (input, indices)]
    shape = broadcast_shapes(*rest)
    wide = [
        expand(x, tuple(x.shape[at] if d == at else n for d, n in enumerate(shape)))
        for x in (input, indices)
    ]
    index = wide[1]
    if np.any(index._array < 0):
        index = make(np.where(index._array < 0, index._array + input.shape[at], index._array))
    result = gather(wide[0], at, index)
    return result
