"""Picking elements by an index along one dim."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops.dims import wrap_dim
from engine.ops.record import Array, op
from engine.ops.samples import Sample, T, t
from engine.ops.zeros import fresh_zeros
from engine.tensor import Tensor

INDEX = (dtypes.int64, dtypes.int32)


def out_of_bounds(
    index: Any, size: int, dim: int, kind: type[Exception] = RuntimeError, name: str = ""
) -> None:
    """Refuse an index outside a dim; `name` begins the sentence."""
    wrong = index[(index < 0) | (index >= size)] if getattr(index, "ndim", 0) else index
    if getattr(index, "ndim", 0) == 0 and 0 <= index < size:
        return
    if np.size(wrong):
        first = int(np.ravel(wrong)[0])
        raise fail(
            "index-out-of-bounds",
            f"{name}index {first} is out of bounds for dimension {dim} with size {size}",
            kind,
            index=first,
            dim=dim,
            size=size,
        )


def check_index_type(name: str, index: Tensor) -> None:
    """Refuse an index that is neither int32 nor int64, unless it is empty."""
    if index.dtype not in INDEX and index.shape.numel():
        raise fail("index-type", f"{name}(): Expected dtype int32/int64 for index")


def check_index_dims(who: str, input: Tensor, index: Tensor) -> None:
    """Refuse an index of another number of dims."""
    if (index.ndim or 1) != (input.ndim or 1):
        raise fail(
            "index-dims", f"Index tensor must have the same number of dimensions as {who} tensor"
        )


def _check_gather(input: Tensor, dim: Any, index: Tensor) -> int:
    at = wrap_dim(dim, input.ndim)
    check_index_type("gather", index)
    if not index.shape.numel():
        return at
    check_index_dims("input", input, index)
    for d in range(input.ndim if index.ndim else 0):
        if d != at and index.shape[d] > input.shape[d]:
            raise fail(
                "index-size",
                f"Size does not match at dimension {d} expected index {list(index.shape)} to be no"
                f" larger than self {list(input.shape)} apart from dimension {at}",
            )
    return at


def check_inside(input: Tensor, index: Tensor, at: int) -> int:
    """Refuse indices outside the dim; return the dim."""
    out_of_bounds(index._array, input.shape[at] if input.ndim else 1, at)
    return at


def places(index: Any, dim: int, ndim: int) -> tuple[Any, ...]:
    """Return numpy's indices of the elements `gather` reads."""
    grid = list(np.ogrid[tuple(slice(n) for n in index.shape)])
    grid[dim] = index
    return tuple(grid)


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
    return {"dim": check_inside(input, index, _check_gather(input, dim, index))}


@gather.vjp("input", latex=r"\grad{input} = \grad{result} \text{ added up at } \val{index}")
def _(grad: Any, input_shape: Any, dim: int, index: Any) -> Any:
    return scatter_add(fresh_zeros(grad, input_shape), dim, index, grad)


from engine.ops.scatter import scatter_add  # noqa: E402
