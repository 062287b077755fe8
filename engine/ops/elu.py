"""Activations that bend below zero: leaky_relu, elu, celu, selu."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops import accurate
from engine.ops.activation import FLAT, pairs
from engine.ops.compare import where, zero_like
from engine.ops.dims import zeros_of
from engine.ops.pointwise import exp
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, any_shape, t
from engine.tensor import Tensor


@op(
    "leaky_relu",
    latex=r"\val{result} = \val{input} > 0 \mathbin{?} \val{input} :"
    r" \val{negative_slope}\,\val{input}",
    grad_fn="LeakyReluBackward0",
    binds=("torch.nn.functional.leaky_relu", "torch.nn.functional.leaky_relu_"),
    samples=lambda: [*any_shape(), Sample((t(2, 3), 0.2))],
)
def leaky_relu(input: Array, negative_slope: float = 0.01) -> Array:
    """Shrink negative elements instead of dropping them.

    >>> torch.nn.functional.leaky_relu(torch.tensor([-1., 2.]))
    tensor([-0.0100,  2.0000])
    """
    return np.where(input > 0, input, input * negative_slope)[()]


@leaky_relu.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot (\val{input} > 0 \mathbin{?} 1 :"
    r" \val{negative_slope})",
)
def _(grad: Any, input: Any, negative_slope: Any) -> Any:
    return leaky_relu_backward(grad, input, negative_slope)


@op(
    "leaky_relu_backward",
    latex=r"\val{result} = \val{grad_output} \odot"
    r" (\val{input} > 0 \mathbin{?} 1 : \val{negative_slope})",
    grad_fn="LeakyReluBackwardBackward0",
    samples=lambda: [Sample((*s.args, 0.1)) for s in pairs()],
)
def leaky_relu_backward(grad_output: Array, input: Array, negative_slope: float) -> Array:
    """Multiply a gradient by the slope of leaky_relu."""
    return np.where(input > 0, grad_output, grad_output * negative_slope)[()]


@leaky_relu_backward.vjp(
    "grad_output",
    latex=r"\grad{grad_output} = \grad{result} \odot"
    r" (\val{input} > 0 \mathbin{?} 1 : \val{negative_slope})",
)
def _(grad: Any, input: Any, negative_slope: Any) -> Any:
    return leaky_relu_backward(grad, input, negative_slope)


@leaky_relu_backward.vjp("input", latex=FLAT)
def _(grad: Any) -> Any:
    return zeros_of(grad)


def _elu_forms() -> list[Sample]:
    return [*any_shape(), Sample((t(2, 3), 1.5, 1.2, 0.7))]


@op(
    "elu",
    latex=r"\val{result} = \val{scale}\,(\val{input} > 0 \mathbin{?} \val{input} :"
    r" \val{alpha} (e^{\val{input_scale}\,\val{input}} - 1))",
    grad_fn="EluBackward0",
    binds=("torch.nn.functional.elu", "torch.nn.functional.elu_"),
    samples=_elu_forms,
)
def elu(input: Array, alpha: float = 1.0, scale: float = 1.0, input_scale: float = 1.0) -> Array:
    """Let negative elements level off at -alpha.

    >>> torch.nn.functional.elu(torch.tensor([-1., 2.]))
    tensor([-0.6321,  2.0000])
    """
    low = np.where(input > 0, input.dtype.type(0), input)  # a negative zero stays one
    bent = accurate.expm1(low * input_scale) * (alpha * scale)
    return np.where(input > 0, input * scale, bent)[()]


@elu.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot \val{scale}\,(\val{input} > 0 \mathbin{?} 1 :"
    r" \val{alpha}\,\val{input_scale}\,e^{\val{input_scale}\,\val{input}})",
)
def _(grad: Any, input: Any, alpha: Any, scale: Any, input_scale: Any) -> Any:
    return elu_backward(grad, input, alpha, scale, input_scale)


@op(
    "elu_backward",
    latex=r"\val{result} = \val{grad_output} \odot \val{scale}\,(\val{input} > 0 \mathbin{?} 1 :"
    r" \val{alpha}\,\val{input_scale}\,e^{\val{input_scale}\,\val{input}})",
    grad_fn="EluBackwardBackward0",
    samples=lambda: [Sample((*s.args, 1.5, 1.2, 0.7)) for s in pairs()],
)
def elu_backward(
    grad_output: Array, input: Array, alpha: float, scale: float, input_scale: float
) -> Array:
    """Multiply a gradient by the slope of elu."""
    bent = accurate.exp(np.minimum(input, 0) * input_scale) * (alpha * scale * input_scale)
    return np.where(input > 0, grad_output * scale, grad_output * bent)[()]


@elu_backward.vjp(
    "grad_output",
    latex=r"\grad{grad_output} = \grad{result} \odot \val{scale}\,(\val{input} > 0 \mathbin{?} 1 :"
    r" \val{alpha}\,\val{input_scale}\,e^{\val{input_scale}\,\val{input}})",
)
def _(grad: Any, input: Any, alpha: Any, scale: Any, input_scale: Any) -> Any:
    return elu_backward(grad, input, alpha, scale, input_scale)


@elu_backward.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot \val{grad_output} \odot [\val{input} < 0]\,"
    r"\val{alpha}\,\val{scale}\,\val{input_scale}^2 e^{\val{input_scale}\,\val{input}}",
)
def _(grad: Any, grad_output: Any, input: Any, alpha: Any, scale: Any, input_scale: Any) -> Any:
    bent = exp(input * input_scale) * (alpha * scale * input_scale * input_scale)
    return where(input < 0, grad * grad_output * bent, zero_like(grad))


@op(
    "celu",
    latex=r"\val{result} = \val{input} > 0 \mathbin{?} \val{input} :"
    r" \val{alpha} (e^{\val{input} / \val{alpha}} - 1)",
    grad_fn="CeluBackward0",
    binds=("torch.celu", "torch.celu_", "torch.nn.functional.celu", "torch.nn.functional.celu_"),
    samples=lambda: [*any_shape(), Sample((t(2, 3), 1.5))],
)
def celu(input: Array, alpha: float = 1.0) -> Array:
    """Let negative elements level off at -alpha, smoothly for every alpha.

    >>> torch.celu(torch.tensor([-1., 2.]))
    tensor([-0.6321,  2.0000])
    """
    return elu.forward(input, alpha, 1.0, 1.0 / alpha)


@celu.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot (\val{input} > 0 \mathbin{?} 1 :"
    r" e^{\val{input} / \val{alpha}})",
)
def _(grad: Any, input: Any, alpha: Any) -> Any:
    return elu_backward(grad, input, alpha, 1.0, 1.0 / alpha)


SELU = (1.6732632423543772848170429916717, 1.0507009873554804934193349852946)


@function("torch.selu", "torch.nn.functional.selu")
def selu(input: Tensor) -> Tensor:
    """Scale an ELU so that layers keep mean and variance."""
    result: Tensor = elu(input, *SELU)
    return result


@function("torch.selu_", "torch.nn.functional.selu_")
def selu_(input: Tensor) -> Tensor:
    """Do what `selu` does, in place."""
    result: Tensor = elu.forms.in_place(input, *SELU)
    return result
