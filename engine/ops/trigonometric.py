"""Trigonometric functions, their inverses, and angles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.ops import accurate
from engine.ops.compare import where, zero_like
from engine.ops.pointwise import cos, sin
from engine.ops.powers import pow_number
from engine.ops.record import Array, op
from engine.ops.roots import rsqrt
from engine.ops.samples import Sample, any_shape, inside_one, positive, t


def _above_one() -> list[Sample]:
    return [Sample((t(2, 3, low=1.2, high=3.0),))]


@op(
    "tan",
    latex=r"\val{result} = \tan \val{input}",
    grad_fn="TanBackward0",
    binds=("torch.tan", "Tensor.tan", "Tensor.tan_", "torch.tan_"),
    samples=inside_one,
    promote="float",
)
def tan(input: Array) -> Array:
    """Take the tangent of each element.

    >>> torch.tan(torch.tensor([0., 1.]))
    tensor([0.0000, 1.5574])
    """
    return accurate.tan(input)


@tan.vjp("input", latex=r"\grad{input} = \grad{result} \odot (1 + \val{result}^2)")
def _(grad: Any, result: Any) -> Any:
    return grad * (pow_number(result, 2) + 1)


@op(
    "asin",
    latex=r"\val{result} = \arcsin \val{input}",
    grad_fn="AsinBackward0",
    binds=(
        "torch.asin",
        "Tensor.asin",
        "Tensor.asin_",
        "torch.asin_",
        "torch.arcsin",
        "Tensor.arcsin",
        "Tensor.arcsin_",
        "torch.arcsin_",
    ),
    samples=inside_one,
    promote="float",
)
def asin(input: Array) -> Array:
    """Take the inverse sine of each element.

    >>> torch.asin(torch.tensor([0., 1.]))
    tensor([0.0000, 1.5708])
    """
    return accurate.arcsin(input)


@asin.vjp("input", latex=r"\grad{input} = \grad{result} / \sqrt{1 - \val{input}^2}")
def _(grad: Any, input: Any) -> Any:
    return grad * rsqrt(-input * input + 1)


@op(
    "acos",
    latex=r"\val{result} = \arccos \val{input}",
    grad_fn="AcosBackward0",
    binds=(
        "torch.acos",
        "Tensor.acos",
        "Tensor.acos_",
        "torch.acos_",
        "torch.arccos",
        "Tensor.arccos",
        "Tensor.arccos_",
        "torch.arccos_",
    ),
    samples=inside_one,
    promote="float",
)
def acos(input: Array) -> Array:
    """Take the inverse cosine of each element.

    >>> torch.acos(torch.tensor([0., 1.]))
    tensor([1.5708, 0.0000])
    """
    return accurate.arccos(input)


@acos.vjp("input", latex=r"\grad{input} = -\grad{result} / \sqrt{1 - \val{input}^2}")
def _(grad: Any, input: Any) -> Any:
    return grad * -rsqrt(-input * input + 1)


@op(
    "atan",
    latex=r"\val{result} = \arctan \val{input}",
    grad_fn="AtanBackward0",
    binds=(
        "torch.atan",
        "Tensor.atan",
        "Tensor.atan_",
        "torch.atan_",
        "torch.arctan",
        "Tensor.arctan",
        "Tensor.arctan_",
        "torch.arctan_",
    ),
    samples=any_shape,
    promote="float",
)
def atan(input: Array) -> Array:
    """Take the inverse tangent of each element.

    >>> torch.atan(torch.tensor([0., 1.]))
    tensor([0.0000, 0.7854])
    """
    return accurate.arctan(input)


@atan.vjp("input", latex=r"\grad{input} = \grad{result} / (1 + \val{input}^2)")
def _(grad: Any, input: Any) -> Any:
    return grad / (input * input + 1)


@op(
    "atan2",
    latex=r"\val{result} = \operatorname{atan2}(\val{input}, \val{other})",
    grad_fn="Atan2Backward0",
    binds=(
        "torch.atan2",
        "torch.arctan2",
        "Tensor.atan2",
        "Tensor.atan2_",
        "Tensor.arctan2",
        "Tensor.arctan2_",
    ),
    samples=lambda: [Sample((t(2, 3), t(3, seed=1, low=0.3))), Sample((t(), t(seed=1)))],
    promote="float",
)
def atan2(input: Array, other: Array) -> Array:
    """Take the angle of the points (other, input).

    >>> torch.atan2(torch.tensor([1.]), torch.tensor([1.]))
    tensor([0.7854])
    """
    return np.arctan2(input, other)


@atan2.prepare
def _(input: Any, other: Any) -> None:
    if isinstance(other, (int, float)):
        raise TypeError(
            f"atan2(): argument 'other' (position 2) must be Tensor, not {type(other).__name__}"
        )


@atan2.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot \val{other} / (\val{input}^2 + \val{other}^2)",
)
def _(grad: Any, input: Any, other: Any) -> Any:
    return grad * (other * (1 / (input * input + other * other)))


@atan2.vjp(
    "other",
    latex=r"\grad{other} = -\grad{result} \odot \val{input} / (\val{input}^2 + \val{other}^2)",
)
def _(grad: Any, input: Any, other: Any) -> Any:
    return grad * (-input * (1 / (input * input + other * other)))


@op(
    "hypot",
    latex=r"\val{result} = \sqrt{\val{input}^2 + \val{other}^2}",
    grad_fn="HypotBackward0",
    binds=("torch.hypot", "Tensor.hypot", "Tensor.hypot_"),
    samples=atan2.samples,
    promote="arithmetic",
)
def hypot(input: Array, other: Array) -> Array:
    """Take the length of the hypotenuse.

    >>> torch.hypot(torch.tensor(3.), torch.tensor(4.))
    tensor(5.)
    """
    return np.hypot(input, other)


@hypot.vjp("input", latex=r"\grad{input} = \grad{result} \odot \val{input} / \val{result}")
def _(grad: Any, input: Any, result: Any) -> Any:
    return grad * (input / result)


@hypot.vjp("other", latex=r"\grad{other} = \grad{result} \odot \val{other} / \val{result}")
def _(grad: Any, other: Any, result: Any) -> Any:
    return grad * (other / result)


@op(
    "sinc",
    latex=r"\val{result} = \sin(\pi \val{input}) / (\pi \val{input})",
    grad_fn="SincBackward0",
    binds=("torch.sinc", "torch.special.sinc", "torch.sinc_", "Tensor.sinc", "Tensor.sinc_"),
    samples=positive,
    promote="float",
)
def sinc(input: Array) -> Array:
    """Take the normalised sinc of each element; 1 at zero.

    >>> torch.sinc(torch.tensor([0., 0.5]))
    tensor([1.0000, 0.6366])
    """
    return np.sinc(input).astype(input.dtype)


@sinc.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot"
    r" \frac{\pi \val{input} \cos(\pi \val{input}) - \sin(\pi \val{input})}{\pi \val{input}^2}",
)
def _(grad: Any, input: Any) -> Any:
    angle = input * math.pi
    squared = angle * input
    slope = grad * ((angle * cos(angle) - sin(angle)) / squared)
    return where(squared == 0, zero_like(grad), slope)


@op(
    "deg2rad",
    latex=r"\val{result} = \val{input}\,\pi / 180",
    grad_fn="Deg2RadBackward0",
    binds=("torch.deg2rad", "torch.deg2rad_", "Tensor.deg2rad", "Tensor.deg2rad_"),
    samples=any_shape,
    promote="float",
)
def deg2rad(input: Array) -> Array:
    """Turn degrees into radians.

    >>> torch.deg2rad(torch.tensor([180.]))
    tensor([3.1416])
    """
    return input * (math.pi / 180)


@deg2rad.vjp("input", latex=r"\grad{input} = \grad{result}\,\pi / 180")
def _(grad: Any) -> Any:
    return grad * (math.pi / 180)


@op(
    "rad2deg",
    latex=r"\val{result} = \val{input} \cdot 180 / \pi",
    grad_fn="Rad2DegBackward0",
    binds=("torch.rad2deg", "torch.rad2deg_", "Tensor.rad2deg", "Tensor.rad2deg_"),
    samples=any_shape,
    promote="float",
)
def rad2deg(input: Array) -> Array:
    """Turn radians into degrees.

    >>> torch.rad2deg(torch.tensor([3.1415927]))
    tensor([180.])
    """
    return input * (180 / math.pi)


@rad2deg.vjp("input", latex=r"\grad{input} = \grad{result} \cdot 180 / \pi")
def _(grad: Any) -> Any:
    return grad * (180 / math.pi)
