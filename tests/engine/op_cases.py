"""What the tests over the registry share: samples as tensors, calls, numeric differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import engine as torch
from engine.ops.division import NO_DERIVATIVE
from engine.ops.record import REGISTRY, Op
from engine.ops.samples import Sample, T
from engine.tensor import Tensor

STEP = 1e-5
JUMP = 0.01 / STEP  # steeper than any sample is
# These read one triangle of a symmetric matrix, and share the gradient between both.
SYMMETRIC = {"linalg_cholesky", "linalg_eigh"}


def records() -> list[Op]:
    """Return all ops that say on what they can be tried."""
    return [r for r in REGISTRY.values() if r.samples is not None]


def sampled(keep: Callable[[Op], bool]) -> list[tuple[Op, int]]:
    """Return pairs of op and number of sample, for the ops that are kept."""
    return [(r, i) for r in records() if keep(r) for i in range(len(r.samples()))]


def name_of(case: Any) -> str:
    """Return a test's name."""
    return f"{case[0].name}-{case[1]}" if isinstance(case, tuple) else case.name


def has_gradient(op: Op) -> bool:
    """Whether an op has rules that are defined."""
    undefined = any(r"\text{ undefined" in v.latex for v in op.vjps.values())
    return bool(op.vjps) and op.grad_fn != NO_DERIVATIVE and not undefined


def tensor(x: Any, double: bool = False) -> Any:
    """Return a sample's argument as what an op takes."""
    if isinstance(x, T):
        made = torch.tensor(x.data, dtype=getattr(torch, x.dtype))
        return made.double() if double and made.dtype.is_floating_point else made
    if isinstance(x, (list, tuple)) and any(isinstance(v, (T, list)) for v in x):
        return type(x)(tensor(v, double) for v in x)
    return x


def arguments(sample: Sample, double: bool = False) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments of a sample."""
    return [tensor(a, double) for a in sample.args], {
        k: tensor(v, double) for k, v in sample.kwargs.items()
    }


def bound_names(op: Op, args: list[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return the values by parameter."""
    return {**{p.name: v for p, v in zip(op.params, args, strict=False)}, **kwargs}


def differentiable(op: Op, values: dict[str, Any]) -> list[Tensor]:
    """Return the floating tensors an op has rules for, in order."""
    found: list[Tensor] = []
    for p in op.params:
        value = values.get(p.name)
        if p.name in op.vjps:
            found.extend(
                v
                for v in (value if isinstance(value, (list, tuple)) else [value])
                if isinstance(v, Tensor) and v.dtype.is_floating_point
            )
    return found


def outputs(got: Any) -> list[Tensor]:
    """Return the floating outputs of a call."""
    parts = got if isinstance(got, (tuple, list)) else [got]
    return [t for t in parts if t.dtype.is_floating_point]


def weights(shape: Any, seed: int) -> Tensor:
    """Return fixed weights that differ from element to element."""
    return torch.tensor(np.random.default_rng(seed).uniform(0.5, 1.5, tuple(shape)))


def weighed(parts: list[Tensor]) -> Tensor:
    """Return one number made of all outputs."""
    total = torch.zeros((), dtype=torch.float64)
    for i, t in enumerate(parts):
        total = total + (t * weights(t.shape, i)).sum()
    return total


def slopes(f: Callable[[], float], x: Tensor) -> tuple[Any, Any]:
    """Return the differences to the right and to the left of each element, by the step."""
    right, left = np.zeros(tuple(x.shape)), np.zeros(tuple(x.shape))
    array = x.detach().numpy()
    here = f()
    for at in np.ndindex(*array.shape):
        kept = array[at]
        array[at] = kept + STEP
        right[at] = (f() - here) / STEP
        array[at] = kept - STEP
        left[at] = (here - f()) / STEP
        array[at] = kept
    return right, left


def agree(found: Any, right: Any, left: Any) -> bool:
    """Whether a gradient is the mean of both slopes, wherever the function has no kink or jump."""
    smooth = (np.abs(right - left) < 1e-2 * (1 + np.abs(right))) & (np.abs(right) < JUMP)
    near = np.abs(found - (right + left) / 2) < 1e-4 * (1 + np.abs(right) + np.abs(left))
    return bool(np.all(near | ~smooth))
