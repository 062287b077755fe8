"""Logic and bits: logical_and, bitwise_and, isnan,, and more."""

from __future__ import annotations

from typing import Any

import numpy as np

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
            raise TypeError(f"{name}(): argument 'other' (position 2) must be Tensor, not float")


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
        "torch.bitwise_left_shift", "Tensor.bitwise_left_shift", "Tensor.__lshift__",
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
        "torch.bitwise_right_shift", "Tensor.bitwise_right_shift", "Tensor.__rshift__",
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


@op(
    "isnan",
    latex=r"\val{result} = [\val{input} \text{ is nan}]",
    binds=("torch.isnan", "Tensor.isnan"),
    samples=lambda: [Sample((T([1.0, float("nan"), float("inf")]),)), *any_shape()],
)
def isnan(input: Array) -> Array:
    """Tell which elements are no number.

    >>> torch.isnan(torch.tensor([1., float("nan")]))
    tensor([False,  True])
    """
    return np.not_equal(input, input)


@op(
    "isinf",
    latex=r"\val{result} = [\val{input} = \pm\infty]",
    binds=("torch.isinf", "Tensor.isinf"),
    samples=isnan.samples,
)
def isinf(input: Array) -> Array:
    """Tell which elements are infinite.

    >>> torch.isinf(torch.tensor([1., float("-inf")]))
    tensor([False,  True])
    """
    return np.isinf(input)


@op(
    "isfinite",
    latex=r"\val{result} = [\val{input} \in \mathbb{R}]",
    binds=("torch.isfinite", "Tensor.isfinite"),
    samples=isnan.samples,
)
def isfinite(input: Array) -> Array:
    """Tell which elements are neither infinite nor nan.

    >>> torch.isfinite(torch.tensor([1., float("nan")]))
    tensor([ True, False])
    """
    return np.isfinite(input)


@op(
    "isposinf",
    latex=r"\val{result} = [\val{input} = \infty]",
    binds=("torch.isposinf", "Tensor.isposinf"),
    samples=isnan.samples,
)
def isposinf(input: Array) -> Array:
    """Tell which elements are plus infinity.

    >>> torch.isposinf(torch.tensor([1., float("inf")]))
    tensor([False,  True])
    """
    return np.equal(input, np.inf)


@op(
    "isneginf",
    latex=r"\val{result} = [\val{input} = -\infty]",
    binds=("torch.isneginf", "Tensor.isneginf"),
    samples=isnan.samples,
)
def isneginf(input: Array) -> Array:
    """Tell which elements are minus infinity.

    >>> torch.isneginf(torch.tensor([1., float("-inf")]))
    tensor([False,  True])
    """
    return np.equal(input, -np.inf)


@op(
    "isreal",
    latex=r"\val{result} = [\val{input} \text{ has no imaginary part}]",
    binds=("torch.isreal", "Tensor.isreal"),
    samples=any_shape,
)
def isreal(input: Array) -> Array:
    """Tell which elements are real: here, all.

    >>> torch.isreal(torch.tensor([1., 2.]))
    tensor([True, True])
    """
    return np.ones(input.shape, np.bool_)


@op(
    "signbit",
    latex=r"\val{result} = [\val{input} < 0 \text{ or } \val{input} = -0]",
    binds=("torch.signbit", "Tensor.signbit"),
    samples=any_shape,
)
def signbit(input: Array) -> Array:
    """Tell whose sign bit is set, -0. included.

    >>> torch.signbit(torch.tensor([1., -0.]))
    tensor([False,  True])
    """
    return np.signbit(input) if input.dtype.kind == "f" else input < 0


@op(
    "isin",
    latex=r"\val{result} = [\val{elements} \in \val{test_elements}]",
    samples=lambda: [Sample((T([[1, 2], [3, 4]], "int64"), T([2, 3], "int64")))],
)
def isin(
    elements: Array, test_elements: Array, *, assume_unique: bool = False, invert: bool = False
) -> Array:
    """Tell which elements occur among the others.

    >>> torch.isin(torch.tensor([1, 2, 3]), torch.tensor([2, 3]))
    tensor([False,  True,  True])
    """
    return np.isin(elements, test_elements, invert=invert)


@function("torch.isin")
def is_in(elements: Any, test_elements: Any, **kwargs: Any) -> Tensor:
    """Tell which elements occur among the others; either may be a number."""
    from engine.ops.compare import number_beside

    result: Tensor = isin(
        number_beside(elements, test_elements), number_beside(test_elements, elements), **kwargs
    )
    return result
