"""The way of a tensor's own value: every write to it so far, as lines and as numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from playground.trace import Step, Value

from . import numbers
from .frame import Frame
from .html import button, text

ELEMENTS = 8  # followed one by one
ROWS = 12  # of the newest writes
WIDE, HIGH, EDGE = 320, 72, 6
Point = tuple[int, Value]  # step, value from there on


def section(frame: Frame) -> str:
    """Of the tensor that is picked or written to in this step; nothing for others."""
    chosen, step = frame.selection, frame.state.step
    tensor = chosen.index if chosen is not None and chosen.what == "tensor" else None
    if chosen is None and step is not None and _moves(frame, step):
        tensor = step.tensor
    way = followed(frame, tensor) if tensor is not None else []
    if len(way) < 2:
        return ""
    title = text(frame.say("path.title"))
    rows = "".join(row(frame, step, value.data or ()) for step, value in way[-ROWS:])
    more = len(way) - ROWS
    note = f'<p class="small faint">{text(frame.say("path.more", n=more))}</p>' if more > 0 else ""
    return (
        f'<div class="path"><p class="small faint">{title}</p>{_lines(way)}{note}'
        f'<table class="matrix">{rows}</table></div>'
    )


def _moves(frame: Frame, step: Step) -> bool:
    """Whether a step writes to a tensor, or binds a parameter anew."""
    if step.tensor is None or step.kind not in ("op", "flag", "inplace"):
        return False
    return step.kind == "inplace" or step.tensor in frame.state.row(step.tensor)[1:]


def followed(frame: Frame, tensor: int) -> list[Point]:
    """The values of the tensor, and of all its name meant, up to the cursor.

    Empty when there are too many elements.
    """
    way: list[Point] = []
    for each in frame.state.row(tensor):
        history = frame.state.index.values.get(each)
        known = history.until(frame.cursor) if history is not None else []
        way += [(history.steps[i], value) for i, (value, _) in enumerate(known) if history]
    way.sort(key=lambda point: point[0])
    fits = all(v.data is not None and 0 < len(v.data) <= ELEMENTS for _, v in way)
    return way if fits else []


def row(frame: Frame, step: int, values: Sequence[numbers.Number]) -> str:
    """A line of a table: a step, which leads there, and the numbers from there on."""
    line = frame.trace.steps[step - 1].line
    label = frame.say("graph.line", line=line) if line is not None else ""
    go = button(str(step), {"intent": "goto", "step": step}, class_="link mono")
    cells = "".join(f"<td>{text(numbers.show(n))}</td>" for n in values)
    return f"<tr><th scope=row>{go} {text(label)}</th>{cells}</tr>"


def _lines(way: list[Point]) -> str:
    """One line for each element, from the first value to the newest."""
    every = [numbers.flat(value) for _, value in way]
    known = [n for row in every for n in row if math.isfinite(n)]
    if not known:
        return ""
    low, high = min(known), max(known)
    span = (high - low) or 1.0
    count = min(len(row) for row in every)
    paths = "".join(
        f'<polyline points="{_points([row[i] for row in every], low, span)}"/>'
        for i in range(count)
    )
    return (
        f'<svg class="way" width="{WIDE}" height="{HIGH}" viewBox="0 0 {WIDE} {HIGH}" '
        f'aria-hidden="true">{paths}</svg>'
    )


def _points(values: list[float], low: float, span: float) -> str:
    wide, high = WIDE - 2 * EDGE, HIGH - 2 * EDGE
    last = max(1, len(values) - 1)
    return " ".join(
        f"{EDGE + wide * k / last:.1f},{EDGE + high * (1 - (n - low) / span):.1f}"
        for k, n in enumerate(values)
        if math.isfinite(n)
    )
