"""Solving with a matrix that was factored into triangles."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail, unsupported
from engine.ops.arrange import tril, triu
from engine.ops.lu import PIVOTS, permutation, permuting
from engine.ops.matrices import SQUARE, check_matrix, times, turned
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, t
from engine.ops.solving import triangular
from engine.tensor import Tensor


@op(
    "linalg_lu_solve",
    latex=r"P L U\,\val{result} = \val{B} \text{ with } L, U \text{ from } \val{LU}",
    grad_fn="LinalgLuSolveBackward0",
    samples=lambda: [Sample((SQUARE, PIVOTS, t(3, 2)))],
)
def solve_packed(LU: Array, pivots: Array, B: Array) -> Array:
    """Solve systems whose matrix was factored by lu_factor.

    >>> LU, pivots = torch.linalg.lu_factor(torch.eye(2) * 2)
    >>> torch.linalg.lu_solve(LU, pivots, torch.ones(2, 1))
    tensor([[0.5000],
            [0.5000]])
    """
    back = np.swapaxes(permutation(pivots, LU.shape[-1], LU.dtype), -1, -2)
    half = triangular.forward(LU, np.matmul(back, B), False, True)
    return triangular.forward(LU, half, True, False)


@solve_packed.prepare
def _(LU: Tensor, pivots: Tensor, B: Tensor) -> None:
    check_matrix("lu_solve", LU, letter="LU")
    if pivots.dtype.np != np.int32:
        raise fail("lu-pivots", "linalg.lu_solve: pivots should be a Tensor of scalar type int32")


def _solved_back(LU: Any, grad: Any) -> Any:
    """Return L^-T U^-T grad: what arrives at the permuted right side."""
    upper = triangular(turned(LU), grad, False, False)
    return triangular(turned(LU), upper, True, True)


@solve_packed.vjp(
    "LU",
    latex=r"\grad{LU} = -\operatorname{tril}_{-1}(L^{-\mathsf T} U^{-\mathsf T} \grad{result}\,"
    r"(U\,\val{result})^{\mathsf T}) - \operatorname{triu}(U^{-\mathsf T} \grad{result}\,"
    r"\val{result}^{\mathsf T}) \text{ with } L, U \text{ from } \val{LU}",
)
def _(grad: Any, LU: Any, result: Any) -> Any:
    low = times(_solved_back(LU, grad), turned(times(triu(LU), result)))
    up = times(triangular(turned(LU), grad, False, False), turned(result))
    return -(tril(low, -1) + triu(up))


@solve_packed.vjp(
    "B",
    latex=r"\grad{B} = P L^{-\mathsf T} U^{-\mathsf T} \grad{result}"
    r" \text{ with } L, U \text{ from } \val{LU}, P \text{ from } \val{pivots}",
)
def _(grad: Any, LU: Any, pivots: Any) -> Any:
    return times(permuting(pivots, LU), _solved_back(LU, grad))


@function("torch.linalg.lu_solve")
def lu_solve(LU: Any, pivots: Any, B: Any, *, left: bool = True, adjoint: bool = False) -> Tensor:
    """Solve systems whose matrix was factored by lu_factor."""
    if not left or adjoint:
        raise unsupported("linalg.lu_solve(left=False or adjoint=True)")
    result: Tensor = solve_packed(LU, pivots, B)
    return result


@function("torch.lu_solve", "Tensor.lu_solve")
def lu_solve_old(b: Any, LU_data: Any, LU_pivots: Any) -> Tensor:
    """Solve systems whose matrix was factored, by the old name."""
    result: Tensor = solve_packed(LU_data, LU_pivots, b)
    return result
