"""Views by raw geometry: sizes, strides and an offset into the memory of the base."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.copy_slices import address
from engine.errors import fail
from engine.ops.record import Array, op
from engine.ops.samples import Sample, t
from engine.tensor import Tensor


def slot(array: Any, size: Any, stride: Any, offset: int) -> Any:
    """Return a view of the memory that starts at an array's first element."""
    item = array.itemsize
    flat = np.lib.stride_tricks.as_strided(array, (1,), (item,))
    reach = offset + sum((n - 1) * step for n, step in zip(size, stride, strict=True)) + 1
    flat = np.lib.stride_tricks.as_strided(flat, (max(reach, 0),), (item,))
    return np.lib.stride_tricks.as_strided(
        flat[offset:], tuple(size), tuple(step * item for step in stride)
    )


def stretch(array: Any, shape: Any) -> Any:
    """Return a view with every element repeated to a shape; ten times faster for one element."""
    if array.shape == ():
        one = np.array(array)
        return np.ndarray(shape, one.dtype, one, 0, (0,) * len(shape))
    return np.broadcast_to(array, shape)


def with_layout(array: Any, shape: Any, stride: Any) -> Any:
    """Return a copy whose memory is laid out with these strides."""
    array = np.asarray(array)
    extent = 1 + sum((n - 1) * step for n, step in zip(shape, stride, strict=True))
    memory = np.zeros(max(extent, 1), array.dtype)
    strides = tuple(step * array.itemsize for step in stride)
    copy = np.lib.stride_tricks.as_strided(memory, tuple(shape), strides)
    copy[...] = array
    return copy


def _samples() -> list[Sample]:
    return [Sample((t(2, 3), (2, 2), (3, 1), 1)), Sample((t(6), (3,), (2,), 0))]


@op(
    "as_strided",
    latex=r"\val{result} = \mathrm{as\_strided}(\val{input})",
    grad_fn="AsStridedBackward0",
    binds=("torch.as_strided", "Tensor.as_strided"),
    samples=_samples,
    view=True,
)
def as_strided(input: Array, size: Any, stride: Any, storage_offset: Any = None) -> Any:
    """View the memory of a tensor with the given sizes, strides and offset.

    >>> torch.as_strided(torch.tensor([1., 2., 3., 4.]), (2,), (2,), 1)
    tensor([2., 4.])
    """
    return slot(input, size, stride, storage_offset)


@as_strided.prepare
def _(input: Tensor, size: Any, stride: Any, storage_offset: Any) -> dict[str, Any]:
    start = 0
    base = input._base
    if base is not None:
        start = (
            address(input._shared() and input._array) - address(base._array)
        ) // input.dtype.itemsize
    offset = start if storage_offset is None else storage_offset
    last = offset + sum((n - 1) * step for n, step in zip(size, stride, strict=True))
    room = input.numel() if base is None else base.numel()  # type: ignore[attr-defined]
    if last >= room and 0 not in size:
        item = input.dtype.itemsize
        raise fail(
            "out-of-storage",
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, and"
            f" itemsize {item} requiring a storage size of {(last + 1) * item} are out of bounds"
            f" for"
            f" storage of size {room * item}",
        )
    return {"size": tuple(size), "stride": tuple(stride), "storage_offset": offset - start}


@as_strided.vjp("input", latex=r"\grad{input} = \mathrm{as\_strided}^{T}(\grad{result})")
def _(grad: Any, input_layout: Any, size: Any, stride: Any, storage_offset: Any) -> Any:
    return as_strided_transpose(grad, input_layout, size, stride, storage_offset)


@op(
    "as_strided_transpose",
    latex=r"\val{result} = \mathrm{as\_strided}^{T}(\val{input})",
    grad_fn="AsStridedScatterBackward0",
)
def as_strided_transpose(
    input: Array, layout: Any, size: Any, stride: Any, storage_offset: int
) -> Any:
    """Add each element to the place in memory it was viewed from; the rest is zero."""
    shape, strides = layout
    whole = with_layout(np.zeros(shape, input.dtype), shape, strides)
    places = slot(np.arange(_extent(shape, strides)), size, stride, storage_offset)
    extent = _extent(shape, strides)
    memory = np.lib.stride_tricks.as_strided(whole, (extent,), (whole.itemsize,))
    np.add.at(memory, places, input)
    return whole


def _extent(shape: Any, strides: Any) -> int:
    if 0 in shape:
        return 1
    return 1 + sum((n - 1) * step for n, step in zip(shape, strides, strict=True))  # type: ignore[no-any-return]


@as_strided_transpose.vjp("input", latex=r"\grad{input} = \mathrm{as\_strided}(\grad{result})")
def _(grad: Any, size: Any, stride: Any, storage_offset: Any) -> Any:
    return as_strided(grad, size, stride, storage_offset)
