"""The ledger of one leaf: a column for every write to its .grad, and the total as a line.

Columns, axis and widths belong to the run; the cursor only decides what is drawn of them.
"""

from __future__ import annotations

from typing import Any

from . import labels, numbers
from .canvas import Sheet
from .frame import Frame
from .ledger_data import Column, bar_at, bars, caption, columns, followed, scale
from .writing import DIGIT, width_of, wrap

SIDE = 16  # panel's edge to writing
AXIS = 34  # room for the numbers at the axis
TOP, FOOT = 40, 48  # above the highest bar, below the base line
LEGEND = 28
TIP = 24
COLUMN = 108
NARROW = 18  # px a column, below which the columns scroll with the cursor
TITLED = 52  # px a column, from which every column has its title

NAMES = [
    "axes",
    "dotted",
    "gone",
    "kept",
    "added",
    "whiskers",
    "line",
    "marks",
    "crossed",
    "select",
    "words",
    "values",
    "tip",
    "question",
]


class Ledger:
    """The figure; `show` draws a frame."""

    def __init__(self) -> None:
        self.sheet = sheet = Sheet("view-ledger", 391, 312)
        self.root = sheet.plot
        self.layers = {
            "axes": sheet.segments(),
            "dotted": sheet.boxes(6, "2 3"),
            "gone": sheet.boxes(0, "2 2"),
            "kept": sheet.boxes(1, "3 2"),
            "added": sheet.boxes(1),
            "whiskers": sheet.segments(),
            "line": sheet.strokes(),
            "marks": sheet.circles(),
            "crossed": sheet.segments(),
            "select": sheet.boxes(6),
            "words": sheet.texts("sans"),
            "values": sheet.texts("mono"),
            "tip": sheet.boxes(6),
            "question": sheet.texts("sans"),
        }
        self.places: list[tuple[float, float, Column]] = []

    def show(self, frame: Frame) -> None:
        """Draw the frame's leaf up to its cursor."""
        width, height = frame.size("ledger")
        self.sheet.prepare(width, height, frame.theme.bg)
        self.sheet.look(0, 0, width, height)
        drawing = Drawing(frame, width, height)
        self.places = drawing.places
        for name, rows in drawing.layers.items():
            self.layers[name].show(rows)

    def hit(self, x: float, y: float) -> tuple[Column, int | None] | None:
        """The column at a place, and the element whose bar is there."""
        for left, right, found in self.places:
            if left <= x < right:
                return found, bar_at(found, x, left, right)
        return None


class Drawing:
    """The rows of every layer for one frame."""

    def __init__(self, frame: Frame, width: float, height: float) -> None:
        self.frame, self.theme = frame, frame.theme
        self.width, self.height = width, height
        self.layers: dict[str, list[tuple[Any, ...]]] = {name: [] for name in NAMES}
        self.places: list[tuple[float, float, Column]] = []
        if frame.leaf is None:
            return
        self.found = columns(frame.state, frame.leaf)
        self.done = [each for each in self.found if each.entry.step <= frame.cursor]
        kept = [each for each in self.done if any(each.kept)]
        self.asked = kept[-1] if kept else None  # the column whose total may surprise
        self.base = height - FOOT - LEGEND
        self.left = float(SIDE + AXIS if self.done else SIDE)
        # Room for the question above the highest bar, in runs that ever add to what was there.
        self.top = TOP + (TIP if any(any(each.kept) for each in self.found) else 0)
        self.low, self.high, self.tick = scale(self.found)
        self.element = frame.element if frame.element is not None else followed(self.found)
        self._place()
        if self.done:
            self._axis()
            self._columns()
            self._total()
            self._legend()
        else:
            self._waiting()
        self._titles()

    def y(self, value: float) -> float:
        span = self.base - self.top
        return self.base - span * (value - self.low) / (self.high - self.low)

    def _place(self) -> None:
        """Left and right of each column in sight: all of the run's, or the window at the cursor."""
        count = len(self.found)
        if not count:
            return
        left = SIDE + AXIS + 4
        room = self.width - SIDE - left
        each = min(COLUMN, room / count)
        first = 0
        if each < NARROW:
            fit = max(1, int(room // NARROW))
            each = room / fit
            page = max(0, len(self.done) - 1) // fit
            first = min(page * fit, count - fit)
            self.found = self.found[first : first + fit]
        self.each = each
        start = left if self.done else SIDE + 4
        self.places = [
            (start + k * each, start + (k + 1) * each, found) for k, found in enumerate(self.found)
        ]

    def _axis(self) -> None:
        value = self.low
        while value <= self.high + self.tick / 2:
            y, zero = self.y(value), abs(value) < self.tick / 1000
            color = self.theme.edge if zero else self.theme.line
            self.layers["axes"].append((self.left, y, self.width - SIDE, y, color, 1, "", 1))
            text = numbers.show(0 if zero else value)
            self._value(self.left - 10, y + 4, text, self.theme.ink3, "right", "11px")
            value += self.tick

    def _value(
        self, x: float, y: float, text: str, color: str, align: str = "center", size: str = "12px"
    ) -> None:
        self.layers["values"].append((x, y, text, size, "normal", align, color))

    def _word(
        self,
        x: float,
        y: float,
        text: str,
        color: str,
        align: str = "center",
        style: str = "normal",
        size: str = "12px",
    ) -> None:
        self.layers["words"].append((x, y, text, size, style, align, color))

    def _columns(self) -> None:
        for left, right, found in self.places:
            if found.entry.step > self.frame.cursor:
                mid = (left + right) / 2
                side = min(80.0, right - left - 4)
                zero = self.y(0)
                box = (mid, zero - 22, side, 44, None, self.theme.edge, 1, 1)
                self.layers["dotted"].append(box)
            elif found.entry.how not in ("zero", "none"):
                self._bars(left, right, found)
            else:
                self._mark(left, right, found)

    def _bars(self, left: float, right: float, found: Column) -> None:
        first, width, pitch = bars(found, left, right)
        zero = self.y(0)
        for i, (kept, added) in enumerate(zip(found.kept, found.added, strict=True)):
            x = first + i * pitch + width / 2
            if kept:
                top = self.y(kept)
                color, soft = self._colors(kept)
                self.layers["kept"].append(
                    (x, (top + zero) / 2, width - 1, abs(zero - top), soft, color, 1, 1)
                )
            if added:
                one, two = self.y(kept), self.y(kept + added)
                fill = self._colors(added)[0]
                self.layers["added"].append(
                    (x, (one + two) / 2, width, abs(one - two), fill, None, 0, 1)
                )
        if found.spread:
            low, high = self.y(found.spread[0]), self.y(found.spread[1])
            mid = (left + right) / 2
            ink = self.theme.ink
            self.layers["whiskers"].append((mid, low, mid, high, ink, 1.5, "", 1))
            for y in (low, high):
                self.layers["whiskers"].append((mid - 5, y, mid + 5, y, ink, 1.5, "", 1))
        self._caption(left, right, found)

    def _colors(self, value: float) -> tuple[str, str]:
        if value < 0:
            return self.theme.neg, self.theme.neg_soft
        return self.theme.pos, self.theme.pos_soft

    def _caption(self, left: float, right: float, found: Column) -> None:
        mid = (left + right) / 2
        highest = self.y(max([0.0, *found.total, *(found.spread or ())]))
        text = caption(found, int((right - left) / DIGIT), self.element)
        if text:
            self._value(mid, highest - 9, text, self.theme.ink)
        chosen = self.frame.selection
        if chosen and chosen.what == "write" and chosen.index == found.entry.step:
            lowest = self.y(min([0.0, *found.total]))
            first, _, _ = bars(found, left, right)
            wide = (mid - first) * 2 + 16
            box = (mid, (highest - 24 + lowest) / 2, wide, lowest - highest + 24)
            self.layers["select"].append((*box, None, self.theme.accent, 1.5, 1))
        if found is self.asked:
            self._question(mid, highest - 40, found)

    def _question(self, mid: float, y: float, found: Column) -> None:
        """The tip that asks why the total is not just what this call added."""
        i = min(self.element, len(found.total) - 1)
        total, added = numbers.show(found.total[i]), numbers.show(found.added[i])
        text = self.frame.say("ledger.why.title", total=total, added=added)
        wide = width_of(text, 13, bold=True) + 24
        mid = min(max(mid, SIDE + wide / 2), self.width - SIDE - wide / 2)
        y = max(17.0, y)
        theme = self.theme
        self.layers["tip"].append((mid, y, wide, 28, theme.paper, theme.line, 1, 1))
        self.layers["question"].append((mid, y + 4.5, text, "13px", "bold", "center", theme.accent))

    def _mark(self, left: float, right: float, found: Column) -> None:
        mid, zero, theme = (left + right) / 2, self.y(0), self.theme
        if found.entry.how == "none":
            self.layers["gone"].append((mid, zero, 10, 10, theme.bg, theme.ink2, 1.5, 1))
            self._value(mid, zero - 12, "None", theme.ink2)
            return
        self.layers["marks"].append((mid, zero, 6, theme.bg, theme.ink2, 1.5, 1))
        self.layers["crossed"].append(
            (mid - 5, zero + 5, mid + 5, zero - 5, theme.ink2, 1.5, "", 1)
        )
        self._value(mid + 14, zero - 12, "0", theme.ink2, "left")

    def _total(self) -> None:
        """The line of .grad over time, broken where it was None."""
        zero = now = self.y(0)
        points: list[tuple[float, float]] = [(self.left, zero)]
        for left, right, found in self.places:
            if found.entry.step > self.frame.cursor:
                break
            mid = (left + right) / 2
            if found.entry.how == "none":
                self._line([*points, (mid, now)] if points else [])
                points, now = [], zero
            elif found.entry.how == "zero":
                points += [(mid, now), (mid, zero)]
                now = zero
            elif found.total:
                first, width, pitch = bars(found, left, right)
                k = min(self.element, len(found.total) - 1)
                x, after = first + k * pitch - 2, self.y(found.total[k])
                end = first + (len(found.total) - 1) * pitch + width + 4
                points += [(x, now), (x, after), (end, after)]
                now = after
        if points:
            self._line([*points, (self.width - SIDE, now)])

    def _line(self, points: list[tuple[float, float]]) -> None:
        if points:
            xs, ys = [x for x, _ in points], [y for _, y in points]
            self.layers["line"].append((xs, ys, self.theme.ink, 1.5))

    def _titles(self) -> None:
        """Under each column: which call, which line; every k-th where columns are narrow."""
        say, theme = self.frame.say, self.theme
        every = max(1, round(TITLED / self.each + 0.49)) if self.places else 1
        for k, (left, right, found) in enumerate(self.places):
            if k % every:
                continue
            entry, mid = found.entry, (left + right) / 2
            past = entry.step <= self.frame.cursor
            title = {"zero": "zero_()", "none": "None"}.get(entry.how)
            if title is None:
                title = say("ledger.call", n=entry.call) if entry.call else ".grad ="
            self._word(mid, self.base + 20, title, theme.ink2 if past else theme.ink3)
            if entry.line is not None:
                line = say("graph.line", line=entry.line)
                self._word(mid, self.base + 36, line, theme.ink3)

    def _legend(self) -> None:
        x, y, theme, say = float(SIDE), self.height - 12 - 8, self.theme, self.frame.say
        for key in ("ledger.added", "ledger.kept", "ledger.total"):
            if key == "ledger.added":
                self.layers["added"].append((x + 6, y, 12, 12, theme.pos, None, 0, 1))
            elif key == "ledger.kept":
                box = (x + 6, y, 11, 11, theme.pos_soft, theme.pos, 1, 1)
                self.layers["kept"].append(box)
            else:
                self._line([(x, y + 3), (x + 6, y + 3), (x + 6, y - 3), (x + 16, y - 3)])
            text = say(key)
            self._word(x + 20, y + 4, text, theme.ink3, "left")
            x += 20 + width_of(text) + 16

    def _waiting(self) -> None:
        """Before the first write: what .grad is, and when that changes."""
        name = labels.tensor(self.frame.trace, self.frame.leaf)
        say, theme = self.frame.say, self.theme
        none = say("ledger.none", name=name)
        self._word(SIDE, 14, none, theme.ink, "left", "bold", "13px")
        text = (
            say("ledger.next", step=self.found[0].entry.step) if self.found else say("ledger.never")
        )
        for k, part in enumerate(wrap(text, self.width - 2 * SIDE)):
            self._word(SIDE, 32 + 16 * k, part, theme.ink2, "left")
        if not self.found:
            return
        right = self.width - SIDE
        self.layers["axes"].append((SIDE, self.base, right, self.base, theme.edge, 1, "", 1))
        for k, (left, end, _) in enumerate(self.places):
            mid, side = (left + end) / 2, min(80.0, end - left - 4)
            self.layers["dotted"].append((mid, self.base - 22, side, 44, None, theme.edge, 1, 1))
            if k == 0 or side > 40:
                self._value(mid, self.base - 18, "None", theme.ink3)
