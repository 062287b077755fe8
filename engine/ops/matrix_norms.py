"""Norms, ranks and powers of matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.dtypes import LEGACY_NAMES
from engine.errors import fail
from engine.ops.amax import amax, amin
from engine.ops.diagonals import diagonal
from engine.ops.dims import add_reduce, wrap_dim
from engine.ops.expanding import squeeze, unsqueeze
from engine.ops.joining import cat
from engine.ops.matrices import check_matrix, times, turned
from engine.ops.norms import vector_norm
from engine.ops.orthogonal import svd_parts
from engine.ops.permuting import movedim
from engine.ops.pieces import slice_dim
from engine.ops.pseudo_inverse import pseudo_inverse
from engine.ops.record import PUBLIC, Array, function, op
from engine.ops.reduce import sum_dims
from engine.ops.samples import Sample, T
from engine.ops.shape import view
from engine.ops.solving import inverse
from engine.tensor import Tensor, make


def _singular_values(A: Any, dims: tuple[int, int], keepdim: bool, reduce: Any) -> Any:
    moved = movedim(A, dims, (-2, -1))
    values = reduce(svd_parts(moved, False)[1], (-1 % (moved.ndim - 1),), keepdim)
    if keepdim:
        values = movedim(unsqueeze(values, -1), (-2, -1), dims)
    return values


def _by_sums(A: Any, order: Any, dims: tuple[int, int], keepdim: bool) -> Any:
    """Return the norms of order 1 and infinity: sums along one dim, an extreme along the other."""
    first, second = dims if abs(order) == 1 else dims[::-1]
    sums = vector_norm(A, 1, (first,), keepdim)
    along = second - 1 if second > first and not keepdim else second
    reduce = amax if order > 0 else amin
    return reduce(sums, (along,), keepdim)


@function("torch.linalg.matrix_norm")
def matrix_norm(
    A: Any, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """Compute a norm of matrices: "fro", "nuc", 1, -1, 2, -2, inf or -inf."""
    if A.ndim < 2:
        raise fail(
            "linalg-dims",
            "linalg.matrix_norm: The input tensor A must have at least 2 dimensions.",
        )
    if not A.dtype.is_floating_point and dtype is None:
        raise fail(
            "linalg-dtype",
            "linalg.matrix_norm: Expected a floating point or complex tensor as input. Got"
            f" {LEGACY_NAMES[A.dtype]}",
        )
    if len(dim) != 2:
        raise fail("matrix-norm", f"linalg.matrix_norm: dim must be a 2-tuple. Got {list(dim)}")
    if dtype is not None:
        A = A.to(dtype)
    dims = (wrap_dim(dim[0], A.ndim), wrap_dim(dim[1], A.ndim))
    if dims[0] == dims[1]:
        raise fail("matrix-norm", "linalg.matrix_norm: dims must be different. Got"
                   f" ({dim[0]}, {dim[1]})")  # fmt: skip
    result: Tensor
    if ord == "fro":
        result = vector_norm(A, 2, dims, keepdim)
    elif ord == "nuc":
        result = _singular_values(A, dims, keepdim, sum_dims)
    elif isinstance(ord, str) or abs(ord) not in (1, 2, math.inf):
        raise fail("matrix-norm", f"linalg.matrix_norm: Order {ord} not supported.")
    elif abs(ord) == 2:
        result = _singular_values(A, dims, keepdim, amax if ord > 0 else amin)
    else:
        result = _by_sums(A, ord, dims, keepdim)
    return result


@function("torch.linalg.norm")
def norm(
    A: Any = None,
    ord: Any = None,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
    input: Any = None,
) -> Tensor:
    """Compute a vector norm, or a matrix norm where two dims or a matrix order are named."""
    x = A if input is None else input
    result: Tensor
    if ord is None:
        result = vector_norm(x, 2, dim, keepdim, dtype=dtype)
        return result
    if dim is not None:
        dims = (dim,) if isinstance(dim, int) else tuple(dim)
        if len(dims) not in (1, 2):
            raise fail(
                "linalg-norm",
                f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {list(dims)}",
            )
    else:
        if x.ndim not in (1, 2):
            raise fail(
                "linalg-norm",
                "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got"
                f" {x.ndim}D.",
            )
        dims = tuple(range(x.ndim))
    if len(dims) == 1:
        if isinstance(ord, str):
            raise fail("matrix-norm", f"linalg.matrix_norm: Order {ord} not supported.")
        result = vector_norm(x, ord, dims, keepdim, dtype=dtype)
        return result
    return matrix_norm(x, ord, dims, keepdim, dtype=dtype)  # type: ignore[no-any-return]


@function("torch.linalg.cond")
def cond(A: Any, p: Any = None) -> Tensor:
    """Compute the condition number."""
    if p is None or p in (2, -2):
        values = svd_parts(A, False)[1]
        n, at = values.shape[-1], values.ndim - 1
        large, small = slice_dim(values, at, 0, 1, 1), slice_dim(values, at, n - 1, n, 1)
        ratio = small / large if p == -2 else large / small
        result: Tensor = squeeze(ratio, -1)
        return result
    result = matrix_norm(A, p) * matrix_norm(inverse(A), p)
    return result


@function("torch.linalg.matrix_power", "torch.matrix_power", "Tensor.matrix_power")
def matrix_power(A: Any, n: int) -> Tensor:
    """Multiply a square matrix by itself n times; a negative n inverts first."""
    check_matrix("matrix_power", A)
    result: Any
    if n == 0:
        result = A.clone()
        result.copy_(make(np.broadcast_to(np.eye(A.shape[-1], dtype=A.dtype.np), A.shape).copy()))
        return result  # type: ignore[no-any-return]
    if n == 1:
        return A.clone()  # type: ignore[no-any-return]
    if n < 0:
        A, n = inverse(A), -n
    if n == 3:
        return PUBLIC["torch.matmul"](PUBLIC["torch.matmul"](A, A), A)  # type: ignore[no-any-return]
    result, square = None, A
    while n:
        if n % 2:
            result = square if result is None else PUBLIC["torch.matmul"](result, square)
        n //= 2
        if n:
            square = PUBLIC["torch.matmul"](square, square)
    return result  # type: ignore[no-any-return]


@function("torch.linalg.matrix_rank")
def matrix_rank(
    A: Any, tol: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None
) -> Tensor:
    """Count the singular values that are not nearly zero."""
    values = np.linalg.svd(A._array, compute_uv=False)
    eps = float(np.finfo(A.dtype.np).eps)
    relative = (
        max(A.shape[-2:]) * eps if rtol is None and atol is None and tol is None else (rtol or 0)
    )
    top = values.max(-1, keepdims=True) if values.shape[-1] else values
    limit = np.maximum(float(tol or atol or 0), relative * top)
    return make(np.asarray(add_reduce(values > limit, -1, np.int64)))


@function("torch.linalg.diagonal")
def diagonal_of(A: Any, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Look at the diagonal of matrices."""
    result: Tensor = diagonal(A, offset, dim1, dim2)
    return result


@function("torch.linalg.lstsq")
def lstsq(A: Any, B: Any, rcond: Any = None, *, driver: Any = None) -> Any:
    """Solve in the sense of least squares."""
    from engine.ops.returns import named

    check_matrix("lstsq", A, square=False)
    solution = times(pseudo_inverse(A), B)
    m, n = A.shape[-2:]
    empty = make(np.zeros(0, A.dtype.np))
    residuals: Any = empty
    if m > n:
        away = times(A, solution) - B
        residuals = sum_dims(away * away, (away.ndim - 2,))
    rank = make(np.zeros(0, np.int64)) if driver == "gels" else matrix_rank(A)
    names = ("solution", "residuals", "rank", "singular_values")
    return named("linalg_lstsq", names)(solution, residuals, rank, empty)


def _exponential(a: Any) -> Any:
    """Return e to a matrix: scale down, sum the series, square up again."""
    size = float(np.abs(a).sum(-2).max(initial=0.0))
    halvings = max(0, math.ceil(math.log2(size)) + 4) if size > 0 else 0
    small = a.astype(np.float64) / 2**halvings
    eye = np.broadcast_to(np.eye(a.shape[-1]), a.shape)
    total, term = eye.copy(), eye.copy()
    for k in range(1, 19):
        term = term @ small / k
        total = total + term
    for _ in range(halvings):
        total = total @ total
    return total.astype(a.dtype)


@op(
    "linalg_matrix_exp",
    latex=r"\val{result} = e^{\val{input}}",
    grad_fn="LinalgMatrixExpBackward0",
    binds=("torch.matrix_exp", "torch.linalg.matrix_exp", "Tensor.matrix_exp"),
    samples=lambda: [Sample((T([[0.2, 0.5], [-0.3, 0.1]]),))],
)
def matrix_exp(input: Array) -> Array:
    """Raise e to a matrix.

    >>> torch.matrix_exp(torch.zeros(2, 2))
    tensor([[1., 0.],
            [0., 1.]])
    """
    return _exponential(input)


@matrix_exp.prepare
def _(input: Tensor) -> None:
    check_matrix("matrix_exp", input)


@matrix_exp.vjp(
    "input",
    latex=r"\grad{input} = \text{the upper right block of } \exp"
    r"\begin{pmatrix} \val{input}^{\mathsf T} & \grad{result} \\ 0 & \val{input}^{\mathsf T}"
    r"\end{pmatrix}",
)
def _(grad: Any, input: Any) -> Any:
    n, last = input.shape[-1], len(input.shape) - 1
    back = turned(input)
    upper = cat([back, grad], last)
    lower = cat([back * 0, back], last)
    whole = matrix_exp(cat([upper, lower], last - 1))
    return slice_dim(slice_dim(whole, last - 1, 0, n, 1), last, n, 2 * n, 1)


@function("torch.linalg.tensorinv")
def tensorinv(A: Any, ind: int = 2) -> Tensor:
    """Invert a tensor seen as a matrix from its last dims to its first ones."""
    lead, tail = tuple(A.shape[:ind]), tuple(A.shape[ind:])
    if math.prod(lead) != math.prod(tail):
        raise fail(
            "tensorinv",
            "Expected self to satisfy the requirement prod(self.shape[ind:]) =="
            f" prod(self.shape[:ind]), but got {math.prod(tail)} != {math.prod(lead)}",
        )
    result: Tensor = view(inverse(view(A, (math.prod(lead), -1))), (*tail, *lead))
    return result
