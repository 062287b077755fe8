"""Matrix products, small ones in PyTorch's order so that their last bits are PyTorch's.

MKL multiplies small matrices without fused multiply-add, one step of the inner dim after the other;
larger ones as numpy's BLAS does.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

# Without BLAS, as in the browser, einsum multiplies large matrices faster (docs/notes/speed.md).
LARGE = 16_000
_reduce: Any = np.add.reduce
STEPS = 64  # of the inner dim; beyond, nobody reads last bits


def without_blas(a: Any, b: Any) -> Any:
    """Multiply matrices, or batches of them, where numpy has no BLAS."""
    if a.ndim == 2 and b.ndim == 2 and b.size > LARGE:
        return np.einsum("ij,jk->ik", a, b)
    return np.matmul(a, b)


_large: Any = without_blas if sys.platform == "emscripten" else np.matmul
# `dot` hands matrices of several rows and columns to BLAS as `matmul` does, in half the time.
_matrices: Any = without_blas if sys.platform == "emscripten" else np.ndarray.dot


def product(a: Any, b: Any) -> Any:
    """Multiply matrices, or batches of them."""
    if a.ndim == 2 == b.ndim:
        rows, k = a.shape
        n = b.shape[1]
        if k > STEPS or (n > 15 and rows > 3):
            return _matrices(a, b) if rows > 1 < n else _large(a, b)
    else:
        k, n = b.shape[-2:]
        if k > STEPS or (n > 15 and a.shape[-2] > 3):
            return _large(a, b)
    if k and a.size * n < LARGE and _one_by_one(k, n, a, b):
        return steps(a, b)
    if k in (8, 16) and b.ndim == 2 and b.strides[0] == b.itemsize and 3 < n < 16 and len(a) < 32:
        return _in_fours(a, b)
    return _large(a, b)


def _in_fours(a: Any, b: Any) -> Any:
    """Multiply by a transposed matrix: four lanes along the rows of both."""
    parts = a[:, None] * b.T
    parts = _reduce(parts.reshape(*parts.shape[:-1], -1, 4), -2)
    parts = parts[..., :2] + parts[..., 2:]
    return parts[..., 0] + parts[..., 1]


def _one_by_one(k: int, n: int, a: Any, b: Any) -> bool:
    """Whether MKL takes the inner dim in turn."""
    if k < 4:
        return True
    if b.strides[-1] == b.itemsize:
        return k == 4 or n in (2, 4, 8) or (n == 1 < a.shape[-2] and a.strides[-2] == a.itemsize)
    return k == 4 and n < 4


def steps(a: Any, b: Any) -> Any:
    """Multiply matrices one step of the inner dim after the other."""
    k = a.shape[-1]
    if a.ndim == 2 and b.ndim == 2:
        if k == 1 and len(a) * b.shape[1] > 1:
            return a * b  # the one case that adds to no zero, so that -0 stays
        if k > 4 and b.shape[1] == 1 < len(a):  # a column, by a matrix that lies transposed
            return _reduce(a.T * b, 0, None, None, False, 0)[:, None]
        if k > 2 and len(a) * b.shape[1] > 1:  # the outer dim goes in turn
            return _reduce(a.T[:, :, None] * b[:, None, :], 0) + 0
    result = a[..., :1] * b[..., :1, :] + 0
    for i in range(1, k):
        result += a[..., i : i + 1] * b[..., i : i + 1, :]
    return result


def times_vector(a: Any, x: Any) -> Any:
    """Multiply a matrix by a vector."""
    k = a.shape[1]
    if 0 < k <= 4 or (0 < k <= 8 and a.strides[0] == a.itemsize):
        result = a[:, 0] * x[0] + 0
        for i in range(1, k):
            result += a[:, i] * x[i]
        return result
    return np.matmul(a, x) + 0


def inner(x: Any, y: Any) -> Any:
    """Add up the products of two vectors' elements."""
    if x.dtype.char == "f" and 2 < x.size <= 4:
        products = x * y
        total = products[0] + 0
        for i in range(1, x.size):
            total = total + products[i]
        return total
    return np.dot(x, y) + 0
