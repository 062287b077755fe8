"""Activations made of straight pieces: hardtanh, hardswish, shrinking."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.activation import FLAT, pairs
from engine.ops.compare import where, zero_like
from engine.ops.dims import zeros_of
from engine.ops.division import no_derivative
from engine.ops.record import Array, op
from engine.ops.rules import NO_DERIVATIVE
from engine.ops.samples import Sample, any_shape, t


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
