"""What a layout consists of, and the measures of drawn things."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from playground.layout.fold import Fold
from playground.layout.sketch import LineKind

Solve = Callable[[str], str]
Point = tuple[float, float]

# Measures of drawn things, from the design.
NODE, LEAF, SLOT, PILL, PLATE, GAP = 120, 56, 44, 52, 48, 6
BESIDE = 10  # between a pill and its plate, top down
CHIPS = 56  # above a pill: tab, chip and the air over it
REDUCTION = (40, 24)
RANK_GAP = {"LR": 84, "TB": 72}
NODE_GAP = {"LR": 56, "TB": 44}
MARGIN = 24
REGION_PAD = 16


@dataclass(frozen=True, slots=True)
class Place:
    """A node; x, y is the middle of the leaf's box, the pill or the hexagon, y grows downwards."""

    key: str
    kind: Literal["leaf", "op", "fold", "reduce"]
    x: float
    y: float
    tensor: int | None = None  # leaf
    op: int | None = None  # op, reduce
    operand: int | None = None  # reduce
    fold: Fold | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """An edge as drawn; `uses` are all (op, operand) it stands for, more than one at a fold."""

    source: str
    target: str
    op: int
    operand: int
    kind: LineKind
    gradient: bool
    uses: tuple[tuple[int, int], ...]
    via: tuple[Point, ...] = ()  # way points round other nodes


@dataclass(frozen=True, slots=True)
class Region:
    """A hatched area: operations under no_grad."""

    x: float
    y: float
    width: float
    height: float
    mode: str
    first: int | None
    last: int | None
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    orientation: str
    nodes: dict[str, Place] = field(default_factory=dict)
    edges: tuple[Line, ...] = ()
    regions: tuple[Region, ...] = ()
    width: float = 0
    height: float = 0
    folds: dict[str, Fold] = field(default_factory=dict)  # all that can be folded or unfolded
    shape: tuple[Any, ...] = ()  # what the places depend on; equal shapes have equal places


def size_of(orientation: str) -> tuple[float, float]:
    """The box of a node with its slot or plate, the same for all so that rows align."""
    if orientation == "LR":
        return NODE, LEAF + GAP + SLOT
    return NODE + BESIDE + NODE, LEAF


def box_of(place: Place, orientation: str) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of a node with its slot or plate and the chips above it."""
    if place.kind == "reduce":
        w, h = REDUCTION
        return place.x - w / 2, place.y - h / 2, place.x + w / 2, place.y + h / 2
    alone = place.kind == "fold"  # without a plate
    left, top = place.x - NODE / 2, place.y - LEAF / 2
    if orientation == "LR":
        return left, top, left + NODE, top + LEAF + (0 if alone else GAP + SLOT)
    return left, top, left + NODE + (0 if alone else BESIDE + NODE), top + LEAF
