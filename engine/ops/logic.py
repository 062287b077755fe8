"""Logical and bitwise operators."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops.dims import not_implemented
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, T, any_shape
from engine.tensor import Tensor


def _bools() -> list[Sample]:
    a, b = T([True, True, False, False], "bool"), T([True, False, True, False], "bool")
    return [Sample((a, b)), Sample((T([[1, 0], [2, 3]], "int64"), T([0, 1], "int64")))]


def _integers() -> list[Sample]:
    return [
        Sample((T([6, 5, 12], "int64"), T([3, 1, 2], "int64"))),
        Sample((T([6, 5], "int64"), 3)),
        Sample((T([True, False], "bool"), T([True, True], "bool"))),
    ]


@op(
    "logical_and",
    latex=r"\val{result} = \val{input} \wedge \val{other}",
    binds=("torch.logical_and", "Tensor.logical_and", "Tensor.logical_and_"),
    samples=_bools,
)
def logical_and(input: Array, other: Array) -> Array:
    """Tell where both are true, that is, not zero.

    >>> torch.logical_and(torch.tensor([True, False]), torch.tensor([True, True]))
    tensor([ True, False])
    """
    return np.logical_and(input, other)


@op(
    "logical_or",
    latex=r"\val{result} = \val{input} \vee \val{other}",
    binds=("torch.logical_or", "Tensor.logical_or", "Tensor.logical_or_"),
    samples=_bools,
)
def logical_or(input: Array, other: Array) -> Array:
    """Tell where at least one is true.

    >>> torch.logical_or(torch.tensor([True, False]), torch.tensor([False, False]))
    tensor([ True, False])
    """
    return np.logical_or(input, other)


@op(
    "logical_xor",
    latex=r"\val{result} = \val{input} \oplus \val{other}",
    binds=("torch.logical_xor", "Tensor.logical_xor", "Tensor.logical_xor_"),
    samples=_bools,
)
def logical_xor(input: Array, other: Array) -> Array:
    """Tell where exactly one is true.

    >>> torch.logical_xor(torch.tensor([True, True]), torch.tensor([True, False]))
    tensor([False,  True])
    """
    return np.logical_xor(input, other)


@op(
    "logical_not",
    latex=r"\val{result} = \neg \val{input}",
    binds=("torch.logical_not", "Tensor.logical_not", "Tensor.logical_not_"),
    samples=lambda: [Sample((T([True, False], "bool"),)), *any_shape()],
)
def logical_not(input: Array) -> Array:
    """Tell where an element is false, that is, zero.

    >>> torch.logical_not(torch.tensor([True, False]))
    tensor([False,  True])
    """
    return np.logical_not(input)


def _need_integers(name: str, *operands: Any) -> None:
    for x in operands:
        if isinstance(x, Tensor) and x.dtype.is_floating_point:
            raise not_implemented(f"{name}_cpu", x)
        if isinstance(x, float):
            text = f"\"{name}_cpu\" not implemented for '{dtypes.LEGACY_NAMES[dtypes.default]}'"
            raise fail(
                "dtype-not-implemented", text, NotImplementedError, dtype=dtypes.default.name
            )


@op(
    "bitwise_and",
    latex=r"\val{result} = \val{input} \mathbin{\&} \val{other}",
    binds=(
        "torch.bitwise_and", "Tensor.bitwise_and", "Tensor.bitwise_and_", "Tensor.__and__",
        "Tensor.__rand__", "Tensor.__iand__",
    ),
    samples=_integers,
    promote="arithmetic",
)  # fmt: skip
def bitwise_and(input: Array, other: Array) -> Array:
    """Combine the bits of integers, or truth values, with "and".

    >>> torch.bitwise_and(torch.tensor([6, 5]), 3)
    tensor([2, 1])
    """
    return np.bitwise_and(input, other)


@bitwise_and.prepare
def _(input: Any, other: Any) -> None:
    _need_integers("bitwise_and", input, other)


@op(
    "bitwise_or",
    latex=r"\val{result} = \val{input} \mathbin{|} \val{other}",
    binds=(
        "torch.bitwise_or", "Tensor.bitwise_or", "Tensor.bitwise_or_", "Tensor.__or__",
        "Tensor.__ror__", "Tensor.__ior__",
    ),
    samples=_integers,
    promote="arithmetic",
)  # fmt: skip
def bitwise_or(input: Array, other: Array) -> Array:
    """Combine the bits of integers, or truth values, with "or".

    >>> torch.bitwise_or(torch.tensor([6, 5]), 3)
    tensor([7, 7])
    """
    return np.bitwise_or(input, other)


@bitwise_or.prepare
def _(input: Any, other: Any) -> None:
    _need_integers("bitwise_or", input, other)


@op(
    "bitwise_xor",
    latex=r"\val{result} = \val{input} \oplus \val{other}",
    binds=(
        "torch.bitwise_xor", "Tensor.bitwise_xor", "Tensor.bitwise_xor_", "Tensor.__xor__",
        "Tensor.__rxor__", "Tensor.__ixor__",
    ),
    samples=_integers,
    promote="arithmetic",
)  # fmt: skip
def bitwise_xor(input: Array, other: Array) -> Array:
    """Combine the bits of integers, or truth values, with "exclusive or".

    >>> torch.bitwise_xor(torch.tensor([6, 5]), 3)
    tensor([5, 6])
    """
    return np.bitwise_xor(input, other)


@bitwise_xor.prepare
def _(input: Any, other: Any) -> None:
    _need_integers("bitwise_xor", input, other)


@op(
    "bitwise_not",
    latex=r"\val{result} = {\sim} \val{input}",
    binds=("torch.bitwise_not", "Tensor.bitwise_not", "Tensor.bitwise_not_"),
    samples=lambda: [Sample((T([6, -5], "int64"),)), Sample((T([True, False], "bool"),))],
)
def bitwise_not(input: Array) -> Array:
    """Flip the bits of integers, or truth values.

    >>> torch.bitwise_not(torch.tensor([True, False]))
    tensor([False,  True])
    """
    return np.invert(input)


@bitwise_not.prepare
def _(input: Tensor) -> None:
    _need_integers("bitwise_not", input)


@function("Tensor.__invert__")
def invert(input: Tensor) -> Tensor:
    """Negate a mask, or flip the bits of integers: the `~` operator."""
    if input.dtype.is_floating_point:
        raise TypeError(
            "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
        )
    result: Tensor = bitwise_not(input)
    return result


@op(
    "bitwise_left_shift",
    latex=r"\val{result} = \val{input} \ll \val{other}",
    binds=(
        "torch.bitwise_left_shift", "Tensor.bitwise_left_shift",
        "Tensor.bitwise_left_shift_", "Tensor.__lshift__",
        "Tensor.__ilshift__",
    ),
    samples=lambda: _integers()[:2],
    promote="arithmetic",
)  # fmt: skip
def bitwise_left_shift(input: Array, other: Array) -> Array:
    """Shift the bits of integers to the left.

    >>> torch.bitwise_left_shift(torch.tensor([1, 2]), 3)
    tensor([ 8, 16])
    """
    return np.left_shift(input, other)


@bitwise_left_shift.prepare
def _(input: Any, other: Any) -> None:
    _need_integers("lshift", input, other)


@op(
    "bitwise_right_shift",
    latex=r"\val{result} = \val{input} \gg \val{other}",
    binds=(
        "torch.bitwise_right_shift", "Tensor.bitwise_right_shift",
        "Tensor.bitwise_right_shift_", "Tensor.__rshift__",
        "Tensor.__irshift__",
    ),
    samples=lambda: _integers()[:2],
    promote="arithmetic",
)  # fmt: skip
def bitwise_right_shift(input: Array, other: Array) -> Array:
    """Shift the bits of integers to the right.

    >>> torch.bitwise_right_shift(torch.tensor([8, 17]), 3)
    tensor([1, 2])
    """
    return np.right_shift(input, other)


@bitwise_right_shift.prepare
def _(input: Any, other: Any) -> None:
    _need_integers("rshift", input, other)
