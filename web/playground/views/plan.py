"""The graph's plan for a run and a window: where every node stands, in sheet pixels."""

from __future__ import annotations

from dataclasses import dataclass, field

from .edges import Link
from .nodes import Spot


@dataclass(frozen=True, slots=True)
class Region:
    """A hatched area: what ran under no_grad."""

    x: float
    y: float
    width: float
    height: float
    mode: str
    first: int | None
    last: int | None
    ops: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """A folded group of operations, drawn as one node."""

    key: str
    title: str
    count: int
    ops: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything whose place is fixed for the run."""

    vertical: bool
    width: float
    height: float
    spots: dict[str, Spot] = field(default_factory=dict)
    leaves: dict[str, int] = field(default_factory=dict)  # key -> tensor id
    ops: dict[str, int] = field(default_factory=dict)  # key -> op index
    folds: dict[str, Fold] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    regions: tuple[Region, ...] = ()
    chain: bool = False  # one node to a column: there is room for line numbers
