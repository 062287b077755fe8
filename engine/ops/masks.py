"""Writing and picking where a mask is true."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.dtypes import LEGACY_NAMES, SCALAR_NAMES
from engine.errors import fail
from engine.ops.compare import where, zero_like
from engine.ops.dims import broadcast_shapes
from engine.ops.pieces import slice_backward
from engine.ops.record import Array, function, op
from engine.ops.reduce import sum_dims
from engine.ops.samples import Sample, T, t
from engine.ops.scalars import element
from engine.ops.zeros import fresh_zeros
from engine.tensor import Tensor

MASK = T([[True, False, True], [False, False, True]], "bool")


def _need_mask(mask: Tensor, text: str) -> None:
    if mask.dtype is not dtypes.bool_:
        raise fail("mask-not-bool", text.format(SCALAR_NAMES[mask.dtype]), dtype=mask.dtype.name)


@op(
    "masked_fill",
    latex=r"\val{result} = \val{mask} \mathbin{?} \val{value} : \val{input}",
    grad_fn="MaskedFillBackward0",
    samples=lambda: [Sample((t(2, 3), MASK, 1.5))],
)
def masked_fill(input: Array, mask: Array, value: float) -> Array:
    """Put a number wherever the mask holds.

    >>> torch.tensor([1., 2.]).masked_fill(torch.tensor([True, False]), 0)
    tensor([0., 2.])
    """
    return np.where(mask, input.dtype.type(value), input)[()]


@masked_fill.prepare
def _(input: Tensor, mask: Tensor, value: Any) -> dict[str, Any]:
    _check_fill(input, mask)
    return {"value": element(value, input.dtype).item()}


def _check_fill(input: Tensor, mask: Tensor) -> None:
    broadcast_shapes(mask.shape, input.shape)
    _need_mask(mask, "masked_fill_ only supports boolean masks, but got mask with dtype {}")


@masked_fill.vjp("input", latex=r"\grad{input} = \val{mask} \mathbin{?} 0 : \grad{result}")
def _(grad: Any, mask: Any) -> Any:
    return masked_fill(grad, mask, 0)


@op(
    "masked_fill_tensor",
    latex=r"\val{result} = \val{mask} \mathbin{?} \val{value} : \val{input}",
    grad_fn="MaskedFillBackward1",
    samples=lambda: [Sample((t(2, 3), MASK, t(seed=3)))],
)
def masked_fill_tensor(input: Array, mask: Array, value: Array) -> Array:
    """Put a 0-d tensor's value wherever the mask holds.

    >>> torch.zeros(2).masked_fill(torch.tensor([True, False]), torch.tensor(5.))
    tensor([5., 0.])
    """
    return np.where(mask, value.astype(input.dtype), input)[()]


@masked_fill_tensor.prepare
def _(input: Tensor, mask: Tensor, value: Tensor) -> None:
    if value.ndim:
        raise fail(
            "masked-fill-value",
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with"
            f" {value.ndim} dimension(s).",
        )
    _check_fill(input, mask)


@masked_fill_tensor.vjp("input", latex=r"\grad{input} = \val{mask} \mathbin{?} 0 : \grad{result}")
def _(grad: Any, mask: Any) -> Any:
    return masked_fill(grad, mask, 0)


@masked_fill_tensor.vjp(
    "value",
    latex=r"\grad{value} = \sum (\val{mask} \mathbin{?} \grad{result} : 0)",
)
def _(grad: Any, mask: Any) -> Any:
    return sum_dims(where(mask, grad, zero_like(grad)))


@function("torch.masked_fill", "Tensor.masked_fill")
def masked_fill_any(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """Put a number wherever the mask holds."""
    chosen = masked_fill_tensor if isinstance(value, Tensor) else masked_fill
    result: Tensor = chosen(input, mask, value)
    return result


@function("Tensor.masked_fill_")
def masked_fill_any_(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """Put a number wherever the mask holds, in place."""
    chosen = masked_fill_tensor if isinstance(value, Tensor) else masked_fill
    result: Tensor = chosen.forms.in_place(input, mask, value)
    return result


@op(
    "masked_select",
    latex=r"\val{result} = \val{input}[\val{mask}]",
    grad_fn="MaskedSelectBackward0",
    binds=("torch.masked_select", "Tensor.masked_select"),
    samples=lambda: [Sample((t(2, 3), MASK)), Sample((t(3), MASK))],
)
def masked_select(input: Array, mask: Array) -> Array:
    """Take the elements where the mask holds, as a vector.

    >>> torch.masked_select(torch.tensor([1., 2.]), torch.tensor([True, False]))
    tensor([1.])
    """
    both = np.broadcast_arrays(input, mask)
    return both[0][both[1]]


@masked_select.prepare
def _(input: Tensor, mask: Tensor) -> None:
    _need_mask(mask, "masked_select: expected BoolTensor for mask")
    broadcast_shapes(mask.shape, input.shape)


@masked_select.vjp(
    "input", latex=r"\grad{input} = \grad{result} \text{ where } \val{mask}, 0 \text{ elsewhere}"
)
def _(grad: Any, input_shape: Any, mask: Any) -> Any:
    shape = broadcast_shapes(input_shape, mask.shape)
    return masked_scatter(fresh_zeros(grad, shape), mask, grad)


@op(
    "masked_scatter",
    latex=r"\val{result} = \val{mask} \mathbin{?} \text{the next of } \val{source} : \val{input}",
    grad_fn="MaskedScatterBackward0",
    binds=("torch.masked_scatter", "Tensor.masked_scatter", "Tensor.masked_scatter_"),
    samples=lambda: [Sample((t(2, 3), MASK, t(4, seed=1)))],
)
def masked_scatter(input: Array, mask: Array, source: Array) -> Array:
    """Put one element of the source after another where the mask holds.

    >>> torch.zeros(3).masked_scatter(torch.tensor([True, False, True]), torch.tensor([1., 2.]))
    tensor([1., 0., 2.])
    """
    both = np.broadcast_arrays(input, mask)
    result = np.array(both[0])
    result[both[1]] = np.ravel(source)[: int(np.count_nonzero(both[1]))]
    return result


@masked_scatter.prepare
def _(input: Tensor, mask: Tensor, source: Tensor) -> None:
    shape = broadcast_shapes(mask.shape, input.shape)
    if source.dtype is not input.dtype:
        raise fail(
            "dtypes-differ",
            "masked_scatter: expected self and source to have same dtypes but got"
            f"{LEGACY_NAMES[input.dtype]} and {LEGACY_NAMES[source.dtype]}",
        )
    if mask.dtype is not dtypes.bool_:
        raise fail(
            "mask-type",
            "masked_scatter_ only supports boolean masks, but got mask with dtype"
            f" {LEGACY_NAMES[mask.dtype]}",
        )
    wanted = int(np.count_nonzero(np.broadcast_to(mask._array, shape)))
    if source.shape.numel() < wanted:
        raise fail("masked-scatter", "Number of elements of source < number of ones in mask")


@masked_scatter.vjp("input", latex=r"\grad{input} = \val{mask} \mathbin{?} 0 : \grad{result}")
def _(grad: Any, mask: Any) -> Any:
    return masked_fill(grad, mask, 0)


@masked_scatter.vjp("source", latex=r"\grad{source} = \grad{result}[\val{mask}]")
def _(grad: Any, source_shape: Any, mask: Any) -> Any:
    picked = masked_select(grad, mask)
    total = 1
    for n in source_shape:
        total *= n
    if picked.shape[0] < total:
        picked = slice_backward(picked, (total,), 0, 0, picked.shape[0], 1)
    return picked.reshape(tuple(source_shape))


def _check_flat(name: str, input: Tensor, index: Tensor) -> None:
    if index.dtype is not dtypes.int64:
        raise fail(
            "index-type",
            f"{name}(): Expected a long tensor for index, but got {LEGACY_NAMES[index.dtype]}",
        )
    n = input.shape.numel()
    flat = np.ravel(index._array)
    wrong = flat[(flat < -n) | (flat >= n)]
    if flat.size and not n:
        raise fail("take-from-nothing", f"{name}(): tried to take from an empty tensor", IndexError)
    if wrong.size:
        raise fail(
            "index-out-of-bounds",
            f"out of range: tried to access index {int(wrong[0])} on a tensor of {n} elements.",
            IndexError,
            index=int(wrong[0]),
            size=n,
        )
