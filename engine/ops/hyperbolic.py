"""Hyperbolic functions and their inverses."""

from __future__ import annotations

from typing import Any

from engine.ops import accurate
from engine.ops.powers import pow_number
from engine.ops.record import Array, op
from engine.ops.roots import rsqrt
from engine.ops.samples import any_shape, inside_one
from engine.ops.trigonometric import _above_one


@op(
    "sinh",
    latex=r"\val{result} = \sinh \val{input}",
    grad_fn="SinhBackward0",
    binds=("torch.sinh", "Tensor.sinh", "Tensor.sinh_", "torch.sinh_"),
    samples=any_shape,
    promote="float",
)
def sinh(input: Array) -> Array:
    """Take the hyperbolic sine of each element.

    >>> torch.sinh(torch.tensor([0., 1.]))
    tensor([0.0000, 1.1752])
    """
    return accurate.sinh(input)


@sinh.vjp("input", latex=r"\grad{input} = \grad{result} \odot \cosh \val{input}")
def _(grad: Any, input: Any) -> Any:
    return grad * cosh(input)


@op(
    "cosh",
    latex=r"\val{result} = \cosh \val{input}",
    grad_fn="CoshBackward0",
    binds=("torch.cosh", "Tensor.cosh", "Tensor.cosh_", "torch.cosh_"),
    samples=any_shape,
    promote="float",
)
def cosh(input: Array) -> Array:
    """Take the hyperbolic cosine of each element.

    >>> torch.cosh(torch.tensor([0., 1.]))
    tensor([1.0000, 1.5431])
    """
    return accurate.cosh(input)


@cosh.vjp("input", latex=r"\grad{input} = \grad{result} \odot \sinh \val{input}")
def _(grad: Any, input: Any) -> Any:
    return grad * sinh(input)


@op(
    "asinh",
    latex=r"\val{result} = \operatorname{arsinh} \val{input}",
    grad_fn="AsinhBackward0",
    binds=(
        "torch.asinh",
        "Tensor.asinh",
        "Tensor.asinh_",
        "torch.asinh_",
        "torch.arcsinh",
        "Tensor.arcsinh",
        "Tensor.arcsinh_",
        "torch.arcsinh_",
    ),
    samples=any_shape,
    promote="float",
)
def asinh(input: Array) -> Array:
    """Take the inverse hyperbolic sine of each element.

    >>> torch.asinh(torch.tensor([0., 1.]))
    tensor([0.0000, 0.8814])
    """
    return accurate.arcsinh(input)


@asinh.vjp("input", latex=r"\grad{input} = \grad{result} / \sqrt{\val{input}^2 + 1}")
def _(grad: Any, input: Any) -> Any:
    return grad * rsqrt(pow_number(input, 2) + 1)


@op(
    "acosh",
    latex=r"\val{result} = \operatorname{arcosh} \val{input}",
    grad_fn="AcoshBackward0",
    binds=(
        "torch.acosh",
        "Tensor.acosh",
        "Tensor.acosh_",
        "torch.acosh_",
        "torch.arccosh",
        "Tensor.arccosh",
        "Tensor.arccosh_",
        "torch.arccosh_",
    ),
    samples=_above_one,
    promote="float",
)
def acosh(input: Array) -> Array:
    """Take the inverse hyperbolic cosine of each element.

    >>> torch.acosh(torch.tensor([1., 2.]))
    tensor([0.0000, 1.3170])
    """
    return accurate.arccosh(input)


@acosh.vjp("input", latex=r"\grad{input} = \grad{result} / \sqrt{\val{input}^2 - 1}")
def _(grad: Any, input: Any) -> Any:
    return grad * rsqrt(input * input - 1)


@op(
    "atanh",
    latex=r"\val{result} = \operatorname{artanh} \val{input}",
    grad_fn="AtanhBackward0",
    binds=(
        "torch.atanh",
        "Tensor.atanh",
        "Tensor.atanh_",
        "torch.atanh_",
        "torch.arctanh",
        "Tensor.arctanh",
        "Tensor.arctanh_",
        "torch.arctanh_",
    ),
    samples=inside_one,
    promote="float",
)
def atanh(input: Array) -> Array:
    """Take the inverse hyperbolic tangent of each element.

    >>> torch.atanh(torch.tensor([0., 0.5]))
    tensor([0.0000, 0.5493])
    """
    return accurate.arctanh(input)


@atanh.vjp("input", latex=r"\grad{input} = \grad{result} / (1 - \val{input}^2)")
def _(grad: Any, input: Any) -> Any:
    return grad / (1 - pow_number(input, 2))
