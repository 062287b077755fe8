"""Activations that weigh by a smooth step: gelu, silu, mish."""

from __future__ import annotations

import math
from typing import Any

from engine.ops import accurate, numeric
from engine.ops.activation import pairs, sigmoid, tanh
from engine.ops.explog import log1p
from engine.ops.pointwise import exp
from engine.ops.record import Array, op
from engine.ops.samples import Sample, any_shape, t
from engine.tensor import Tensor


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
