"""Windows that slide along a dim, as a view."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.dims import wrap_dim
from engine.ops.pieces import _at
from engine.ops.record import Array, op
from engine.ops.samples import Sample, t
from engine.tensor import Tensor


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
