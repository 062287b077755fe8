"""A Jacobian row by row: what every one-hot vector given to a backward call has brought."""

from __future__ import annotations

from playground.edits import EditError, set_vector
from playground.state import index
from playground.trace import Trace, Value

from . import labels, numbers
from .frame import Frame
from .html import text

LIMIT = 8  # rows, and columns of one leaf
PROGRAMS = 8  # whose rows are kept
Rows = dict[int, dict[str, Value]]  # by row: a leaf's name and what was added to its .grad


class Sweep:
    """Rows from runs that differ in nothing but the vector of one call."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], Rows] = {}

    def note(self, trace: Trace) -> None:
        """Keep the rows a new run has brought."""
        for call in trace.calls:
            at = one_hot(call.gradients[0]) if len(call.gradients) == 1 else None
            key = _key(trace, call.line)
            if at is None or key is None or call.kind != "backward":
                continue
            added = {
                labels.tensor(trace, leaf): entry.added
                for leaf, history in sorted(index(trace).ledger.items())
                for entry in history.values
                if entry.call == call.number and entry.added is not None
            }
            self._known.setdefault(key, {})[at] = added
            while len(self._known) > PROGRAMS:
                del self._known[next(iter(self._known))]

    def rows(self, trace: Trace, line: int | None) -> Rows:
        key = _key(trace, line)
        return self._known.get(key, {}) if key is not None else {}


def one_hot(vector: Value) -> int | None:
    """Where the one is, in a vector of otherwise zeros."""
    data = vector.data or ()
    ones = [i for i, number in enumerate(data) if number]
    return ones[0] if 1 < len(data) <= LIMIT and len(ones) == 1 and data[ones[0]] == 1 else None


def _key(trace: Trace, line: int | None) -> tuple[str, int] | None:
    """The program without the vector."""
    if line is None:
        return None
    try:
        return set_vector(trace.source, line, "v").text, line
    except EditError:
        return None


def table(frame: Frame, found: Rows, root: str, count: int, current: int | None) -> str:
    """The rows so far, one for each element of the root; nothing before the first."""
    widths: dict[str, int] = {}
    for row in found.values():
        for name, value in row.items():
            if value.data is not None and 0 < len(value.data) <= LIMIT:
                widths[name] = len(value.data)
    if not widths:
        return ""
    heads = "".join(
        f"<th scope=col>{text(_element(name, k, size))}</th>"
        for name, size in widths.items()
        for k in range(size)
    )
    lines = "".join(
        f"<tr{' aria-current=true' if i == current else ''}>"
        f"<th scope=row>{text(_element(root, i, count))}</th>{_cells(found.get(i), widths)}</tr>"
        for i in range(count)
    )
    done = sum(i in found for i in range(count))
    title = text(frame.say("sweep.title", done=done, n=count))
    return (
        f'<table class="matrix sweep"><caption>{title}</caption>'
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{lines}</tbody></table>"
    )


def _element(name: str, k: int, count: int) -> str:
    return f"{name}[{k}]" if count > 1 else name


def _cells(row: dict[str, Value] | None, widths: dict[str, int]) -> str:
    cells = []
    for name, size in widths.items():
        value = row.get(name) if row is not None else None
        data = value.data if value is not None and value.data is not None else ("",) * size
        cells += [f"<td>{text(numbers.show(n)) if n != '' else '·'}</td>" for n in data]
    return "".join(cells)
