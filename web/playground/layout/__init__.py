"""Where nodes and edges of the graph go: data in, data out, for a whole run and never for a cursor.

`layout(trace, solve)` chooses what is drawn (sketch.py), folds what would be too much (fold.py) and
arranges it (arrange.py; tight.py where a graph has to fit). The layered layout itself is the dagre
library's: `solve` takes its input as JSON text and returns its answer as JSON text
(web/shell/dagre-layout.js).
"""

from __future__ import annotations

from playground.layout.arrange import arrange
from playground.layout.fold import Fold, Outline, Passes, fold, loops_of, outline
from playground.layout.places import Layout, Line, Place, Region, Solve
from playground.layout.sketch import sketch
from playground.trace import Trace

__all__ = [
    "Fold",
    "Layout",
    "Line",
    "Passes",
    "Place",
    "Region",
    "Solve",
    "layout",
    "loops_of",
]

LIMIT = 60  # drawn nodes above which folding begins


def layout(
    trace: Trace,
    solve: Solve,
    *,
    orientation: str = "LR",
    opened: frozenset[str] = frozenset(),
    closed: frozenset[str] = frozenset(),
    previous: Layout | None = None,
    limit: int = LIMIT,
    passes: Passes = (),
    once: bool = False,
    narrow: bool = False,
) -> Layout:
    """Arrange a run's graph, left to right ("LR") or top down ("TB").

    `opened` and `closed` are keys of folds the learner unfolded or folded. Nodes that `previous`
    has too stay where they are when that is possible. `passes` says which pass of a loop is drawn
    when the others are folded; with `once` they are, however few. `narrow` takes as little room
    across the flow as it can.
    """
    drawing = fold(_outlined(trace), opened, closed, limit, passes, once)
    return arrange(trace, drawing, solve, orientation, previous, narrow)


_recent: list[Outline] = []


def _outlined(trace: Trace) -> Outline:
    """The outline of a trace, remembered for the last one."""
    if not _recent or _recent[0].trace is not trace:
        _recent[:] = [outline(trace, sketch(trace))]
    return _recent[0]
