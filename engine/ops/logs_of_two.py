"""Logarithms of sums and products of two numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.ops import accurate
from engine.ops.compare import where, zero_like
from engine.ops.explog import exp2
from engine.ops.maximum import need_tensor
from engine.ops.pointwise import exp
from engine.ops.record import Array, op
from engine.ops.samples import Sample, t
from engine.tensor import Tensor


def _pairs() -> list[Sample]:
    shapes: list[tuple[Any, Any]] = [((), ()), ((3,), (3,)), ((2, 3), (3,)), ((2, 1), (1, 3))]
    return [Sample((t(*a), t(*b, seed=1, low=0.3))) for a, b in shapes]


@op(
    "logaddexp",
    latex=r"\val{result} = \ln(e^{\val{input}} + e^{\val{other}})",
    grad_fn="LogaddexpBackward0",
    binds=("torch.logaddexp", "Tensor.logaddexp"),
    samples=_pairs,
    promote="arithmetic",
)
def logaddexp(input: Array, other: Array) -> Array:
    """Add in the space of logarithms.

    >>> torch.logaddexp(torch.tensor([0.]), torch.tensor([0.]))
    tensor([0.6931])
    """
    return np.logaddexp(input, other)


@logaddexp.prepare
def _(input: Any, other: Any) -> None:
    need_tensor("logaddexp", other)


@logaddexp.vjp("input", latex=r"\grad{input} = \grad{result} / (1 + e^{\val{other} - \val{input}})")
def _(grad: Any, input: Any, other: Any) -> Any:
    return grad / (exp(other - input) + 1)


@logaddexp.vjp("other", latex=r"\grad{other} = \grad{result} / (1 + e^{\val{input} - \val{other}})")
def _(grad: Any, input: Any, other: Any) -> Any:
    return grad / (exp(input - other) + 1)


@op(
    "logaddexp2",
    latex=r"\val{result} = \log_2(2^{\val{input}} + 2^{\val{other}})",
    grad_fn="Logaddexp2Backward0",
    binds=("torch.logaddexp2", "Tensor.logaddexp2"),
    samples=_pairs,
    promote="arithmetic",
)
def logaddexp2(input: Array, other: Array) -> Array:
    """Add in the space of logarithms to base 2.

    >>> torch.logaddexp2(torch.tensor([1.]), torch.tensor([1.]))
    tensor([2.])
    """
    return np.logaddexp2(input, other)


@logaddexp2.prepare
def _(input: Any, other: Any) -> None:
    need_tensor("logaddexp2", other)


@logaddexp2.vjp(
    "input", latex=r"\grad{input} = \grad{result} / (1 + 2^{\val{other} - \val{input}})"
)
def _(grad: Any, input: Any, other: Any) -> Any:
    return grad / (exp2(other - input) + 1)


@logaddexp2.vjp(
    "other", latex=r"\grad{other} = \grad{result} / (1 + 2^{\val{input} - \val{other}})"
)
def _(grad: Any, input: Any, other: Any) -> Any:
    return grad / (exp2(input - other) + 1)


def _xlogy_name(input: Any, other: Any) -> str:
    if not isinstance(input, Tensor):
        return "XlogyBackward1"
    return "XlogyBackward0" if isinstance(other, Tensor) else "XlogyBackward2"


@op(
    "xlogy",
    latex=r"\val{result} = \val{input} \odot \ln \val{other}",
    grad_fn=_xlogy_name,
    binds=("torch.xlogy", "torch.special.xlogy", "Tensor.xlogy", "Tensor.xlogy_", "torch.xlogy_"),
    samples=_pairs,
    promote="float",
)
def xlogy(input: Array, other: Array) -> Array:
    """Multiply by a logarithm; zero times any logarithm is zero.

    >>> torch.xlogy(torch.tensor([0., 2.]), torch.tensor([0., 1.]))
    tensor([0., 0.])
    """
    other = input.dtype.type(other) if isinstance(other, (int, float)) else other
    product = np.where(input == 0, input.dtype.type(0), input * accurate.log(other))
    return np.where(other != other, other, product)[()]


@xlogy.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot \ln \val{other},"
    r"\ 0 \text{ where } \val{input} = 0 \ge \val{other}",
)
def _(grad: Any, input: Any, other: Any) -> Any:
    return where((input == 0) & (other <= 0), zero_like(grad), xlogy(grad, other))


@xlogy.vjp("other", latex=r"\grad{other} = \grad{result} \odot \val{input} / \val{other}")
def _(grad: Any, input: Any, other: Any) -> Any:
    return grad * input / other


@op(
    "special_xlog1py",
    latex=r"\val{result} = \val{input} \odot \ln(1 + \val{other})",
    grad_fn="SpecialXlog1PyBackward0",
    binds=("torch.special.xlog1py",),
    samples=_pairs,
    promote="float",
)
def xlog1py(input: Array, other: Array) -> Array:
    """Multiply by the logarithm of one plus the other; zero times any logarithm is zero.

    >>> torch.special.xlog1py(torch.tensor([0., 1.]), torch.tensor([0., 1.]))
    tensor([0.0000, 0.6931])
    """
    product = np.where(input == 0, input.dtype.type(0), input * accurate.log1p(other))
    return np.where(other != other, other, product)[()]


@xlog1py.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot \ln(1 + \val{other}),"
    r"\ 0 \text{ where } \val{input} = 0,\ \val{other} \le -1",
)
def _(grad: Any, input: Any, other: Any) -> Any:
    return where((input == 0) & (other <= -1), zero_like(grad), xlog1py(grad, other))


@xlog1py.vjp("other", latex=r"\grad{other} = \grad{result} \odot \val{input} / (\val{other} + 1)")
def _(grad: Any, input: Any, other: Any) -> Any:
    return grad * input / (other + 1)


@op(
    "logit",
    latex=r"\val{result} = \ln \frac{\val{input}}{1 - \val{input}}",
    grad_fn="LogitBackward0",
    binds=("torch.logit", "torch.special.logit", "Tensor.logit", "Tensor.logit_", "torch.logit_"),
    samples=lambda: [Sample((t(2, 3, low=0.1, high=0.9),)), Sample((t(3, low=0.0, high=1.0), 0.2))],
    promote="float",
)
def logit(input: Array, eps: float | None = None) -> Array:
    """Invert the sigmoid; `eps` first clamps to [eps, 1 - eps].

    >>> torch.logit(torch.tensor([0.5, 0.75]))
    tensor([0.0000, 1.0986])
    """
    if eps is not None:
        input = np.clip(input, eps, 1 - eps)
    return accurate.log(input / (1 - input))


@logit.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} / (\val{input} (1 - \val{input}))"
    r"\text{ between } \val{eps} \text{ and } 1 - \val{eps}",
)
def _(grad: Any, input: Any, eps: Any) -> Any:
    slope = grad / (input * (1 - input))
    if eps is None:
        return where((input < 0) | (input > 1), zero_like(grad) + float("nan"), slope)
    return where((input >= eps) & (input <= 1 - eps), slope, zero_like(grad))


@op(
    "ldexp",
    latex=r"\val{result} = \val{input} \cdot 2^{\val{other}}",
    grad_fn="LdexpBackward0",
    binds=("torch.ldexp", "Tensor.ldexp", "Tensor.ldexp_", "torch.ldexp_"),
    samples=lambda: [Sample((t(3), t(3, seed=1)))],
    promote="float",
)
def ldexp(input: Array, other: Array) -> Array:
    """Multiply by powers of two.

    >>> torch.ldexp(torch.tensor([1.]), torch.tensor([1, 2]))
    tensor([2., 4.])
    """
    return input * accurate.exp2(other)


@ldexp.vjp("input", latex=r"\grad{input} = \grad{result} \odot 2^{\val{other}}")
def _(grad: Any, other: Any) -> Any:
    return grad * exp2(other)


@ldexp.vjp("other", latex=r"\grad{other} = \grad{result} \odot \val{result} \ln 2")
def _(grad: Any, result: Any) -> Any:
    return grad * result * math.log(2)


@op(
    "frexp",
    latex=r"\val{input} = \val{mantissa} \cdot 2^{\val{exponent}}",
    grad_fn="FrexpBackward0",
    binds=("torch.frexp", "Tensor.frexp"),
    samples=lambda: [Sample((t(3),))],
    outputs=("mantissa", "exponent"),
    returns="frexp",
)
def frexp(input: Array) -> tuple[Array, Array]:
    """Split each element into a mantissa in [0.5, 1) and a power of two.

    >>> torch.frexp(torch.tensor([3.])).mantissa
    tensor([0.7500])
    """
    mantissa, exponent = np.frexp(input)
    return mantissa, exponent.astype(np.int32)


@frexp.vjp("input", latex=r"\grad{input} = \grad{mantissa} / 2^{\val{exponent}}")
def _(grad: Any, exponent: Any) -> Any:
    return grad / exp2(exponent)
