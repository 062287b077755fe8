"""Drawing with the design's measures: collects the rows of every layer of the graph.

One `Pen` draws one frame. Positions are sheet pixels; line weights and text sizes are screen
pixels, so the pen multiplies them by the zoom. Below a readable zoom only what says most is
written, larger by `grow` so that it stays legible; below that nothing is.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from .geometry import Course, Point
from .measures import OVERVIEW, READABLE
from .theme import Theme

LEAST = 11  # screen px of what is written at 12 px, in an overview


class Pen:
    """The rows of one frame, by layer name."""

    def __init__(self, theme: Theme, zoom: float) -> None:
        self.theme, self.zoom = theme, zoom
        self.rows: defaultdict[str, list[tuple[Any, ...]]] = defaultdict(list)
        self.readable = zoom >= READABLE
        self.overview = OVERVIEW <= zoom < READABLE
        self.grow = LEAST / (12 * zoom) if self.overview else 1.0
        self.taken: list[tuple[float, float, float, float]] = []

    def box(
        self,
        layer: str,
        x: float,
        y: float,
        w: float,
        h: float,
        fill: str | None = None,
        line: str | None = None,
        weight: float = 0,
        alpha: float = 1,
    ) -> None:
        """A box given by its left upper corner."""
        weight = round(weight * self.zoom, 2)
        self.rows[layer].append((x + w / 2, y + h / 2, w, h, fill, line, weight, alpha))

    def text(
        self,
        layer: str,
        x: float,
        y: float,
        text: str,
        color: str,
        size: float = 12,
        align: str = "left",
        style: str = "normal",
        keep: bool = False,
    ) -> None:
        """Writing from its base line; `keep` says that an overview has it too."""
        if text and (self.readable or (keep and self.overview)):
            points = f"{round(size * self.zoom * self.grow, 1):g}px"
            self.rows[layer].append((x, y, text, points, style, align, color))

    def segment(
        self,
        layer: str,
        a: Point,
        b: Point,
        line: str,
        weight: float = 1,
        dash: str = "",
        alpha: float = 1,
    ) -> None:
        weight = round(weight * self.zoom, 2)
        self.rows[layer].append((*a, *b, line, weight, dash, alpha))

    def course(
        self, layer: str, course: Course, line: str, weight: float, dash: str = "", alpha: float = 1
    ) -> None:
        weight = round(weight * self.zoom, 2)
        for c in course.parts:
            row = (*c.p0, *c.p1, *c.p2, *c.p3, line, weight, dash, alpha)
            self.rows[layer].append(row)

    def circle(
        self,
        layer: str,
        x: float,
        y: float,
        radius: float,
        fill: str | None,
        line: str | None = None,
        weight: float = 0,
        alpha: float = 1,
    ) -> None:
        weight = round(weight * self.zoom, 2)
        self.rows[layer].append((x, y, radius, fill, line, weight, alpha))

    def polygon(
        self,
        layer: str,
        points: list[Point],
        fill: str | None,
        line: str | None = None,
        weight: float = 0,
        alpha: float = 1,
    ) -> None:
        xs, ys = [x for x, _ in points], [y for _, y in points]
        self.rows[layer].append((xs, ys, fill, line, round(weight * self.zoom, 2), alpha))

    def head(
        self, layer: str, tip: Point, towards: str, size: float, fill: str, alpha: float = 1
    ) -> None:
        """A triangle whose tip is there, pointing left, right, up or down."""
        x, y = tip
        s, t = size, size * 0.62
        corners = {
            "left": [(x, y), (x + s, y - t), (x + s, y + t)],
            "right": [(x, y), (x - s, y - t), (x - s, y + t)],
            "up": [(x, y), (x - t, y + s), (x + t, y + s)],
            "down": [(x, y), (x - t, y - s), (x + t, y - s)],
        }
        self.polygon(layer, corners[towards], fill, alpha=alpha)

    def hatch(self, layer: str, x: float, y: float, w: float, h: float, step: float = 9) -> None:
        """45° hatching clipped to a box."""
        c = step
        while c < w + h:
            a = (x + min(c, w), y + max(0.0, c - w))
            b = (x + max(0.0, c - h), y + min(c, h))
            self.segment(layer, a, b, self.theme.edge, alpha=0.45)
            c += step

    def free(self, x: float, y: float, w: float, h: float) -> bool:
        """Whether nothing was claimed at that box."""
        return not any(
            x < a + c and a < x + w and y < b + d and b < y + h for a, b, c, d in self.taken
        )

    def claim(self, x: float, y: float, w: float, h: float) -> None:
        self.taken.append((x, y, w, h))
