"""torch.linalg: determinants and their logarithms."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.compare import where, zero_like
from engine.ops.dims import add_reduce, multiply_reduce
from engine.ops.elimination import factor, solved
from engine.ops.matrices import BATCH, SQUARE, check_matrix, turned
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample
from engine.ops.solving import solve_matrix
from engine.tensor import Tensor, make


def _factor(A: Any) -> tuple[Any, Any]:
    """Return LU and numbers of swaps; of the transposed matrix where that is how it lies."""
    lu, _, swaps = factor(np.swapaxes(A, -1, -2) if A.flags.c_contiguous else A)
    return lu, swaps


@op(
    "linalg_det",
    latex=r"\val{result} = \det \val{A}",
    grad_fn="LinalgDetBackward0",
    samples=lambda: [Sample((SQUARE,)), Sample((BATCH,))],
)
def det(A: Array) -> Array:
    """Compute the determinant.

    >>> torch.linalg.det(torch.tensor([[2., 1.], [1., 3.]]))
    tensor(5.)
    """
    lu, swaps = _factor(A)
    product = multiply_reduce(np.diagonal(lu, 0, -2, -1), -1)
    return (product * np.where(swaps % 2, -1, 1)).astype(A.dtype)[()]


@det.prepare
def _(A: Tensor) -> None:
    check_matrix("det", A)


@det.vjp("A", latex=r"\grad{A} = \grad{result}\,\val{result}\,\val{A}^{-\mathsf T}")
def _(grad: Any, A: Any, result: Any) -> Any:
    if _is_singular(A):
        return _adjugate(grad, A)
    return _times_inverse(grad * result, A)


def _times_inverse(scale: Any, A: Any) -> Any:
    """Return scale times the transposed inverse, of arrays or tensors."""
    scale = scale.reshape((*scale.shape, 1, 1))
    if isinstance(scale, Tensor):
        eye: Any = make(np.eye(A.shape[-1], dtype=A.dtype.np))
        return solve_matrix(turned(A), scale * eye)
    return solved(np.swapaxes(A, -1, -2), scale * np.eye(A.shape[-1], dtype=A.dtype))


def _is_singular(A: Any) -> bool:
    array = A._array if isinstance(A, Tensor) else A
    lu, _, _ = factor(np.asarray(array))
    return bool(np.any(np.diagonal(lu, 0, -2, -1) == 0))


def _adjugate(grad: Any, A: Any) -> Any:
    """Return the gradient at singular matrices, from cofactors."""
    array = np.asarray(A._array if isinstance(A, Tensor) else A)
    n = array.shape[-1]
    cofactors = np.empty_like(array)
    for i in range(n):
        for j in range(n):
            minor = np.delete(np.delete(array, i, -2), j, -1)
            cofactors[..., i, j] = (-1) ** (i + j) * (det.forward(minor) if n > 1 else 1)
    known = make(cofactors) if isinstance(grad, Tensor) else cofactors
    return known * grad.reshape((*grad.shape, 1, 1))


@function("torch.linalg.det", "torch.det", "Tensor.det")
def det_of(A: Tensor) -> Tensor:
    """Compute the determinant."""
    result: Tensor = det(A)
    return result


@op(
    "linalg_slogdet",
    latex=r"\val{sign}, \val{logabsdet} = \operatorname{sign} \det \val{A}, \ln |\det \val{A}|",
    grad_fn="LinalgSlogdetBackward0",
    samples=lambda: [Sample((SQUARE,)), Sample((BATCH,))],
    outputs=("sign", "logabsdet"),
    returns="linalg_slogdet",
)
def slogdet(A: Array) -> tuple[Array, Array]:
    """Compute sign and logarithm of the determinant.

    >>> torch.linalg.slogdet(torch.eye(2)).logabsdet
    tensor(0.)
    """
    lu, swaps = _factor(A)
    pivots = np.diagonal(lu, 0, -2, -1)
    sign = multiply_reduce(np.sign(pivots), -1) * np.where(swaps % 2, -1, 1)
    logs = add_reduce(np.log(np.abs(pivots)), -1)
    sign = np.where(sign == sign, sign, 0)  # PyTorch's sign of what is no number
    return sign.astype(A.dtype)[()], np.asarray(logs, A.dtype)[()]


@slogdet.prepare
def _(A: Tensor) -> None:
    check_matrix("slogdet", A)


@slogdet.vjp("A", latex=r"\grad{A} = \grad{logabsdet}\,\val{A}^{-\mathsf T}")
def _(grad: Any, A: Any) -> Any:
    scale = grad[1]
    if scale is None:
        return None
    return _times_inverse(scale, A)


@function("torch.linalg.slogdet")
def slogdet_of(A: Tensor) -> Any:
    """Compute sign and logarithm of the determinant."""
    return slogdet(A)


@function("torch.slogdet", "Tensor.slogdet")
def slogdet_old(input: Tensor) -> Any:
    """Compute sign and logarithm of the determinant, by the old name."""
    from engine.ops.returns import named

    return named("slogdet", ("sign", "logabsdet"))(*slogdet(input))


@function("torch.logdet", "Tensor.logdet")
def logdet(input: Tensor) -> Tensor:
    """Compute the logarithm of the determinant; nan where it is negative."""
    sign, logs = slogdet(input)
    result: Tensor = where(sign < 0, zero_like(logs) + float("nan"), logs)
    return result
