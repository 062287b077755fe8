"""Where nodes and edges of the graph go: data in, data out, for a whole run and never for a cursor.

`layout(trace, solve)` chooses what is drawn (sketch.py), folds what would be too much (fold.py) and
arranges it (arrange.py). The layered layout itself is the dagre library's: `solve` takes its input
as JSON text and returns its answer as JSON text (web/shell/dagre-layout.js).
"""

from __future__ import annotations

from playground.layout.arrange import arrange
from playground.layout.fold import Fold, Passes, fold, loops_of
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
) -> Layout:
    """Arrange a run's graph, left to right ("LR") or top down ("TB").

    `opened` and `closed` are keys of folds the learner unfolded or folded. Nodes that `previous`
    has too stay where they are when that is possible. `passes` says which pass of a loop is drawn
    when the others are folded.
    """
    drawing = fold(trace, sketch(trace), opened, closed, limit, passes)
    return arrange(trace, drawing, solve, orientation, previous)
