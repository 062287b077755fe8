"""Division rounded to whole numbers, and what it leaves."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.arithmetic import div_mode, refuse_zero
from engine.ops.record import Array, function, op
from engine.ops.rules import NO_DERIVATIVE
from engine.ops.samples import Sample, broadcasting_pairs, t
from engine.tensor import Tensor


def no_derivative(name: str) -> Exception:
    """Make the refusal to differentiate an op PyTorch has no rule for."""
    return fail("no-derivative", f"derivative for aten::{name} is not implemented", op=name)


@op(
    "floor_divide",
    latex=r"\val{result} = \lfloor \val{input} / \val{other} \rfloor",
    grad_fn=NO_DERIVATIVE,
    binds=(
        "torch.floor_divide", "Tensor.floor_divide", "Tensor.floor_divide_", "Tensor.__floordiv__",
        "Tensor.__ifloordiv__",
    ),
    samples=broadcasting_pairs,
    promote="arithmetic",
)  # fmt: skip
def floor_divide(input: Array, other: Array) -> Array:
    """Divide and round down.

    >>> torch.floor_divide(torch.tensor([5, -5]), 2)
    tensor([ 2, -3])
    """
    refuse_zero(input, other)
    return np.floor_divide(input, other)


@floor_divide.vjp("input", latex=r"\grad{input} \text{ undefined for } \grad{result}")
def _(grad: Any) -> Any:
    raise no_derivative("floor_divide")


@floor_divide.vjp("other", latex=r"\grad{other} \text{ undefined for } \grad{result}")
def _(grad: Any) -> Any:
    raise no_derivative("floor_divide")


@function("Tensor.__rfloordiv__")
def rfloordiv(input: Tensor, other: Any) -> Tensor:
    """Divide a number by a tensor and round down."""
    result: Tensor = floor_divide(as_tensor(other, input), input)
    return result


def as_tensor(value: Any, like: Tensor) -> Tensor:
    """Return a number as a 0-d tensor that promotes as the number would."""
    from engine import dtypes
    from engine.tensor import make

    if isinstance(value, Tensor):
        return value
    kind = dtypes.result_type([like, value])
    return make(kind.np.type(value))


@op(
    "remainder",
    latex=r"\val{result} = \val{input} - \val{other} \lfloor \val{input} / \val{other} \rfloor",
    grad_fn=lambda other, **_: f"RemainderBackward{1 if isinstance(other, Tensor) else 0}",
    binds=("Tensor.remainder_", "Tensor.__mod__", "Tensor.__imod__", "Tensor.remainder"),
    samples=broadcasting_pairs,
    promote="arithmetic",
)
def remainder(input: Array, other: Array) -> Array:
    """Take the remainder with the divisor's sign, as Python's `%`.

    >>> torch.remainder(torch.tensor([5.5, -5.5]), 2)
    tensor([1.5000, 0.5000])
    """
    refuse_zero(input, other)
    if np.result_type(input, other).kind != "f":
        return np.remainder(input, other)
    rest = np.fmod(input, other)  # zero keeps the dividend's sign
    return np.where((rest != 0) & ((other < 0) != (rest < 0)), rest + other, rest)[()]


@remainder.vjp("input", latex=r"\grad{input} = \grad{result}")
def _(grad: Any) -> Any:
    return grad


@remainder.vjp(
    "other",
    latex=r"\grad{other} = -\grad{result} \odot \lfloor \val{input} / \val{other} \rfloor",
)
def _(grad: Any, input: Any, other: Any) -> Any:
    return -grad * div_mode(input, other, rounding_mode="floor")


@function("torch.remainder")
def remainder_of(input: Any, other: Any) -> Tensor:
    """Take the remainder; the first may be a number."""
    result: Tensor
    if isinstance(input, Tensor):
        result = remainder(input, other)
    else:
        number: Any = as_tensor(input, other)
        result = remainder_from(other.to(number.dtype), number.item())
    return result


@op(
    "remainder_from",
    latex=r"\val{result} = \val{number} - \val{input} \lfloor \val{number} / \val{input} \rfloor",
    grad_fn=NO_DERIVATIVE,
    samples=lambda: [Sample((t(3), 2.5))],
)
def remainder_from(input: Array, number: float) -> Array:
    """Divide a number and take the remainder."""
    return remainder(input.dtype.type(number), input)


@remainder_from.vjp("input", latex=r"\grad{input} \text{ undefined for } \grad{result}")
def _(grad: Any) -> Any:
    raise no_derivative("remainder")


@function("Tensor.__rmod__")
def rmod(input: Tensor, other: Any) -> Tensor:
    """Take the remainder of a number divided by a tensor."""
    return remainder_of(other, input)  # type: ignore[no-any-return]


@op(
    "fmod",
    latex=r"\val{result} = \val{input} - \val{other} \operatorname{trunc}(\val{input} /"
    r" \val{other})",
    grad_fn=lambda other, **_: f"FmodBackward{1 if isinstance(other, Tensor) else 0}",
    binds=("torch.fmod", "Tensor.fmod", "Tensor.fmod_"),
    samples=broadcasting_pairs,
    promote="arithmetic",
)
def fmod(input: Array, other: Array) -> Array:
    """Take the remainder with the dividend's sign, as C's `fmod`.

    >>> torch.fmod(torch.tensor([5.5, -5.5]), 2)
    tensor([ 1.5000, -1.5000])
    """
    refuse_zero(input, other)
    return np.fmod(input, other)


@fmod.vjp("input", latex=r"\grad{input} = \grad{result}")
def _(grad: Any) -> Any:
    return grad


@fmod.vjp(
    "other",
    latex=r"\grad{other} = -\grad{result} \odot \operatorname{trunc}(\val{input} / \val{other})",
)
def _(grad: Any, input: Any, other: Any) -> Any:
    return -grad * div_mode(input, other, rounding_mode="trunc")
