"""The larger or smaller of two, and the step between."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.compare import where, zero_like
from engine.ops.dims import broadcast_shapes
from engine.ops.division import no_derivative
from engine.ops.record import Array, op
from engine.ops.rules import NO_DERIVATIVE
from engine.ops.samples import Sample, T, t
from engine.ops.ties import larger, smaller
from engine.tensor import Tensor


def _pairs() -> list[Sample]:
    pairs = [
        Sample((t(*a), t(*b, seed=1))) for a, b in (((), ()), ((2, 3), (3,)), ((2, 1), (1, 3)))
    ]
    return [*pairs, Sample((T([1.0, 2.0, 3.0]), T([3.0, 2.0, 1.0])))]


def need_tensor(name: str, other: Any) -> None:
    """Refuse a number where only a tensor will do."""
    if not isinstance(other, Tensor):
        raise TypeError(
            f"{name}(): argument 'other' (position 2) must be Tensor, not {type(other).__name__}"
        )


def _shared(grad: Any, wins: Any, ties: Any) -> Any:
    """Give the gradient to the winner, and half of it at a tie."""
    return where(ties, grad / 2, where(wins, grad, zero_like(grad)))


@op(
    "maximum",
    latex=r"\val{result} = \max(\val{input}, \val{other})",
    grad_fn="MaximumBackward0",
    binds=("torch.maximum", "Tensor.maximum"),
    samples=_pairs,
    promote="arithmetic",
)
def maximum(input: Array, other: Array) -> Array:
    """Take the larger of two elements.

    >>> torch.maximum(torch.tensor([1., 4.]), torch.tensor([3., 2.]))
    tensor([3., 4.])
    """
    return larger(input, other)


@maximum.prepare
def _(input: Any, other: Any) -> None:
    need_tensor("maximum", other)


@maximum.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot"
    r" ([\val{input} > \val{other}] + \tfrac12 [\val{input} = \val{other}])",
)
def _(grad: Any, input: Any, other: Any) -> Any:
    return _shared(grad, input >= other, input == other)


@maximum.vjp(
    "other",
    latex=r"\grad{other} = \grad{result} \odot"
    r" ([\val{other} > \val{input}] + \tfrac12 [\val{input} = \val{other}])",
)
def _(grad: Any, input: Any, other: Any) -> Any:
    return _shared(grad, other >= input, input == other)


@op(
    "minimum",
    latex=r"\val{result} = \min(\val{input}, \val{other})",
    grad_fn="MinimumBackward0",
    binds=("torch.minimum", "Tensor.minimum"),
    samples=_pairs,
    promote="arithmetic",
)
def minimum(input: Array, other: Array) -> Array:
    """Take the smaller of two elements.

    >>> torch.minimum(torch.tensor([1., 4.]), torch.tensor([3., 2.]))
    tensor([1., 2.])
    """
    return smaller(input, other)


@minimum.prepare
def _(input: Any, other: Any) -> None:
    need_tensor("minimum", other)


@minimum.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot"
    r" ([\val{input} < \val{other}] + \tfrac12 [\val{input} = \val{other}])",
)
def _(grad: Any, input: Any, other: Any) -> Any:
    return _shared(grad, input <= other, input == other)


@minimum.vjp(
    "other",
    latex=r"\grad{other} = \grad{result} \odot"
    r" ([\val{other} < \val{input}] + \tfrac12 [\val{input} = \val{other}])",
)
def _(grad: Any, input: Any, other: Any) -> Any:
    return _shared(grad, other <= input, input == other)


@op(
    "fmax",
    latex=r"\val{result} = \max(\val{input}, \val{other})",
    grad_fn="FmaxBackward0",
    binds=("torch.fmax", "Tensor.fmax"),
    samples=_pairs,
    promote="arithmetic",
)
def fmax(input: Array, other: Array) -> Array:
    """Take the larger of two elements; a number wins over nan.

    >>> torch.fmax(torch.tensor([1., 4.]), torch.tensor([3., float("nan")]))
    tensor([3., 4.])
    """
    return np.fmax(input, other)


@fmax.vjp("input", latex=r"\grad{input} = \grad{result} \odot [\val{input} \ge \val{other}]")
def _(grad: Any, input: Any, other: Any) -> Any:
    return where((input >= other) | (other != other), grad, zero_like(grad))


@fmax.vjp("other", latex=r"\grad{other} = \grad{result} \odot [\val{input} < \val{other}]")
def _(grad: Any, input: Any, other: Any) -> Any:
    return where((input >= other) | (other != other), zero_like(grad), grad)


@op(
    "fmin",
    latex=r"\val{result} = \min(\val{input}, \val{other})",
    grad_fn="FminBackward0",
    binds=("torch.fmin", "Tensor.fmin"),
    samples=_pairs,
    promote="arithmetic",
)
def fmin(input: Array, other: Array) -> Array:
    """Take the smaller of two elements; a number wins over nan.

    >>> torch.fmin(torch.tensor([1., 4.]), torch.tensor([3., float("nan")]))
    tensor([1., 4.])
    """
    return np.fmin(input, other)


@fmin.vjp("input", latex=r"\grad{input} = \grad{result} \odot [\val{input} \le \val{other}]")
def _(grad: Any, input: Any, other: Any) -> Any:
    return where((input <= other) | (other != other), grad, zero_like(grad))


@fmin.vjp("other", latex=r"\grad{other} = \grad{result} \odot [\val{input} > \val{other}]")
def _(grad: Any, input: Any, other: Any) -> Any:
    return where((input <= other) | (other != other), zero_like(grad), grad)


@op(
    "heaviside",
    latex=r"\val{result} = [\val{input} > 0] + \val{values} [\val{input} = 0]",
    grad_fn=NO_DERIVATIVE,
    binds=("torch.heaviside", "Tensor.heaviside", "Tensor.heaviside_"),
    samples=_pairs,
)
def heaviside(input: Array, values: Array) -> Array:
    """Give 0 below zero, 1 above, and `values` at zero.

    >>> torch.heaviside(torch.tensor([-1., 0., 2.]), torch.tensor([0.5]))
    tensor([0.0000, 0.5000, 1.0000])
    """
    step = np.where(input == 0, values, (input > 0).astype(input.dtype))
    return step.astype(input.dtype)


@heaviside.prepare
def _(input: Tensor, values: Tensor) -> None:
    if input.dtype is not values.dtype:
        raise fail(
            "dtypes-differ",
            "heaviside is not yet implemented for tensors with different dtypes.",
        )
    broadcast_shapes(input.shape, values.shape)


@heaviside.vjp("input", latex=r"\grad{input} \text{ undefined for } \grad{result}")
def _(grad: Any) -> Any:
    raise no_derivative("heaviside")


@heaviside.vjp("values", latex=r"\grad{values} \text{ undefined for } \grad{result}")
def _(grad: Any) -> Any:
    raise no_derivative("heaviside")
