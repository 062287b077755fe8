"""A loss of two numbers as lines of equal height, and on them the way of the descent."""

from __future__ import annotations

from typing import Any

import numpy as np

from playground.explain.descent import Descent, descent, now

from . import numbers, path
from .canvas import Sheet
from .frame import Frame
from .html import text
from .isolines import isolines, levels, smooth
from .writing import cut_mono

WIDTH, HEIGHT = 280, 272
LEFT, RIGHT, TOP, FOOT = 44, 12, 44, 28  # round the field
LINES, FINER = 10, 2
NEAR = 10  # px from a dot that count as on it


class Contour:
    """The figure; `show` draws a frame, empty until somebody has asked for it."""

    def __init__(self) -> None:
        self.sheet = sheet = Sheet("view-contour", WIDTH, HEIGHT)
        self.root = sheet.plot
        self.layers = {
            "field": sheet.boxes(0),
            "lines": sheet.segments(),
            "lowest": sheet.segments(),
            "way": sheet.strokes(),
            "dots": sheet.circles(),
            "words": sheet.texts("sans"),
            "values": sheet.texts("mono"),
        }
        self.dots: list[tuple[float, float, int]] = []
        self._drawn: tuple[Any, ...] = ()
        self._lines: list[tuple[Any, ...]] = []

    def show(self, frame: Frame) -> None:
        """Draw the loss, and the way up to the frame's cursor."""
        self.sheet.prepare(WIDTH, HEIGHT, frame.theme.bg)
        self.sheet.look(0, 0, WIDTH, HEIGHT)
        found, asked = descent(frame.trace), frame.extra.get("contour")
        self.dots = []
        rows: dict[str, list[tuple[Any, ...]]] = {name: [] for name in self.layers}
        if found is not None and asked:
            self._surroundings(frame, found, asked, rows)
            if asked.get("values"):
                rows["lines"] = self._heights(frame, found, asked["values"])
                self._lowest(frame, found, asked["values"], rows)
            self._way(frame, found, rows)
        for name, drawn in rows.items():
            self.layers[name].show(drawn)

    def hit(self, x: float, y: float) -> int | None:
        """The step of the dot at a place."""
        near = [((x - dx) ** 2 + (y - dy) ** 2, step) for dx, dy, step in self.dots]
        distance, step = min(near, default=(NEAR**2 + 1.0, 0))
        return step if distance <= NEAR**2 else None

    def _surroundings(self, frame: Frame, found: Descent, asked: Any, rows: Any) -> None:
        """The field, its ends, the names of the axes, and what is shown."""
        theme, wide, high = frame.theme, WIDTH - LEFT - RIGHT, HEIGHT - TOP - FOOT
        box = (LEFT + wide / 2, TOP + high / 2, wide, high)
        rows["field"].append((*box, theme.paper, theme.line, 1, 1))
        again = sum(call.line == found.line for call in frame.trace.calls) > 1
        key, facts = "contour.call" if again else "contour.title", {"line": found.line}
        facts["n"] = found.call
        if asked.get("error"):
            key = asked["error"]
        elif not asked.get("values"):
            key, facts = "contour.waiting", {"n": found.count**2}
        self._text(rows, "words", 0, 14, frame.say(key, **facts), theme.ink2, "left", "12px")
        across, up = (cut_mono(name, 110) for name in found.names)
        self._text(rows, "values", LEFT, TOP - 8, up, theme.ink, "left", "12px")
        mid = (LEFT + WIDTH - RIGHT) / 2
        self._text(rows, "values", mid, HEIGHT - 10, across, theme.ink, "center", "12px")
        ends = [
            (LEFT, HEIGHT - 10, found.low[0], "left"),
            (WIDTH - RIGHT, HEIGHT - 10, found.high[0], "right"),
            (LEFT - 6, HEIGHT - FOOT, found.low[1], "right"),
            (LEFT - 6, TOP + 10, found.high[1], "right"),
        ]
        for x, y, number, align in ends:
            self._text(rows, "values", x, y, numbers.show(number), theme.ink3, align, "11px")

    @staticmethod
    def _text(
        rows: Any, layer: str, x: float, y: float, text: str, color: str, align: str, size: str
    ) -> None:
        rows[layer].append((x, y, text, size, "normal", align, color))

    def _heights(self, frame: Frame, found: Descent, values: Any) -> list[tuple[Any, ...]]:
        """The lines; made again only for another loss or other colours."""
        key = (id(values), frame.theme)
        if self._drawn != key:
            self._drawn, self._lines = key, []
            grid = smooth(_grid(found, values), FINER)
            last = grid.shape[0] - 1
            for k, level in enumerate(levels(grid, LINES)):
                color = frame.theme.edge if k < LINES // 2 else frame.theme.line
                for (x0, y0), (x1, y1) in isolines(grid, level):
                    ends = (*_inside(x0 / last, y0 / last), *_inside(x1 / last, y1 / last))
                    self._lines.append((*ends, color, 1, "", 1))
        return self._lines

    def _lowest(self, frame: Frame, found: Descent, values: Any, rows: Any) -> None:
        """A small cross at the lowest point that was asked for."""
        grid = _grid(found, values)
        if not np.isfinite(grid).any():
            return
        row, column = np.unravel_index(np.nanargmin(grid), grid.shape)
        x, y = _inside(column / (found.count - 1), row / (found.count - 1))
        for dx, dy in ((4, 0), (0, 4)):
            rows["lowest"].append((x - dx, y - dy, x + dx, y + dy, frame.theme.ink3, 1.25, "", 1))

    def _way(self, frame: Frame, found: Descent, rows: Any) -> None:
        """A dot for every call up to the cursor, and one for what the numbers are now."""
        theme = frame.theme
        self.dots = [(*_at(found, a, b), step) for a, b, step in _done(frame, found)]
        if len(self.dots) > 1:
            xs, ys = [x for x, _, _ in self.dots], [y for _, y, _ in self.dots]
            rows["way"].append((xs, ys, theme.accent, 1.5))
        for k, (x, y, _) in enumerate(self.dots):
            last = k == len(self.dots) - 1
            fill = theme.accent if last else theme.accent_soft
            rows["dots"].append((x, y, 5 if last else 3.5, fill, theme.accent, 1.5, 1))


def section(frame: Frame) -> str:
    """The dots as a table, whose steps the keyboard reaches; nothing where no loss is drawn."""
    found = descent(frame.trace)
    if found is None or not frame.extra.get("contour"):
        return ""
    done = _done(frame, found)[-path.ROWS :]
    heads = "".join(f"<th scope=col>{text(name)}</th>" for name in found.names)
    rows = "".join(path.row(frame, step, (a, b)) for a, b, step in done)
    title = text(frame.say("contour.way"))
    return (
        f'<div class="path"><table class="matrix"><caption>{title}</caption>'
        f"<tr><td></td>{heads}</tr>{rows}</table></div>"
    )


def _done(frame: Frame, found: Descent) -> list[tuple[float, float, int]]:
    """The two numbers at every call up to the cursor and now, with their steps."""
    done = [(a, b, step) for step, a, b in found.way if step <= frame.cursor]
    here = now(frame.state, found)
    if here is not None and (not done or done[-1][:2] != here):
        done.append((*here, frame.cursor))
    return done


def _grid(found: Descent, values: Any) -> Any:
    known = [np.nan if value is None else float(value) for value in values]
    return np.array(known).reshape(found.count, found.count)


def _inside(across: float, up: float) -> tuple[float, float]:
    """Pixels of a place given in shares of the field."""
    x = LEFT + (WIDTH - LEFT - RIGHT) * across
    return round(x, 2), round(HEIGHT - FOOT - (HEIGHT - TOP - FOOT) * up, 2)


def _at(found: Descent, a: float, b: float) -> tuple[float, float]:
    spans = [high - low for low, high in zip(found.low, found.high, strict=True)]
    return _inside((a - found.low[0]) / spans[0], (b - found.low[1]) / spans[1])
