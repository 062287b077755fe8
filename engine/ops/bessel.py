"""Modified Bessel functions."""

from __future__ import annotations

from typing import Any

from engine.ops import numeric
from engine.ops.record import Array, op
from engine.ops.roots import sgn
from engine.ops.samples import any_shape, positive
from engine.ops.special_functions import _over


@op(
    "i0",
    latex=r"\val{result} = I_0(\val{input})",
    grad_fn="I0Backward0",
    binds=("torch.i0", "torch.special.i0", "Tensor.i0", "Tensor.i0_", "torch.i0_"),
    samples=any_shape,
    promote="float",
)
def i0(input: Array) -> Array:
    """Take the modified Bessel function of order 0.

    >>> torch.i0(torch.tensor([0., 1.]))
    tensor([1.0000, 1.2661])
    """
    return numeric.i0(input)


@i0.vjp("input", latex=r"\grad{input} = \grad{result} \odot I_1(\val{input})")
def _(grad: Any, input: Any) -> Any:
    return grad * i1(input)


@op(
    "special_i0e",
    latex=r"\val{result} = e^{-|\val{input}|} I_0(\val{input})",
    grad_fn="SpecialI0EBackward0",
    binds=("torch.special.i0e",),
    samples=positive,
    promote="float",
)
def i0e(input: Array) -> Array:
    """Take the scaled modified Bessel function of order 0.

    >>> torch.special.i0e(torch.tensor([0., 1.]))
    tensor([1.0000, 0.4658])
    """
    return numeric.i0e(input)


@i0e.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot (e^{-|\val{input}|} I_1(\val{input}) -"
    r" \operatorname{sgn}(\val{input}) \val{result})",
)
def _(grad: Any, input: Any, result: Any) -> Any:
    return grad * (i1e(input) - sgn(input) * result)


@op(
    "special_i1",
    latex=r"\val{result} = I_1(\val{input})",
    grad_fn="SpecialI1Backward0",
    binds=("torch.special.i1",),
    samples=positive,
    promote="float",
)
def i1(input: Array) -> Array:
    """Take the modified Bessel function of order 1.

    >>> torch.special.i1(torch.tensor([0., 1.]))
    tensor([0.0000, 0.5652])
    """
    return numeric.i1(input)


@i1.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot (I_0(\val{input}) - \val{result} / \val{input})",
)
def _(grad: Any, input: Any, result: Any) -> Any:
    return grad * (i0(input) - _over(result, input))


@op(
    "special_i1e",
    latex=r"\val{result} = e^{-|\val{input}|} I_1(\val{input})",
    grad_fn="SpecialI1EBackward0",
    binds=("torch.special.i1e",),
    samples=positive,
    promote="float",
)
def i1e(input: Array) -> Array:
    """Take the scaled modified Bessel function of order 1.

    >>> torch.special.i1e(torch.tensor([0., 1.]))
    tensor([0.0000, 0.2079])
    """
    return numeric.i1e(input)


@i1e.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot (e^{-|\val{input}|} I_0(\val{input}) -"
    r" \val{result} (\operatorname{sgn} \val{input} + 1 / \val{input}))",
)
def _(grad: Any, input: Any, result: Any) -> Any:
    return grad * (i0e(input) - result * sgn(input) - _over(result, input))
