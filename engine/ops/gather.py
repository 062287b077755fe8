"""Picking elements by an index along one dim, and adding them there: each other's gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.along_dim import (
    as_source,
    check_gather,
    check_inside,
    check_scatter,
    part_covered,
    places,
    scattered,
)
from engine.ops.record import Array, op
from engine.ops.samples import Sample, T, t
from engine.ops.zeros import fresh_zeros
from engine.tensor import Tensor


@op(
    "gather",
    latex=r"\val{result} = \val{input}[\val{index}] \text{ along dim } \val{dim}",
    grad_fn="GatherBackward0",
    binds=("torch.gather", "Tensor.gather"),
    samples=lambda: [
        Sample((t(3, 4), 1, T([[0, 3], [1, 1], [2, 0]], "int64"))),
        Sample((t(2, 3), 0, T([[1, 0, 1]], "int64"))),
    ],
)
def gather(input: Array, dim: int, index: Array, *, sparse_grad: bool = False) -> Array:
    """Read elements by an index along one dim.

    >>> torch.gather(torch.tensor([[1, 2], [3, 4]]), 1, torch.tensor([[1], [0]]))
    tensor([[2],
            [3]])
    """
    if not input.ndim or not np.size(index):
        return np.broadcast_to(input if not input.ndim else input.dtype.type(0), index.shape).copy()
    if not index.ndim:
        return input[index]
    return input[places(index, dim, input.ndim)]


@gather.prepare
def _(input: Tensor, dim: Any, index: Tensor, sparse_grad: bool) -> dict[str, Any]:
    return {"dim": check_inside(input, index, check_gather(input, dim, index))}


@gather.vjp("input", latex=r"\grad{input} = \grad{result} \text{ added up at } \val{index}")
def _(grad: Any, input_shape: Any, dim: int, index: Any) -> Any:
    return scatter_add(fresh_zeros(grad, input_shape), dim, index, grad)


@op(
    "scatter_add",
    latex=r"\val{result} = \val{input} \text{ with } \val{src} \text{ added at } \val{index}",
    grad_fn="ScatterAddBackward0",
    binds=("torch.scatter_add", "Tensor.scatter_add", "Tensor.scatter_add_"),
    samples=scattered,
)
def scatter_add(input: Array, dim: int, index: Array, src: Array) -> Array:
    """Add elements by an index along one dim; repeated indices add up.

    >>> torch.zeros(1, 2).scatter_add(1, torch.tensor([[0, 0]]), torch.ones(1, 2))
    tensor([[2., 0.]])
    """
    result = np.atleast_1d(np.array(input))
    where = np.atleast_1d(index)
    if where.size:
        np.add.at(result, places(where, dim, result.ndim), part_covered(np.atleast_1d(src), where))
    return result.reshape(input.shape)


@scatter_add.prepare
def _(input: Tensor, dim: Any, index: Tensor, src: Tensor) -> dict[str, Any]:
    return {"dim": check_inside(input, index, check_scatter(input, dim, index, src))}


@scatter_add.vjp("input", latex=r"\grad{input} = \grad{result}")
def _(grad: Any) -> Any:
    return grad


@scatter_add.vjp("src", latex=r"\grad{src} = \grad{result}[\val{index}]")
def _(grad: Any, src_shape: Any, dim: int, index: Any) -> Any:
    return as_source(gather(grad, dim, index), src_shape, "ScatterAddBackward0")
