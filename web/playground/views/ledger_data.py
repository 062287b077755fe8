"""What a leaf's ledger holds, as data: columns, bars, the axis, the line of the total."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain

from playground.state import Entry, State
from playground.trace import Value

from . import numbers

BAR, BETWEEN = 20, 4
MOST = 8  # bars in a column; more elements are a mean with its range


@dataclass(frozen=True, slots=True)
class Column:
    """One entry of the ledger with what each bar adds to what."""

    entry: Entry
    kept: tuple[float, ...]
    added: tuple[float, ...]
    spread: tuple[float, float] | None  # min and max of .grad when the one bar is a mean
    written: tuple[numbers.Number, ...] = ()  # .grad itself where not all of it is finite

    @property
    def total(self) -> tuple[float, ...]:
        return tuple(k + a for k, a in zip(self.kept, self.added, strict=True))


@dataclass(frozen=True, slots=True)
class Ghost:
    """The same ledger in the pinned run, at the step that matches the cursor."""

    columns: tuple[Column, ...]
    cursor: int


def columns(state: State, leaf: int) -> list[Column]:
    """Every entry of a leaf's ledger, in order, those to come included; of all its name meant."""
    ledgers = state.index.ledger
    rows = [ledgers[tensor].values for tensor in state.row(leaf) if tensor in ledgers]
    return [column(e) for e in sorted(chain(*rows), key=lambda entry: entry.step)]


def column(entry: Entry) -> Column:
    """What a step did to .grad; zero_() and None have no bars."""
    if entry.how in ("zero", "none") or entry.total is None:
        return Column(entry, (), (), None)
    after = _bars(entry.total)
    adds = entry.how in ("add", "retain", "set") and entry.before is not None
    before = _bars(entry.before) if adds and entry.before else ()
    if len(before) != len(after):
        before = tuple(0.0 for _ in after)
    added = tuple(a - b for a, b in zip(after, before, strict=True))
    spread = None
    if _many(entry.total):
        known = [n for n in numbers.flat(entry.total) if math.isfinite(n)]
        spread = (min(known, default=0.0), max(known, default=0.0))
        if entry.total.stats:
            spread = _finite(entry.total.stats[0]), _finite(entry.total.stats[1])
    return Column(entry, before, added, spread, _written(entry.total))


def _written(value: Value) -> tuple[numbers.Number, ...]:
    known = value.data or ()
    if _many(value):
        known = (value.stats[2] if value.stats else sum(numbers.flat(value)),)
    return () if all(map(finite, known)) else tuple(known)


def finite(number: numbers.Number) -> bool:
    """Whether a bar can be as long."""
    return math.isfinite(float(number))


def _many(value: Value) -> bool:
    return value.data is None or len(value.data) > MOST


def _bars(value: Value) -> tuple[float, ...]:
    if not _many(value):
        return tuple(_finite(number) for number in value.data or ())
    if value.stats:
        return (_finite(value.stats[2]),)
    known = [_finite(number) for number in numbers.flat(value)]
    return (sum(known) / len(known),) if known else (0.0,)


def _finite(number: float | int | bool | str) -> float:
    made = float(number)
    return made if math.isfinite(made) else 0.0


def scale(found: list[Column]) -> tuple[float, float, float]:
    """Lowest and highest tick and their distance: 1, 2 or 5 times a power of ten."""
    ends = [0.0]
    for each in found:
        ends += [*each.kept, *each.total, *(each.spread or ())]
    low, high = min(ends), max(ends)
    if low == high:
        return 0.0, 1.0, 1.0
    raw = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * 0.999)
    return math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step, step


def bars(found: Column, left: float, right: float) -> tuple[float, float, float]:
    """Where the first bar begins, how wide a bar is, and the distance of two bars."""
    count = max(1, len(found.added))
    room = right - left
    pitch = min(BAR + BETWEEN, (room - 6) / count)
    width = max(1.0, min(BAR, pitch - min(BETWEEN, pitch * 0.2)))
    whole = (count - 1) * pitch + width
    return (left + right) / 2 - whole / 2, width, pitch


def bar_at(found: Column, x: float, left: float, right: float) -> int | None:
    """Index of the element whose bar is at x."""
    first, _, pitch = bars(found, left, right)
    index = int((x - first) // pitch)
    return index if 0 <= index < len(found.added) else None


def caption(found: Column, room: int, element: int) -> str:
    """What stands above a column: 2, 2 + 2 = 4, the list when it fits, or one element's number."""
    if not found.total:
        return ""
    if found.written:
        wrong = next(number for number in found.written if not finite(number))
        return numbers.row(found.written, room) or numbers.show(wrong)
    if len(set(found.total)) == 1 and len(set(found.kept)) == 1:
        return _sum(found, 0, room)
    if not any(found.kept) and (line := numbers.row(found.total, room)):
        return line
    return _sum(found, min(element, len(found.total) - 1), room)


def _sum(found: Column, i: int, room: int) -> str:
    total = numbers.show(found.total[i])
    if found.kept[i]:
        added = numbers.show(found.added[i])
        sign = "−" if added.startswith("−") else "+"
        text = f"{numbers.show(found.kept[i])} {sign} {added.lstrip('−')} = {total}"
        if len(text) <= room:
            return text
    return total if len(total) <= room else ""


def followed(found: list[Column]) -> int:
    """The element whose total is the largest of the run."""
    totals = [(abs(total), -i) for each in found for i, total in enumerate(each.total)]
    return -max(totals)[1] if totals else 0
