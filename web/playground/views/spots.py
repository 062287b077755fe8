"""Where a node stands, and how it stands out."""

from __future__ import annotations

from dataclasses import dataclass

from .geometry import HALF, Point
from .measures import BESIDE, GAP, LEAF_H, NODE_W, PILL_H, PLATE_H, SLOT_H

Box = tuple[float, float, float, float]  # left, top, width, height
REACH = 240  # of a node's drawing from its middle, with its chips


@dataclass(frozen=True, slots=True)
class Spot:
    """A node's place on the sheet."""

    key: str
    cx: float
    cy: float
    vertical: bool

    @property
    def slot(self) -> Point:
        """Left upper corner of a leaf's slot."""
        if self.vertical:
            return self.cx + HALF + BESIDE, self.cy - SLOT_H / 2
        return self.cx - HALF, self.cy + LEAF_H / 2 + GAP

    @property
    def plate(self) -> Point:
        """Left upper corner of an operation's plate."""
        if self.vertical:
            return self.cx + HALF + BESIDE, self.cy - PLATE_H / 2
        return self.cx - HALF, self.cy + PILL_H / 2 + GAP

    @property
    def gate(self) -> Point:
        """Middle of the + gate on the slot's side."""
        x, y = self.slot
        return (x + HALF, y + SLOT_H) if self.vertical else (x + NODE_W, y + SLOT_H / 2)


@dataclass(frozen=True, slots=True)
class Mark:
    """How a node stands out: ring "box" (leaf or pill), "slot" or "plate"; keyboard focus."""

    ring: str = ""
    focus: bool = False
    pick: str = ""
    bad: bool = False


def near(a: Spot, b: Spot, window: Box | None) -> bool:
    """Whether something from one node to another can be seen in a window."""
    if window is None:
        return True
    left, top, wide, high = window
    return (
        min(a.cx, b.cx) - REACH < left + wide
        and left < max(a.cx, b.cx) + REACH
        and min(a.cy, b.cy) - REACH < top + high
        and top < max(a.cy, b.cy) + REACH
    )
