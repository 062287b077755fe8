"""Exponentials and logarithms."""

from __future__ import annotations

import math
from typing import Any

from engine.ops import accurate
from engine.ops.record import Array, op
from engine.ops.samples import any_shape, positive


@op(
    "log",
    latex=r"\val{result} = \ln \val{input}",
    grad_fn="LogBackward0",
    binds=("torch.log", "torch.log_", "Tensor.log", "Tensor.log_"),
    samples=positive,
    promote="float",
)
def log(input: Array) -> Array:
    """Take the natural logarithm of each element.

    >>> torch.log(torch.tensor([1., 2.]))
    tensor([0.0000, 0.6931])
    """
    return accurate.log(input)


@log.vjp("input", latex=r"\grad{input} = \grad{result} / \val{input}")
def _(grad: Any, input: Any) -> Any:
    return grad / input


@op(
    "log2",
    latex=r"\val{result} = \log_2 \val{input}",
    grad_fn="Log2Backward0",
    binds=("torch.log2", "torch.log2_", "Tensor.log2", "Tensor.log2_"),
    samples=positive,
    promote="float",
)
def log2(input: Array) -> Array:
    """Take the logarithm to base 2 of each element.

    >>> torch.log2(torch.tensor([1., 8.]))
    tensor([0., 3.])
    """
    return accurate.log2(input)


@log2.vjp("input", latex=r"\grad{input} = \grad{result} / (\val{input} \ln 2)")
def _(grad: Any, input: Any) -> Any:
    return grad / (input * math.log(2))


@op(
    "log10",
    latex=r"\val{result} = \log_{10} \val{input}",
    grad_fn="Log10Backward0",
    binds=("torch.log10", "torch.log10_", "Tensor.log10", "Tensor.log10_"),
    samples=positive,
    promote="float",
)
def log10(input: Array) -> Array:
    """Take the logarithm to base 10 of each element.

    >>> torch.log10(torch.tensor([1., 100.]))
    tensor([0., 2.])
    """
    return accurate.log10(input)


@log10.vjp("input", latex=r"\grad{input} = \grad{result} / (\val{input} \ln 10)")
def _(grad: Any, input: Any) -> Any:
    return grad / (input * math.log(10))


@op(
    "log1p",
    latex=r"\val{result} = \ln(1 + \val{input})",
    grad_fn="Log1PBackward0",
    binds=("torch.log1p", "torch.special.log1p", "torch.log1p_", "Tensor.log1p", "Tensor.log1p_"),
    samples=positive,
    promote="float",
)
def log1p(input: Array) -> Array:
    """Take the natural logarithm of one plus each element.

    >>> torch.log1p(torch.tensor([0., 1.]))
    tensor([0.0000, 0.6931])
    """
    return accurate.log1p(input)


@log1p.vjp("input", latex=r"\grad{input} = \grad{result} / (\val{input} + 1)")
def _(grad: Any, input: Any) -> Any:
    return grad / (input + 1)


@op(
    "expm1",
    latex=r"\val{result} = e^{\val{input}} - 1",
    grad_fn="Expm1Backward0",
    binds=("torch.expm1", "torch.special.expm1", "torch.expm1_", "Tensor.expm1", "Tensor.expm1_"),
    samples=any_shape,
    promote="float",
)
def expm1(input: Array) -> Array:
    """Raise e to each element and subtract one.

    >>> torch.expm1(torch.tensor([0., 1.]))
    tensor([0.0000, 1.7183])
    """
    return accurate.expm1(input)


@expm1.vjp("input", latex=r"\grad{input} = \grad{result} \odot (\val{result} + 1)")
def _(grad: Any, result: Any) -> Any:
    return grad * (result + 1)


@op(
    "exp2",
    latex=r"\val{result} = 2^{\val{input}}",
    grad_fn="Exp2Backward0",
    binds=("torch.exp2", "torch.special.exp2", "torch.exp2_", "Tensor.exp2", "Tensor.exp2_"),
    samples=any_shape,
    promote="float",
)
def exp2(input: Array) -> Array:
    """Raise 2 to each element.

    >>> torch.exp2(torch.tensor([0., 3.]))
    tensor([1., 8.])
    """
    return accurate.exp2(input)


@exp2.vjp("input", latex=r"\grad{input} = \grad{result} \odot \val{result} \ln 2")
def _(grad: Any, result: Any) -> Any:
    return grad * (result * math.log(2))
