"""Which way a run's graph is drawn in a panel: orientation, folding, how narrow; its plans."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from playground.layout import Layout, Passes, Solve, layout, loops_of
from playground.trace import Trace

from .frame import Size
from .ground import extent
from .measures import OVERVIEW, READABLE
from .plan import Plan, build
from .spots import Box

FOLDING = ((60, False), (60, True), (32, True))  # limit of nodes, one pass of a loop; in turn
PLANS = 64  # kept of a run, one for every pass that has been looked at
SLIM = 800  # px of a panel, below which a graph that does not fit goes top down
BETTER = 1.25  # so much larger has a picture to be that is folded more
QUESTIONS = 16  # of layered layouts, remembered


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a choice was made for."""

    trace: Trace
    panel: Size
    flipped: bool | None
    opened: frozenset[str]
    closed: frozenset[str]

    def same(self, other: _Asked) -> bool:
        """Equality that does not compare whole runs."""
        mine = self.panel, self.flipped, self.opened, self.closed
        return self.trace is other.trace and mine == (
            other.panel,
            other.flipped,
            other.opened,
            other.closed,
        )


@dataclass(frozen=True, slots=True)
class View:
    """One way to draw a run's graph."""

    limit: int = FOLDING[0][0]
    once: bool = False
    way: str = "LR"
    narrow: bool = False


def views_for(flipped: bool | None, by_hand: bool) -> Iterator[View]:
    """What is tried in turn; a learner who folds by hand, or turned the graph, has decided that."""
    ways = ("LR", "TB") if flipped is None else ("TB",) if flipped else ("LR",)
    for limit, once in FOLDING[:1] if by_hand else FOLDING:
        for narrow in (False, True):
            yield from (View(limit, once, way, narrow) for way in ways)


class Arranger:
    """`plan` remembers what it made for the run that is shown."""

    def __init__(self, solve: Solve) -> None:
        self.solve = solve
        self._asked: _Asked | None = None
        self._view: View | None = None
        self._plans: dict[Passes, Plan] = {}
        self._layouts: dict[View, tuple[tuple[Any, ...], Layout]] = {}
        self._solved: dict[str, str] = {}
        self._loops: tuple[Trace | None, frozenset[str]] = None, frozenset()
        self._passes: tuple[int, Passes] = -1, ()

    @property
    def _run(self) -> _Asked:
        assert self._asked is not None
        return self._asked

    def plan(
        self,
        trace: Trace,
        cursor: int,
        panel: Size,
        flipped: bool | None = None,
        opened: frozenset[str] = frozenset(),
        closed: frozenset[str] = frozenset(),
    ) -> Plan:
        """The plan; made again only for another run, room, orientation, folding or pass."""
        key = _Asked(trace, panel, flipped, opened, closed)
        if self._asked is None or not key.same(self._asked):
            self._asked, self._view = key, None
            self._plans.clear()
        passes = self._passes_at(cursor)
        if passes not in self._plans:
            if len(self._plans) >= PLANS:
                self._plans.clear()
            if self._view is None:  # how a run is arranged does not depend on the pass
                self._view = self._choose(passes)
            self._plans[passes] = build(trace, self._layout(self._view, passes), panel)
        return self._plans[passes]

    def _passes_at(self, cursor: int) -> Passes:
        """The pass each loop was last in: the one drawn when the others are folded."""
        trace = self._run.trace
        if self._loops[0] is not trace:
            every = {loop for op in trace.ops for loop, _ in loops_of(op.group)}
            self._loops = trace, frozenset(every)
            self._passes = -1, ()
        if self._passes[0] != cursor:
            found: dict[str, str] = {}
            for step in reversed(trace.steps[:cursor]):
                if len(found) == len(self._loops[1]):
                    break
                if step.op is not None:
                    for loop, part in loops_of(trace.ops[step.op].group):
                        found.setdefault(loop, part)
            self._passes = cursor, tuple(sorted(found.items()))
        return self._passes[1]

    def _choose(self, passes: Passes) -> View:
        """The first view that fits at 75 %; else the largest as a whole; else one to pan along."""
        asked, panel = self._run, self._run.panel
        views = list(views_for(asked.flipped, bool(asked.opened or asked.closed)))
        size: dict[View, Box] = {}
        best = views[0]
        for view in views:
            size[view] = extent(asked.trace, self._layout(view, passes), panel)
            if scale(size[view], panel) >= READABLE:
                return view
            folds_more = (view.limit, view.once) != (best.limit, best.once)
            least = goodness(size[best], panel) * (BETTER if folds_more else 1.0)
            if goodness(size[view], panel) > least:
                best = view
        if scale(size[best], panel) >= OVERVIEW:
            return best
        if panel[0] < SLIM:  # rather scroll down than run out at both sides
            down = [v for v in views if v.way == "TB" and size[v][2] * READABLE <= panel[0]]
            return down[0] if down else best
        level = [v for v in views if v.way == "LR" and size[v][3] * READABLE <= panel[1]]
        return level[-1] if level else best

    def _layout(self, view: View, passes: Passes) -> Layout:
        """The run's layout, kept while the run and the folding stay; steady from run to run."""
        asked = self._run
        key = (id(asked.trace), asked.opened, asked.closed, passes)
        known = self._layouts.get(view)
        if known is None or known[0] != key:
            made = layout(
                asked.trace,
                self._solve,
                orientation=view.way,
                opened=asked.opened,
                closed=asked.closed,
                previous=known[1] if known else None,
                limit=view.limit,
                passes=passes,
                once=view.once,
                narrow=view.narrow,
            )
            known = self._layouts[view] = key, made
        return known[1]

    def _solve(self, question: str) -> str:
        """The layered layout; views of a run often ask for the same one."""
        if question not in self._solved:
            if len(self._solved) >= QUESTIONS:
                self._solved.clear()
            self._solved[question] = self.solve(question)
        return self._solved[question]


def scale(content: Box, panel: Size) -> float:
    """The zoom at which all of it fits, at most 1."""
    return min(1.0, panel[0] / max(1.0, content[2]), panel[1] / max(1.0, content[3]))


def goodness(content: Box, panel: Size) -> float:
    """The zoom at which all of it fits; of two that are the same, the one with less room counts."""
    return scale(content, panel) + min(1.0, 1e5 / (content[2] * content[3] + 1)) / 10
