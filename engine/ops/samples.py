"""Inputs on which every op is tested, as data: the recorder makes PyTorch's tensors of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class T:
    """A tensor argument: its elements, and its dtype's name."""

    data: Any
    dtype: str = "float32"


@dataclass(frozen=True)
class Sample:
    """The arguments of one call."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)


def t(*shape: int, low: float = -2.0, high: float = 2.0, seed: int = 0) -> T:
    """Return a tensor of a shape with distinct elements spread between two bounds."""
    n = int(np.prod(shape))
    order = np.random.default_rng(seed + n).permutation(n)
    spread = low + (high - low) * (order + 0.5) / max(n, 1)
    return T(spread.round(4).reshape(shape).tolist())


def any_shape() -> list[Sample]:
    """One tensor, of several shapes."""
    return [Sample((t(*shape),)) for shape in ((), (3,), (2, 3), (1, 4), (0,))]


def positive() -> list[Sample]:
    """One tensor of positive elements."""
    return [Sample((t(*shape, low=0.2, high=3.0),)) for shape in ((), (3,), (2, 3), (0,))]


def inside_one() -> list[Sample]:
    """One tensor of elements between -1 and 1."""
    return [Sample((t(*shape, low=-0.9, high=0.9),)) for shape in ((), (3,), (2, 3))]


def broadcasting_pairs() -> list[Sample]:
    """Two tensors, or a tensor and a number, of shapes that broadcast."""
    shapes: list[tuple[Any, Any]] = [
        ((), ()), ((3,), (3,)), ((2, 3), (3,)), ((2, 1), (1, 3)), ((), (2,)), ((0,), (1,)),
    ]  # fmt: skip
    pairs = [Sample((t(*a), t(*b, seed=1, low=0.3))) for a, b in shapes]
    return [*pairs, Sample((t(2, 2), 1.5)), Sample((t(3), 2))]
