"""Powers with every kind of exponent."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops import accurate
from engine.ops.compare import where, zero_like
from engine.ops.dims import zeros_of
from engine.ops.division import as_tensor
from engine.ops.explog import log
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, t
from engine.tensor import Tensor


def _raised() -> list[Sample]:
    exponents = (2, 3, 1, 0, 0.5, -1, 1.5)
    return [Sample((t(2, 3, low=0.3), e)) for e in exponents] + [
        Sample((t(), 2)),
        Sample((t(0), 2)),
    ]


def integer_power(base: Any, exponent: Any) -> Any:
    """Raise integers to integers; negative powers round to zero, but for those of 1 and -1."""
    below = exponent < 0
    if not np.any(below):
        return np.power(base, exponent)
    powers = np.power(base, np.where(below, 0, exponent).astype(exponent.dtype))
    units = np.where(base == 1, 1, np.where(base == -1, 1 - 2 * (exponent % 2), 0))
    return np.where(below, units, powers).astype(exponent.dtype)[()]


def negative_power() -> Exception:
    """Make the refusal of a negative power of integers."""
    return fail("negative-integer-power", "Integers to negative integer powers are not allowed.")


@op(
    "pow",
    latex=r"\val{result} = \val{input}^{\val{exponent}}",
    grad_fn="PowBackward0",
    samples=_raised,
    exact=True,
)
def pow_number(input: Array, exponent: float) -> Array:
    """Raise each element to a number.

    >>> torch.pow(torch.tensor([1., 2., 3.]), 2)
    tensor([1., 4., 9.])
    """
    if exponent == 2:
        return input * input
    if exponent == 1:
        return np.positive(input)
    if exponent == 3 and input.dtype.kind == "f":
        return input * input * input
    return np.sqrt(input) if exponent == 0.5 else accurate.power(input, exponent)


@pow_number.prepare
def _(input: Tensor, exponent: Any) -> dict[str, Any] | None:
    if input.dtype.is_floating_point:
        return None
    kind = dtypes.result_type([input, exponent])
    if kind.category == 1 and exponent < 0:
        raise negative_power()
    return None if input.dtype is kind else {"input": input.to(kind)}  # type: ignore[attr-defined]


@pow_number.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot \val{exponent}\,\val{input}^{\val{exponent} - 1}",
)
def _(grad: Any, input: Any, exponent: Any) -> Any:
    if exponent == 0:
        return zeros_of(grad)
    if exponent == 2 and not isinstance(grad, Tensor):
        return grad * (input + input)  # what follows, in fewer calls
    return grad * (pow_number(input, exponent - 1) * exponent)


def _positive_pairs() -> list[Sample]:
    return [
        Sample((t(*a, low=0.3, high=2.0), t(*b, seed=1, low=0.4)))
        for a, b in (((), ()), ((3,), (3,)), ((2, 3), (3,)), ((2, 1), (1, 3)))
    ]


@op(
    "pow_tensor",
    latex=r"\val{result} = \val{input}^{\val{exponent}}",
    grad_fn="PowBackward1",
    samples=_positive_pairs,
    promote="arithmetic",
)
def pow_tensor(input: Array, exponent: Array) -> Array:
    """Raise each element to an exponent of its own; shapes broadcast.

    >>> torch.pow(torch.tensor([2., 3.]), torch.tensor([3., 2.]))
    tensor([8., 9.])
    """
    power = integer_power if input.dtype.kind in "iu" else accurate.power
    return power(input, exponent)


@pow_tensor.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot \val{exponent} \odot \val{input}^{\val{exponent}"
    r" - 1}",
)
def _(grad: Any, input: Any, exponent: Any) -> Any:
    slope = grad * (exponent * pow_tensor(input, exponent - 1))
    return where(exponent == 0, zero_like(grad), slope)


@pow_tensor.vjp(
    "exponent",
    latex=r"\grad{exponent} = \grad{result} \odot \val{result} \odot \ln \val{input},"
    r"\ 0 \text{ where } \val{input} = 0 \le \val{exponent}",
)
def _(grad: Any, input: Any, exponent: Any, result: Any) -> Any:
    slope = grad * (result * log(input))
    return where((input == 0) & (exponent >= 0), zero_like(grad), slope)


@op(
    "pow_scalar",
    latex=r"\val{result} = \val{base}^{\val{exponent}}",
    grad_fn="PowBackward2",
    samples=lambda: [Sample((2.0, t(2, 3))), Sample((0.5, t())), Sample((3, t(0)))],
)
def pow_scalar(base: float, exponent: Array) -> Array:
    """Raise a number to each element.

    >>> torch.pow(2, torch.tensor([1., 3.]))
    tensor([2., 8.])
    """
    of_type = exponent.dtype.type(base)
    power = integer_power if exponent.dtype.kind in "iu" else accurate.power
    return power(of_type, exponent)


@pow_scalar.prepare
def _(base: Any, exponent: Tensor) -> dict[str, Any] | None:
    kind = dtypes.result_type([base, exponent])
    return None if exponent.dtype is kind else {"exponent": exponent.to(kind)}  # type: ignore[attr-defined]


@pow_scalar.vjp(
    "exponent",
    latex=r"\grad{exponent} = \grad{result} \odot \val{result} \ln \val{base},"
    r"\ 0 \text{ where } \val{base} = 0 \le \val{exponent}",
)
def _(grad: Any, base: Any, exponent: Any, result: Any) -> Any:
    if base == 0:
        return grad * where(exponent >= 0, zero_like(grad), result * -math.inf)
    return grad * (result * (math.log(base) if base > 0 else math.nan))


INVALID = (
    "pow() received an invalid combination of arguments - got ({}, {}), but expected one of:\n"
    " * (Tensor input, Tensor exponent, *, Tensor out = None)\n"
    " * (Number self, Tensor exponent, *, Tensor out = None)\n"
    " * (Tensor input, Number exponent, *, Tensor out = None)\n"
)


@function("torch.pow", "Tensor.pow", "Tensor.__pow__")
def pow(input: Any, exponent: Any) -> Tensor:
    """Raise to a power; either may be a number."""
    if not isinstance(exponent, Tensor):
        if not isinstance(input, Tensor):
            raise TypeError(INVALID.format(type(input).__name__, type(exponent).__name__))
        result: Tensor = pow_number.on_tensors(input, exponent)
    elif not isinstance(input, Tensor):
        result = pow_scalar(input, exponent)
    else:
        result = pow_tensor(input, exponent)
    return result


@function("Tensor.__rpow__")
def rpow(input: Tensor, other: Any) -> Tensor:
    """Raise a number to a tensor."""
    return pow(other, input)  # type: ignore[no-any-return]


@function("Tensor.pow_", "Tensor.__ipow__")
def pow_(input: Tensor, exponent: Any) -> Tensor:
    """Raise to a power in place."""
    chosen = pow_tensor if isinstance(exponent, Tensor) else pow_number
    result: Tensor = chosen.forms.in_place(input, exponent)
    return result


@function("torch.square", "torch.special.square", "Tensor.square")
def square(input: Tensor) -> Tensor:
    """Multiply each element by itself."""
    result: Tensor = pow_number(input, 2)
    return result


@function("torch.square_", "Tensor.square_")
def square_(input: Tensor) -> Tensor:
    """Multiply each element by itself, in place."""
    result: Tensor = pow_number.forms.in_place(input, 2)
    return result


@function("torch.float_power", "Tensor.float_power")
def float_power(input: Any, exponent: Any) -> Tensor:
    """Raise to a power in double precision."""
    if not isinstance(input, Tensor):
        input = as_tensor(float(input), exponent)
    if isinstance(exponent, Tensor):
        exponent = exponent.to(dtypes.float64)  # type: ignore[attr-defined]
    return pow(input.to(dtypes.float64), exponent)  # type: ignore[no-any-return]
