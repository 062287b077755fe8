"""Smooth steps and their logarithms: softplus, log_sigmoid, softsign."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops import accurate
from engine.ops.activation import pairs, sigmoid, sigmoid_backward
from engine.ops.compare import where, zero_like
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, any_shape, t
from engine.tensor import Tensor


@op(
    "softplus",
    latex=r"\val{result} = \tfrac{1}{\val{beta}} \ln(1 + e^{\val{beta}\,\val{input}})",
    grad_fn="SoftplusBackward0",
    binds=("torch.nn.functional.softplus",),
    samples=lambda: [*any_shape(), Sample((t(2, 3), 2.0, 1.5))],
)
def softplus(input: Array, beta: float = 1.0, threshold: float = 20.0) -> Array:
    """Approximate relu smoothly; linear above the threshold.

    >>> torch.nn.functional.softplus(torch.tensor([0., 2.]))
    tensor([0.6931, 2.1269])
    """
    scaled = input * beta
    return np.where(scaled > threshold, input, accurate.log1p(accurate.exp(scaled)) / beta)[()]


@softplus.vjp("input", latex=r"\grad{input} = \grad{result} \odot \sigma(\val{beta}\,\val{input})")
def _(grad: Any, input: Any, beta: Any, threshold: Any) -> Any:
    return softplus_backward(grad, input, beta, threshold)


@op(
    "softplus_backward",
    latex=r"\val{result} = \val{grad_output} \odot \sigma(\val{beta}\,\val{input})",
    grad_fn="SoftplusBackwardBackward0",
    samples=lambda: [Sample((*s.args, 2.0, 1.5)) for s in pairs()],
)
def softplus_backward(grad_output: Array, input: Array, beta: float, threshold: float) -> Array:
    """Multiply a gradient by the slope of softplus."""
    scaled = input * beta
    return np.where(scaled > threshold, grad_output, grad_output / (1 + accurate.exp(-scaled)))[()]


@softplus_backward.vjp(
    "grad_output",
    latex=r"\grad{grad_output} = \grad{result} \odot \sigma(\val{beta}\,\val{input})",
)
def _(grad: Any, input: Any, beta: Any, threshold: Any) -> Any:
    return softplus_backward(grad, input, beta, threshold)


@softplus_backward.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot \val{grad_output} \odot \val{beta}\,"
    r"\sigma'(\val{beta}\,\val{input})",
)
def _(grad: Any, grad_output: Any, input: Any, beta: Any, threshold: Any) -> Any:
    scaled = input * beta
    slope = sigmoid_backward(grad * grad_output * beta, sigmoid(scaled))
    return where(scaled < threshold, slope, zero_like(grad))


@op(
    "log_sigmoid",
    latex=r"\val{result} = \ln \sigma(\val{input})",
    grad_fn="LogSigmoidBackward0",
    binds=("torch.nn.functional.logsigmoid",),
    samples=any_shape,
)
def log_sigmoid(input: Array) -> Array:
    """Take the logarithm of the sigmoid, without underflow.

    >>> torch.nn.functional.logsigmoid(torch.tensor([0., 2.]))
    tensor([-0.6931, -0.1269])
    """
    return np.minimum(input, 0) - accurate.log1p(accurate.exp(-np.abs(input)))


@log_sigmoid.vjp("input", latex=r"\grad{input} = \grad{result} \odot \sigma(-\val{input})")
def _(grad: Any, input: Any) -> Any:
    return log_sigmoid_backward(grad, input)


@op(
    "log_sigmoid_backward",
    latex=r"\val{result} = \val{grad_output} \odot \sigma(-\val{input})",
    grad_fn="LogSigmoidBackwardBackward0",
    samples=pairs,
)
def log_sigmoid_backward(grad_output: Array, input: Array) -> Array:
    """Multiply a gradient by the slope of logsigmoid."""
    return grad_output / (1 + accurate.exp(input))


@log_sigmoid_backward.vjp(
    "grad_output", latex=r"\grad{grad_output} = \grad{result} \odot \sigma(-\val{input})"
)
def _(grad: Any, input: Any) -> Any:
    return log_sigmoid_backward(grad, input)


@log_sigmoid_backward.vjp(
    "input",
    latex=r"\grad{input} = -\grad{result} \odot \val{grad_output} \odot \sigma'(\val{input})",
)
def _(grad: Any, grad_output: Any, input: Any) -> Any:
    return -sigmoid_backward(grad * grad_output, sigmoid(input))


@function("torch.nn.functional.softsign")
def softsign(input: Any) -> Tensor:
    """Divide each element by one plus its size."""
    result: Tensor = input / (input.abs() + 1)
    return result


@function("torch.nn.functional.tanhshrink")
def tanhshrink(input: Any) -> Tensor:
    """Subtract from each element its tanh."""
    result: Tensor = input - input.tanh()
    return result
