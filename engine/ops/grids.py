"""Grids, combinations and blocks of several tensors."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.expanding import expand
from engine.ops.joining import stack
from engine.ops.pieces import slice_dim
from engine.ops.record import Array, Arrays, function, op
from engine.ops.samples import Sample, t
from engine.ops.shape import reshape
from engine.tensor import Tensor


@function("torch.meshgrid")
def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Repeat vectors along each other's dims, as coordinates of a grid."""
    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    if not given:
        raise fail("meshgrid", "meshgrid expects a non-empty TensorList")
    if indexing not in (None, "ij", "xy"):
        raise fail(
            "meshgrid",
            f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}',
        )
    if any(x.dtype is not given[0].dtype for x in given):
        raise fail("meshgrid", "meshgrid expects all tensors to have the same dtype")
    for x in given:
        if x.ndim > 1:
            raise fail(
                "meshgrid",
                f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {x}",
            )
    swap = indexing == "xy" and len(given) > 1
    order = [given[1], given[0], *given[2:]] if swap else list(given)
    shape = tuple(x.shape.numel() for x in order)
    grids = []
    for i, x in enumerate(order):
        column = reshape(x, (1,) * i + (-1,) + (1,) * (len(order) - i - 1))
        grids.append(expand(column, shape))
    if swap:
        grids[0], grids[1] = grids[1], grids[0]
    return tuple(grids)


@function("torch.cartesian_prod")
def cartesian_prod(*tensors: Tensor) -> Tensor:
    """List all combinations of elements of several vectors, as rows."""
    for x in tensors:
        if x.ndim != 1:
            raise fail("cartesian-prod", f"Expect a 1D vector, but got shape {list(x.shape)}")
    if len(tensors) == 1:
        return tensors[0]
    columns = [reshape(x, (-1,)) for x in meshgrid(*tensors, indexing="ij")]
    result: Tensor = stack(columns, 1)
    return result


@function("torch.combinations")
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """List all combinations of r elements of a vector, as rows."""
    from engine.ops.slices import index_select
    from engine.tensor import make

    if input.ndim != 1:
        raise fail("combinations", "Expect a 1D vector, but got shape " + str(list(input.shape)))
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = np.array(list(choose(range(input.shape[0]), r)), np.int64).reshape(-1, r)
    picked = [index_select(input, 0, make(rows[:, i].copy())) for i in range(r)]
    result: Tensor = stack(picked, 1)
    return result


@op(
    "block_diag",
    latex=r"\val{result} = \operatorname{blockdiag}(\val{tensors})",
    grad_fn="BlockDiagBackward0",
    samples=lambda: [Sample(([t(2, 2), t(1, 3, seed=1)],))],
)
def block_diag(tensors: Arrays) -> Array:
    """Put matrices on a diagonal of zeros.

    >>> torch.block_diag(torch.tensor([[1]]), torch.tensor([[2]]))
    tensor([[1, 0],
            [0, 2]])
    """
    blocks = [np.atleast_2d(x) for x in tensors]
    shape = tuple(sum(b.shape[i] for b in blocks) for i in (0, 1))
    whole = np.zeros(shape, np.result_type(*blocks))
    row = column = 0
    for b in blocks:
        whole[row : row + b.shape[0], column : column + b.shape[1]] = b
        row, column = row + b.shape[0], column + b.shape[1]
    return whole


@block_diag.vjp("tensors", latex=r"\grad{tensors}_i = \text{its block of } \grad{result}")
def _(grad: Any, tensors_shape: Any) -> Any:
    pieces = []
    row = column = 0
    for shape in tensors_shape:
        h, w = (1, 1, *shape)[-2:]
        block = slice_dim(slice_dim(grad, 0, row, row + h, 1), 1, column, column + w, 1)
        pieces.append(block.reshape(tuple(shape)))
        row, column = row + h, column + w
    return pieces


@function("torch.block_diag")
def block_diag_of(*tensors: Tensor) -> Tensor:
    """Put matrices on a diagonal of zeros."""
    result: Tensor = block_diag(list(tensors))
    return result
