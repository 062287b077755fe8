"""A loss of two numbers: which they are, the way they went, and where to ask for the loss.

The numbers are the elements of the leaves that a line's backward calls write gradients to; the way
goes from call to call of that line. What the loss is elsewhere only the program itself can tell:
see Note [Losses by running again] in session/losses.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from playground.state import State, index
from playground.trace import Trace, Value

GRID, COARSE = 17, 9  # points to a side; the latter where much is computed before the call
LONG = 400  # steps before the call that count as much
MARGIN = 0.35  # of the way's extent, round about it

Place = tuple[int, int]  # tensor id, element


@dataclass(frozen=True, slots=True)
class Descent:
    """Two places, and the step and numbers of every call of one line."""

    line: int
    call: int  # the first one of that line
    places: tuple[Place, Place]
    names: tuple[str, str]  # as the program would write them: "w", "p[1]"
    way: tuple[tuple[int, float, float], ...]  # step, and the two numbers then
    low: tuple[float, float]
    high: tuple[float, float]
    count: int  # points to a side of the grid

    def grid(self) -> list[tuple[float, float]]:
        """The points the loss is asked for: rows by the second number, from low to high."""
        along, across = (self._ticks(i) for i in (0, 1))
        return [(a, b) for b in across for a in along]

    def _ticks(self, axis: int) -> list[float]:
        low, high, last = self.low[axis], self.high[axis], self.count - 1
        return [low + (high - low) * k / last for k in range(self.count)]


_known: list[tuple[Trace, Descent | None]] = []


def descent(trace: Trace) -> Descent | None:
    """The first loss of exactly two numbers in a run; remembered for the last few runs."""
    for known, found in _known:
        if known is trace:
            return found
    made = _find(trace)
    _known.append((trace, made))
    del _known[:-4]
    return made


def now(state: State, found: Descent) -> tuple[float, float] | None:
    """The two numbers at the cursor; None before they are there."""
    if not all(state.exists(tensor) for tensor, _ in found.places):
        return None
    numbers = [_element(state.value(tensor), element) for tensor, element in found.places]
    return (numbers[0], numbers[1]) if all(map(math.isfinite, numbers)) else None


def question(trace: Trace, call: int, places: Any, points: list[Any]) -> dict[str, Any]:
    """The page's question to the runner: a call's loss with other numbers at these places."""
    tensors = {tensor for tensor, _ in places}
    lines = {trace.tensors[tensor].line for tensor in tensors}
    lines |= {s.line for s in trace.steps if s.kind == "inplace" and s.tensor in tensors}
    return {
        "type": "losses",
        "call": call,
        "lines": sorted(line for line in lines if line is not None),
        "places": [[trace.tensors[tensor].name, element] for tensor, element in places],
        "points": points,
    }


def _find(trace: Trace) -> Descent | None:
    written: dict[int, dict[int, None]] = {}
    for step in trace.steps:
        if step.kind == "write" and step.call is not None and step.tensor is not None:
            written.setdefault(step.call, {})[step.tensor] = None
    for call, leaves in written.items():
        places = [(leaf, k) for leaf in leaves for k in range(math.prod(trace.tensors[leaf].shape))]
        line = trace.calls[call - 1].line
        named = all(trace.tensors[leaf].name for leaf in leaves)
        if len(places) == 2 and named and line is not None and trace.calls[call - 1].roots:
            places.sort()
            return _follow(trace, line, call, (places[0], places[1]))
    return None


def _follow(trace: Trace, line: int, call: int, places: tuple[Place, Place]) -> Descent | None:
    known = index(trace)
    spans = known.calls
    steps = [spans[c.number].first for c in trace.calls if c.line == line and c.number in spans]
    last = max(known.values[tensor].steps[-1] for tensor, _ in places)
    if last > steps[-1]:
        steps.append(last)
    way = []
    for step in steps:
        found = [known.values[tensor].at(step) for tensor, _ in places]
        numbers = [
            _element(each[0], element) if each else math.nan
            for each, (_, element) in zip(found, places, strict=True)
        ]
        if all(map(math.isfinite, numbers)):
            way.append((step, numbers[0], numbers[1]))
    if not way:
        return None
    ends = [_extent([point[axis] for point in way]) for axis in (1, 2)]
    count = GRID if spans[call].first <= LONG else COARSE
    names = tuple(_name(trace, place) for place in places)
    low, high = (ends[0][0], ends[1][0]), (ends[0][1], ends[1][1])
    return Descent(line, call, places, (names[0], names[1]), tuple(way), low, high, count)


def _extent(numbers: list[float]) -> tuple[float, float]:
    """From where to where an axis goes: round about the way, and never no room at all."""
    low, high = min(numbers), max(numbers)
    room = max((high - low) * MARGIN, 0.25 * max(abs(low), abs(high)), 0.5)
    return low - room, high + room


def _element(value: Value, element: int) -> float:
    return float(value.data[element]) if value.data is not None else math.nan


def _name(trace: Trace, place: Place) -> str:
    tensor = trace.tensors[place[0]]
    if math.prod(tensor.shape) == 1:
        return tensor.name or ""
    return f"{tensor.name}[{place[1]}]"
