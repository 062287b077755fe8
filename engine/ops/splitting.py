"""Cutting a tensor into several along a dim."""

from __future__ import annotations

import itertools
from typing import Any

from engine.errors import fail
from engine.ops.dims import wrap_dim
from engine.ops.joining import cat, stack
from engine.ops.pieces import _at, _need_dims, slice_dim
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, t
from engine.tensor import Tensor


@op(
    "split",
    latex=r"\val{result} = \val{input} \text{ in pieces of } \val{split_size}",
    grad_fn="SplitBackward0",
    samples=lambda: [Sample((t(5, 2), 2, 0)), Sample((t(2, 4), 2, 1))],
    multi_view=True,
)
def split_equal(input: Array, split_size: int, dim: int = 0) -> tuple[Array, ...]:
    """Cut a dim into pieces of one size; the last may be smaller.

    >>> torch.arange(5).split(2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    n = input.shape[dim]
    if split_size == 0:
        return (input[...],)
    starts = range(0, n, split_size) if n else (0,)
    return tuple(input[_at(dim, slice(i, i + split_size))] for i in starts)


@split_equal.vjp(
    "input",
    latex=r"\grad{input} = \text{the pieces of } \grad{result} \text{ joined}",
)
def _(grad: Any, dim: int) -> Any:
    return cat(list(grad), dim)


@op(
    "split_with_sizes",
    latex=r"\val{result} = \val{input} \text{ in pieces of } \val{split_sizes}",
    grad_fn="SplitWithSizesBackward0",
    samples=lambda: [Sample((t(5, 2), (2, 3), 0)), Sample((t(2, 4), (1, 3), 1))],
    multi_view=True,
)
def split_with_sizes(input: Array, split_sizes: Any, dim: int = 0) -> tuple[Array, ...]:
    """Cut a dim into pieces of given sizes.

    >>> torch.arange(5).split([2, 3])
    (tensor([0, 1]), tensor([2, 3, 4]))
    """
    pieces, start = [], 0
    for n in split_sizes:
        pieces.append(input[_at(dim, slice(start, start + n))])
        start += n
    return tuple(pieces)


@split_with_sizes.vjp(
    "input", latex=r"\grad{input} = \text{the pieces of } \grad{result} \text{ joined}"
)
def _(grad: Any, dim: int) -> Any:
    return cat(list(grad), dim)


@function("torch.split", "torch.unsafe_split", "Tensor.split", "Tensor.unsafe_split")
def split(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> Any:
    """Cut a dim into pieces of one size, or of the sizes in a list."""
    input, size = tensor, split_size_or_sections
    if isinstance(size, (list, tuple)):
        return split_sizes(input, size, dim)
    if not hasattr(size, "__index__"):
        raise TypeError(
            "split_with_sizes(): argument 'split_sizes' (position 2) must be tuple of ints, not"
            f" {type(size).__name__}"
        )
    _need_dims("split", input)
    at = wrap_dim(dim, input.ndim)
    if size < 0:
        raise fail(
            "split-size", f"split expects split_size be non-negative, but got split_size={size}"
        )
    if size == 0 and input.shape[at]:
        raise fail(
            "split-size",
            "split_size can only be 0 if dimension size is 0, but got dimension size of"
            f" {input.shape[at]}",
        )
    return split_equal(input, size, at)


@function("torch.split_with_sizes", "Tensor.split_with_sizes")
def split_sizes(input: Tensor, split_sizes: Any, dim: int = 0) -> Any:
    """Cut a dim into pieces of the sizes in a list."""
    _need_dims("split", input)
    at = wrap_dim(dim, input.ndim)
    sizes = tuple(int(n) for n in split_sizes)
    if any(n < 0 for n in sizes):
        raise fail(
            "split-size",
            "split_with_sizes expects split_sizes have only non-negative entries, but got"
            f" split_sizes={list(sizes)}",
        )
    if sum(sizes) != input.shape[at]:
        raise fail(
            "split-sizes",
            f"split_with_sizes expects split_sizes to sum exactly to {input.shape[at]} (input"
            f" tensor's size at dimension {at}), but got split_sizes={list(sizes)}",
        )
    return split_with_sizes(input, sizes, at)


@function("torch.chunk", "torch.unsafe_chunk", "Tensor.chunk", "Tensor.unsafe_chunk")
def chunk(input: Tensor, chunks: int, dim: int = 0) -> Any:
    """Cut a dim into at most so many pieces of one size."""
    _need_dims("chunk", input)
    if chunks <= 0:
        raise fail("chunks", f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    at = wrap_dim(dim, input.ndim)
    n = input.shape[at]
    if n == 0:
        return split_with_sizes(input, (0,) * chunks, at)
    return split_equal(input, -(-n // chunks), at)


def _cuts(n: int, sections: Any) -> list[int]:
    if isinstance(sections, Tensor):
        sections = sections.tolist()  # type: ignore[attr-defined]
    if isinstance(sections, (list, tuple)):
        return [0, *(int(i) for i in sections), n]
    if sections <= 0:
        raise fail("sections", f"number of sections must be larger than 0, got {sections}")
    small, larger = divmod(n, sections)
    ends = [0]
    for i in range(sections):
        ends.append(ends[-1] + small + (i < larger))
    return ends


@function("torch.tensor_split", "Tensor.tensor_split")
def tensor_split(
    input: Tensor, indices_or_sections: Any = None, dim: int = 0, **kwargs: Any
) -> tuple[Tensor, ...]:
    """Cut a dim into a number of pieces, or before the given indices."""
    cuts = kwargs.get("sections", kwargs.get("indices", indices_or_sections))
    if input.ndim == 0:
        raise fail(
            "split-of-scalar",
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims",
        )
    at = wrap_dim(dim, input.ndim)
    n = input.shape[at]
    ends = _cuts(n, cuts)
    pieces = []
    for start, end in itertools.pairwise(ends):
        low, high, _ = slice(start, end).indices(n)
        pieces.append(slice_dim(input, at, low, max(low, high), 1))
    return tuple(pieces)


def _split_along(name: str, input: Tensor, sections: Any, dim: int, least: int) -> Any:
    if input.ndim < least:
        raise fail(
            "split-dims",
            f"torch.{name} requires a tensor with at least {least} dimension{'s' * (least > 1)},"
            f" but got a tensor with {input.ndim} dimensions!",
        )
    if isinstance(sections, int) and (sections == 0 or input.shape[dim] % sections):
        raise fail(
            "sections",
            f"torch.{name} attempted to split along dimension {dim}, but the size of the dimension"
            f" {input.shape[dim]} is not divisible by the split_size {sections}!",
        )
    return tensor_split(input, sections, dim)


@function("torch.hsplit", "Tensor.hsplit")
def hsplit(input: Tensor, indices_or_sections: Any) -> Any:
    """Cut along the columns."""
    return _split_along("hsplit", input, indices_or_sections, min(input.ndim - 1, 1), 1)


@function("torch.vsplit", "Tensor.vsplit")
def vsplit(input: Tensor, indices_or_sections: Any) -> Any:
    """Cut along the rows."""
    return _split_along("vsplit", input, indices_or_sections, 0, 2)


@function("torch.dsplit", "Tensor.dsplit")
def dsplit(input: Tensor, indices_or_sections: Any) -> Any:
    """Cut along the third dim."""
    return _split_along("dsplit", input, indices_or_sections, 2, 3)


@op(
    "unbind",
    latex=r"\val{result}_i = \val{input}[i] \text{ of dim } \val{dim}",
    grad_fn="UnbindBackward0",
    binds=("torch.unbind", "Tensor.unbind"),
    samples=lambda: [Sample((t(2, 3),)), Sample((t(2, 3), 1))],
    multi_view=True,
)
def unbind(input: Array, dim: int = 0) -> tuple[Array, ...]:
    """Take a dim apart into a tuple.

    >>> torch.unbind(torch.tensor([[1, 2], [3, 4]]))
    (tensor([1, 2]), tensor([3, 4]))
    """
    return tuple(input[_at(dim, i)] for i in range(input.shape[dim]))


@unbind.prepare
def _(input: Tensor, dim: int) -> dict[str, Any]:
    if input.ndim == 0 and -1 <= dim <= 0:
        raise fail(
            "unbind-of-scalar",
            "Dimension specified as 0 but tensor has no dimensions",
            IndexError,
        )
    return {"dim": wrap_dim(dim, input.ndim)}


@unbind.vjp("input", latex=r"\grad{input} = \text{the } \grad{result}_i \text{ stacked}")
def _(grad: Any, dim: int) -> Any:
    return stack(list(grad), dim)
