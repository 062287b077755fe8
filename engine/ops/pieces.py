"""One index or a range of a dim, as a view."""

from __future__ import annotations

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
