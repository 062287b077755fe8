"""Rounding, whose gradient is zero, and mending nan."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops.compare import where, zero_like
from engine.ops.dims import zeros_of
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, T, any_shape
from engine.tensor import Tensor

ZERO = r"\grad{input} = 0 \cdot \grad{result}"


def _is_whole(input: Any) -> bool:
    return bool(input.dtype.kind in "iub")


@op(
    "round",
    latex=r"\val{result} = \operatorname{round} \val{input}",
    grad_fn=lambda decimals, **_: "RoundBackward1" if decimals else "RoundBackward0",
    binds=("torch.round", "torch.special.round", "torch.round_", "Tensor.round", "Tensor.round_"),
    samples=lambda: [*any_shape(), Sample((T([1.2345, -2.5]),), {"decimals": 2})],
)
def round(input: Array, *, decimals: int = 0) -> Array:
    """Round to the nearest integer, halves to the even one; `decimals` keeps digits.

    >>> torch.round(torch.tensor([0.5, 1.5, 2.7]))
    tensor([0., 2., 3.])
    """
    if _is_whole(input):
        return input.copy()
    if decimals == 0:
        return np.rint(input)
    scale = input.dtype.type(10.0 ** abs(decimals))
    scaled = np.rint(input * scale if decimals > 0 else input / scale)
    return scaled / scale if decimals > 0 else scaled * scale


@round.vjp("input", latex=ZERO)
def _(grad: Any) -> Any:
    return zeros_of(grad)


@op(
    "floor",
    latex=r"\val{result} = \lfloor \val{input} \rfloor",
    grad_fn="FloorBackward0",
    binds=("torch.floor", "torch.floor_", "Tensor.floor", "Tensor.floor_"),
    samples=any_shape,
)
def floor(input: Array) -> Array:
    """Round down.

    >>> torch.floor(torch.tensor([1.5, -1.5]))
    tensor([ 1., -2.])
    """
    return input.copy() if _is_whole(input) else np.floor(input)


@floor.vjp("input", latex=ZERO)
def _(grad: Any) -> Any:
    return zeros_of(grad)


@op(
    "ceil",
    latex=r"\val{result} = \lceil \val{input} \rceil",
    grad_fn="CeilBackward0",
    binds=("torch.ceil", "torch.ceil_", "Tensor.ceil", "Tensor.ceil_"),
    samples=any_shape,
)
def ceil(input: Array) -> Array:
    """Round up.

    >>> torch.ceil(torch.tensor([1.5, -1.5]))
    tensor([ 2., -1.])
    """
    return input.copy() if _is_whole(input) else np.ceil(input)


@ceil.vjp("input", latex=ZERO)
def _(grad: Any) -> Any:
    return zeros_of(grad)


@op(
    "trunc",
    latex=r"\val{result} = \operatorname{trunc} \val{input}",
    grad_fn="TruncBackward0",
    binds=(
        "torch.trunc", "torch.fix", "torch.trunc_", "torch.fix_", "Tensor.trunc", "Tensor.trunc_",
        "Tensor.fix", "Tensor.fix_",
    ),
    samples=any_shape,
)  # fmt: skip
def trunc(input: Array) -> Array:
    """Round towards zero.

    >>> torch.trunc(torch.tensor([1.5, -1.5]))
    tensor([ 1., -1.])
    """
    return input.copy() if _is_whole(input) else np.trunc(input)


@trunc.vjp("input", latex=ZERO)
def _(grad: Any) -> Any:
    return zeros_of(grad)


@op(
    "frac",
    latex=r"\val{result} = \val{input} - \operatorname{trunc} \val{input}",
    grad_fn="FracBackward0",
    binds=("torch.frac", "torch.frac_", "Tensor.frac", "Tensor.frac_"),
    samples=any_shape,
)
def frac(input: Array) -> Array:
    """Keep what lies behind the decimal point.

    >>> torch.frac(torch.tensor([1.5, -1.5]))
    tensor([ 0.5000, -0.5000])
    """
    return input - np.trunc(input)


@frac.vjp("input", latex=r"\grad{input} = \grad{result}")
def _(grad: Any) -> Any:
    return grad


@op(
    "nan_to_num",
    latex=r"\val{result} = \val{input} \text{ with finite numbers for nan and } \pm\infty",
    grad_fn="NanToNumBackward0",
    binds=("torch.nan_to_num", "torch.nan_to_num_", "Tensor.nan_to_num", "Tensor.nan_to_num_"),
    samples=any_shape,
)
def nan_to_num(
    input: Array, nan: float | None = None, posinf: float | None = None, neginf: float | None = None
) -> Array:
    """Replace nan and infinities by finite numbers.

    >>> torch.nan_to_num(torch.tensor([1., float("nan")]))
    tensor([1., 0.])
    """
    if _is_whole(input):
        return input.copy()
    return np.nan_to_num(input, nan=0.0 if nan is None else nan, posinf=posinf, neginf=neginf)


@nan_to_num.vjp(
    "input", latex=r"\grad{input} = \grad{result} \text{ where } \val{input} \text{ is finite}"
)
def _(grad: Any, input: Any) -> Any:
    return where(input - input == 0, grad, zero_like(grad))


@function("torch.positive", "Tensor.positive", "Tensor.__pos__")
def positive(input: Tensor) -> Tensor:
    """Return the tensor itself."""
    if input.dtype is dtypes.bool_:
        raise fail(
            "plus-of-truths", "The `+` operator, on a bool tensor is not supported.", dtype="bool"
        )
    return input
