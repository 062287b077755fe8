"""The ledger of one leaf: a column for every write to its .grad, and the total as a line.

Columns, axis and widths belong to the run; the cursor only decides what is drawn of them.
"""

from __future__ import annotations

from itertools import pairwise

from . import numbers
from .canvas import Sheet
from .frame import Frame
from .ledger_data import Column, bar_at, bars, caption, finite
from .ledger_paper import SIDE, Paper
from .writing import DIGIT, width_of

Point = tuple[float, float]


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
            "ghosts": sheet.boxes(2, "2 2"),
            "ghostline": sheet.segments(),
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
        drawing = prepare(frame)
        self.places = drawing.places
        for name, rows in drawing.layers.items():
            self.layers[name].show(rows)

    def hit(self, x: float, y: float) -> tuple[Column, int | None] | None:
        """The column at a place, and the element whose bar is there."""
        for left, right, found in self.places:
            if left <= x < right:
                return found, bar_at(found, x, left, right)
        return None


def prepare(frame: Frame) -> Drawing:
    """The frame's rows, worked out once."""
    return frame.once("ledger", lambda: Drawing(frame, *frame.size("ledger")))


class Drawing(Paper):
    """The paper of one frame with bars, marks and lines on it."""

    def __init__(self, frame: Frame, width: float, height: float) -> None:
        super().__init__(frame, width, height)
        if frame.leaf is None:
            return
        kept = [each for each in self.done if any(each.kept) and not each.written]
        self.asked = kept[-1] if kept else None  # the column whose total may surprise
        if self.done:
            self._axis()
            self._columns()
            self._ghosts()
            self._total()
            self._legend()
        else:
            self._waiting()
        self._titles()

    def _columns(self) -> None:
        for left, right, found in self.places:
            if found.entry.step > self.frame.cursor:
                mid = (left + right) / 2
                side = min(80.0, right - left - 4)
                away = 22 if self.high > 0 else -22  # where the bars will be
                box = (mid, self.y(0) - away, side, 44, None, self.theme.edge, 1, 1)
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
        for i, number in enumerate(found.written):
            if not finite(number):  # a cross where there can be no bar
                x = first + i * pitch + width / 2
                for y in (-4, 4):
                    cross = (x - 4, zero - y, x + 4, zero + y)
                    self.layers["crossed"].append((*cross, self.theme.err, 1.5, "", 1))
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
            color = self.theme.err if found.written else self.theme.ink
            self._value(mid, highest - 9, text, color)
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
            if right - left > len("None") * DIGIT + 4:  # else the axis below says it
                self._value(mid, zero - 12, "None", theme.ink2)
            return
        self.layers["marks"].append((mid, zero, 6, theme.bg, theme.ink2, 1.5, 1))
        self.layers["crossed"].append(
            (mid - 5, zero + 5, mid + 5, zero - 5, theme.ink2, 1.5, "", 1)
        )
        self._value(mid + 14, zero - 12, "0", theme.ink2, "left")

    def _ghosts(self) -> None:
        """What the pinned run has in the same column: outlines of its bars, and its total."""
        ink, points = self.theme.ink2, [(self.left, self.y(0))]
        for left, right, found in self.ghost_places:
            if found.entry.step > self.ghost.cursor:
                break
            first, width, pitch = bars(found, left, right)
            for i, total in enumerate(found.total):
                if total:
                    one, two = self.y(0), self.y(total)
                    x = first + i * pitch + width / 2
                    box = (x, (one + two) / 2, width + 3, abs(one - two) + 3)
                    self.layers["ghosts"].append((*box, None, ink, 1.25, 1))
            points += self._bend(left, right, found, points[-1][1])
        if len(points) > 1:
            points.append((self.width - SIDE, points[-1][1]))
            for (x0, y0), (x1, y1) in pairwise(points):
                self.layers["ghostline"].append((x0, y0, x1, y1, ink, 1.25, "2 3", 1))

    def _bend(self, left: float, right: float, found: Column, now: float) -> list[Point]:
        """Where the line of the total goes in one column."""
        mid, zero = (left + right) / 2, self.y(0)
        if found.entry.how in ("zero", "none"):
            return [(mid, now), (mid, zero)]
        if not found.total:
            return []
        first, width, pitch = bars(found, left, right)
        k = min(self.element, len(found.total) - 1)
        x, after = first + k * pitch - 2, self.y(found.total[k])
        end = first + (len(found.total) - 1) * pitch + width + 4
        return [(x, now), (x, after), (end, after)]

    def _total(self) -> None:
        """The line of .grad over time, broken where it was None or is another tensor's."""
        zero = self.y(0)
        points: list[Point] = [(self.left, zero)]
        tensor = self.places[0][2].entry.tensor if self.places else None
        for left, right, found in self.places:
            if found.entry.step > self.frame.cursor:
                break
            if found.entry.tensor != tensor:  # another tensor of this name begins with None
                tensor = found.entry.tensor
                self._line([*points, (left, points[-1][1])] if points else [])
                points = [(left, zero)]
            bend = self._bend(left, right, found, points[-1][1] if points else zero)
            if found.entry.how == "none":
                self._line([*points, bend[0]] if points else [])
                points = []
            else:
                points += bend
        if points:
            self._line([*points, (self.width - SIDE, points[-1][1])])
