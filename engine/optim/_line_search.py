"""A line search for the strong Wolfe conditions.

Nocedal and Wright, "Numerical Optimization" (2006), algorithms 3.5 and 3.6: first a bracket that
must hold a good length, then shorter and shorter brackets, each guess the minimum of a cubic.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = Any
ENOUGH_DECREASE = 1e-4
FLAT_ENOUGH = 0.9
TOLERANCE = 1e-9


@dataclass
class Point:
    """A length that was tried."""

    length: float
    loss: float
    grad: Array
    slope: float


Result = tuple[float, Array, float, int]


def strong_wolfe(
    evaluate: Callable[[float], tuple[float, Array]],
    direction: Array,
    loss: float,
    grad: Array,
    slope: float,
    length: float,
    limit: int,
) -> Result:
    """Return loss, gradient and length at the point found, and how often the loss was computed.

    `evaluate(length)` returns loss and gradient there; `slope` is the derivative at length 0.
    """
    search = _Search(evaluate, direction, Point(0.0, loss, grad, slope), limit)
    return search.run(length)


class _Search:
    def __init__(self, evaluate: Any, direction: Array, start: Point, limit: int) -> None:
        self._evaluate = evaluate
        self._direction = direction
        self._start = start
        self._limit = limit
        self._calls = 0
        self._rounds = 0

    def _try(self, length: float) -> Point:
        self._calls += 1
        loss, grad = self._evaluate(length)
        return Point(length, loss, grad, float(grad.dot(self._direction)))

    def _too_high(self, point: Point) -> bool:
        allowed = self._start.loss + ENOUGH_DECREASE * point.length * self._start.slope
        return point.loss > allowed

    def _is_flat(self, point: Point) -> bool:
        return abs(point.slope) <= -FLAT_ENOUGH * self._start.slope

    def run(self, length: float) -> Result:
        """Bracket, then narrow the bracket."""
        bracket = self._bracket(length)
        point = self._narrow(bracket) if len(bracket) == 2 else bracket[0]
        return point.loss, point.grad, point.length, self._calls

    def _bracket(self, length: float) -> list[Point]:
        """Return one good point, or two with a good one between them."""
        before, point = self._start, self._try(length)
        while self._rounds < self._limit:
            if self._too_high(point) or (self._rounds > 1 and point.loss >= before.loss):
                return [before, point]
            if self._is_flat(point):
                return [point]
            if point.slope >= 0:
                return [before, point]
            least = point.length + 0.01 * (point.length - before.length)
            guess = cubic_minimum(before, point, (least, point.length * 10))
            before, point = point, self._try(guess)
            self._rounds += 1
        return [self._start, point]

    def _narrow(self, bracket: list[Point]) -> Point:
        low, high = (
            sorted(bracket, key=lambda p: p.loss) if bracket[0].loss > bracket[1].loss else bracket
        )
        size = np.abs(self._direction).max()
        stalled = False
        while self._rounds < self._limit:
            if abs(high.length - low.length) * size < TOLERANCE:
                break
            guess, stalled = _pull_inside(cubic_minimum(low, high), low, high, stalled)
            point = self._try(guess)
            self._rounds += 1
            if self._too_high(point) or point.loss >= low.loss:
                high = point
                if low.loss > high.loss:
                    low, high = high, low
                continue
            if self._is_flat(point):
                return point
            if point.slope * (high.length - low.length) >= 0:
                high = low
            low = point
        return low


def _pull_inside(guess: float, low: Point, high: Point, stalled: bool) -> tuple[float, bool]:
    """Keep a guess off the ends of the bracket, the second time it comes near one."""
    left, right = sorted((low.length, high.length))
    margin = 0.1 * (right - left)
    if min(right - guess, guess - left) >= margin:
        return guess, False
    if stalled or guess >= right or guess <= left:
        nearer_right = abs(guess - right) < abs(guess - left)
        return (right - margin if nearer_right else left + margin), False
    return guess, True


def cubic_minimum(a: Point, b: Point, bounds: tuple[float, float] | None = None) -> float:
    """Return where the cubic through two points with their slopes is least, within bounds."""
    least, most = bounds or sorted((a.length, b.length))
    if a.length == b.length:
        return a.length
    left, right = (a, b) if a.length <= b.length else (b, a)
    bend = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.length - b.length)
    square = bend * bend - a.slope * b.slope
    if not square >= 0:
        return (least + most) / 2.0
    root = square**0.5
    fraction = (right.slope + root - bend) / (right.slope - left.slope + 2 * root)
    return float(min(max(right.length - (right.length - left.length) * fraction, least), most))
