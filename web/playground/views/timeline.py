"""The time line: a lane for the forward pass and one for every backward call, a tick per step.

Ticks stand at equal distances, one for every stop of the step size (freed tensors have theirs only
among messages), so that the page's slider can lie over them.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from playground.state import stops
from playground.trace import Call, Step, Trace

from . import labels, ticks
from .canvas import Sheet
from .frame import Frame
from .writing import cut_mono, mono_width

MARGINS = {"desktop": (124.0, 28.0), "tablet": (124.0, 28.0), "embed": (16.0, 16.0)}
PHONE = (24.0, 24.0)
ROOM = 44  # px a step, from which labels are drawn
CROWDED = 9  # px a step, below which shapes give way to strokes
TALL = frozenset({"write", "zero", "none", "call"})
LANES = 3  # lanes at once; more scroll with the cursor

NAMES = [
    "axes",
    "dense",
    "band",
    "picked",
    "holes",
    "rounded",
    "dotted",
    "circles",
    "polygons",
    "strokes",
    "words",
    "labels",
    "bubble",
    "count",
]


def margins(layout: str) -> tuple[float, float]:
    """Room left of the first tick and right of the last one."""
    return MARGINS.get(layout, PHONE)


class Timeline:
    """The figure; `show` draws a frame."""

    def __init__(self) -> None:
        self.sheet = sheet = Sheet("view-timeline", 991, 120)
        self.root = sheet.plot
        self.axes = sheet.segments()
        self.dense = sheet.segments()
        self.band = sheet.boxes(6)
        self.picked = sheet.circles()
        self.holes = sheet.circles()
        self.rounded = sheet.boxes(2)
        self.dotted = sheet.boxes(0, "2 2")
        self.circles = sheet.circles()
        self.polygons = sheet.polygons()
        self.strokes = sheet.strokes()
        self.words = sheet.texts("sans")
        self.labels = sheet.texts("mono")
        self.bubble = sheet.boxes(9)
        self.count = sheet.texts("sans")

    def show(self, frame: Frame) -> None:
        """Draw the run up to the frame's cursor."""
        width, height = frame.size("timeline")
        self.sheet.prepare(width, height, frame.theme.bg)
        self.sheet.look(0, 0, width, height)
        for name, rows in prepare(frame).layers.items():
            getattr(self, name).show(rows)


def prepare(frame: Frame) -> Drawing:
    """The frame's rows, worked out once."""
    return frame.once("timeline", lambda: Drawing(frame, *frame.size("timeline")))


class Drawing:
    """The rows of every layer for one frame."""

    def __init__(self, frame: Frame, width: float, height: float) -> None:
        self.frame, self.trace, self.theme = frame, frame.trace, frame.theme
        self.width, self.height = width, height
        self.layers: dict[str, list[tuple[Any, ...]]] = {name: [] for name in NAMES}
        self.slots = slots(self.trace, frame.step_size)
        self.count = len(self.slots)
        self.left, self.right = margins(frame.layout)
        span = width - self.left - self.right
        self.gap = span / (self.count - 1) if self.count > 1 else span
        self.labelled = frame.layout in ("desktop", "tablet")
        if self.count:
            self._lanes()
            self._cursor()
            self._picked()
            self._ticks()

    def x(self, step: int) -> float:
        """Of the step's own place, or of the one before when it has none."""
        return self.left + max(0, bisect_right(self.slots, step) - 1) * self.gap

    def y(self, lane: int) -> float:
        return self.ys[lane]

    def lane(self, step: Step) -> int:
        """Which lane a step lies in: 0 is the forward pass."""
        if self.frame.layout == "embed" or step.call is None:
            return 0
        return self.order.get(step.call, 0)

    def _lanes(self) -> None:
        calls = [] if self.frame.layout == "embed" else [c.number for c in self.trace.calls]
        self.order = {call: i + 1 for i, call in enumerate(calls)}
        self.lanes = 1 + len(calls)
        visible = [0, *self._window()]
        top = 24.0
        each = (self.height - top - 4) / len(visible)
        self.under = 22 if each > 40 else 17
        lift = (7 if each > 40 else 5) if self.labelled else 0
        self.ys = {lane: top + each * (k + 0.5) - lift for k, lane in enumerate(visible)}
        for lane in visible:
            self._axis(lane)

    def _window(self) -> range:
        """The backward lanes shown: all, or the page of them the cursor is in."""
        if self.lanes <= LANES:
            return range(1, self.lanes)
        step = self.frame.state.step
        call = step.call if step else None
        if call is None:  # the last call begun, so that the page stays while the program goes on
            begun = [s.call for s in self.trace.steps[: self.frame.cursor] if s.call is not None]
            call = begun[-1] if begun else None
        current = self.order.get(call, 1) if call is not None else 1
        first = 1 + (current - 1) // (LANES - 1) * (LANES - 1)
        first = min(first, self.lanes - (LANES - 1))
        return range(first, first + LANES - 1)

    def _axis(self, lane: int) -> None:
        y, theme = self.ys[lane], self.theme
        last = self.slots[-1]
        self.layers["axes"].append((self.x(1), y, self.x(last), y, theme.line, 1, "", 1))
        number = next((number for number, place in self.order.items() if place == lane), 0)
        span = self.frame.state.index.calls.get(number)
        if span is not None:
            ends = self.x(span.first), y, self.x(span.last), y
            self.layers["axes"].append((*ends, theme.edge, 1, "", 1))
        if not self.labelled:
            return
        text = self.frame.say("time.forward")
        if lane:
            text = self._title(self.trace.calls[number - 1])
        self.layers["words"].append((16, y + 4, text, "12px", "normal", "left", theme.ink2))

    def _title(self, call: Call) -> str:
        """By its line; by its number where a line calls again and again."""
        say = self.frame.say
        if sum(other.line == call.line for other in self.trace.calls) > 1:
            return f"{say('ledger.call', n=call.number)} · {say('graph.line', line=call.line)}"
        return say("time.backward" if call.kind == "backward" else "time.grad", line=call.line)

    def _cursor(self) -> None:
        step = self.frame.state.step
        if step is None:
            return
        x, theme = self.x(step.index), self.theme
        self.layers["band"].append(
            (x, 22 + (self.height - 26) / 2, 44, self.height - 26, theme.accent, None, 0, 0.07)
        )
        lane = self.lane(step)
        if lane in self.ys:
            self.layers["axes"].append((x, 20, x, self.y(lane) - 9, theme.accent, 1.5, "", 1))
        self.layers["bubble"].append((x, 12, 30, 18, theme.accent, None, 0, 1))
        self.layers["count"].append(
            (x, 16, str(step.index), "12px", "bold", "center", theme.on_accent)
        )

    def _picked(self) -> None:
        """A ring round the tick of what the learner picked."""
        chosen, index = self.frame.selection, self.frame.state.index
        if chosen is None:
            return
        at = {"op": index.done, "tensor": index.born}.get(chosen.what, {}).get(chosen.index)
        at = chosen.index if chosen.what in ("message", "write") else at
        if at is None or at == self.frame.cursor:
            return
        lane = self.lane(self.trace.steps[at - 1])
        if lane in self.ys:
            row = (self.x(at), self.ys[lane], 11, None, self.theme.accent, 2, 1)
            self.layers["picked"].append(row)

    def _ticks(self) -> None:
        if self.gap < CROWDED:
            self._strokes()
        for step in self._shaped():
            lane = self.lane(step)
            current = step.index == self.frame.cursor
            if lane not in self.ys or self._hidden(step, current):
                continue
            x, y = self.x(step.index), self.ys[lane]
            ticks.draw(self.layers, self.theme, step.kind, x, y, self._state(step))
            if self.labelled and (current or self.gap >= ROOM):
                self._label(step, x, y + self.under, current)

    def _shaped(self) -> list[Step]:
        """The steps that have a tick of their own shape: all, or where it is crowded the few."""
        if self.gap >= CROWDED:
            return list(self.trace.steps)
        last = self.trace.steps[-1]
        few = [last] if last.kind == "error" else []
        current = self.frame.state.step
        return few if current is None or current in few else [*few, current]

    def _strokes(self) -> None:
        """Where it is crowded: a stroke a pixel, the same ones at every cursor."""
        key = (self.frame.step_size, self.frame.layout, self.width, tuple(self.ys.items()))
        if not (_dense and _dense[0][0] is self.trace and _dense[0][1] == key):
            _dense[:] = [(self.trace, key, self._dense_strokes())]
        cursor, dense = self.frame.cursor, self.layers["dense"]
        past, coming = (self.theme.ink2, 1.5, "", 1), (self.theme.edge, 0.75, "", 1)
        for step, stroke in _dense[0][2]:
            dense.append((*stroke, *(past if step <= cursor else coming)))

    def _dense_strokes(self) -> list[Stroke]:
        seen: set[tuple[int, int]] = set()
        strokes: list[Stroke] = []
        for step in self.trace.steps:
            lane = self.lane(step)
            x = self.x(step.index)
            place = (lane, int(x))
            if lane not in self.ys or place in seen:
                continue
            seen.add(place)
            y, tall = self.ys[lane], 9 if step.kind in TALL else 5
            strokes.append((step.index, (x, y - tall, x, y + tall)))
        return strokes

    def _hidden(self, step: Step, current: bool) -> bool:
        return step.kind == "freed" and self.frame.step_size != "message" and not current

    def _state(self, step: Step) -> str:
        if step.index == self.frame.cursor:
            return "now"
        return "past" if step.index < self.frame.cursor else "next"

    def _label(self, step: Step, x: float, y: float, current: bool) -> None:
        theme = self.theme
        past = theme.ink2 if step.index < self.frame.cursor else theme.ink3
        room = max(ROOM, self.gap) - 8
        text = labels.step(self.trace, step)
        if mono_width(text) > room:
            text = cut_mono(text.replace(" ", ""), room)
        x = min(x, self.width - mono_width(text) / 2 - 2)
        color = theme.accent if current else past
        self.layers["labels"].append((x, y, text, "11px", "normal", "center", color))


def slots(trace: Trace, size: str) -> list[int]:
    """The steps that have a place of their own on the axis; kept for the last few runs."""
    size = "message" if size == "message" else "operation"
    for known, kept, found in _slots:
        if known is trace and kept == size:
            return found
    found = [step for step in stops(trace)[size] if step]
    _slots.append((trace, size, found))
    del _slots[:-4]
    return found


Stroke = tuple[int, tuple[float, float, float, float]]  # step, and a line's two ends
_dense: list[tuple[Trace, tuple[Any, ...], list[Stroke]]] = []
_slots: list[tuple[Trace, str, list[int]]] = []
