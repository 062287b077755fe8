"""What is shown right now: the run, the cursor, and everything the learner chose to see of it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from copy import copy
from typing import Any

from playground.layout import Solve
from playground.state import State, state_at, stops
from playground.trace import Trace
from playground.words import LANGUAGES, speaker

from . import labels
from .arranger import Arranger, scale
from .camera import Camera
from .frame import SIZES, Frame, Selection, Size
from .geometry import HALF
from .layered import solve as layered
from .measures import LEAF_H, NODE_W, OVERVIEW, PILL_H, PLATE_H
from .plan import Plan
from .spots import Box
from .theme import THEMES

EMPTY = Trace("", 0, (), (), (), (), "", None)
Window = tuple[float, float, float, float]


class Desk:
    """Changes by its methods only; `frame`, `plan` and `camera` say what to draw."""

    def __init__(self, solve: Solve = layered) -> None:
        self.arranger = Arranger(solve)
        self.trace = EMPTY
        self.cursor = 0
        self.language, self.theme, self.layout = "en", "light", "desktop"
        self.sizes: Mapping[str, Size] = dict(SIZES)
        self.selection: Selection | None = None
        self.leaf: int | None = None
        self.element: int | None = None
        self.step_size = "operation"
        self.extra: dict[str, Any] = {}
        self.focus = ""
        self.table_open = False
        self.flipped: bool | None = None  # the learner's own choice: top down or not
        self.opened: frozenset[str] = frozenset()
        self.closed: frozenset[str] = frozenset()
        self.camera = Camera()
        self.window_of: Callable[[], Window] | None = None
        self._drawn: tuple[Any, ...] | None = None
        self._before = 0  # where the cursor was before it moved
        self._stops: tuple[Trace, dict[str, list[int]]] = EMPTY, stops(EMPTY)

    # what to draw

    def state(self) -> State:
        return state_at(self.trace, self.cursor)

    def frame(self) -> Frame:
        return Frame(
            self.state(),
            speaker(self.language),
            self.language,
            THEMES[self.theme],
            self.layout,
            self.sizes,
            self.selection,
            self.leaf,
            self.element,
            self.step_size,
            self.extra,
        )

    def plan(self) -> Plan:
        """The graph's plan at the cursor."""
        hand = self.flipped, self.opened, self.closed
        return self.arranger.plan(self.trace, self.cursor, self.sizes["graph"], *hand)

    def stale(self) -> bool:
        return self._drawn != self.signature()

    def shown(self) -> None:
        self._drawn = self.signature()

    def signature(self) -> tuple[Any, ...]:
        """All that what is drawn depends on."""
        return (
            id(self.trace),
            self.cursor,
            self.language,
            self.theme,
            self.layout,
            tuple(self.sizes.items()),
            self.selection,
            self.leaf,
            self.element,
            self.step_size,
            repr(self.extra),
            self.focus,
            self.table_open,
            self.flipped,
            self.opened,
            self.closed,
            self.camera,
        )

    # changes

    def load(self, trace: Trace, keep: bool) -> None:
        """Show another run; `keep` puts the cursor at the step that matches the one before."""
        old, at, before = self.trace, self.cursor, self.plan().spots.keys()
        name = labels.tensor(old, self.leaf) if self.leaf is not None else None
        self.trace = trace
        self.cursor = matching(old, at, trace) if keep else len(trace.steps)
        self.selection, self.focus, self.element = None, "", None
        self.extra = {key: value for key, value in self.extra.items() if key == "asked"}
        found = labels.with_grad(trace)
        same = [tensor.id for tensor in found if (tensor.name or tensor.expression) == name]
        first = [tensor.id for tensor in found if tensor.id in {s.tensor for s in trace.steps}]
        self.leaf = (same or first or [None])[0]
        if self.camera.fitted or before != self.plan().spots.keys():
            self.fit()

    def goto(self, step: int) -> None:
        """Move the cursor; what was picked by hand gives way to the step's own node."""
        self._before = self.cursor
        self.cursor = max(0, min(step, len(self.trace.steps)))
        self.selection = None
        self.extra.pop("why", None)
        self.extra.pop("ended", None)  # this is a look at the run before
        now = self.state().step
        if now is not None and now.kind in ("write", "zero", "none") and now.tensor is not None:
            leaf = labels.with_ledger(self.state(), now.tensor)
            if leaf is not None and leaf != self.leaf:
                self.leaf, self.element = leaf, None
        self.look_at_step()

    def following(self) -> Desk | None:
        """A desk whose cursor has moved on as it did the last time; None where it did not step."""
        if self._stops[0] is not self.trace:
            self._stops = self.trace, stops(self.trace)
        for size in (self.step_size, "message"):
            every = self._stops[1][size]
            here, before = _place(every, self.cursor), _place(every, self._before)
            if here is None or before is None or abs(here - before) != 1:
                continue
            there = here + (here - before)
            if not 0 <= there < len(every):
                return None
            other = copy(self)
            other.extra = dict(self.extra)
            other.goto(every[there])
            return other
        return None

    def look_at_step(self) -> None:
        """Pan only if the step's node is out of sight."""
        from .scene import ring_of

        self._bring(ring_of(self.plan(), self.frame())[0])

    def look_at(self, tensor: int) -> None:
        """Pan only if the node that shows a tensor is out of sight."""
        made = self.state().recorder(tensor)
        made = self.trace.tensors[tensor].op if made is None else made
        self._bring(self.plan().of_leaf(tensor) or self.plan().of_op(made))

    def _bring(self, key: str) -> None:
        spot = self.plan().spots.get(key)
        if spot is None:
            return
        tall = LEAF_H if key in self.plan().leaves else PILL_H
        wide = 2 * NODE_W + 10 if spot.vertical else NODE_W
        high = tall if spot.vertical else tall + PLATE_H + 6
        box = (spot.cx - HALF, spot.cy - tall / 2, wide, high)
        plan = self.plan()
        content = (plan.x, plan.y, plan.width, plan.height)
        self.camera = self.camera.showing(box, self.sizes["graph"], content)

    def surround(self, given: Mapping[str, Any]) -> None:
        """Language, theme and room, as far as they are given."""
        if given.get("language") in LANGUAGES:
            self.language = given["language"]
        if given.get("theme") in THEMES:
            self.theme = given["theme"]
        room = given.get("viewport")
        if isinstance(room, Mapping):
            self.layout = room.get("layout", self.layout)
            sizes = {
                name: (float(box["width"]), float(box["height"]))
                for name, box in room.items()
                if isinstance(box, Mapping) and box.get("width") and box.get("height")
            }
            self.sizes = {**self.sizes, **sizes}
            if self.camera.fitted:
                self.fit()

    def fit(self, whole: bool = False) -> None:
        plan, panel = self.plan(), self.sizes["graph"]
        content = (plan.x, plan.y, plan.width, plan.height)
        whole = whole or scale(content, panel) >= OVERVIEW
        self.camera = Camera.fit(content, panel, whole)
        self.look_at_step()

    def zoom(self, factor: float) -> None:
        self.camera = self.camera.zoomed(factor, self.sizes["graph"])

    def flip(self) -> None:
        self.flipped = not self.plan().vertical
        self.fit()

    def window(self) -> Box:
        """What is drawn: what is seen, and a little around it.

        Its corner moves by quarters of the window: a pan by a few pixels draws nothing new.
        """
        seen, panel = self.camera, self.sizes["graph"]
        dx, dy = panel[0] / seen.zoom / 4, panel[1] / seen.zoom / 4
        return (seen.left // dx - 1) * dx, (seen.top // dy - 1) * dy, 7 * dx, 7 * dy

    def window_moved(self) -> None:
        """The page has panned or zoomed by itself: believe the figure.

        Ends of ranges come one by one; between them the two zooms differ, and that is no picture.
        """
        if self.window_of is None:
            return
        left, top, width, height = self.window_of()
        room, seen = self.sizes["graph"], self.camera
        if width <= 0 or height <= 0 or abs(room[0] / width * height / room[1] - 1) > 1e-3:
            return
        zoom = room[0] / width
        if abs(zoom - seen.zoom) < 1e-3 * zoom:
            zoom = seen.zoom
        if zoom != seen.zoom or max(abs(left - seen.left), abs(top - seen.top)) > 0.01:
            self.camera = Camera(left, top, zoom, False)


def _place(every: list[int], cursor: int) -> int | None:
    """Where a cursor is among those a step size stops at."""
    at = bisect_left(every, cursor)
    return at if at < len(every) and every[at] == cursor else None


def matching(old: Trace, cursor: int, new: Trace) -> int:
    """The cursor in a new run that matches one of an old run, else the nearest before."""
    if not 0 < cursor <= len(old.steps):
        return min(cursor, len(new.steps))
    if cursor == len(old.steps):
        return len(new.steps)
    places: dict[tuple[Any, ...], int] = {}
    for step, key in zip(new.steps, _keys(new), strict=True):
        places[key] = step.index
    before = list(_keys(old))[:cursor]
    for key in reversed(before):
        if key in places:
            return places[key]
    return 0


def _keys(trace: Trace) -> list[tuple[Any, ...]]:
    """A name for every step that survives small edits: kind, what it is about, how many-th."""
    seen: dict[tuple[Any, ...], int] = {}
    keys = []
    for step in trace.steps:
        op = trace.ops[step.op].op if step.op is not None else None
        about = (step.kind, step.call, op, labels.step(trace, step))
        seen[about] = seen.get(about, 0) + 1
        keys.append((*about, seen[about]))
    return keys
