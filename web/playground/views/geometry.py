"""Curves and points of drawn things."""

from __future__ import annotations

import math
from itertools import pairwise

from .measures import NODE_W, PILL_H, SUM_W

Point = tuple[float, float]
HALF = NODE_W / 2


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
        return cls(*(Curve.between(one, two, vertical) for one, two in pairwise(stops)))

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


def pill_inset(dy: float, radius: float = PILL_H / 2) -> float:
    """How far a pill's outline is from its end at a height off its middle."""
    return radius - math.sqrt(max(0.0, radius * radius - dy * dy))


def flat_inset(dx: float) -> float:
    """How far a pill's outline is from its upper edge at a distance off its middle."""
    beyond = abs(dx) - (HALF - PILL_H / 2)
    return pill_inset(beyond) if beyond > 0 else 0.0


def triangle(tip: Point, direction: Point, size: float) -> list[Point]:
    x, y = tip
    dx, dy = direction
    bx, by = x - dx * size, y - dy * size
    w = size * 0.62
    return [(x, y), (bx - dy * w, by + dx * w), (bx + dy * w, by - dx * w)]


def into_sum(start: Point, middle: Point, vertical: bool) -> Course:
    """From a pill into a reduction: from the side when there is room, else from above or below."""
    x, y = middle
    if vertical:
        return Course.between(start, (x, y + 12), True)
    if start[0] - (x + SUM_W / 2) > 40 or abs(start[1] - y) < 36:
        return Course.between(start, (x + SUM_W / 2, y), False)
    edge = y - 13 if start[1] < y else y + 13
    curve = Curve(start, (x, start[1]), (x, start[1] + (edge - start[1]) * 0.3), (x, edge))
    return Course(curve)
