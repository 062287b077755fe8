"""What the ledger's bars stand on: axis, places, titles, legend; and what is said before them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import labels, numbers
from .frame import Frame
from .ledger_data import Column, Ghost, columns, followed, scale
from .writing import width_of, wrap

SIDE = 16  # panel's edge to writing
AXIS = 34  # room for the numbers at the axis
TOP, FOOT = 40, 48  # above the highest bar, below the base line
LEGEND = 28
TIP = 24
COLUMN = 108
NARROW = 18  # px a column, below which the columns scroll with the cursor

NAMES = [
    "axes",
    "dotted",
    "gone",
    "kept",
    "added",
    "ghosts",
    "ghostline",
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


class Paper:
    """The rows of every layer, and where on the sheet what stands; places belong to the run."""

    def __init__(self, frame: Frame, width: float, height: float) -> None:
        self.frame, self.theme = frame, frame.theme
        self.width, self.height = width, height
        self.layers: dict[str, list[tuple[Any, ...]]] = {name: [] for name in NAMES}
        self.places: list[tuple[float, float, Column]] = []
        self.ghost_places: list[tuple[float, float, Column]] = []
        self.found = columns(frame.state, frame.leaf) if frame.leaf is not None else []
        ghost: Ghost | None = frame.found.get("ghost")
        self.ghost = ghost or Ghost((), 0)
        self.done = [each for each in self.found if each.entry.step <= frame.cursor]
        self.base = height - FOOT - LEGEND
        self.left = float(SIDE + AXIS if self.done else SIDE)
        # Room for the question above the highest bar, in runs that ever add to what was there.
        self.top = TOP + (TIP if any(any(each.kept) for each in self.found) else 0)
        self.low, self.high, self.tick = scale([*self.found, *self.ghost.columns])
        self.element = frame.element if frame.element is not None else followed(self.found)
        self._place()

    def y(self, value: float) -> float:
        span = self.base - self.top
        return self.base - span * (value - self.low) / (self.high - self.low)

    def _place(self) -> None:
        """Left and right of each column in sight: all of the run's, or the window at the cursor."""
        count = max(len(self.found), len(self.ghost.columns))
        if not count:
            return
        left = SIDE + AXIS + 4
        room = self.width - SIDE - left
        each = min(COLUMN, room / count)
        first, last = 0, count
        if each < NARROW:
            fit = max(1, int(room // NARROW))
            each = room / fit
            page = max(0, len(self.done) - 1) // fit
            first = min(page * fit, count - fit)
            last = first + fit
        self.each = each
        start = left if self.done else SIDE + 4

        def placed(columns: Sequence[Column]) -> list[tuple[float, float, Column]]:
            return [
                (start + k * each, start + (k + 1) * each, found)
                for k, found in enumerate(columns[first:last])
            ]

        self.places, self.ghost_places = placed(self.found), placed(self.ghost.columns)

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

    def _line(self, points: list[tuple[float, float]]) -> None:
        if points:
            xs, ys = [x for x, _ in points], [y for _, y in points]
            self.layers["line"].append((xs, ys, self.theme.ink, 1.5))

    def _titles(self) -> None:
        """Under each column: which call, which line; under some where columns are narrow."""
        say, theme = self.frame.say, self.theme
        titles = [self._title(found) for _, _, found in self.places]
        widest = max(map(width_of, titles), default=0.0) + 8
        free = -widest
        for title, (left, right, found) in zip(titles, self.places, strict=True):
            entry, mid = found.entry, (left + right) / 2
            # Where there is no room for all, zeros and None go without: their marks say it.
            marked = self.each < widest and entry.how in ("zero", "none")
            if marked or mid < free:
                continue
            free = mid + widest
            past = entry.step <= self.frame.cursor
            self._word(mid, self.base + 20, title, theme.ink2 if past else theme.ink3)
            if entry.line is not None:
                line = say("graph.line", line=entry.line)
                self._word(mid, self.base + 36, line, theme.ink3)

    def _title(self, found: Column) -> str:
        call = found.entry.call
        made = self.frame.say("ledger.call", n=call) if call else ".grad ="
        return {"zero": "zero_()", "none": "None"}.get(found.entry.how, made)

    def _legend(self) -> None:
        x, y, theme, say = float(SIDE), self.height - 12 - 8, self.theme, self.frame.say
        keys = ["ledger.added", "ledger.kept", "ledger.total"]
        if self.ghost_places:
            keys.append("ledger.pinned")
        wide = sum(20 + width_of(say(key)) + 16 for key in keys) - 16
        if wide > self.width - 2 * SIDE:
            keys.remove("ledger.total")  # the line itself says most of the four what it is
        fill, soft = theme.pos, theme.pos_soft
        heights = [total for each in self.done for total in (*each.added, *each.total)]
        if max(heights, default=0.0) <= 0 > min(heights, default=0.0):  # as the bars are
            fill, soft = theme.neg, theme.neg_soft
        for key in keys:
            if key == "ledger.added":
                self.layers["added"].append((x + 6, y, 12, 12, fill, None, 0, 1))
            elif key == "ledger.kept":
                box = (x + 6, y, 11, 11, soft, fill, 1, 1)
                self.layers["kept"].append(box)
            elif key == "ledger.pinned":
                self.layers["ghosts"].append((x + 6, y, 11, 11, None, theme.ink2, 1.25, 1))
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
