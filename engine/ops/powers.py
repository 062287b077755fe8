"""Powers, roots, absolute values and signs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops import accurate
from engine.ops.arithmetic import as_tensor
from engine.ops.compare import where, zero_like
from engine.ops.dims import zeros_of
from engine.ops.explog import log
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, any_shape, positive, t
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
    "exponent", latex=r"\grad{exponent} = \grad{result} \odot \val{result} \ln \val{base}"
)
def _(grad: Any, base: Any, result: Any) -> Any:
    if base == 0:
        return zeros_of(grad)
    return grad * (result * (math.log(base) if base > 0 else math.nan))


@function("torch.pow", "Tensor.pow", "Tensor.__pow__")
def pow(input: Any, exponent: Any) -> Tensor:
    """Raise to a power; either may be a number."""
    if not isinstance(exponent, Tensor):
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


@op(
    "sqrt",
    latex=r"\val{result} = \sqrt{\val{input}}",
    grad_fn="SqrtBackward0",
    binds=("torch.sqrt", "Tensor.sqrt", "Tensor.sqrt_", "torch.sqrt_"),
    samples=positive,
    promote="float",
)
def sqrt(input: Array) -> Array:
    """Take the square root of each element.

    >>> torch.sqrt(torch.tensor([4., 9.]))
    tensor([2., 3.])
    """
    return np.sqrt(input)


@sqrt.vjp("input", latex=r"\grad{input} = \grad{result} / (2\,\val{result})")
def _(grad: Any, result: Any) -> Any:
    return grad / (result * 2)


@op(
    "rsqrt",
    latex=r"\val{result} = 1 / \sqrt{\val{input}}",
    grad_fn="RsqrtBackward0",
    binds=("torch.rsqrt", "Tensor.rsqrt", "Tensor.rsqrt_", "torch.rsqrt_"),
    samples=positive,
    promote="float",
)
def rsqrt(input: Array) -> Array:
    """Divide one by the square root of each element.

    >>> torch.rsqrt(torch.tensor([4., 16.]))
    tensor([0.5000, 0.2500])
    """
    return 1 / np.sqrt(input)


@rsqrt.vjp("input", latex=r"\grad{input} = -\tfrac12 \grad{result} \odot \val{result}^3")
def _(grad: Any, result: Any) -> Any:
    return grad * -0.5 * pow_number(result, 3)


@op(
    "abs",
    latex=r"\val{result} = |\val{input}|",
    grad_fn="AbsBackward0",
    binds=(
        "torch.abs", "torch.absolute", "Tensor.abs", "Tensor.abs_", "Tensor.absolute",
        "Tensor.absolute_", "Tensor.__abs__", "torch.abs_",
    ),
    samples=any_shape,
)  # fmt: skip
def abs(input: Array) -> Array:
    """Take the absolute value of each element.

    >>> torch.abs(torch.tensor([1., -2.]))
    tensor([1., 2.])
    """
    return np.abs(input)


@abs.vjp("input", latex=r"\grad{input} = \grad{result} \odot \operatorname{sgn} \val{input}")
def _(grad: Any, input: Any) -> Any:
    return grad * sgn(input)


@op(
    "sign",
    latex=r"\val{result} = \operatorname{sign} \val{input}",
    grad_fn="SignBackward0",
    binds=("torch.sign", "Tensor.sign", "Tensor.sign_"),
    samples=any_shape,
)
def sign(input: Array) -> Array:
    """Give -1, 0 or 1, as each element is negative, zero or positive.

    >>> torch.sign(torch.tensor([0.5, -2., 0.]))
    tensor([ 1., -1.,  0.])
    """
    if input.dtype.kind == "b":
        return input.copy()
    # PyTorch takes nan to be of no sign.
    return (input > 0).astype(input.dtype) - (input < 0).astype(input.dtype)


@sign.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")
def _(grad: Any) -> Any:
    return zeros_of(grad)


@op(
    "sgn",
    latex=r"\val{result} = \operatorname{sgn} \val{input}",
    grad_fn="SgnBackward0",
    binds=("torch.sgn", "Tensor.sgn", "Tensor.sgn_"),
    samples=any_shape,
)
def sgn(input: Array) -> Array:
    """Give -1, 0 or 1; for real numbers the same as `sign`.

    >>> torch.sgn(torch.tensor([0.5, -2., 0.]))
    tensor([ 1., -1.,  0.])
    """
    return sign.forward(input)


@sgn.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")
def _(grad: Any) -> Any:
    return zeros_of(grad)


@op(
    "copysign",
    latex=r"\val{result} = |\val{input}| \operatorname{sign} \val{other}",
    grad_fn=lambda other, **_: f"CopysignBackward{0 if isinstance(other, Tensor) else 1}",
    binds=("torch.copysign", "Tensor.copysign", "Tensor.copysign_"),
    samples=_positive_pairs,
    promote="float",
)
def copysign(input: Array, other: Array) -> Array:
    """Give each element the sign of the other.

    >>> torch.copysign(torch.tensor([1., -2.]), torch.tensor([-1., 1.]))
    tensor([-1.,  2.])
    """
    return np.copysign(input, other)


@copysign.vjp("input", latex=r"\grad{input} = \grad{result} \odot \val{result} / \val{input}")
def _(grad: Any, input: Any, result: Any) -> Any:
    return where(input == 0, zero_like(grad), grad * (result / input))


@copysign.vjp("other", latex=r"\grad{other} = 0 \cdot \grad{result}")
def _(grad: Any) -> Any:
    return zeros_of(grad)
