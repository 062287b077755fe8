"""Activations whose gradient has a kernel of its own: relu, sigmoid, tanh, elu, gelu."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.ops import accurate, numeric
from engine.ops.arithmetic import NO_DERIVATIVE, no_derivative
from engine.ops.compare import where, zero_like
from engine.ops.dims import ZEROS, zeros_of
from engine.ops.explog import log1p
from engine.ops.pointwise import exp
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, any_shape, t
from engine.ops.ties import larger
from engine.tensor import Tensor

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
    return larger(0, input)  # in this order -0 stays -0


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
    below = input <= threshold
    if grad_output.dtype is SINGLE and below.size > LARGE and below.shape == grad_output.shape:
        # A factor would make nan of inf and -0 of negative numbers; a mask of bits does not, in
        # half the time of `where`.
        kept = below.view(np.int8) - np.int8(1)
        return (grad_output.view(np.int32) & kept).view(SINGLE)
    return np.where(below, ZEROS[grad_output.dtype], grad_output)[()]


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
    bent = accurate.expm1(np.minimum(input, 0) * input_scale) * (alpha * scale)
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


@op(
    "gelu",
    latex=r"\val{result} = \val{input}\,\Phi(\val{input})",
    grad_fn="GeluBackward0",
    binds=("torch.nn.functional.gelu",),
    samples=lambda: [*any_shape(), Sample((t(2, 3),), {"approximate": "tanh"})],
)
def gelu(input: Array, *, approximate: str = "none") -> Array:
    """Weigh each element by the normal distribution function.

    >>> torch.nn.functional.gelu(torch.tensor([-1., 2.]))
    tensor([-0.1587,  1.9545])
    """
    if approximate == "none":
        return input * 0.5 * (1 + numeric.erf(input * math.sqrt(0.5)))
    return input * 0.5 * (1 + accurate.tanh(_bend(input)))


BEND = math.sqrt(2 / math.pi)


def _bend(x: Any) -> Any:
    return (x + x * x * x * 0.044715) * BEND


@gelu.prepare
def _(input: Tensor, approximate: str) -> None:
    if approximate not in ("none", "tanh"):
        from engine.errors import fail

        raise fail("gelu", "approximate argument must be either none or tanh.")


@gelu.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot (\Phi(\val{input}) +"
    r" \val{input}\,\varphi(\val{input}))",
)
def _(grad: Any, input: Any, approximate: str) -> Any:
    return gelu_backward(grad, input, approximate)


@op(
    "gelu_backward",
    latex=r"\val{result} = \val{grad_output} \odot"
    r" (\Phi(\val{input}) + \val{input}\,\varphi(\val{input}))",
    grad_fn="GeluBackwardBackward0",
    samples=lambda: [Sample((*s.args, a)) for s in pairs() for a in ("none", "tanh")],
)
def gelu_backward(grad_output: Array, input: Array, approximate: str) -> Array:
    """Multiply a gradient by the slope of gelu."""
    if approximate == "none":
        below = 0.5 * (1 + numeric.erf(input * math.sqrt(0.5)))
        return grad_output * (
            below + input * accurate.exp(input * input * -0.5) / math.sqrt(2 * math.pi)
        )
    bent = accurate.tanh(_bend(input))
    slope = (input * input * (3 * 0.044715) + 1) * BEND
    return grad_output * (0.5 * (1 + bent) + 0.5 * input * (1 - bent * bent) * slope)


@gelu_backward.vjp(
    "grad_output",
    latex=r"\grad{grad_output} = \grad{result} \odot"
    r" (\Phi(\val{input}) + \val{input}\,\varphi(\val{input}))",
)
def _(grad: Any, input: Any, approximate: str) -> Any:
    return gelu_backward(grad, input, approximate)


@gelu_backward.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot \val{grad_output} \odot"
    r" \varphi(\val{input}) (2 - \val{input}^2)",
)
def _(grad: Any, grad_output: Any, input: Any, approximate: str) -> Any:
    incoming = grad * grad_output
    square = input * input
    if approximate == "none":
        return incoming * exp(square * -0.5) * (2 - square) * (1 / math.sqrt(2 * math.pi))
    bent = tanh((input + square * input * 0.044715) * BEND)
    slope = (square * (3 * 0.044715) + 1) * BEND
    steep = 1 - bent * bent
    turn = input * (6 * 0.044715 * BEND)
    return incoming * steep * (slope + input * 0.5 * (turn - bent * slope * slope * 2))


@op(
    "silu",
    latex=r"\val{result} = \val{input} \odot \sigma(\val{input})",
    grad_fn="SiluBackward0",
    binds=("torch.nn.functional.silu", "torch.nn.functional.silu_"),
    samples=any_shape,
    promote="float",
)
def silu(input: Array) -> Array:
    """Weigh each element by its sigmoid.

    >>> torch.nn.functional.silu(torch.tensor([-1., 2.]))
    tensor([-0.2689,  1.7616])
    """
    return input / (1 + accurate.exp(-input))


@silu.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot \sigma(\val{input})"
    r" \odot (1 + \val{input} (1 - \sigma(\val{input})))",
)
def _(grad: Any, input: Any) -> Any:
    weight = sigmoid(input)
    return grad * weight * (input * (1 - weight) + 1)


@op(
    "mish",
    latex=r"\val{result} = \val{input} \odot \tanh(\ln(1 + e^{\val{input}}))",
    grad_fn="MishBackward0",
    binds=("torch.nn.functional.mish", "torch.nn.functional.mish_"),
    samples=any_shape,
    promote="float",
)
def mish(input: Array) -> Array:
    """Weigh each element by the tanh of its softplus.

    >>> torch.nn.functional.mish(torch.tensor([-1., 2.]))
    tensor([-0.3034,  1.9440])
    """
    return input * accurate.tanh(accurate.log1p(accurate.exp(input)))


@mish.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot \left(w + \val{input}\,\sigma(\val{input})(1 -"
    r" w^2)\right),"
    r"\ w = \tanh(\ln(1 + e^{\val{input}}))",
)
def _(grad: Any, input: Any) -> Any:
    weight = tanh(log1p(exp(input)))
    return grad * (weight + input * sigmoid(input) * (1 - weight * weight))


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


def _between(low: str, high: str) -> str:
    return rf"[{low} < \val{{input}} < {high}]"


@op(
    "hardtanh",
    latex=r"\val{result} = \min(\max(\val{input}, \val{min_val}), \val{max_val})",
    grad_fn="HardtanhBackward0",
    binds=("torch.nn.functional.hardtanh", "torch.nn.functional.hardtanh_"),
    samples=lambda: [*any_shape(), Sample((t(2, 3), 0.0, 6.0))],
)
def hardtanh(input: Array, min_val: float = -1.0, max_val: float = 1.0) -> Array:
    """Cut to an interval; at its ends the gradient is zero.

    >>> torch.nn.functional.hardtanh(torch.tensor([-2., 0.5]))
    tensor([-1.0000,  0.5000])
    """
    return np.clip(input, input.dtype.type(min_val), input.dtype.type(max_val))


@hardtanh.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot " + _between(r"\val{min_val}", r"\val{max_val}"),
)
def _(grad: Any, input: Any, min_val: Any, max_val: Any) -> Any:
    return hardtanh_backward(grad, input, min_val, max_val)


@op(
    "hardtanh_backward",
    latex=r"\val{result} = \val{grad_output} \odot " + _between(r"\val{min_val}", r"\val{max_val}"),
    grad_fn="HardtanhBackwardBackward0",
    samples=lambda: [Sample((*s.args, -1.0, 1.0)) for s in pairs()],
)
def hardtanh_backward(grad_output: Array, input: Array, min_val: float, max_val: float) -> Array:
    """Keep a gradient where the input is inside an interval."""
    outside = (input <= min_val) | (input >= max_val)
    return np.where(outside, grad_output.dtype.type(0), grad_output)[()]


@hardtanh_backward.vjp(
    "grad_output",
    latex=r"\grad{grad_output} = \grad{result} \odot "
    + _between(r"\val{min_val}", r"\val{max_val}"),
)
def _(grad: Any, input: Any, min_val: Any, max_val: Any) -> Any:
    return hardtanh_backward(grad, input, min_val, max_val)


@hardtanh_backward.vjp("input", latex=FLAT)
def _(grad: Any) -> Any:
    return zeros_of(grad)


@op(
    "hardswish",
    latex=r"\val{result} = \val{input} \min(\max(\val{input} + 3, 0), 6) / 6",
    grad_fn="HardswishBackward0",
    binds=("torch.nn.functional.hardswish", "torch.nn.functional.hardswish_"),
    samples=lambda: [*any_shape(), Sample((t(2, 3, low=-5.0, high=5.0),))],
)
def hardswish(input: Array) -> Array:
    """Weigh each element by a cut line.

    >>> torch.nn.functional.hardswish(torch.tensor([-1., 4.]))
    tensor([-0.3333,  4.0000])
    """
    return input * np.clip(input + 3, 0, 6) / 6


@hardswish.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot (\val{input} \le -3 \mathbin{?} 0 :"
    r" \val{input} < 3 \mathbin{?} \val{input} / 3 + \tfrac12 : 1)",
)
def _(grad: Any, input: Any) -> Any:
    return hardswish_backward(grad, input)


@op(
    "hardswish_backward",
    latex=r"\val{result} = \val{grad_output} \odot (\val{input} \le -3 \mathbin{?} 0 :"
    r" \val{input} < 3 \mathbin{?} \val{input} / 3 + \tfrac12 : 1)",
    grad_fn="HardswishBackwardBackward0",
    samples=pairs,
)
def hardswish_backward(grad_output: Array, input: Array) -> Array:
    """Multiply a gradient by the slope of hardswish."""
    slope = np.where(input <= -3, 0, np.where(input < 3, input / 3 + 0.5, 1))
    return grad_output * slope.astype(grad_output.dtype)


@hardswish_backward.vjp(
    "grad_output",
    latex=r"\grad{grad_output} = \grad{result} \odot (\val{input} \le -3 \mathbin{?} 0 :"
    r" \val{input} < 3 \mathbin{?} \val{input} / 3 + \tfrac12 : 1)",
)
def _(grad: Any, input: Any) -> Any:
    return hardswish_backward(grad, input)


@hardswish_backward.vjp(
    "input",
    latex=r"\grad{input} = \tfrac13 \grad{result} \odot \val{grad_output} \odot"
    r" [-3 < \val{input} < 3]",
)
def _(grad: Any, grad_output: Any, input: Any) -> Any:
    inside = (input > -3) & (input < 3)
    return where(inside, grad * grad_output / 3, zero_like(grad))


@op(
    "hardsigmoid",
    latex=r"\val{result} = \min(\max(\val{input} + 3, 0), 6) / 6",
    grad_fn="HardsigmoidBackward0",
    binds=("torch.nn.functional.hardsigmoid", "torch.nn.functional.hardsigmoid_"),
    samples=lambda: [*any_shape(), Sample((t(2, 3, low=-5.0, high=5.0),))],
)
def hardsigmoid(input: Array) -> Array:
    """Approximate the sigmoid by three straight pieces.

    >>> torch.nn.functional.hardsigmoid(torch.tensor([0., 4.]))
    tensor([0.5000, 1.0000])
    """
    return np.clip(input + 3, 0, 6) / 6


@hardsigmoid.vjp(
    "input", latex=r"\grad{input} = \tfrac16 \grad{result} \odot [-3 < \val{input} < 3]"
)
def _(grad: Any, input: Any) -> Any:
    return hardsigmoid_backward(grad, input)


@op(
    "hardsigmoid_backward",
    latex=r"\val{result} = \tfrac16 \val{grad_output} \odot [-3 < \val{input} < 3]",
    grad_fn=NO_DERIVATIVE,
    samples=pairs,
)
def hardsigmoid_backward(grad_output: Array, input: Array) -> Array:
    """Multiply a gradient by the slope of hardsigmoid."""
    inside = (input > -3) & (input < 3)
    return np.where(inside, grad_output / 6, grad_output.dtype.type(0))[()]


@hardsigmoid_backward.vjp(
    "grad_output", latex=r"\grad{grad_output} \text{ undefined for } \grad{result}"
)
def _(grad: Any) -> Any:
    raise no_derivative("hardsigmoid_backward")


@hardsigmoid_backward.vjp("input", latex=r"\grad{input} \text{ undefined for } \grad{result}")
def _(grad: Any) -> Any:
    raise no_derivative("hardsigmoid_backward")


@op(
    "hardshrink",
    latex=r"\val{result} = |\val{input}| > \val{lambd} \mathbin{?} \val{input} : 0",
    grad_fn="HardshrinkBackward0",
    binds=("torch.hardshrink", "torch.nn.functional.hardshrink", "Tensor.hardshrink"),
    samples=lambda: [*any_shape(), Sample((t(2, 3), 1.0))],
)
def hardshrink(input: Array, lambd: float = 0.5) -> Array:
    """Drop small elements.

    >>> torch.hardshrink(torch.tensor([0.2, -2.]))
    tensor([ 0., -2.])
    """
    return np.where(np.abs(input) <= lambd, input.dtype.type(0), input)[()]


@hardshrink.vjp("input", latex=r"\grad{input} = \grad{result} \odot [|\val{input}| > \val{lambd}]")
def _(grad: Any, input: Any, lambd: Any) -> Any:
    return hardshrink_backward(grad, input, lambd)


@op(
    "hardshrink_backward",
    latex=r"\val{result} = \val{grad_output} \odot [|\val{input}| > \val{lambd}]",
    grad_fn="HardshrinkBackwardBackward0",
    samples=lambda: [Sample((*s.args, 0.5)) for s in pairs()],
)
def hardshrink_backward(grad_output: Array, input: Array, lambd: float) -> Array:
    """Keep a gradient where the input is not small."""
    return np.where(np.abs(input) <= lambd, grad_output.dtype.type(0), grad_output)[()]


@hardshrink_backward.vjp(
    "grad_output", latex=r"\grad{grad_output} = \grad{result} \odot [|\val{input}| > \val{lambd}]"
)
def _(grad: Any, input: Any, lambd: Any) -> Any:
    return hardshrink_backward(grad, input, lambd)


@hardshrink_backward.vjp("input", latex=FLAT)
def _(grad: Any) -> Any:
    return zeros_of(grad)


@op(
    "softshrink",
    latex=r"\val{result} = \operatorname{sgn}(\val{input}) \max(|\val{input}| - \val{lambd}, 0)",
    grad_fn="SoftshrinkBackward0",
    binds=("torch.nn.functional.softshrink",),
    samples=lambda: [*any_shape(), Sample((t(2, 3), 1.0))],
)
def softshrink(input: Array, lambd: float = 0.5) -> Array:
    """Move elements towards zero, small ones all the way.

    >>> torch.nn.functional.softshrink(torch.tensor([0.2, -2.]))
    tensor([ 0.0000, -1.5000])
    """
    moved = np.where(input > lambd, input - lambd, input + lambd)
    return np.where(np.abs(input) <= lambd, input * 0, moved)[()]  # a negative zero stays one


@softshrink.vjp("input", latex=r"\grad{input} = \grad{result} \odot [|\val{input}| > \val{lambd}]")
def _(grad: Any, input: Any, lambd: Any) -> Any:
    return hardshrink_backward(grad, input, lambd)


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
