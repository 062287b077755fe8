"""Parts that share a tensor's memory: select, slice, narrow, split, unbind, diagonal, unfold."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.dims import as_int, wrap_dim
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, t
from engine.tensor import Tensor


def _at(ndim_before: int, index: Any) -> tuple[Any, ...]:
    return (slice(None),) * ndim_before + (index, ...)


@op(
    "select",
    latex=r"\val{result} = \val{input}[\val{index}] \text{ of dim } \val{dim}",
    grad_fn="SelectBackward0",
    binds=("torch.select", "Tensor.select"),
    samples=lambda: [Sample((t(2, 3), 0, 1)), Sample((t(2, 3), -1, -1)), Sample((t(3), 0, 0))],
    view=True,
)
def select(input: Array, dim: int, index: int) -> Array:
    """Take one index of a dim, which disappears.

    >>> torch.select(torch.tensor([[1, 2], [3, 4]]), 0, 1)
    tensor([3, 4])
    """
    return input[_at(dim, index)]


@select.prepare
def _(input: Tensor, dim: Any, index: Any) -> dict[str, Any]:
    if input.ndim == 0:
        raise fail("select-of-scalar", "select() cannot be applied to a 0-dim tensor.", IndexError)
    at = wrap_dim(dim, input.ndim)
    i, n = as_int(index), input.shape[at]
    if not -n <= i < n:
        raise fail(
            "select-out-of-range",
            f"select(): index {i} out of range for tensor of size {list(input.shape)} at dimension"
            f" {at}",
            IndexError,
            index=i,
            size=n,
        )
    return {"dim": at, "index": i % n}


@select.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \text{ at index } \val{index}, 0 \text{ elsewhere}",
)
def _(grad: Any, input_shape: Any, dim: int, index: int) -> Any:
    return select_backward(grad, input_shape, dim, index)


@op(
    "select_backward",
    latex=r"\val{result} = \val{input} \text{ at index } \val{index} \text{ of zeros}",
    grad_fn="SelectBackwardBackward0",
    samples=lambda: [Sample((t(3), (2, 3), 0, 1))],
)
def select_backward(input: Array, shape: Any, dim: int, index: int) -> Array:
    """Put a piece back where `select` took it, among zeros."""
    whole = np.zeros(shape, input.dtype)
    whole[_at(dim, index)] = input
    return whole


@select_backward.vjp("input", latex=r"\grad{input} = \grad{result} \text{ at index } \val{index}")
def _(grad: Any, dim: int, index: int) -> Any:
    return select(grad, dim, index)


@op(
    "slice",
    latex=r"\val{result} = \val{input}[\val{start}{:}\val{end}{:}\val{step}] \text{ of dim }"
    r" \val{dim}",
    grad_fn="SliceBackward0",
    samples=lambda: [Sample((t(4, 3), 0, 1, 3, 1)), Sample((t(4, 3), 1, 0, 3, 2))],
    view=True,
)
def slice_dim(
    input: Array, dim: int = 0, start: int = 0, end: int = 2**63 - 1, step: int = 1
) -> Array:
    """Take a range of indices of a dim.

    >>> torch.arange(5)[1:4]
    tensor([1, 2, 3])
    """
    return input[_at(dim, slice(start, end, step))]


@slice_dim.vjp(
    "input", latex=r"\grad{input} = \grad{result} \text{ in that range, } 0 \text{ elsewhere}"
)
def _(grad: Any, input_shape: Any, dim: int, start: int, end: int, step: int) -> Any:
    return slice_backward(grad, input_shape, dim, start, end, step)


@op(
    "slice_backward",
    latex=r"\val{result} = \val{input} \text{ in a range of zeros}",
    grad_fn="SliceBackwardBackward0",
    samples=lambda: [Sample((t(2, 3), (4, 3), 0, 1, 3, 1))],
)
def slice_backward(input: Array, shape: Any, dim: int, start: int, end: int, step: int) -> Array:
    """Put a piece back where a slice took it, among zeros."""
    whole = np.zeros(shape, input.dtype)
    whole[_at(dim, slice(start, end, step))] = input
    return whole


@slice_backward.vjp("input", latex=r"\grad{input} = \grad{result} \text{ in that range}")
def _(grad: Any, dim: int, start: int, end: int, step: int) -> Any:
    return slice_dim(grad, dim, start, end, step)


@function("torch.narrow", "Tensor.narrow")
def narrow(input: Tensor, dim: int, start: Any, length: int) -> Tensor:
    """Take `length` indices of a dim from `start` on."""
    if input.ndim == 0:
        raise fail("narrow-of-scalar", "narrow() cannot be applied to a 0-dim tensor.")
    at = wrap_dim(dim, input.ndim)
    n, first = input.shape[at], as_int(start)
    if length < 0:
        raise fail("narrow-length", "narrow(): length must be non-negative.")
    if not -n <= first <= n:
        raise fail(
            "narrow-start",
            f"start out of range (expected to be in range of [-{n}, {n}], but got {first})",
            IndexError,
        )
    first = first + n if first < 0 else first
    if first + length > n:
        raise fail(
            "narrow-length",
            f"start ({first}) + length ({length}) exceeds dimension size ({n}).",
        )
    result: Tensor = slice_dim(input, at, first, first + length, 1)
    return result


def _need_dims(name: str, input: Tensor) -> None:
    if input.ndim == 0:
        raise fail("split-of-scalar", f"{name} expects at least a 1-dimensional tensor")


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
def split(input: Tensor, split_size_or_sections: Any = None, dim: int = 0, **kwargs: Any) -> Any:
    """Cut a dim into pieces of one size, or of the sizes in a list."""
    size = kwargs.pop("split_size", split_size_or_sections)
    if isinstance(size, (list, tuple)):
        return split_sizes(input, size, dim)
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
            f"Dimension specified as {dim} but tensor has no dimensions",
            IndexError,
        )
    return {"dim": wrap_dim(dim, input.ndim)}


@unbind.vjp("input", latex=r"\grad{input} = \text{the } \grad{result}_i \text{ stacked}")
def _(grad: Any, dim: int) -> Any:
    return stack(list(grad), dim)


@op(
    "diagonal",
    latex=r"\val{result} = \operatorname{diag}(\val{input})",
    grad_fn="DiagonalBackward0",
    binds=("torch.diagonal", "Tensor.diagonal"),
    samples=lambda: [Sample((t(3, 3),)), Sample((t(2, 3), 1)), Sample((t(2, 3, 3), 0, 1, 2))],
    view=True,
)
def diagonal(input: Array, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Array:
    """Look at a diagonal; it becomes the last dim.

    >>> torch.diagonal(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
    return diagonal_view(input, offset, dim1, dim2)


def diagonal_view(array: Any, offset: int, dim1: int, dim2: int) -> Any:
    """Return a writable view of a diagonal."""
    seen = np.diagonal(array, offset, dim1, dim2)
    if array.flags.writeable and not seen.flags.writeable:
        seen.flags.writeable = True
    return seen


@diagonal.prepare
def _(input: Tensor, offset: int, dim1: int, dim2: int) -> dict[str, Any]:
    first, second = wrap_dim(dim1, input.ndim), wrap_dim(dim2, input.ndim)
    if first == second:
        raise fail("diagonal-dims", f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return {"dim1": first, "dim2": second}


@diagonal.vjp("input", latex=r"\grad{input} = \grad{result} \text{ on the diagonal of zeros}")
def _(grad: Any, input_shape: Any, offset: int, dim1: int, dim2: int) -> Any:
    return diagonal_backward(grad, input_shape, offset, dim1, dim2)


@op(
    "diagonal_backward",
    latex=r"\val{result} = \val{input} \text{ on the diagonal of zeros}",
    grad_fn="DiagonalBackwardBackward0",
    samples=lambda: [Sample((t(2), (2, 3), 0, 0, 1))],
)
def diagonal_backward(input: Array, shape: Any, offset: int, dim1: int, dim2: int) -> Array:
    """Put a diagonal back among zeros."""
    whole = np.zeros(shape, input.dtype)
    diagonal_view(whole, offset, dim1, dim2)[...] = input
    return whole


@diagonal_backward.vjp("input", latex=r"\grad{input} = \operatorname{diag}(\grad{result})")
def _(grad: Any, offset: int, dim1: int, dim2: int) -> Any:
    return diagonal(grad, offset, dim1, dim2)


@op(
    "unfold",
    latex=r"\val{result} = \text{windows of } \val{input} \text{ along dim } \val{dimension}",
    grad_fn="UnfoldBackward0",
    binds=("Tensor.unfold",),
    samples=lambda: [Sample((t(5), 0, 2, 1)), Sample((t(2, 4), 1, 2, 2))],
    view=True,
)
def unfold(input: Array, dimension: int, size: int, step: int) -> Array:
    """Look at all windows of a size along a dim; the window becomes the last dim.

    >>> torch.arange(4).unfold(0, 2, 1)
    tensor([[0, 1],
            [1, 2],
            [2, 3]])
    """
    return windows_of(input, dimension, size, step)


def windows_of(array: Any, dimension: int, size: int, step: int) -> Any:
    """Return a writable view of the windows along an axis."""
    if array.ndim == 0:
        return np.lib.stride_tricks.as_strided(array, (size,), (array.itemsize,))
    shape, strides = list(array.shape), list(array.strides)
    shape[dimension] = (shape[dimension] - size) // step + 1
    stride = strides[dimension]
    strides[dimension] = stride * step
    return np.lib.stride_tricks.as_strided(array, (*shape, size), (*strides, stride))


@unfold.prepare
def _(input: Tensor, dimension: int, size: int, step: int) -> dict[str, Any]:
    at = wrap_dim(dimension, input.ndim)
    n = input.shape[at] if input.ndim else 1
    if size > n:
        raise fail(
            "unfold-size", f"maximum size for tensor at dimension {at} is {n} but size is {size}"
        )
    if size < 0:
        raise fail("unfold-size", f"size is {size} but must be >= 0")
    if step <= 0:
        raise fail("unfold-step", f"step is {step} but must be > 0")
    return {"dimension": at}


@unfold.vjp("input", latex=r"\grad{input} = \text{the windows } \grad{result} \text{ added up}")
def _(grad: Any, input_shape: Any, dimension: int, size: int, step: int) -> Any:
    return unfold_backward(grad, input_shape, dimension, size, step)


@op(
    "unfold_backward",
    latex=r"\val{result} = \text{the windows } \val{input} \text{ added up}",
    grad_fn="UnfoldBackwardBackward0",
    samples=lambda: [Sample((t(4, 2), (5,), 0, 2, 1))],
)
def unfold_backward(input: Array, shape: Any, dimension: int, size: int, step: int) -> Array:
    """Add windows up where `unfold` took them."""
    whole = np.zeros(shape, input.dtype)
    for i in range(size):
        place = _at(dimension, slice(i, i + (input.shape[dimension] - 1) * step + 1, step))
        if len(shape):
            whole[place] += input[..., i]
        else:
            whole += input[..., i]
    return whole


@unfold_backward.vjp("input", latex=r"\grad{input} = \text{windows of } \grad{result}")
def _(grad: Any, dimension: int, size: int, step: int) -> Any:
    return unfold(grad, dimension, size, step)


# What rules call and what calls back; at the end, because the two files need each other.
from engine.ops.joining import cat, stack  # noqa: E402
