"""torch.linalg: inverses and solutions of linear equations."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dtypes import LEGACY_NAMES
from engine.errors import fail
from engine.ops.arrange import tril, triu
from engine.ops.elimination import factor, solved
from engine.ops.expanding import unsqueeze
from engine.ops.matrices import BATCH, SQUARE, LinAlgError, check_matrix, times, turned
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, T, t
from engine.tensor import Tensor


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
    return solved(A, np.eye(A.shape[-1], dtype=A.dtype))


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
    if not np.diagonal(factor(A)[0], 0, -2, -1).all():
        raise fail(
            "singular",
            "torch.linalg.solve: The solver failed because the input matrix is singular.",
            LinAlgError,
        )
    return _solved(A, B, vector)


def _solved(A: Any, B: Any, vector: bool, adjoint: bool = False) -> Any:
    return solved(A, B[..., None], adjoint)[..., 0] if vector else solved(A, B, adjoint)


def _back(A: Any, grad: Any, vector: bool) -> Any:
    """Solve with the transposed A, arrays or tensors."""
    if isinstance(grad, Tensor):
        return solve_matrix(turned(A), grad, vector)
    return _solved(A, grad, vector, adjoint=True)


@solve_matrix.vjp(
    "A",
    latex=r"\grad{A} = -(\val{A}^{-\mathsf T}\,\grad{result})\,\val{result}^{\mathsf T}",
)
def _(grad: Any, A: Any, result: Any, vector: bool) -> Any:
    back = _back(A, grad, vector)
    if vector:
        n = len(result.shape)
        return -(unsqueeze(back, n) * unsqueeze(result, n - 1))
    return -times(back, turned(result))


@solve_matrix.vjp("B", latex=r"\grad{B} = \val{A}^{-\mathsf T}\,\grad{result}")
def _(grad: Any, A: Any, vector: bool) -> Any:
    return _back(A, grad, vector)


@function("torch.linalg.solve")
def solve(A: Any, B: Any, *, left: bool = True) -> Tensor:
    """Solve systems of linear equations; B holds vectors or matrices."""
    check_matrix("solve", A)
    if A.dtype is not B.dtype:
        raise fail(
            "dtypes-differ",
            "linalg.solve: Expected A and B to have the same dtype, but found A of type"
            f" {LEGACY_NAMES[A.dtype]} and B of type {LEGACY_NAMES[B.dtype]} instead",
        )
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
