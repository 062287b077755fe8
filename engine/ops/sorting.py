"""Elements in order."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.dims import wrap_dim
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, t
from engine.ops.sharing import put_back
from engine.tensor import Tensor


def order_of(array: Any, dim: int, descending: bool) -> Any:
    """Return the indices that sort, equal elements in their order, nan as the largest."""
    if not descending:
        return np.argsort(array, dim, kind="stable").astype(np.int64)
    turned = np.flip(array, dim)
    back = np.flip(np.argsort(turned, dim, kind="stable"), dim)
    return (array.shape[dim] - 1 - back).astype(np.int64)


def _sorts() -> list[Sample]:
    return [Sample((t(4),)), Sample((t(2, 3), 0)), Sample((t(2, 3), -1, True))]


@op(
    "sort",
    latex=r"\val{values} = \operatorname{sort} \val{input}",
    grad_fn=lambda stable, **_: f"SortBackward{0 if stable is None else 1}",
    samples=_sorts,
    outputs=("values", "indices"),
    returns="sort",
)
def sort_dim(
    input: Array, dim: int = -1, descending: bool = False, *, stable: bool | None = None
) -> tuple[Array, Array]:
    """Sort along a dim, and say where each element came from.

    >>> torch.sort(torch.tensor([3., 1., 2.])).values
    tensor([1., 2., 3.])
    """
    if not input.ndim:
        return input, np.int64(0)
    order = order_of(input, dim, descending)
    return np.take_along_axis(input, order, dim), order


@sort_dim.prepare
def _(input: Tensor, dim: Any, descending: bool, stable: Any) -> dict[str, Any]:
    return {"dim": wrap_dim(dim, input.ndim)}


@sort_dim.vjp("input", latex=r"\grad{input} = \grad{values} \text{ at } \val{indices}")
def _(grad: Any, input_shape: Any, indices: Any, dim: int) -> Any:
    return put_back(grad, indices, input_shape, dim, True)


@function("torch.sort", "Tensor.sort")
def sort(
    input: Tensor,
    dim: int = -1,
    descending: bool = False,
    stable: bool | None = None,
    *,
    axis: int | None = None,
) -> Any:
    """Sort along a dim."""
    return sort_dim(input, dim if axis is None else axis, descending, stable=stable)


@function("torch.msort", "Tensor.msort")
def msort(input: Tensor) -> Tensor:
    """Sort along the first dim."""
    result: Tensor = sort_dim(input, 0)[0]
    return result


@function("torch.argsort", "Tensor.argsort")
def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """Return the indices that sort along a dim."""
    result: Tensor = sort_dim(input, dim, descending)[1]
    return result


@op(
    "topk",
    latex=r"\val{values} = \text{the } \val{k} \text{ largest of } \val{input}",
    grad_fn="TopkBackward0",
    binds=("torch.topk", "Tensor.topk"),
    samples=lambda: [Sample((t(4), 2)), Sample((t(2, 3), 1, 0)), Sample((t(2, 3), 2, 1, False))],
    outputs=("values", "indices"),
    returns="topk",
)
def topk(
    input: Array, k: int, dim: int = -1, largest: bool = True, sorted: bool = True
) -> tuple[Array, Array]:
    """Find the k largest, or smallest, elements along a dim, and where they are.

    >>> torch.topk(torch.tensor([3., 1., 2.]), 2).values
    tensor([3., 2.])
    """
    if not input.ndim:
        return input, np.int64(0)
    order = np.take(order_of(input, dim, largest), range(k), dim)
    return np.take_along_axis(input, order, dim), order


@topk.prepare
def _(input: Tensor, k: int, dim: Any, largest: bool, sorted: bool) -> dict[str, Any]:
    at = wrap_dim(dim, input.ndim)
    if not 0 <= k <= (input.shape[at] if input.ndim else 1):
        raise fail("topk", "selected index k out of range", k=k)
    return {"dim": at}


@topk.vjp("input", latex=r"\grad{input} = \grad{values} \text{ at } \val{indices}")
def _(grad: Any, input_shape: Any, indices: Any, dim: int) -> Any:
    return put_back(grad, indices, input_shape, dim, True)
