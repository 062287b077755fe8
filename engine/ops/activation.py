"""Activations whose gradient has a kernel of its own: relu, sigmoid, tanh."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops import accurate
from engine.ops.dims import ZEROS, zeros_of
from engine.ops.record import Array, op
from engine.ops.samples import Sample, any_shape, t
from engine.ops.ties import larger

SINGLE = np.dtype(np.float32)
LARGE = 1_000  # elements
FLAT = r"\grad{input} = 0 \cdot \grad{result}"


def pairs() -> list[Sample]:
    """Return an incoming gradient and the input it belongs to."""
    return [Sample((t(2, 3, seed=1), t(2, 3))), Sample((t(seed=1), t()))]


@op(
    "relu",
    latex=r"\val{result} = \max(0, \val{input})",
    grad_fn="ReluBackward0",
    binds=(
        "torch.relu", "torch.relu_", "torch.nn.functional.relu", "torch.nn.functional.relu_",
        "Tensor.relu", "Tensor.relu_",
    ),
    samples=any_shape,
    same_shape=True,
)  # fmt: skip
def relu(input: Array) -> Array:
    """Replace negative elements by zero.

    >>> torch.relu(torch.tensor([-1., 2.]))
    tensor([0., 2.])
    """
    return larger(ZEROS[input.dtype], input)  # in this order -0 stays -0


@relu.vjp("input", latex=r"\grad{input} = \grad{result} \odot [\val{result} > 0]")
def _(grad: Any, result: Any) -> Any:
    return threshold_backward(grad, result, 0)


@op(
    "threshold_backward",
    latex=r"\val{result} = \val{grad_output} \odot [\val{input} > \val{threshold}]",
    grad_fn="ThresholdBackwardBackward0",
    samples=lambda: [Sample((*s.args, 0)) for s in pairs()],
)
def threshold_backward(grad_output: Array, input: Array, threshold: float) -> Array:
    """Keep a gradient where the input is above a threshold."""
    below = input <= (ZEROS[input.dtype] if threshold == 0 else threshold)
    if grad_output.dtype is SINGLE and below.size > LARGE and below.shape == grad_output.shape:
        # A factor would make nan of inf and -0 of negative numbers; a mask of bits does not, in
        # half the time of `where`.
        bits = below.view(np.int8) - np.int8(1)
        return (grad_output.view(np.int32) & bits).view(SINGLE)
    kept = np.where(below, ZEROS[grad_output.dtype], grad_output)
    return kept if kept.ndim else kept[()]


@threshold_backward.vjp(
    "grad_output", latex=r"\grad{grad_output} = \grad{result} \odot [\val{input} > \val{threshold}]"
)
def _(grad: Any, input: Any, threshold: Any) -> Any:
    return threshold_backward(grad, input, threshold)


@threshold_backward.vjp("input", latex=FLAT)
def _(grad: Any) -> Any:
    return zeros_of(grad)


@op(
    "threshold",
    latex=r"\val{result} = \val{input} > \val{threshold} \mathbin{?} \val{input} : \val{value}",
    grad_fn="ThresholdBackward0",
    binds=(
        "torch.threshold", "torch.threshold_", "torch.nn.functional.threshold",
        "torch.nn.functional.threshold_",
    ),
    samples=lambda: [Sample((t(2, 3), 0.5, -1.0))],
)  # fmt: skip
def threshold(input: Array, threshold: float, value: float) -> Array:
    """Keep elements above a threshold and put a value elsewhere.

    >>> torch.threshold(torch.tensor([-1., 2.]), 0, 9)
    tensor([9., 2.])
    """
    return np.where(input <= threshold, input.dtype.type(value), input)[()]


@threshold.vjp("input", latex=r"\grad{input} = \grad{result} \odot [\val{input} > \val{threshold}]")
def _(grad: Any, input: Any, threshold: Any) -> Any:
    return threshold_backward(grad, input, threshold)


@op(
    "sigmoid",
    latex=r"\val{result} = \sigma(\val{input})",
    grad_fn="SigmoidBackward0",
    binds=(
        "torch.sigmoid",
        "torch.sigmoid_",
        "torch.special.expit",
        "Tensor.sigmoid",
        "Tensor.sigmoid_",
    ),
    samples=any_shape,
    promote="float",
)
def sigmoid(input: Array) -> Array:
    """Squeeze each element between 0 and 1: 1 / (1 + exp(-x)).

    >>> torch.sigmoid(torch.tensor([0., 2.]))
    tensor([0.5000, 0.8808])
    """
    return 1 / (1 + accurate.exp(-input))


@sigmoid.vjp(
    "input", latex=r"\grad{input} = \grad{result} \odot \val{result} \odot (1 - \val{result})"
)
def _(grad: Any, result: Any) -> Any:
    return sigmoid_backward(grad, result)


@op(
    "sigmoid_backward",
    latex=r"\val{result} = \val{grad_output} \odot \val{output} \odot (1 - \val{output})",
    grad_fn="SigmoidBackwardBackward0",
    samples=pairs,
)
def sigmoid_backward(grad_output: Array, output: Array) -> Array:
    """Multiply a gradient by the slope of the sigmoid, known from its value."""
    return grad_output * (1 - output) * output


@sigmoid_backward.vjp(
    "grad_output",
    latex=r"\grad{grad_output} = \grad{result} \odot \val{output} \odot (1 - \val{output})",
)
def _(grad: Any, output: Any) -> Any:
    return sigmoid_backward(grad, output)


@sigmoid_backward.vjp(
    "output",
    latex=r"\grad{output} = \grad{result} \odot \val{grad_output} \odot (1 - 2\,\val{output})",
)
def _(grad: Any, grad_output: Any, output: Any) -> Any:
    return grad * grad_output * (output * -2 + 1)


@op(
    "tanh",
    latex=r"\val{result} = \tanh \val{input}",
    grad_fn="TanhBackward0",
    binds=("torch.tanh", "torch.tanh_", "Tensor.tanh", "Tensor.tanh_"),
    samples=any_shape,
    promote="float",
)
def tanh(input: Array) -> Array:
    """Take the hyperbolic tangent of each element.

    >>> torch.tanh(torch.tensor([0., 1.]))
    tensor([0.0000, 0.7616])
    """
    return accurate.tanh(input)


@tanh.vjp("input", latex=r"\grad{input} = \grad{result} \odot (1 - \val{result}^2)")
def _(grad: Any, result: Any) -> Any:
    return tanh_backward(grad, result)


@op(
    "tanh_backward",
    latex=r"\val{result} = \val{grad_output} \odot (1 - \val{output}^2)",
    grad_fn="TanhBackwardBackward0",
    samples=pairs,
)
def tanh_backward(grad_output: Array, output: Array) -> Array:
    """Multiply a gradient by the slope of tanh, known from its value."""
    return grad_output * (1 - output * output)


@tanh_backward.vjp(
    "grad_output", latex=r"\grad{grad_output} = \grad{result} \odot (1 - \val{output}^2)"
)
def _(grad: Any, output: Any) -> Any:
    return tanh_backward(grad, output)


@tanh_backward.vjp(
    "output", latex=r"\grad{output} = -2\,\grad{result} \odot \val{grad_output} \odot \val{output}"
)
def _(grad: Any, grad_output: Any, output: Any) -> Any:
    return grad * grad_output * output * -2
