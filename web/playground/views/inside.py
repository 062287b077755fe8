"""What is written inside nodes: names, values, heat strips, saved tensors."""

from __future__ import annotations

import math

from playground.state import State
from playground.trace import Op, Value

from . import numbers, symbols
from .geometry import HALF
from .measures import LEAF_H, NODE_W, PILL_H, TAB_H
from .pen import Pen
from .spots import Mark, Spot
from .theme import Theme
from .writing import DIGIT, NAME, TINY, cut, cut_mono, cut_name

ROOM = 14  # characters of 12 px mono inside a node
CELLS = 16  # of a heat strip


def heading(
    pen: Pen, x: float, y: float, name: str, value: Value, color: str, bold: bool, down: float
) -> None:
    if pen.overview:
        each = NAME * pen.grow
        text = cut_name(name, NODE_W - 14, each) if bold else cut_mono(name, NODE_W - 14, each)
        style = "bold" if bold else "normal"
        pen.text("mono", x + 8, y + down + 3, text, color, 13, style=style, keep=True)
        return
    shape = numbers.shape(value.shape)
    pen.text("mono", x + NODE_W - 10, y + down, shape, pen.theme.ink3, 11, "right")
    room = NODE_W - 20 - len(shape) * TINY - 4
    if bold:
        pen.text("mono", x + 10, y + down, cut_name(name, room, NAME), color, 13, style="bold")
    else:
        pen.text("mono", x + 10, y + down, cut_mono(name, room), pen.theme.ink2, 11)


def content(pen: Pen, x: float, y: float, height: float, value: Value, color: str) -> None:
    """The numbers when they fit; else a heat strip over the smallest and the largest."""
    text = short_row(pen, value)
    if text is not None:
        base = y + height - (13 if height == LEAF_H else 10) + (4 if pen.overview else 0)
        pen.text("mono", x + (8 if pen.overview else 10), base, text or "[ ]", color, keep=True)
        return
    strip = y + (28 if height == LEAF_H else 24) + (6 if pen.overview else 0)
    heat(pen, x + 10, strip, NODE_W - 20, 8 if height == LEAF_H else 7, value)
    low, high = extent(value)
    base = y + height - (7 if height == LEAF_H else 5)
    pen.text("mono", x + 10, base, numbers.show(low), pen.theme.ink2, 11)
    pen.text("mono", x + NODE_W - 10, base, numbers.show(high), pen.theme.ink2, 11, "right")


def short_row(pen: Pen, value: Value) -> str | None:
    """The numbers of a value when a node has room for them."""
    return numbers.row(value.data, int(ROOM / pen.grow)) if value.data is not None else None


def extent(value: Value) -> tuple[float, float]:
    """Smallest and largest element."""
    if value.stats:
        return float(value.stats[0]), float(value.stats[1])
    known = [n for n in numbers.flat(value) if not math.isnan(n)]
    return min(known, default=math.nan), max(known, default=math.nan)


def heat(pen: Pen, x: float, y: float, w: float, h: float, value: Value) -> None:
    """Up to 16 evenly spaced elements as cells: colour by sign, strength by size."""
    known = numbers.flat(value)
    if not known:
        return
    count = min(CELLS, len(known))
    cells = [known[i * len(known) // count] for i in range(count)]
    top = max((abs(n) for n in cells if math.isfinite(n)), default=0.0) or 1.0
    for i, number in enumerate(cells):
        theme: Theme = pen.theme
        fill = theme.neg if number < 0 else theme.pos
        alpha = max(0.12, min(1.0, abs(number) / top)) if math.isfinite(number) else 1
        fill = fill if math.isfinite(number) else theme.err
        pen.box("heat", x + i * w / count, y, w / count - 1, h, fill, alpha=round(alpha, 2))


def badge(pen: Pen, x: float, y: float, version: int) -> None:
    if version:
        text, k = f"v{version}", pen.grow
        wide, mid = max(26.0, len(text) * TINY + 12) * k, x + NODE_W - 2
        pen.box("badges", mid - wide / 2, y - 9 * k, wide, 18 * k, pen.theme.accent)
        pen.text("badge_text", mid, y + 4 * k, text, pen.theme.paper, 11, "center", keep=True)


def signed(pen: Pen, layer: str, x: float, y: float, value: Value, text: str) -> None:
    """A row of numbers, each in the colour of its own sign."""
    gap = 2 if "  " in text else 1
    for number in value.data or ():
        word = numbers.show(number)
        color = pen.theme.neg if float(number) < 0 else pen.theme.pos
        pen.text(layer, x, y, word, color, keep=True)
        x += (len(word) + gap) * DIGIT * pen.grow


def tabs(pen: Pen, state: State, op: Op, spot: Spot, mark: Mark) -> None:
    """Saved tensors as tabs on the pill's upper edge."""
    names = saved_names(state, op)
    if not names:
        return
    theme, freed = pen.theme, state.freed(op.index)
    step = state.step
    hot = step is not None and step.kind == "rule" and step.op == op.index
    if mark.bad:
        fill, line, ink = theme.err_soft, theme.err, theme.err
    elif freed:
        fill, line, ink = theme.paper, theme.edge, theme.ink3
    elif hot:
        fill, line, ink = theme.accent_soft, theme.accent, theme.accent
    else:
        fill, line, ink = theme.paper, theme.ink2, theme.ink2
    widths = [len(name) * TINY + 14 for name in names]
    whole = sum(widths) + 4 * (len(widths) - 1)
    x = spot.cx - (36 if spot.vertical else 0) - whole / 2
    x = max(x, spot.cx - HALF + 6)
    y = spot.cy - PILL_H / 2 - TAB_H + 1  # so that a name ends above the pill, which covers it
    for name, width in zip(names, widths, strict=True):
        pen.box("tabs", x, y, width, TAB_H + 8, fill, line, 1)
        pen.text("tab_text", x + width / 2, y + 12, name, ink, 11, "center")
        if freed or mark.bad:
            strike = theme.err if mark.bad else theme.ink2
            pen.segment("strikes", (x + 3, y + 13), (x + width - 3, y + 4), strike, 1.5)
        elif state.kept(op.index):
            pen.circle("pins", x + width, y, 4, theme.accent)
        x += width + 4


def saved_names(state: State, op: Op) -> list[str]:
    """What the tabs say: names, constants; at most three, the rest as a number."""
    names: list[str] = []
    for item in op.saved:
        tensor = item.tensor
        if tensor is None and item.name == "result" and op.outputs:
            tensor = op.outputs[0]
        if tensor is not None:
            found = state.trace.tensors[tensor]
            name = found.name or cut(found.expression.replace(" ", ""), 7)
        else:
            operand = next((o for o in op.operands if o.name == item.name), None)
            name = (
                symbols.constant(operand.constant)
                if operand and operand.tensor is None
                else item.name
            )
        if name not in names:
            names.append(cut(name, 9))
    if len(names) > 3:
        names = [*names[:2], f"+{len(names) - 2}"]
    while len(names) > 1 and sum(len(n) * TINY + 18 for n in names) > NODE_W:
        names = (
            [*names[:-2], f"+{len(names) - len(names[:-2])}"]
            if len(names) > 2
            else [cut(n, 4) for n in names]
        )
        if all(len(n) <= 4 for n in names):
            break
    return names
