"""Drawing with the design's measures: collects the rows of every layer of the graph.

One `Pen` draws one frame. Positions are sheet pixels; line weights and text sizes are screen
pixels, so the pen multiplies them by the zoom.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

from .theme import Theme

NODE_W = 120
LEAF_H, PILL_H, PLATE_H, SLOT_H = 56, 52, 48, 44
GAP = 6  # between pill and plate, leaf and slot
BESIDE = 10  # the same when top down
TAB_H = 16
CHIP_H, CHIP_UP = 22, 52
EDGE_MIN, EDGE_MAX = 1.5, 8
GATE_R = 9
SUM_W, SUM_H = 40, 24
DOT_R = 7
READABLE = 0.75  # zoom from which text is drawn

Point = tuple[float, float]


class Curve:
    """A cubic bézier; leaves and arrives along one axis unless control points are given."""

    __slots__ = ("p0", "p1", "p2", "p3")

    def __init__(self, p0: Point, p1: Point, p2: Point, p3: Point) -> None:
        self.p0, self.p1, self.p2, self.p3 = p0, p1, p2, p3

    @classmethod
    def between(cls, a: Point, b: Point, vertical: bool) -> Curve:
        if vertical:
            mid = (a[1] + b[1]) / 2
            return cls(a, (a[0], mid), (b[0], mid), b)
        mid = (a[0] + b[0]) / 2
        return cls(a, (mid, a[1]), (mid, b[1]), b)

    def at(self, t: float) -> Point:
        u = 1 - t
        a, b, c, d = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
        p, q, r, s = self.p0, self.p1, self.p2, self.p3
        return (
            a * p[0] + b * q[0] + c * r[0] + d * s[0],
            a * p[1] + b * q[1] + c * r[1] + d * s[1],
        )

    def split(self, t: float) -> tuple[Curve, Curve]:
        """The parts before and after t (de Casteljau)."""

        def mix(a: Point, b: Point) -> Point:
            return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t

        a, b, c = mix(self.p0, self.p1), mix(self.p1, self.p2), mix(self.p2, self.p3)
        d, e = mix(a, b), mix(b, c)
        f = mix(d, e)
        return Curve(self.p0, a, d, f), Curve(f, e, c, self.p3)

    @property
    def length(self) -> float:
        """Length of the chord: near enough to share out a course."""
        return math.hypot(self.p3[0] - self.p0[0], self.p3[1] - self.p0[1])


class Course:
    """An edge's way: one bézier, or several that meet at way points."""

    __slots__ = ("parts",)

    def __init__(self, *parts: Curve) -> None:
        self.parts = parts

    @classmethod
    def between(cls, a: Point, b: Point, vertical: bool, via: tuple[Point, ...] = ()) -> Course:
        stops = (a, *via, b)
        pairs = zip(stops, stops[1:], strict=False)
        return cls(*(Curve.between(one, two, vertical) for one, two in pairs))

    @property
    def start(self) -> Point:
        return self.parts[0].p0

    @property
    def end(self) -> Point:
        return self.parts[-1].p3

    def _find(self, t: float) -> tuple[int, float]:
        """The part that holds a share of the way, and the share of that part."""
        if len(self.parts) == 1:
            return 0, t
        left = t * sum(part.length for part in self.parts)
        for i, part in enumerate(self.parts):
            if left <= part.length or i == len(self.parts) - 1:
                return i, min(1.0, left / part.length) if part.length else 0.0
            left -= part.length
        return 0, t

    def at(self, t: float) -> Point:
        i, share = self._find(t)
        return self.parts[i].at(share)

    def split(self, t: float) -> tuple[Course, Course]:
        i, share = self._find(t)
        one, two = self.parts[i].split(share)
        return Course(*self.parts[:i], one), Course(two, *self.parts[i + 1 :])

    def shifted(self, dx: float, dy: float) -> Course:
        def moved(p: Point) -> Point:
            return p[0] + dx, p[1] + dy

        return Course(*(Curve(*(moved(p) for p in (c.p0, c.p1, c.p2, c.p3))) for c in self.parts))

    def reversed(self) -> Course:
        return Course(*(Curve(c.p3, c.p2, c.p1, c.p0) for c in reversed(self.parts)))

    def points(self, count: int = 12) -> list[Point]:
        return [self.at(i / count) for i in range(count + 1)]

    def direction(self) -> Point:
        """Unit vector at the end."""
        last = self.parts[-1]
        dx, dy = last.p3[0] - last.p2[0], last.p3[1] - last.p2[1]
        if math.hypot(dx, dy) < 0.5:
            dx, dy = last.p3[0] - last.p0[0], last.p3[1] - last.p0[1]
        size = math.hypot(dx, dy) or 1.0
        return dx / size, dy / size

    def trimmed(self, by: float) -> Course:
        """Ending a little before its tip, so that the head is sharp."""
        dx, dy = self.direction()
        last = self.parts[-1]
        end = (last.p3[0] - dx * by, last.p3[1] - dy * by)
        return Course(*self.parts[:-1], Curve(last.p0, last.p1, last.p2, end))

    def shortened(self, by: float, vertical: bool) -> Course:
        """Beginning that much later."""
        x, y = self.start
        start = (x, y + by) if vertical else (x + by, y)
        first = Curve.between(start, self.parts[0].p3, vertical)
        return Course(first, *self.parts[1:])


class Pen:
    """The rows of one frame, by layer name."""

    def __init__(self, theme: Theme, zoom: float) -> None:
        self.theme, self.zoom = theme, zoom
        self.rows: defaultdict[str, list[tuple[Any, ...]]] = defaultdict(list)
        self.readable = zoom >= READABLE
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
    ) -> None:
        if self.readable and text:
            points = f"{round(size * self.zoom, 1):g}px"
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


def pill_inset(dy: float, radius: float = PILL_H / 2) -> float:
    """How far a pill's outline is from its end at a height off its middle."""
    return radius - math.sqrt(max(0.0, radius * radius - dy * dy))
