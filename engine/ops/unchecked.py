"""Linear algebra that reports failure in a number instead of raising; equations of tensors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.errors import fail, unsupported
from engine.ops.cholesky_factor import bad_minor, cholesky_factor
from engine.ops.elimination import factor
from engine.ops.matrices import LinAlgError, check_matrix
from engine.ops.record import function
from engine.ops.returns import named
from engine.ops.shape import reshape
from engine.ops.solving import inverse, solve
from engine.tensor import Tensor, make


def _info(failed: Any, shape: tuple[int, ...]) -> Tensor:
    """Return LAPACK's number for each matrix of a batch: 0, or what failed."""
    return make(np.asarray(failed, np.int32).reshape(shape)[()])


def _zero_pivot(A: Tensor) -> Any:
    """Return the number of the first zero pivot of each matrix, 0 where there is none."""
    packed, _, _ = factor(np.asarray(A._array))
    zero = np.diagonal(packed, 0, -2, -1) == 0
    return np.where(zero.any(-1), zero.argmax(-1) + 1, 0)


def _infinite(shape: Any, like: Tensor) -> Tensor:
    return make(np.full(tuple(shape), np.inf, like.dtype.np))


@function("torch.linalg.inv_ex")
def inv_ex(A: Any, *, check_errors: bool = False) -> Any:
    """Invert matrices; `info` says which pivot was zero, and then the inverse is infinite."""
    check_matrix("inv_ex", A)
    failed = _zero_pivot(A)
    if check_errors and failed.any():
        raise fail(
            "singular",
            f"linalg.inv_ex: The diagonal element {int(failed.max())} is zero, the inversion"
            " could not be completed because the input matrix is singular.",
            LinAlgError,
        )
    result = _infinite(A.shape, A) if failed.any() else inverse(A)
    return named("linalg_inv_ex", ("inverse", "info"))(result, _info(failed, A.shape[:-2]))


@function("torch.linalg.solve_ex")
def solve_ex(A: Any, B: Any, *, left: bool = True, check_errors: bool = False) -> Any:
    """Solve systems of linear equations; `info` says which pivot was zero."""
    check_matrix("solve_ex", A)
    failed = _zero_pivot(A)
    if check_errors and failed.any():
        raise fail(
            "singular",
            "torch.linalg.solve_ex: The solver failed because the input matrix is singular.",
            LinAlgError,
        )
    result = _infinite(B.shape, B) if failed.any() else solve(A, B, left=left)
    return named("linalg_solve_ex", ("result", "info"))(result, _info(failed, A.shape[:-2]))


@function("torch.linalg.cholesky_ex")
def cholesky_ex(A: Any, *, upper: bool = False, check_errors: bool = False) -> Any:
    """Factor symmetric matrices; `info` is the order of the minor that is not positive-definite."""
    check_matrix("cholesky_ex", A)
    array = np.asarray(A._array)
    failed = np.array([bad_minor(array[p]) for p in np.ndindex(*A.shape[:-2])])
    if check_errors and failed.any():
        raise fail(
            "not-positive-definite",
            "linalg.cholesky_ex: The factorization could not be completed because the input is not"
            f" positive-definite (the leading minor of order {int(failed.max())} is not"
            " positive-definite).",
            LinAlgError,
        )
    low = _partial(array, upper) if failed.any() else cholesky_factor(A, upper)
    return named("linalg_cholesky_ex", ("L", "info"))(low, _info(failed, A.shape[:-2]))


def _partial(array: Any, upper: bool) -> Tensor:
    """Return the factor as far as it goes: LAPACK stops where a minor is not positive."""
    low = np.tril(np.swapaxes(array, -1, -2) if upper else array)
    for place in np.ndindex(*low.shape[:-2]):
        matrix = low[place]
        for k in range(matrix.shape[-1]):
            rest = matrix[k, k] - matrix[k, :k] @ matrix[k, :k]
            matrix[k, k] = rest if rest <= 0 else math.sqrt(rest)
            if rest <= 0:
                break
            below = matrix[k + 1 :, k] - matrix[k + 1 :, :k] @ matrix[k, :k]
            matrix[k + 1 :, k] = below / matrix[k, k]
    return make(np.swapaxes(low, -1, -2).copy() if upper else low)


@function("torch.linalg.tensorsolve")
def tensorsolve(A: Any, B: Any, dims: Any = None) -> Tensor:
    """Solve tensordot(A, X, X.ndim) = B for X."""
    if dims is not None:
        rest = [d for d in range(A.ndim) if d not in [n % A.ndim for n in dims]]
        A = A.permute(*rest, *dims)
    unknown = tuple(A.shape[B.ndim :])
    size, equations = math.prod(unknown), math.prod(A.shape[: B.ndim])
    if size != equations:
        raise fail(
            "tensorsolve",
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) =="
            f" prod(self.shape[:other.ndim]), but got {size} != {equations}",
        )
    flat = solve(reshape(A, (equations, size)), reshape(B, (-1,)))
    result: Tensor = reshape(flat, unknown)
    return result


def _complex(name: str) -> None:
    """Bind what would have complex results to a clear refusal."""

    @function(f"torch.linalg.{name}")
    def refuse(A: Any, **options: Any) -> Any:
        """Refuse: the result would be complex."""
        raise unsupported(f"torch.linalg.{name} (complex numbers)")


_complex("eig")
_complex("eigvals")
