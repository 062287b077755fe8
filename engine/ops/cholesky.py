"""Solving and inverting with a Cholesky factor, or another triangle."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.arrange import tril, triu
from engine.ops.matrices import check_matrix, times, turned
from engine.ops.record import Array, op
from engine.ops.samples import Sample, T, t
from engine.ops.solving import triangular
from engine.tensor import Tensor

LOWER = T([[1.4, 0.0, 0.0], [0.3, 1.1, 0.0], [-0.2, 0.4, 0.9]])
UPPER = T([[1.4, 0.3, -0.2], [0.0, 1.1, 0.4], [0.0, 0.0, 0.9]])


@op(
    "cholesky_solve",
    latex=r"\val{L}\,\val{L}^{\mathsf T}\,\val{result} = \val{B}",
    grad_fn="CholeskySolveBackward0",
    binds=("torch.cholesky_solve", "Tensor.cholesky_solve"),
    samples=lambda: [Sample((t(3, 2), LOWER)), Sample((t(3, 1), UPPER, True))],
)
def cholesky_solve(B: Array, L: Array, upper: bool = False) -> Array:
    """Solve systems of linear equations, given the Cholesky factor of their matrix.

    >>> torch.cholesky_solve(torch.ones(2, 1), torch.eye(2) * 2)
    tensor([[0.2500],
            [0.2500]])
    """
    low = np.swapaxes(L, -1, -2) if upper else L
    half = triangular.forward(low, B, False, False)
    return triangular.forward(np.swapaxes(low, -1, -2), half, True, False)


@cholesky_solve.prepare
def _(B: Tensor, L: Tensor, upper: bool) -> None:
    for letter, x in (("b", B), ("u", L)):
        if x.ndim < 2:
            raise fail(
                "cholesky-dims",
                f"{letter} should have at least 2 dimensions, but has {x.ndim} dimensions instead",
            )


@cholesky_solve.vjp("B", latex=r"\grad{B} = (\val{L}\,\val{L}^{\mathsf T})^{-1} \grad{result}")
def _(grad: Any, L: Any, upper: bool) -> Any:
    return cholesky_solve(grad, L, upper)


@cholesky_solve.vjp(
    "L",
    latex=r"\grad{L} = -(G + G^{\mathsf T})\,\val{L} \text{ with } G ="
    r" (\val{L}\,\val{L}^{\mathsf T})^{-1} \grad{result}\,\val{result}^{\mathsf T}",
)
def _(grad: Any, L: Any, result: Any, upper: bool) -> Any:
    whole = times(cholesky_solve(grad, L, upper), turned(result))
    whole = whole + turned(whole)
    return -triu(times(L, whole)) if upper else -tril(times(whole, L))


@op(
    "cholesky_inverse",
    latex=r"\val{result} = (\val{input}\,\val{input}^{\mathsf T})^{-1}",
    grad_fn="CholeskyInverseBackward0",
    binds=("torch.cholesky_inverse", "Tensor.cholesky_inverse"),
    samples=lambda: [Sample((LOWER,)), Sample((UPPER, True))],
)
def cholesky_inverse(input: Array, upper: bool = False) -> Array:
    """Invert a matrix, given its Cholesky factor.

    >>> torch.cholesky_inverse(torch.eye(2) * 2)
    tensor([[0.2500, 0.0000],
            [0.0000, 0.2500]])
    """
    low = np.swapaxes(np.triu(input), -1, -2) if upper else np.tril(input)
    return np.linalg.inv(np.matmul(low, np.swapaxes(low, -1, -2)))


@cholesky_inverse.prepare
def _(input: Tensor, upper: bool) -> None:
    check_matrix("cholesky_inverse", input)


@cholesky_inverse.vjp(
    "input",
    latex=r"\grad{input} = -\val{result}\,(\grad{result} + \grad{result}^{\mathsf T})\,"
    r"\val{result}\,\val{input}",
)
def _(grad: Any, input: Any, result: Any, upper: bool) -> Any:
    middle = times(result, times(grad + turned(grad), result))
    return -triu(times(input, middle)) if upper else -tril(times(middle, input))


@op(
    "triangular_solve",
    latex=r"\val{A}\,\val{solution} = \val{b}",
    grad_fn="TriangularSolveBackward0",
    samples=lambda: [
        Sample((t(3, 2), UPPER)),
        Sample((t(3, 1), LOWER, False)),
        Sample((t(3, 1), LOWER, False, True)),
        Sample((t(3, 1), LOWER, False, False, True)),
    ],
    outputs=("solution", "cloned_coefficient"),
    returns="triangular_solve",
    binds=("torch.triangular_solve", "Tensor.triangular_solve"),
)
def triangular_solve(
    b: Array, A: Array, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> tuple[Array, Array]:
    """Solve systems whose matrix is a triangle, by the old name.

    >>> torch.triangular_solve(torch.ones(2, 1), torch.eye(2)).solution
    tensor([[1.],
            [1.]])
    """
    matrix = np.swapaxes(A, -1, -2) if transpose else A
    return triangular.forward(matrix, b, upper is not transpose, unitriangular), np.array(A)


@triangular_solve.vjp("b", latex=r"\grad{b} = \val{A}^{-\mathsf T}\,\grad{solution}")
def _(grad: Any, A: Any, upper: bool, transpose: bool, unitriangular: bool) -> Any:
    matrix = A if transpose else turned(A)
    return triangular(matrix, grad[0], upper is transpose, unitriangular)


@triangular_solve.vjp(
    "A",
    latex=r"\grad{A} = \grad{cloned_coefficient} - \operatorname{tri}\left("
    r"\val{A}^{-\mathsf T} \grad{solution}\,\val{solution}^{\mathsf T}\right)",
)
def _(grad: Any, A: Any, solution: Any, upper: bool, transpose: bool, unitriangular: bool) -> Any:
    back = triangular(A if transpose else turned(A), grad[0], upper is transpose, unitriangular)
    whole = times(solution, turned(back)) if transpose else times(back, turned(solution))
    shift = 1 if unitriangular else 0
    return grad[1] - (triu(whole, shift) if upper else tril(whole, -shift))
