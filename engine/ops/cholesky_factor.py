"""torch.linalg.cholesky: a positive definite matrix as the square of a triangle."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.arrange import tril
from engine.ops.matrices import POSITIVE, LinAlgError, check_matrix, times, turned
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample
from engine.ops.solving import solve_matrix
from engine.tensor import Tensor


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


def bad_minor(matrix: Any) -> int:
    """Return the order of the first leading minor that is not positive, 0 where there is none."""
    for k in range(1, matrix.shape[-1] + 1):
        try:
            # Where numpy does not hear of the failure, as in WebAssembly, it leaves nan.
            if np.isnan(np.linalg.cholesky(matrix[:k, :k])).any():
                return k
        except np.linalg.LinAlgError:
            return k
    return 0


def _refuse_indefinite(matrix: Any, place: tuple[int, ...]) -> None:
    if k := bad_minor(matrix):
        batch = f"(Batch element {place[0]}): " if place else ""
        raise fail(
            "not-positive-definite",
            f"linalg.cholesky: {batch}The factorization could not be completed because the input"
            f" is not positive-definite (the leading minor of order {k} is not"
            " positive-definite).",
            LinAlgError,
        )


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
