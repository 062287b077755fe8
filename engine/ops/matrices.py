"""What linear algebra shares: checks, errors, elimination."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dtypes import LEGACY_NAMES
from engine.errors import fail
from engine.ops.matmul import matmul
from engine.ops.permuting import transpose
from engine.ops.samples import T
from engine.tensor import Tensor

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
