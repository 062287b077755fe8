"""torch.linalg: factors that are orthogonal: QR, eigenvectors, singular vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.arrange import diag_embed, tril
from engine.ops.compare import where, zero_like
from engine.ops.diagonals import diagonal
from engine.ops.expanding import unsqueeze
from engine.ops.matrices import POSITIVE, SQUARE, check_matrix, times, turned
from engine.ops.pieces import slice_dim
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, t
from engine.ops.solving import solve_matrix
from engine.tensor import Tensor


@op(
    "linalg_qr",
    latex=r"\val{A} = \val{Q}\,\val{R}",
    grad_fn="LinalgQrBackward0",
    samples=lambda: [Sample((t(3, 2),)), Sample((SQUARE,))],
    outputs=("Q", "R"),
    returns="linalg_qr",
)
def qr_factors(A: Array, mode: str = "reduced") -> tuple[Array, Array]:
    """Factor into orthogonal columns and an upper triangle.

    >>> torch.linalg.qr(torch.eye(2)).R.shape
    torch.Size([2, 2])
    """
    q, r = np.linalg.qr(A, "complete" if mode == "complete" else "reduced")
    return q, r


@qr_factors.prepare
def _(A: Tensor, mode: str) -> None:
    check_matrix("qr", A, square=False)
    if mode not in ("reduced", "complete", "r"):
        raise fail(
            "qr-mode",
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r',"
            " or 'complete'",
        )


@qr_factors.vjp(
    "A",
    latex=r"\grad{A} = \left(\grad{Q} + \val{Q}\,\operatorname{sym}(\val{R}\,\grad{R}^{\mathsf T}"
    r" - \grad{Q}^{\mathsf T} \val{Q})\right) \val{R}^{-\mathsf T}",
)
def _(grad: Any, Q: Any, R: Any, mode: str) -> Any:
    if mode == "r" or R.shape[-2] != R.shape[-1]:
        raise fail(
            "qr-derivative",
            "The QR decomposition is not differentiable when mode='complete' and nrows > ncols",
        )
    grad_q, grad_r = grad
    inner = times(R, turned(grad_r)) - times(turned(grad_q), Q)
    lower = tril(inner, -1)
    symmetric = lower + turned(lower) + diag_embed(diagonal(inner, 0, -2, -1))
    right = grad_q + times(Q, symmetric)
    return turned(solve_matrix(R, turned(right)))


@function("torch.linalg.qr")
def qr(A: Any, mode: str = "reduced") -> Any:
    """Factor into orthogonal columns and an upper triangle."""
    return qr_factors(A, mode)


@function("torch.qr", "Tensor.qr")
def qr_old(input: Any, some: bool = True) -> Any:
    """Factor into orthogonal columns and an upper triangle, by the old name."""
    return qr_factors(input, "reduced" if some else "complete")


@op(
    "linalg_eigh",
    latex=r"\val{A} = \val{eigenvectors}\, \operatorname{diag}(\val{eigenvalues})\,"
    r" \val{eigenvectors}^{\mathsf T}",
    grad_fn="LinalgEighBackward0",
    samples=lambda: [Sample((POSITIVE, "L"))],
    outputs=("eigenvalues", "eigenvectors"),
    returns="linalg_eigh",
)
def eigh_parts(A: Array, UPLO: str = "L") -> tuple[Array, Array]:
    """Find eigenvalues and eigenvectors of symmetric matrices.

    >>> torch.linalg.eigh(torch.tensor([[2., 0.], [0., 1.]])).eigenvalues
    tensor([1., 2.])
    """
    solver: Any = np.linalg.eigh
    values, vectors = solver(A, UPLO)
    return values, vectors


@eigh_parts.prepare
def _(A: Tensor, UPLO: str) -> None:
    check_matrix("eigh", A)


@eigh_parts.vjp(
    "A",
    latex=r"\grad{A} = \val{eigenvectors} \left(\operatorname{diag} \grad{eigenvalues}"
    r" + \frac{\val{eigenvectors}^{\mathsf T} \grad{eigenvectors}}{\val{eigenvalues}_j -"
    r" \val{eigenvalues}_i}\right) \val{eigenvectors}^{\mathsf T}",
)
def _(grad: Any, eigenvalues: Any, eigenvectors: Any) -> Any:
    grad_values, grad_vectors = grad
    back = turned(eigenvectors)
    n = len(eigenvalues.shape)
    inner = diag_embed(grad_values)
    if not is_all_zero(grad_vectors):
        gaps = unsqueeze(eigenvalues, n - 1) - unsqueeze(eigenvalues, n)
        same = diag_embed(eigenvalues * 0 + 1) == 1
        gaps = where(same, zero_like(gaps) + float("inf"), gaps)
        inner = inner + times(back, grad_vectors) / gaps
    return times(eigenvectors, times(inner, back))


def is_all_zero(x: Any) -> bool:
    """Tell whether an array or a tensor holds nothing but zeros, for an output nobody used."""
    if x is None:
        return True
    array = x._array if isinstance(x, Tensor) else x
    needs = isinstance(x, Tensor) and x._fn is not None
    return not needs and not np.any(array)


@function("torch.linalg.eigh")
def eigh(A: Any, UPLO: str = "L") -> Any:
    """Find eigenvalues and eigenvectors of symmetric matrices."""
    return eigh_parts(A, UPLO)


@function("torch.linalg.eigvalsh")
def eigvalsh(A: Any, UPLO: str = "L") -> Tensor:
    """Find eigenvalues of symmetric matrices."""
    result: Tensor = eigh_parts(A, UPLO)[0]
    return result


@op(
    "linalg_svd",
    latex=r"\val{A} = \val{U}\, \operatorname{diag}(\val{S})\, \val{Vh}",
    grad_fn="LinalgSvdBackward0",
    samples=lambda: [Sample((SQUARE, False)), Sample((t(3, 2), False))],
    outputs=("U", "S", "Vh"),
    returns="linalg_svd",
)
def svd_parts(A: Array, full_matrices: bool = True) -> tuple[Array, Array, Array]:
    """Find singular values and vectors.

    >>> torch.linalg.svd(torch.tensor([[3., 0.], [0., 4.]])).S
    tensor([4., 3.])
    """
    u, s, vh = np.linalg.svd(A, full_matrices)
    return u, s, vh


@svd_parts.prepare
def _(A: Tensor, full_matrices: bool) -> None:
    check_matrix("svd", A, square=False)


@svd_parts.vjp(
    "A",
    latex=r"\grad{A} = \val{U} \left(\operatorname{diag} \grad{S} + \ldots \grad{U},"
    r" \grad{Vh}\right)"
    r" \val{Vh} \text{, weighted by differences of } \val{S}^2",
)
def _(grad: Any, U: Any, S: Any, Vh: Any) -> Any:
    grad_u, grad_s, grad_vh = grad
    k, n = S.shape[-1], len(S.shape)
    U, Vh = slice_dim(U, n, 0, k, 1), slice_dim(Vh, n - 1, 0, k, 1)
    inner = diag_embed(grad_s)
    V = turned(Vh)
    outer: Any = None
    if not (is_all_zero(grad_u) and is_all_zero(grad_vh)):
        grad_u, grad_v = slice_dim(grad_u, n, 0, k, 1), turned(slice_dim(grad_vh, n - 1, 0, k, 1))
        square = S * S
        gaps = unsqueeze(square, n - 1) - unsqueeze(square, n)
        same = diag_embed(S * 0 + 1) == 1
        gaps = where(same, zero_like(gaps) + float("inf"), gaps)
        row, column = unsqueeze(S, n - 1), unsqueeze(S, n)
        skew_u, skew_v = times(turned(U), grad_u), times(turned(V), grad_v)
        skew_u, skew_v = skew_u - turned(skew_u), skew_v - turned(skew_v)
        inner = inner + skew_u / gaps * row + column * (skew_v / gaps)
        outer = _outside(grad_u, U, S, Vh, grad_v)
    result = times(U, times(inner, Vh))
    return result if outer is None else result + outer


def _outside(grad_u: Any, U: Any, S: Any, Vh: Any, grad_v: Any) -> Any:
    """Return what the parts of vectors outside the span contribute."""
    n = len(S.shape)
    over = unsqueeze(1 / S, n - 1)
    left = (grad_u - times(U, times(turned(U), grad_u))) * over
    V = turned(Vh)
    right = (grad_v - times(V, times(Vh, grad_v))) * over
    return times(left, Vh) + times(U, turned(right))


@function("torch.linalg.svd")
def svd(A: Any, full_matrices: bool = True, *, driver: Any = None) -> Any:
    """Find singular values and vectors: A = U diag(S) Vh."""
    return svd_parts(A, full_matrices)


@function("torch.svd", "Tensor.svd")
def svd_old(input: Any, some: bool = True, compute_uv: bool = True) -> Any:
    """Find singular values and vectors by the old name: A = U diag(S) V^T."""
    from engine.ops.returns import named

    u, s, vh = svd_parts(input, not some)
    return named("svd", ("U", "S", "V"))(u, s, turned(vh))


@function("torch.linalg.svdvals")
def svdvals(A: Any, *, driver: Any = None) -> Tensor:
    """Find singular values."""
    result: Tensor = svd_parts(A, False)[1]
    return result
