"""Triangles and diagonals: tril, triu, diag, diag_embed, trace; and index lists of triangles."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops.diagonals import diagonal, diagonal_backward, diagonal_view
from engine.ops.dims import (
    add_reduce,
    wrap_dim,
)
from engine.ops.expanding import expand
from engine.ops.pieces import slice_dim
from engine.ops.record import PUBLIC, Array, function, op
from engine.ops.samples import Sample, t
from engine.ops.shape import reshape
from engine.tensor import Tensor, make


def _triangles() -> list[Sample]:
    return [Sample((t(3, 3),)), Sample((t(2, 3), 1)), Sample((t(2, 3, 2), -1))]


def _need_matrix(name: str, input: Tensor, diagonal: Any) -> None:
    if input.ndim < 2:
        raise fail("needs-matrix", f"{name}: input tensor must have at least 2 dimensions")
    if not hasattr(diagonal, "__index__"):
        raise TypeError(
            f"{name}(): argument 'diagonal' (position 2) must be int, not {type(diagonal).__name__}"
        )


@op(
    "tril",
    latex=r"\val{result} = \operatorname{tril} \val{input}",
    grad_fn="TrilBackward0",
    binds=("torch.tril", "Tensor.tril", "Tensor.tril_"),
    samples=_triangles,
)
def tril(input: Array, diagonal: int = 0) -> Array:
    """Keep the lower triangle; the rest becomes zero.

    >>> torch.tril(torch.ones(2, 2))
    tensor([[1., 0.],
            [1., 1.]])
    """
    return np.tril(input, diagonal)


@tril.prepare
def _(input: Tensor, diagonal: Any) -> None:
    _need_matrix("tril", input, diagonal)


@tril.vjp("input", latex=r"\grad{input} = \operatorname{tril} \grad{result}")
def _(grad: Any, diagonal: int) -> Any:
    return tril(grad, diagonal)


@op(
    "triu",
    latex=r"\val{result} = \operatorname{triu} \val{input}",
    grad_fn="TriuBackward0",
    binds=("torch.triu", "Tensor.triu", "Tensor.triu_"),
    samples=_triangles,
)
def triu(input: Array, diagonal: int = 0) -> Array:
    """Keep the upper triangle; the rest becomes zero.

    >>> torch.triu(torch.ones(2, 2))
    tensor([[1., 1.],
            [0., 1.]])
    """
    return np.triu(input, diagonal)


@triu.prepare
def _(input: Tensor, diagonal: Any) -> None:
    _need_matrix("triu", input, diagonal)


@triu.vjp("input", latex=r"\grad{input} = \operatorname{triu} \grad{result}")
def _(grad: Any, diagonal: int) -> Any:
    return triu(grad, diagonal)


@op(
    "diag_embed",
    latex=r"\val{result} = \operatorname{diag}(\val{input})",
    grad_fn="DiagEmbedBackward0",
    binds=("torch.diag_embed", "Tensor.diag_embed"),
    samples=lambda: [Sample((t(3),)), Sample((t(2, 2), 1)), Sample((t(2), 0, 0, 1))],
)
def diag_embed(input: Array, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Array:
    """Put vectors on diagonals of zeros.

    >>> torch.diag_embed(torch.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    """
    n = input.shape[-1] + abs(offset)
    shape = list(input.shape[:-1])
    for d in sorted((dim1 % (input.ndim + 1), dim2 % (input.ndim + 1))):
        shape.insert(d, n)
    whole = np.zeros(shape, input.dtype)
    diagonal_view(whole, offset, dim1, dim2)[...] = input
    return whole


@diag_embed.prepare
def _(input: Tensor, offset: int, dim1: int, dim2: int) -> dict[str, Any]:
    first, second = wrap_dim(dim1, input.ndim + 1), wrap_dim(dim2, input.ndim + 1)
    if first == second:
        raise fail("diagonal-dims", f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return {"dim1": first, "dim2": second}


@diag_embed.vjp("input", latex=r"\grad{input} = \operatorname{diag}(\grad{result})")
def _(grad: Any, offset: int, dim1: int, dim2: int) -> Any:
    return diagonal(grad, offset, dim1, dim2)


@op(
    "diagonal_copy",
    latex=r"\val{result} = \operatorname{diag}(\val{input})",
    grad_fn="DiagonalBackward0_copy",
    binds=("torch.diagonal_copy",),
    samples=lambda: [Sample((t(3, 3),)), Sample((t(2, 3), 1))],
)
def diagonal_copy(input: Array, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Array:
    """Copy a diagonal.

    >>> torch.diagonal_copy(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
    return np.array(np.diagonal(input, offset, dim1, dim2))


@diagonal_copy.vjp("input", latex=r"\grad{input} = \grad{result} \text{ on the diagonal of zeros}")
def _(grad: Any, input_shape: Any, offset: int, dim1: int, dim2: int) -> Any:
    return diagonal_backward(grad, input_shape, offset, dim1, dim2)


@function("torch.diag", "Tensor.diag")
def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """Make a diagonal matrix of a vector, or copy the diagonal of a matrix."""
    if input.ndim not in (1, 2):
        raise fail("diag", f"diag(): Supports 1D or 2D tensors. Got {input.ndim}D")
    chosen = diag_embed if input.ndim == 1 else diagonal_copy
    result: Tensor = chosen(input, diagonal)
    return result


@function("torch.diagflat", "Tensor.diagflat")
def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    """Put all elements on the diagonal of zeros."""
    result: Tensor = diag_embed(reshape(input, (-1,)), offset)
    return result


@op(
    "trace",
    latex=r"\val{result} = \operatorname{tr} \val{input}",
    grad_fn="TraceBackward0",
    binds=("torch.trace", "Tensor.trace"),
    samples=lambda: [Sample((t(3, 3),)), Sample((t(2, 3),))],
)
def trace(input: Array) -> Array:
    """Add up the diagonal.

    >>> torch.trace(torch.tensor([[1., 2.], [3., 4.]]))
    tensor(5.)
    """
    kind = np.int64 if input.dtype.kind in "iub" else input.dtype
    return add_reduce(np.diagonal(input), None, kind)


@trace.prepare
def _(input: Tensor) -> None:
    if input.ndim != 2:
        raise fail("trace", f"trace: expected a matrix, but got tensor with dim {input.ndim}")


@trace.vjp("input", latex=r"\grad{input} = \grad{result} \text{ on the diagonal of zeros}")
def _(grad: Any, input_shape: Any) -> Any:
    n = min(input_shape)
    return diagonal_backward(expand(grad, (n,)), input_shape, 0, 0, 1)


def _triangle_indices(name: str, rows: int, columns: int, offset: int, kind: Any) -> Tensor:
    for label, n in (("row", rows), ("col", columns)):
        if n < 0:
            raise fail(name, f"{label} must be non-negative, got{n}")
    grid = (np.tril if name == "tril" else np.triu)(np.ones((rows, columns), np.bool_), offset)
    found = np.stack(np.nonzero(grid))
    return make(found.astype((kind or dtypes.int64).np))


@function("torch.tril_indices")
def tril_indices(
    row: int,
    col: int,
    offset: int = 0,
    *,
    dtype: Any = None,
    device: Any = None,
    layout: Any = None,
) -> Tensor:
    """List the indices of a lower triangle: rows, then columns."""
    return _triangle_indices("tril", row, col, offset, dtype)


@function("torch.triu_indices")
def triu_indices(
    row: int,
    col: int,
    offset: int = 0,
    *,
    dtype: Any = None,
    device: Any = None,
    layout: Any = None,
) -> Tensor:
    """List the indices of an upper triangle: rows, then columns."""
    return _triangle_indices("triu", row, col, offset, dtype)


@function("torch.linalg.vander")
def vander_increasing(x: Tensor, *, N: int | None = None) -> Tensor:
    """List powers of a vector's elements from 0 on, one row per element."""
    n = x.shape[-1] if N is None else N
    ones = PUBLIC["torch.ones_like"](x.detach()).unsqueeze(-1)  # type: ignore[attr-defined]
    wide = expand(x.unsqueeze(-1), (*x.shape, n - 1))  # type: ignore[attr-defined]
    result: Tensor = PUBLIC["torch.cat"]([ones, PUBLIC["torch.cumprod"](wide, -1)], -1)
    return result


@function("torch.vander")
def vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Tensor:
    """List powers of a vector's elements, one row per element."""
    if x.ndim != 1:
        raise fail("vander", "x must be a one-dimensional tensor.")
    n = x.shape[0] if N is None else N
    result: Any = PUBLIC["torch.empty"]((*x.shape, n), dtype=x.dtype)
    if n > 0:
        result.select(1, 0).fill_(1)
    if n > 1:
        # PyTorch overwrites what cumprod saved: no gradient can pass, and backward says so.
        powers = result.narrow(1, 1, n - 1)
        powers.copy_(x.unsqueeze(1))  # type: ignore[attr-defined]
        powers.copy_(PUBLIC["torch.cumprod"](powers, 1))
    out: Tensor = result if increasing else PUBLIC["torch.flip"](result, [1])
    return out


@function("Tensor.fill_diagonal_")
def fill_diagonal_(input: Tensor, fill_value: Any, wrap: bool = False) -> Tensor:
    """Overwrite the diagonal with a number."""
    if input.ndim < 2:
        raise fail("fill-diagonal", "dimensions must larger than 1")
    if input.ndim > 2:
        if len(set(input.shape)) != 1:
            raise fail("fill-diagonal", "all dimensions of input must be of equal length")
        steps = [s // input._array.itemsize for s in input._array.strides]
        seen = PUBLIC["torch.as_strided"](input, (input.shape[0],), (sum(steps),), 0)
        seen.fill_(fill_value)
        return input
    rows, columns = input.shape
    item = input._array.itemsize
    step = sum(s // item for s in input._array.strides)
    start = PUBLIC["Tensor.storage_offset"](input)
    seen = PUBLIC["torch.as_strided"](input, (min(rows, columns),), (step,), start)
    seen.fill_(fill_value)
    start = columns + 1
    while wrap and start < rows:
        diagonal(slice_dim(input, 0, start, rows, 1)).fill_(fill_value)
        start += columns + 1
    return input
