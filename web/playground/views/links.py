"""Links of the graph: one for every line that is drawn, and what drawing them leaves behind."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from playground.trace import Value

from . import numbers
from .chips import Chip
from .geometry import Point
from .measures import EDGE_MAX, EDGE_MIN
from .spots import Spot


@dataclass(frozen=True, slots=True)
class Link:
    """One operand of one operation: from what made the tensor to what uses it."""

    op: int
    operand: int
    tensor: int
    source: Spot
    target: Spot
    from_leaf: bool
    leaves_at: float = 0  # offsets of the ports from the middle of the side
    arrives_at: float = 0
    shared: bool = False  # the result is a view of the operand
    cut: str = ""  # what stops the gradient here: "detach()"
    sums_at: Point | None = None  # where its broadcast reduction stands
    via: tuple[Point, ...] = ()
    uses: tuple[tuple[int, int], ...] = ()  # all (op, operand) it stands for, at a fold
    folded: bool = False  # what is inside the target is not shown: its last message stands for all


@dataclass(slots=True)
class Flow:
    """What edge drawing leaves behind for the rest of the frame."""

    chips: list[Chip] = field(default_factory=list)
    motion: list[tuple[list[Point], Value]] = field(default_factory=list)
    live: set[int] = field(default_factory=set)  # leaves a message has reached


def gradient_width(value: Value, largest: float) -> float:
    share = numbers.size(value) / largest if largest else 0.0
    return EDGE_MIN + (EDGE_MAX - EDGE_MIN) * math.sqrt(min(1.0, share))
