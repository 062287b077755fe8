"""Keeping elements within bounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops.compare import number_beside, where, zero_like
from engine.ops.dims import broadcast_shapes
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, t
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
