"""Factoring into a lower and an upper triangle."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import unsupported
from engine.ops.arrange import tril, triu
from engine.ops.elimination import factor, row_order
from engine.ops.joining import cat
from engine.ops.matrices import SQUARE, check_matrix, times, turned
from engine.ops.pieces import slice_dim
from engine.ops.record import Array, function, op
from engine.ops.returns import named
from engine.ops.samples import Sample, T
from engine.ops.solving import triangular
from engine.tensor import Tensor, make

PIVOTS = T([2, 3, 3], "int32")
WIDE = T([[0.2, 1.4, -0.7], [1.1, -0.4, 0.9]])
TALL = T([[0.2, 1.4], [1.1, -0.4], [-0.7, 0.9]])


def order_of(pivots: Any, rows: int) -> Any:
    """Return, for each row of PA, the row of A it was, from LAPACK's successive swaps."""
    order = np.empty((*pivots.shape[:-1], rows), np.int64)
    for place in np.ndindex(*pivots.shape[:-1]):
        order[place] = row_order(pivots[place], rows)
    return order


def permutation(pivots: Any, rows: int, kind: Any) -> Any:
    """Return the matrix P of A = PLU."""
    return np.swapaxes(np.eye(rows, dtype=kind)[order_of(pivots, rows)], -1, -2)


def triangles(packed: Any) -> tuple[Any, Any]:
    """Return L with ones on its diagonal, and U, of what LAPACK keeps in one matrix."""
    m, n = packed.shape[-2:]
    k = min(m, n)
    low = np.tril(packed[..., :, :k], -1) + np.eye(m, k, dtype=packed.dtype)
    return low, np.triu(packed[..., :k, :])


def lower_part(packed: Any) -> Any:
    """Return L of a square or tall packed matrix, of arrays or tensors."""
    n = len(packed.shape)
    k = min(packed.shape[-2:])
    low = tril(slice_dim(packed, n - 1, 0, k, 1), -1)
    ones = np.eye(packed.shape[-2], k, dtype=_kind(packed))
    return low + (make(ones) if isinstance(packed, Tensor) else ones)


def _kind(x: Any) -> Any:
    return x.dtype.np if isinstance(x, Tensor) else x.dtype


def permuting(pivots: Any, like: Any) -> Any:
    """Return P as an array, or a tensor, of the type and height of another."""
    swaps = pivots._array if isinstance(pivots, Tensor) else pivots
    matrix = permutation(swaps, like.shape[-2], _kind(like))
    return make(matrix) if isinstance(like, Tensor) else matrix


def _packed_gradient(grad_l: Any, grad_u: Any, P: Any, L: Any, U: Any) -> Any:
    """Return the gradient of A from those of its triangles, for any shape of A."""
    m, n = L.shape[-2], U.shape[-1]
    k, dims = min(m, n), len(L.shape)
    rows, columns = dims - 2, dims - 1
    L1, U1 = slice_dim(L, rows, 0, k, 1), slice_dim(U, columns, 0, k, 1)
    low = tril(times(turned(L1), slice_dim(grad_l, rows, 0, k, 1)), -1)
    up = triu(times(slice_dim(grad_u, columns, 0, k, 1), turned(U1)))
    if m > k:  # the rows below L1 are A2 U1^-1
        below = slice_dim(grad_l, rows, k, m, 1)
        up = up - triu(times(turned(slice_dim(L, rows, k, m, 1)), below))
    if n > k:  # the columns right of U1 are L1^-1 A2
        right = slice_dim(grad_u, columns, k, n, 1)
        low = low - tril(times(right, turned(slice_dim(U, columns, k, n, 1))), -1)
    middle = turned(triangular(U1, turned(low + up), True, False))
    first = triangular(turned(L1), middle, True, True)
    if m > k:
        bottom = turned(triangular(U1, turned(below), True, False))
        return times(P, cat([first, bottom], rows))
    if n > k:
        return times(P, cat([first, triangular(turned(L1), right, True, True)], columns))
    return times(P, first)


@op(
    "linalg_lu",
    latex=r"\val{A} = P\,\val{L}\,\val{U} \text{ with } P \text{ from } \val{pivots}",
    grad_fn="LinalgLuBackward0",
    samples=lambda: [Sample((SQUARE,)), Sample((WIDE,)), Sample((TALL,))],
    outputs=("L", "U", "pivots"),
)
def lu_parts(A: Array) -> tuple[Array, Array, Array]:
    """Factor into two triangles, after LAPACK's swaps of rows.

    >>> torch.linalg.lu(torch.tensor([[0., 2.], [1., 0.]])).U
    tensor([[1., 0.],
            [0., 2.]])
    """
    packed, pivots, _ = factor(A)
    return *triangles(packed), pivots


@lu_parts.prepare
def _(A: Tensor) -> None:
    check_matrix("lu", A, square=False)


@lu_parts.vjp(
    "A",
    latex=r"\grad{A} = P\,\val{L}^{-\mathsf T} \left(\operatorname{tril}_{-1}("
    r"\val{L}^{\mathsf T} \grad{L}) + \operatorname{triu}(\grad{U}\,\val{U}^{\mathsf T})\right)"
    r" \val{U}^{-\mathsf T} \text{ with } P \text{ from } \val{pivots}",
)
def _(grad: Any, L: Any, U: Any, pivots: Any) -> Any:
    return _packed_gradient(grad[0], grad[1], permuting(pivots, L), L, U)


@op(
    "linalg_lu_factor",
    latex=r"\val{A} = P L U, \quad \val{LU} = (L - 1) + U",
    grad_fn="LinalgLuFactorExBackward0",
    samples=lambda: [Sample((SQUARE,)), Sample((WIDE,)), Sample((TALL,))],
    outputs=("LU", "pivots", "info"),
    returns="linalg_lu_factor_ex",
)
def lu_packed(A: Array) -> tuple[Array, Array, Array]:
    """Factor into two triangles that share one matrix, and LAPACK's swaps.

    >>> torch.linalg.lu_factor_ex(torch.tensor([[0., 2.], [1., 0.]])).pivots
    tensor([2, 2], dtype=torch.int32)
    """
    packed, pivots, _ = factor(A)
    zero = np.diagonal(packed, 0, -2, -1) == 0
    info = np.where(zero.any(-1), zero.argmax(-1) + 1, 0)
    return packed, pivots, info.astype(np.int32)[()]


@lu_packed.prepare
def _(A: Tensor) -> None:
    check_matrix("lu_factor", A, square=False)


@lu_packed.vjp(
    "A",
    latex=r"\grad{A} = P\,L^{-\mathsf T} \left(\operatorname{tril}_{-1}(L^{\mathsf T} \grad{LU}) +"
    r" \operatorname{triu}(\grad{LU}\,U^{\mathsf T})\right) U^{-\mathsf T}"
    r" \text{ with } L, U \text{ from } \val{LU}, P \text{ from } \val{pivots}",
)
def _(grad: Any, LU: Any, pivots: Any) -> Any:
    n = len(LU.shape)
    k = min(LU.shape[-2:])
    return _packed_gradient(
        tril(slice_dim(grad, n - 1, 0, k, 1), -1), triu(slice_dim(grad, n - 2, 0, k, 1)),
        permuting(pivots, LU), lower_part(LU), triu(slice_dim(LU, n - 2, 0, k, 1)),
    )  # fmt: skip


@op(
    "lu_unpack",
    latex=r"\val{LU_data} = (\val{L} - 1) + \val{U}",
    grad_fn="LuUnpackBackward0",
    samples=lambda: [Sample((SQUARE,)), Sample((WIDE,)), Sample((TALL,))],
    outputs=("L", "U"),
)
def unpacked(LU_data: Array) -> tuple[Array, Array]:
    """Take the triangles out of what lu_factor returns.

    >>> torch.lu_unpack(*torch.linalg.lu_factor(torch.eye(2))).L
    tensor([[1., 0.],
            [0., 1.]])
    """
    return triangles(LU_data)


@unpacked.vjp(
    "LU_data",
    latex=r"\grad{LU_data} = \operatorname{tril}_{-1} \grad{L} + \operatorname{triu} \grad{U}",
)
def _(grad: Any, LU_data_shape: Any) -> Any:
    low, up = tril(grad[0], -1), triu(grad[1])
    n = len(LU_data_shape)
    if LU_data_shape[-2] == LU_data_shape[-1]:
        return low + up
    k = min(LU_data_shape[-2:])
    if LU_data_shape[-2] > k:
        corner = slice_dim(low, n - 2, 0, k, 1) + up
        return cat([corner, slice_dim(low, n - 2, k, LU_data_shape[-2], 1)], n - 2)
    corner = low + slice_dim(up, n - 1, 0, k, 1)
    return cat([corner, slice_dim(up, n - 1, k, LU_data_shape[-1], 1)], n - 1)


def _pivoted(pivot: bool, name: str) -> None:
    if not pivot:
        raise unsupported(f"{name}(pivot=False)")


@function("torch.linalg.lu")
def lu(A: Any, *, pivot: bool = True) -> Any:
    """Factor into a permutation and two triangles: A = P L U."""
    _pivoted(pivot, "linalg.lu")
    low, up, pivots = lu_parts(A)
    return named("linalg_lu", ("P", "L", "U"))(permuting(pivots, A), low, up)


@function("torch.lu_unpack")
def lu_unpack(
    LU_data: Any, LU_pivots: Any, unpack_data: bool = True, unpack_pivots: bool = True
) -> Any:
    """Take the permutation and the triangles out of what lu_factor returns."""
    empty = make(np.empty(0, LU_data.dtype.np))
    low, up = unpacked(LU_data) if unpack_data else (empty, empty)
    P = permuting(LU_pivots, LU_data) if unpack_pivots else empty
    return named("lu_unpack", ("P", "L", "U"))(P, low, up)


@function("torch.linalg.lu_factor_ex")
def lu_factor_ex(A: Any, *, pivot: bool = True, check_errors: bool = False) -> Any:
    """Factor into two triangles in one matrix, swaps, and where the first zero pivot is."""
    _pivoted(pivot, "linalg.lu_factor_ex")
    return lu_packed(A)


@function("torch.linalg.lu_factor")
def lu_factor(A: Any, *, pivot: bool = True) -> Any:
    """Factor into two triangles in one matrix, and LAPACK's swaps."""
    _pivoted(pivot, "linalg.lu_factor")
    packed, pivots, _ = lu_packed(A)
    return named("linalg_lu_factor", ("LU", "pivots"))(packed, pivots)


@function("torch.lu", "Tensor.lu")
def lu_old(A: Any, pivot: bool = True, get_infos: bool = False) -> Any:
    """Factor into two triangles in one matrix, by the old name."""
    _pivoted(pivot, "lu")
    packed, pivots, info = lu_packed(A)
    return (packed, pivots, info) if get_infos else (packed, pivots)
