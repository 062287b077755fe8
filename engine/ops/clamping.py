"""Limits element by element: clamp, maximum, minimum, and mixing by weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops.arithmetic import NO_DERIVATIVE, no_derivative
from engine.ops.compare import number_beside, where, zero_like
from engine.ops.dims import LABELS, broadcast_shapes
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, T, t
from engine.ops.ties import larger, smaller
from engine.tensor import Tensor


def _inside(input: Any, low: Any, high: Any) -> Any:
    """Tell which elements a clamp leaves alone; the bounds themselves count."""
    if low is None:
        return input <= high
    return input >= low if high is None else (input >= low) & (input <= high)


def _limits() -> list[Sample]:
    x = t(2, 3)
    bounds = ((-1.0, 1.0), (0.0, None), (None, 0.5), (1.0, -1.0))
    return [*(Sample((x, *b)) for b in bounds), Sample((t(), 0.0, 1.0))]


@op(
    "clamp",
    latex=r"\val{result} = \min(\max(\val{input}, \val{min}), \val{max})",
    grad_fn="ClampBackward1",
    samples=_limits,
)
def clamp(input: Array, min: float | None = None, max: float | None = None) -> Array:
    """Limit each element to an interval; either end may be open.

    >>> torch.clamp(torch.tensor([-2., 0.5, 3.]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    low = None if min is None else input.dtype.type(min)
    high = None if max is None else input.dtype.type(max)
    return np.clip(input, low, high)


@clamp.prepare
def _(input: Tensor, min: Any, max: Any) -> dict[str, Any] | None:
    given = [x for x in (min, max) if x is not None]
    if not given:
        raise fail(
            "clamp-without-limits", "torch.clamp: At least one of 'min' or 'max' must not be None"
        )
    kind = dtypes.result_type([input, *given])
    return None if kind is input.dtype else {"input": input.to(kind)}  # type: ignore[attr-defined]


@clamp.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot [\val{min} \le \val{input} \le \val{max}]",
)
def _(grad: Any, input: Any, min: Any, max: Any) -> Any:
    return where(_inside(input, min, max), grad, zero_like(grad))


@op(
    "clamp_tensor",
    latex=r"\val{result} = \min(\max(\val{input}, \val{min}), \val{max})",
    grad_fn="ClampBackward0",
    samples=lambda: [
        Sample((t(2, 3), t(3, seed=1, low=-1.5, high=-0.2), t(3, seed=2, low=0.1, high=1.5))),
        Sample((t(3), t(3, seed=1), None)),
    ],
)
def clamp_tensor(input: Array, min: Array | None = None, max: Array | None = None) -> Array:
    """Limit each element to an interval of its own.

    >>> torch.clamp(torch.tensor([-2., 3.]), min=torch.tensor([-1., 4.]))
    tensor([-1.,  4.])
    """
    result = input if min is None else larger(input, min)
    return result if max is None else smaller(result, max)


@clamp_tensor.prepare
def _(input: Tensor, min: Any, max: Any) -> dict[str, Any]:
    given = {"input": input, "min": min, "max": max}
    tensors = {k: v for k, v in given.items() if v is not None}
    kind = dtypes.result_type(list(tensors.values()))
    broadcast_shapes(*(v.shape for v in tensors.values()))
    return {k: v if v.dtype is kind else v.to(kind) for k, v in tensors.items()}


@clamp_tensor.vjp(
    "input", latex=r"\grad{input} = \grad{result} \odot [\val{min} \le \val{input} \le \val{max}]"
)
def _(grad: Any, input: Any, min: Any, max: Any) -> Any:
    return where(_inside(input, min, max), grad, zero_like(grad))


@clamp_tensor.vjp(
    "min", latex=r"\grad{min} = \grad{result} \odot [\val{input} < \val{min} < \val{max}]"
)
def _(grad: Any, input: Any, min: Any, max: Any) -> Any:
    below = input < min if max is None else (input < min) & (min < max)
    return where(below, grad, zero_like(grad))


@clamp_tensor.vjp(
    "max",
    latex=r"\grad{max} = \grad{result} \odot"
    r" [\val{input} > \val{max} \text{ or } \val{max} \le \val{min}]",
)
def _(grad: Any, input: Any, min: Any, max: Any) -> Any:
    above = input > max if min is None else (input > max) | (max <= min)
    return where(above, grad, zero_like(grad))


def _bounds(input: Tensor, min: Any, max: Any) -> tuple[Any, Any, Any]:
    for value in (min, max):
        if value is not None and not isinstance(value, (Tensor, int, float)):
            raise TypeError(_bounds_text(min, max))
    if not isinstance(min, Tensor) and not isinstance(max, Tensor):
        return clamp, min, max
    low = None if min is None else number_beside(min, input)
    high = None if max is None else number_beside(max, input)
    return clamp_tensor, low, high


def _bounds_text(min: Any, max: Any) -> str:
    got = ", ".join(type(v).__name__ for v in (min, max) if v is not None)
    return (
        f"clamp() received an invalid combination of arguments - got ({got}), but expected"
        " one of:\n"
        " * (Tensor min = None, Tensor max = None)\n"
        " * (Number min = None, Number max = None)\n"
    )


@function("torch.clamp", "torch.clip", "Tensor.clamp", "Tensor.clip")
def clamp_any(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Limit each element to an interval; the ends are numbers or tensors."""
    chosen, low, high = _bounds(input, min, max)
    result: Tensor = chosen(input, low, high)
    return result


@function("torch.clamp_", "torch.clip_", "Tensor.clamp_", "Tensor.clip_")
def clamp_any_(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Limit each element to an interval, in place."""
    chosen, low, high = _bounds(input, min, max)
    result: Tensor = chosen.forms.in_place(input, low, high)
    return result


def _low() -> list[Sample]:
    return [Sample((t(2, 3), 0.5)), Sample((t(2, 3), t(3, seed=1))), Sample((t(), -0.5))]


@op(
    "clamp_min",
    latex=r"\val{result} = \max(\val{input}, \val{min})",
    grad_fn=lambda min, **_: f"ClampMinBackward{1 if isinstance(min, Tensor) else 0}",
    binds=("torch.clamp_min", "torch.clamp_min_", "Tensor.clamp_min", "Tensor.clamp_min_"),
    samples=_low,
    promote="arithmetic",
)
def clamp_min(input: Array, min: Array) -> Array:
    """Limit each element from below.

    >>> torch.clamp_min(torch.tensor([-2., 3.]), 0)
    tensor([0., 3.])
    """
    return larger(input, min)


@clamp_min.vjp("input", latex=r"\grad{input} = \grad{result} \odot [\val{input} \ge \val{min}]")
def _(grad: Any, input: Any, min: Any) -> Any:
    return where(input >= min, grad, zero_like(grad))


@clamp_min.vjp("min", latex=r"\grad{min} = \grad{result} \odot [\val{input} < \val{min}]")
def _(grad: Any, input: Any, min: Any) -> Any:
    return where(input < min, grad, zero_like(grad))


@op(
    "clamp_max",
    latex=r"\val{result} = \min(\val{input}, \val{max})",
    grad_fn=lambda max, **_: f"ClampMaxBackward{1 if isinstance(max, Tensor) else 0}",
    binds=("torch.clamp_max", "torch.clamp_max_", "Tensor.clamp_max", "Tensor.clamp_max_"),
    samples=_low,
    promote="arithmetic",
)
def clamp_max(input: Array, max: Array) -> Array:
    """Limit each element from above.

    >>> torch.clamp_max(torch.tensor([-2., 3.]), 0)
    tensor([-2.,  0.])
    """
    return smaller(input, max)


@clamp_max.vjp("input", latex=r"\grad{input} = \grad{result} \odot [\val{input} \le \val{max}]")
def _(grad: Any, input: Any, max: Any) -> Any:
    return where(input <= max, grad, zero_like(grad))


@clamp_max.vjp("max", latex=r"\grad{max} = \grad{result} \odot [\val{input} > \val{max}]")
def _(grad: Any, input: Any, max: Any) -> Any:
    return where(input > max, grad, zero_like(grad))


def _pairs() -> list[Sample]:
    pairs = [
        Sample((t(*a), t(*b, seed=1))) for a, b in (((), ()), ((2, 3), (3,)), ((2, 1), (1, 3)))
    ]
    return [*pairs, Sample((T([1.0, 2.0, 3.0]), T([3.0, 2.0, 1.0])))]


def _need_tensor(name: str, other: Any) -> None:
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
    _need_tensor("maximum", other)


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
    _need_tensor("minimum", other)


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


@op(
    "lerp",
    latex=r"\val{result} = \val{input} + \val{weight} (\val{end} - \val{input})",
    grad_fn=lambda weight, **_: f"LerpBackward{1 if isinstance(weight, Tensor) else 0}",
    binds=("torch.lerp", "Tensor.lerp", "Tensor.lerp_"),
    samples=lambda: [
        Sample((t(2, 3), t(3, seed=1), 0.3)),
        Sample((t(2, 3), t(2, 3, seed=1), t(3, seed=2, low=0.1, high=0.9))),
    ],
    promote="arithmetic",
)
def lerp(input: Array, end: Array, weight: Array) -> Array:
    """Go from the first to the second by a fraction of the way.

    >>> torch.lerp(torch.tensor([0.]), torch.tensor([10.]), 0.25)
    tensor([2.5000])
    """
    # As PyTorch does: from the nearer end, so that weights 0 and 1 are exact.
    near, far = input + weight * (end - input), end - (end - input) * (1 - weight)
    return np.where(np.abs(weight) < 0.5, near, far)[()]


@lerp.prepare
def _(input: Tensor, end: Any, weight: Any) -> None:
    for name, value in (("end", end), ("weight", weight)):
        if isinstance(value, Tensor) and value.dtype is not input.dtype:
            names = dtypes.SCALAR_NAMES
            other = {"long": "long int"}.get(names[value.dtype], names[value.dtype])
            raise fail(
                "dtypes-differ",
                f"expected dtype {names[input.dtype]} for `{name}` but got dtype {other}",
            )
    if not isinstance(end, Tensor) or not isinstance(weight, (Tensor, int, float)):
        raise TypeError(_lerp_text(end, weight))


def _lerp_text(end: Any, weight: Any) -> str:
    marks = ", ".join(
        type(v).__name__ if ok else f"!{type(v).__name__}!"
        for v, ok in ((end, isinstance(end, Tensor)), (weight, False))
    )
    wrong = f"      didn't match because some of the arguments have invalid types: ({marks})\n"
    return (
        "lerp() received an invalid combination of arguments - got"
        f" ({type(end).__name__}, {type(weight).__name__}), but expected one of:\n"
        f" * (Tensor end, Tensor weight)\n{wrong} * (Tensor end, Number weight)\n{wrong}"
    )


@lerp.vjp("input", latex=r"\grad{input} = \grad{result} \odot (1 - \val{weight})")
def _(grad: Any, weight: Any) -> Any:
    return grad * (1 - weight)


@lerp.vjp("end", latex=r"\grad{end} = \grad{result} \odot \val{weight}")
def _(grad: Any, weight: Any) -> Any:
    return grad * weight


@lerp.vjp("weight", latex=r"\grad{weight} = \grad{result} \odot (\val{end} - \val{input})")
def _(grad: Any, input: Any, end: Any) -> Any:
    return grad * (end - input)


def _triples() -> list[Sample]:
    three = (t(2, 3), t(2, 3, seed=1), t(2, 3, seed=2, low=0.4))
    return [
        Sample(three),
        Sample(three, {"value": 0.5}),
        Sample((t(), t(3, seed=1), t(2, 1, seed=2))),
    ]


@op(
    "addcmul",
    latex=r"\val{result} = \val{input} + \val{value}\,\val{tensor1} \odot \val{tensor2}",
    grad_fn="AddcmulBackward0",
    binds=("torch.addcmul", "Tensor.addcmul", "Tensor.addcmul_"),
    samples=_triples,
    promote="arithmetic",
)
def addcmul(input: Array, tensor1: Array, tensor2: Array, *, value: float = 1) -> Array:
    """Add a product.

    >>> torch.addcmul(torch.tensor([1.]), torch.tensor([2.]), torch.tensor([3.]), value=10)
    tensor([61.])
    """
    product = tensor1 * tensor2
    return input + product if value == 1 else input + product * value


@addcmul.vjp("input", latex=r"\grad{input} = \grad{result}")
def _(grad: Any) -> Any:
    return grad


@addcmul.vjp("tensor1", latex=r"\grad{tensor1} = \val{value}\,\grad{result} \odot \val{tensor2}")
def _(grad: Any, tensor2: Any, value: Any) -> Any:
    return grad * (tensor2 * value)


@addcmul.vjp("tensor2", latex=r"\grad{tensor2} = \val{value}\,\grad{result} \odot \val{tensor1}")
def _(grad: Any, tensor1: Any, value: Any) -> Any:
    return grad * (tensor1 * value)


@op(
    "addcdiv",
    latex=r"\val{result} = \val{input} + \val{value}\,\val{tensor1} / \val{tensor2}",
    grad_fn="AddcdivBackward0",
    binds=("torch.addcdiv", "Tensor.addcdiv", "Tensor.addcdiv_"),
    samples=_triples,
    promote="arithmetic",
)
def addcdiv(input: Array, tensor1: Array, tensor2: Array, *, value: float = 1) -> Array:
    """Add a quotient.

    >>> torch.addcdiv(torch.tensor([1.]), torch.tensor([6.]), torch.tensor([3.]), value=10)
    tensor([21.])
    """
    return input + tensor1 * value / tensor2


@addcdiv.prepare
def _(input: Any, tensor1: Any, tensor2: Any, value: Any) -> None:
    if not any(x.dtype.is_floating_point for x in (tensor1, tensor2)):
        raise fail(
            "integer-addcdiv",
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv"
            " will perform a true division of tensor1 and tensor2. The historic addcdiv behavior"
            " can be implemented as (input + value * torch.trunc(tensor1 /"
            " tensor2)).to(input.dtype)"
            " for integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The"
            " future addcdiv behavior is just the latter implementation: (input + value * tensor1 /"
            " tensor2), for all dtypes.",
            dtype=LABELS[tensor1.dtype],
        )


@addcdiv.vjp("input", latex=r"\grad{input} = \grad{result}")
def _(grad: Any) -> Any:
    return grad


@addcdiv.vjp("tensor1", latex=r"\grad{tensor1} = \val{value}\,\grad{result} / \val{tensor2}")
def _(grad: Any, tensor2: Any, value: Any) -> Any:
    return grad * (value / tensor2)


@addcdiv.vjp(
    "tensor2",
    latex=r"\grad{tensor2} = -\val{value}\,\grad{result} \odot \val{tensor1} / \val{tensor2}^2",
)
def _(grad: Any, tensor1: Any, tensor2: Any, value: Any) -> Any:
    return -grad * (tensor1 * value / (tensor2 * tensor2))
