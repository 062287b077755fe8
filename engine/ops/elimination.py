"""Gaussian elimination and substitution, rounded as the LAPACK of PyTorch rounds.

Small matrices are worked out column by column, so their last bits can be PyTorch's: reciprocals of
the pivots where it multiplies by them, and sums taken before they are subtracted. Large ones are
worked out in blocks by PyTorch, by numpy too, but in others.
"""

from __future__ import annotations

from typing import Any

import numpy as np

SMALL, TINY = 7, 4  # rows up to which substitution, and the last column of elimination, differ


def eliminate(a: Any) -> tuple[Any, Any, int]:
    """Return LU with partial pivoting of one matrix, LAPACK's pivots, and the number of swaps."""
    lu = a.copy()
    m, n = lu.shape
    pivots = np.arange(1, min(m, n) + 1, dtype=np.int32)
    swaps = 0
    for k in range(len(pivots)):
        p = k + int(np.argmax(np.abs(lu[k:, k])))
        pivots[k] = p + 1
        if p != k:
            lu[[k, p]] = lu[[p, k]]
            swaps += 1
        pivot = lu[k, k]
        if pivot != 0:
            if m == n <= TINY and k == n - 2:
                lu[k + 1 :, k] /= pivot
            else:
                lu[k + 1 :, k] *= 1 / pivot
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


def row_order(pivots: Any, rows: int) -> list[int]:
    """Return, for each row of PA, the row of A it was, from LAPACK's successive swaps."""
    order = list(range(rows))
    for k, p in enumerate(pivots.tolist()):
        order[k], order[p - 1] = order[p - 1], order[k]
    return order


def solved(a: Any, b: Any, adjoint: bool = False) -> Any:
    """Solve AX = B, or with the transposed A; batches of matrices without zero pivots."""
    if a.shape[-1] > SMALL:
        return np.linalg.solve(np.swapaxes(a, -1, -2) if adjoint else a, b)
    lead = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a = np.broadcast_to(a, lead + a.shape[-2:])
    b = np.broadcast_to(b, lead + b.shape[-2:])
    x = np.empty(b.shape, b.dtype)
    for place in np.ndindex(*lead):
        lu, pivots, _ = eliminate(a[place])
        order = row_order(pivots, len(lu))
        if adjoint:
            x[place][order] = _substitute(lu.T, b[place], upper_first=True)
        else:
            x[place] = _substitute(lu, b[place][order], upper_first=False)
    return x


def _substitute(packed: Any, b: Any, upper_first: bool) -> Any:
    """Solve with both triangles; the ones of the other diagonal are not stored."""
    x, n = b.copy(), len(packed)
    for k in range(n):
        x[k] = _less(packed, x, k, range(k))
        if upper_first:
            x[k] *= 1 / packed[k, k]
    for k in reversed(range(n)):
        x[k] = _less(packed, x, k, range(n - 1, k, -1))
        if not upper_first:
            x[k] *= 1 / packed[k, k]
    return x


def _less(packed: Any, x: Any, k: int, known: range) -> Any:
    """Return row k of the right side less what the known rows account for, summed first."""
    if not known:
        return x[k]
    total = packed[k, known[0]] * x[known[0]]
    for i in known[1:]:
        total = total + packed[k, i] * x[i]
    return x[k] - total
