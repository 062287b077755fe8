"""torch.linalg: determinants, inverses, solving, and decompositions of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dtypes import LEGACY_NAMES
from engine.errors import fail
from engine.ops.arrange import diag_embed, tril, triu
from engine.ops.compare import where, zero_like
from engine.ops.dims import add_reduce, multiply_reduce
from engine.ops.matmul import matmul
from engine.ops.pieces import diagonal, slice_dim
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, T, t
from engine.ops.shape import transpose, unsqueeze
from engine.tensor import Tensor, make

SQUARE = T([[2.0, 0.5, -0.3], [0.1, 1.5, 0.4], [-0.2, 0.3, 1.2]])
POSITIVE = T([[2.0, 0.5, -0.3], [0.5, 1.5, 0.4], [-0.3, 0.4, 1.2]])
BATCH = T([[[2.0, 0.5], [0.1, 1.5]], [[1.0, -0.4], [0.3, 0.8]]])


class LinAlgError(RuntimeError):
    """torch.linalg.LinAlgError: what a decomposition cannot do with these numbers."""


LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"
LinAlgError.__module__ = "torch._C"


def turned(x: Any) -> Any:
    """Transpose the last two dims, of an array or a tensor."""
    n = len(x.shape)
    return transpose(x, n - 2, n - 1)


def times(a: Any, b: Any) -> Any:
    """Multiply matrices, arrays or tensors."""
    return matmul(a, b) if isinstance(a, Tensor) else np.matmul(a, b)


def check_matrix(name: str, input: Tensor, square: bool = True, letter: str = "A") -> None:
    """Refuse what is no floating matrix, or no square one."""
    if not isinstance(input, Tensor):
        raise TypeError(
            f"linalg_{name}(): argument '{letter}' (position 1) must be Tensor, not"
            f" {type(input).__name__}"
        )
    if input.ndim < 2:
        raise fail(
            "linalg-dims",
            f"linalg.{name}: The input tensor {letter} must have at least 2 dimensions.",
        )
    if square and input.shape[-1] != input.shape[-2]:
        raise fail(
            "linalg-square",
            f"linalg.{name}: {letter} must be batches of square matrices, but they are"
            f" {input.shape[-2]} by {input.shape[-1]} matrices",
        )
    if not input.dtype.is_floating_point:
        raise fail(
            "linalg-dtype",
            f"linalg.{name}: Expected a floating point or complex tensor as input. Got"
            f" {LEGACY_NAMES[input.dtype]}",
        )


def eliminate(a: Any) -> tuple[Any, Any, int]:
    """Return LU with partial pivoting of one matrix, LAPACK's pivots, and the number of swaps."""
    lu = a.copy()
    n = min(lu.shape)
    pivots = np.arange(1, n + 1, dtype=np.int32)
    swaps = 0
    for k in range(n):
        p = k + int(np.argmax(np.abs(lu[k:, k])))
        pivots[k] = p + 1
        if p != k:
            lu[[k, p]] = lu[[p, k]]
            swaps += 1
        if lu[k, k] != 0:
            lu[k + 1 :, k] /= lu[k, k]
            lu[k + 1 :, k + 1 :] -= np.outer(lu[k + 1 :, k], lu[k, k + 1 :])
    return lu, pivots, swaps


def factor(a: Any) -> tuple[Any, Any, Any]:
    """Return LU, pivots and numbers of swaps of a batch of matrices."""
    lead = a.shape[:-2]
    lu = np.empty_like(a)
    pivots = np.empty((*lead, min(a.shape[-2:])), np.int32)
    swaps = np.empty(lead, np.int64)
    for place in np.ndindex(*lead):
        lu[place], pivots[place], swaps[place] = eliminate(a[place])
    return lu, pivots, swaps


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
    lu, _, swaps = factor(A)
    product = multiply_reduce(np.diagonal(lu, 0, -2, -1), -1)
    return (product * np.where(swaps % 2, -1, 1)).astype(A.dtype)[()]


@det.prepare
def _(A: Tensor) -> None:
    check_matrix("det", A)


@det.vjp("A", latex=r"\grad{A} = \grad{result}\,\val{result}\,\val{A}^{-\mathsf T}")
def _(grad: Any, A: Any, result: Any) -> Any:
    scale = grad * result
    scale = scale.reshape((*scale.shape, 1, 1))
    if _is_singular(A):
        return _adjugate(grad, A)
    return scale * turned(inverse(A))


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
    lu, _, swaps = factor(A)
    pivots = np.diagonal(lu, 0, -2, -1)
    sign = multiply_reduce(np.sign(pivots), -1) * np.where(swaps % 2, -1, 1)
    logs = add_reduce(np.log(np.abs(pivots)), -1)
    return sign.astype(A.dtype)[()], np.asarray(logs, A.dtype)[()]


@slogdet.prepare
def _(A: Tensor) -> None:
    check_matrix("slogdet", A)


@slogdet.vjp("A", latex=r"\grad{A} = \grad{logabsdet}\,\val{A}^{-\mathsf T}")
def _(grad: Any, A: Any) -> Any:
    scale = grad[1]
    if scale is None:
        return None
    return scale.reshape((*scale.shape, 1, 1)) * turned(inverse(A))


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


@op(
    "linalg_inv",
    latex=r"\val{result} = \val{A}^{-1}",
    grad_fn="LinalgInvExBackward0",
    samples=lambda: [Sample((SQUARE,)), Sample((BATCH,))],
)
def inverse(A: Array) -> Array:
    """Invert matrices.

    >>> torch.linalg.inv(torch.tensor([[2., 0.], [0., 4.]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    refuse_singular(A)
    return np.linalg.inv(A)


def refuse_singular(A: Any) -> None:
    """Refuse to invert, naming the first zero on the diagonal."""
    lu, _, _ = factor(A)
    pivots = np.diagonal(lu, 0, -2, -1)
    for place in np.ndindex(*pivots.shape[:-1]):
        zeros = np.flatnonzero(pivots[place] == 0)
        if zeros.size:
            number = int(np.ravel_multi_index(place, pivots.shape[:-1])) if place else 0
            batch = f"(Batch element {number}): " if place else ""
            raise fail(
                "singular",
                f"linalg.inv: {batch}The diagonal element {int(zeros[0]) + 1} is zero, the"
                " inversion"
                " could not be completed because the input matrix is singular.",
                LinAlgError,
            )


@inverse.prepare
def _(A: Tensor) -> None:
    check_matrix("inv", A)


@inverse.vjp(
    "A",
    latex=r"\grad{A} = -\val{result}^{\mathsf T}\,\grad{result}\,\val{result}^{\mathsf T}",
)
def _(grad: Any, result: Any) -> Any:
    back = turned(result)
    return -times(back, times(grad, back))


@function("torch.linalg.inv", "torch.inverse", "Tensor.inverse")
def inv(A: Any = None, *, input: Any = None) -> Tensor:
    """Invert matrices."""
    result: Tensor = inverse(A if input is None else input)
    return result


@op(
    "linalg_solve",
    latex=r"\val{A}\,\val{result} = \val{B}",
    grad_fn="LinalgSolveExBackward0",
    samples=lambda: [
        Sample((SQUARE, t(3, 2))),
        Sample((BATCH, t(2, 2, 1))),
        Sample((SQUARE, t(3), True)),
    ],
)
def solve_matrix(A: Array, B: Array, vector: bool = False) -> Array:
    """Solve systems of linear equations.

    >>> torch.linalg.solve(torch.tensor([[2., 0.], [0., 4.]]), torch.tensor([[2.], [2.]]))
    tensor([[1.0000],
            [0.5000]])
    """
    try:
        return np.linalg.solve(A, B[..., None])[..., 0] if vector else np.linalg.solve(A, B)
    except np.linalg.LinAlgError:
        raise fail(
            "singular",
            "torch.linalg.solve: The solver failed because the input matrix is singular.",
            LinAlgError,
        ) from None


@solve_matrix.vjp(
    "A",
    latex=r"\grad{A} = -(\val{A}^{-\mathsf T}\,\grad{result})\,\val{result}^{\mathsf T}",
)
def _(grad: Any, A: Any, result: Any, vector: bool) -> Any:
    back = solve_matrix(turned(A), grad, vector)
    if vector:
        n = len(result.shape)
        return -(unsqueeze(back, n) * unsqueeze(result, n - 1))
    return -times(back, turned(result))


@solve_matrix.vjp("B", latex=r"\grad{B} = \val{A}^{-\mathsf T}\,\grad{result}")
def _(grad: Any, A: Any, vector: bool) -> Any:
    return solve_matrix(turned(A), grad, vector)


@function("torch.linalg.solve")
def solve(A: Any, B: Any, *, left: bool = True) -> Tensor:
    """Solve systems of linear equations; B holds vectors or matrices."""
    check_matrix("solve", A)
    is_vector = B.ndim == 1 or (A.ndim - 1 == B.ndim and B.shape == A.shape[:-1])
    b = unsqueeze(B, -1) if is_vector else B
    side = -2 if left else -1
    if b.shape[side] != A.shape[-1]:
        shapes = f"({A.shape[-2]}x{A.shape[-1]} and {b.shape[-2]}x{b.shape[-1]})"
        equation = "AX = B" if left else "XA = B"
        raise fail(
            "solve-shapes",
            f"linalg.solve: Incompatible shapes of A and B for the equation {equation} {shapes}",
        )
    result: Tensor
    if is_vector:
        result = solve_matrix(A if left else turned(A), B, True)
    elif left:
        result = solve_matrix(A, B)
    else:
        result = turned(solve_matrix(turned(A), turned(B)))
    return result


def _lower_samples() -> list[Sample]:
    return [Sample((POSITIVE, False)), Sample((POSITIVE, True))]


def _cholesky_arrays(A: Any, upper: bool) -> Any:
    # PyTorch reads one triangle only.
    lower = np.tril(A) if not upper else np.triu(A).swapaxes(-1, -2)
    whole = lower + np.tril(lower, -1).swapaxes(-1, -2)
    for place in np.ndindex(*A.shape[:-2]):
        _refuse_indefinite(whole[place], place)
    result = np.linalg.cholesky(whole)
    return result.swapaxes(-1, -2).copy() if upper else result


def _refuse_indefinite(matrix: Any, place: tuple[int, ...]) -> None:
    for k in range(1, matrix.shape[-1] + 1):
        try:
            np.linalg.cholesky(matrix[:k, :k])
        except np.linalg.LinAlgError:
            batch = f"(Batch element {place[0]}): " if place else ""
            raise fail(
                "not-positive-definite",
                f"linalg.cholesky: {batch}The factorization could not be completed because"
                " the input"
                f" is not positive-definite (the leading minor of order {k} is not"
                " positive-definite).",
                LinAlgError,
            ) from None


@op(
    "linalg_cholesky",
    latex=r"\val{A} = \val{L}\,\val{L}^{\mathsf T}",
    grad_fn=lambda old, **_: "CholeskyBackward0" if old else "LinalgCholeskyExBackward0",
    samples=_lower_samples,
    outputs=("L",),
)
def cholesky_factor(A: Array, upper: bool = False, old: bool = False) -> Array:
    """Factor a positive definite matrix into a triangle and its transpose.

    >>> torch.linalg.cholesky(torch.tensor([[4., 2.], [2., 2.]]))
    tensor([[2., 0.],
            [1., 1.]])
    """
    return _cholesky_arrays(A, upper)


@cholesky_factor.prepare
def _(A: Tensor, upper: bool, old: bool) -> None:
    check_matrix("cholesky", A)


@cholesky_factor.vjp(
    "A",
    latex=r"\grad{A} = \val{L}^{-\mathsf T}\, \operatorname{sym}(\val{L}^{\mathsf T} \grad{L})\,"
    r" \val{L}^{-1}",
)
def _(grad: Any, L: Any, upper: bool) -> Any:
    if upper:
        grad, L = turned(grad), turned(L)
    phi = tril(times(turned(L), grad))
    middle = (phi + turned(tril(phi, -1))) * 0.5
    left = solve_matrix(turned(L), middle)
    return turned(solve_matrix(turned(L), turned(left)))


@function("torch.linalg.cholesky")
def cholesky(A: Any, *, upper: bool = False) -> Tensor:
    """Factor a positive definite matrix into a triangle and its transpose."""
    result: Tensor = cholesky_factor(A, upper)
    return result


@function("torch.cholesky", "Tensor.cholesky")
def cholesky_old(input: Tensor, upper: bool = False) -> Tensor:
    """Factor a positive definite matrix, by the old name."""
    result: Tensor = cholesky_factor(input, upper, True)
    return result


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


@op(
    "linalg_pinv",
    latex=r"\val{result} = \val{A}^{+}",
    grad_fn="LinalgPinvBackward0",
    samples=lambda: [Sample((t(3, 2),)), Sample((t(2, 3),))],
)
def pseudo_inverse(A: Array, rcond: float | None = None) -> Array:
    """Invert as far as a matrix can be inverted.

    >>> torch.linalg.pinv(torch.tensor([[2.], [0.]]))
    tensor([[0.5000, 0.0000]])
    """
    limit = max(A.shape[-2:]) * float(np.finfo(A.dtype).eps) if rcond is None else rcond
    return np.linalg.pinv(A, limit).astype(A.dtype)


@pseudo_inverse.prepare
def _(A: Tensor, rcond: Any) -> None:
    check_matrix("pinv", A, square=False)


@pseudo_inverse.vjp(
    "A",
    latex=r"\grad{A} = -P^{\mathsf T} \grad{result} P^{\mathsf T} + \ldots"
    r" \text{ with } P = \val{result} \text{ and what lies outside the span of } \val{A}",
)
def _(grad: Any, A: Any, result: Any) -> Any:
    back = turned(result)
    through = -times(times(back, grad), back)
    outer = turned(grad) - times(times(A, result), turned(grad))
    first = times(outer, times(result, back))
    inner = turned(grad) - times(turned(grad), times(result, A))
    second = times(times(back, result), inner)
    return through + first + second


@function("torch.linalg.pinv")
def pinv(
    A: Any, rcond: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None
) -> Tensor:
    """Compute the pseudo-inverse."""
    result: Tensor = pseudo_inverse(A, rtol if rcond is None else rcond)
    return result


@function("torch.pinverse", "Tensor.pinverse")
def pinverse(input: Any, rcond: float = 1e-15) -> Tensor:
    """Compute the pseudo-inverse, by the old name."""
    result: Tensor = pseudo_inverse(input, rcond)
    return result


@op(
    "linalg_solve_triangular",
    latex=r"\val{A}\,\val{result} = \val{B}",
    grad_fn="LinalgSolveTriangularBackward0",
    samples=lambda: [
        Sample((T([[2.0, 0.5], [0.0, 1.5]]), t(2, 2), True, False)),
        Sample((T([[2.0, 0.0], [0.5, 1.5]]), t(2, 1), False, True)),
    ],
)
def triangular(A: Array, B: Array, upper: bool, unitriangular: bool) -> Array:
    """Solve systems whose matrix is a triangle.

    >>> torch.linalg.solve_triangular(torch.eye(2), torch.ones(2, 1), upper=True)
    tensor([[1.],
            [1.]])
    """
    matrix = np.triu(A) if upper else np.tril(A)
    if unitriangular:
        matrix = (np.triu(A, 1) if upper else np.tril(A, -1)) + np.eye(A.shape[-1], dtype=A.dtype)
    return np.linalg.solve(matrix, B)


@triangular.vjp(
    "A", latex=r"\grad{A} = -\operatorname{tri}\left(\val{A}^{-\mathsf T} \grad{result}\,"
    r"\val{result}^{\mathsf T}\right)",
)  # fmt: skip
def _(grad: Any, A: Any, result: Any, upper: bool, unitriangular: bool) -> Any:
    whole = -times(triangular(turned(A), grad, not upper, unitriangular), turned(result))
    shift = 1 if unitriangular else 0
    return triu(whole, shift) if upper else tril(whole, -shift)


@triangular.vjp("B", latex=r"\grad{B} = \val{A}^{-\mathsf T}\,\grad{result}")
def _(grad: Any, A: Any, upper: bool, unitriangular: bool) -> Any:
    return triangular(turned(A), grad, not upper, unitriangular)


@function("torch.linalg.solve_triangular")
def solve_triangular(
    A: Any, B: Any, *, upper: bool, left: bool = True, unitriangular: bool = False
) -> Tensor:
    """Solve systems whose matrix is a triangle."""
    if left:
        result: Tensor = triangular(A, B, upper, unitriangular)
        return result
    result = turned(triangular(turned(A), turned(B), not upper, unitriangular))
    return result
