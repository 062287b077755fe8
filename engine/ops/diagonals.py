"""Diagonals of matrices, as views."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.dims import wrap_dim
from engine.ops.record import Array, op
from engine.ops.samples import Sample, t
from engine.tensor import Tensor


@op(
    "diagonal",
    latex=r"\val{result} = \operatorname{diag}(\val{input})",
    grad_fn="DiagonalBackward0",
    binds=("torch.diagonal", "Tensor.diagonal"),
    samples=lambda: [Sample((t(3, 3),)), Sample((t(2, 3), 1)), Sample((t(2, 3, 3), 0, 1, 2))],
    view=True,
)
def diagonal(input: Array, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Array:
    """Look at a diagonal; it becomes the last dim.

    >>> torch.diagonal(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
    return diagonal_view(input, offset, dim1, dim2)


def diagonal_view(array: Any, offset: int, dim1: int, dim2: int) -> Any:
    """Return a writable view of a diagonal."""
    seen = np.diagonal(array, offset, dim1, dim2)
    if array.flags.writeable and not seen.flags.writeable:
        seen.flags.writeable = True
    return seen


@diagonal.prepare
def _(input: Tensor, offset: int, dim1: int, dim2: int) -> dict[str, Any]:
    first, second = wrap_dim(dim1, input.ndim), wrap_dim(dim2, input.ndim)
    if first == second:
        raise fail("diagonal-dims", f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return {"dim1": first, "dim2": second}


@diagonal.vjp("input", latex=r"\grad{input} = \grad{result} \text{ on the diagonal of zeros}")
def _(grad: Any, input_shape: Any, offset: int, dim1: int, dim2: int) -> Any:
    return diagonal_backward(grad, input_shape, offset, dim1, dim2)


@op(
    "diagonal_backward",
    latex=r"\val{result} = \val{input} \text{ on the diagonal of zeros}",
    grad_fn="DiagonalBackwardBackward0",
    samples=lambda: [Sample((t(2), (2, 3), 0, 0, 1))],
)
def diagonal_backward(input: Array, shape: Any, offset: int, dim1: int, dim2: int) -> Array:
    """Put a diagonal back among zeros."""
    whole = np.zeros(shape, input.dtype)
    diagonal_view(whole, offset, dim1, dim2)[...] = input
    return whole


@diagonal_backward.vjp("input", latex=r"\grad{input} = \operatorname{diag}(\grad{result})")
def _(grad: Any, offset: int, dim1: int, dim2: int) -> Any:
    return diagonal(grad, offset, dim1, dim2)
