"""The run that was pinned, beside the one that is shown: marks in the graph, and a table."""

from __future__ import annotations

from playground.compare import Change, changes
from playground.state import State, state_at
from playground.trace import Trace, Value

from . import labels, numbers
from .desk import Desk, matching
from .frame import Frame
from .geometry import HALF
from .html import text
from .ledger_data import Ghost, columns
from .measures import LEAF_H, PILL_H
from .scene import Scene

ROOM = 16


class Pin:
    """A run kept for comparison; it stays while other runs come and go."""

    def __init__(self) -> None:
        self.trace: Trace | None = None
        self.count = 0  # of the pinning, so that the desk knows when to draw again

    def toggle(self, trace: Trace) -> None:
        """Keep this run, or let go of the one that is kept."""
        self.trace = None if self.trace is not None else trace
        self.count += 1

    def tell(self, desk: Desk) -> None:
        """Make what is drawn depend on it."""
        desk.extra["pin"] = self.count if self.trace is not None else None

    def state(self, frame: Frame) -> State | None:
        """The pinned run at the step that matches the cursor; None when it is the one shown."""
        if self.trace is None or self.trace is frame.trace:
            return None
        return state_at(self.trace, matching(frame.trace, frame.cursor, self.trace))

    def changes(self, frame: Frame) -> tuple[Change, ...] | None:
        before = self.state(frame)
        return changes(frame.state, before) if before is not None else None

    def ghost(self, frame: Frame) -> Ghost | None:
        """The pinned run's ledger of the leaf whose ledger is shown."""
        before = self.state(frame)
        if before is None or frame.leaf is None:
            return None
        name = labels.tensor(frame.trace, frame.leaf)
        same = [t.id for t in labels.with_grad(before.trace) if (t.name or t.expression) == name]
        return Ghost(tuple(columns(before, same[-1])), before.cursor) if same else None

    def mark(self, scene: Scene) -> None:
        """A badge at every node of the graph whose value or .grad is another one."""
        found = self.changes(scene.frame) or ()
        plan, pen, theme = scene.plan, scene.pen, scene.frame.theme
        marked = set()
        for change in found:
            if change.tensor is None:
                continue
            key = plan.of_leaf(change.tensor) or plan.of_op(scene.state.recorder(change.tensor))
            spot = plan.spots.get(key)
            if spot is None or key in marked:
                continue
            marked.add(key)
            tall = LEAF_H if key in plan.leaves else PILL_H
            x, y = spot.cx - HALF - 2, spot.cy - tall / 2
            pen.box("badges", x - 9, y - 9, 18, 18, theme.accent)
            pen.text("badge_text", x, y + 4, "≠", theme.on_accent, 12, "center")


def table(frame: Frame, found: tuple[Change, ...] | None) -> str:
    """What is not as it was in the pinned run."""
    if found is None:
        return ""
    title = text(frame.say("pin.title"))
    if not found:
        return f'<p class="pinned small faint">{text(frame.say("pin.same"))}</p>'
    heads = "".join(
        f"<th scope=col>{text(frame.say(key))}</th>" for key in ("pin.before", "pin.now")
    )
    rows = "".join(_row(change) for change in found)
    return (
        f'<table class="pinned"><caption>{title}</caption>'
        f"<thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _row(change: Change) -> str:
    name = text(change.name + (".grad" if change.grad else ""))
    return (
        f'<tr><th scope=row class="mono">{name}</th>'
        f'<td class="mono faint">{_said(change, change.before)}</td>'
        f'<td class="mono acc">{_said(change, change.now)}</td></tr>'
    )


def _said(change: Change, value: Value | None) -> str:
    """A .grad may be None; a name without a tensor has nothing to say."""
    if value is None:
        return "None" if change.grad else "–"
    row = numbers.row(value.data, ROOM) if value.data is not None else None
    return text(row or numbers.shape(value.shape))
