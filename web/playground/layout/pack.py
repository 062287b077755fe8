"""Separate graphs side by side: a program that draws many small ones would be one long column."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from playground.layout.places import Place, Point, box_of

LONG = {"LR": 900.0, "TB": 1600.0}  # extent across the flow up to which dagre's own stacking stays
GAPS = {"LR": (84.0, 72.0), "TB": (56.0, 72.0)}
SHAPE = 1.6  # width to height that is aimed at

APART = (60.0, 56.0)  # of parts beside one another: ranks and rows may move closer later
GRID = 24
FEW = 12  # parts above which rows are simpler

Box = tuple[float, float, float, float]
Centres = dict[str, Point]
Ways = dict[int, tuple[Point, ...]]


@dataclass(slots=True)
class _Part:
    """A connected part of the drawing, in the order of the program."""

    keys: list[str]
    left: float = math.inf
    top: float = math.inf
    right: float = -math.inf
    bottom: float = -math.inf

    def take(self, key: str, centre: Point, orientation: str) -> None:
        self.keys.append(key)
        left, top, right, bottom = box_of(_place(key, centre), orientation)
        self.left, self.top = min(self.left, left), min(self.top, top)
        self.right, self.bottom = max(self.right, right), max(self.bottom, bottom)


def _place(key: str, centre: Point) -> Place:
    return Place(key, "fold" if key.startswith("fold:") else "op", *centre)


def pack(
    centres: Centres, ways: Ways, pairs: list[tuple[str, str]], orientation: str, narrow: bool
) -> tuple[Centres, Ways]:
    """Put small parts where large ones leave room; rows of parts, when they would be too long.

    With `narrow`, parts that find no room stand in rows beside the largest one, along the flow.
    """
    parts = _parts(centres, pairs, orientation)
    if 1 < len(parts) <= FEW:
        centres, ways = _tuck(parts, centres, ways, pairs, orientation, narrow)
        parts = _parts(centres, pairs, orientation)
    across = [(p.top, p.bottom) if orientation == "LR" else (p.left, p.right) for p in parts]
    extent = max(a[1] for a in across) - min(a[0] for a in across)
    if len(parts) < 2 or extent <= LONG[orientation]:
        return centres, ways
    gap_x, gap_y = GAPS[orientation]
    area = sum((p.right - p.left + gap_x) * (p.bottom - p.top + gap_y) for p in parts)
    room = max(max(p.right - p.left for p in parts), math.sqrt(area * SHAPE))
    left, top = min(p.left for p in parts), min(p.top for p in parts)
    x, y, height = left, top, 0.0
    moves: dict[str, Point] = {}
    for part in parts:
        width = part.right - part.left
        if x > left and x + width > left + room:
            x, y, height = left, y + height + gap_y, 0.0
        moves |= {key: (x - part.left, y - part.top) for key in part.keys}
        x, height = x + width + gap_x, max(height, part.bottom - part.top)
    shifted = {key: _add(centre, moves[key]) for key, centre in centres.items()}
    bent = {i: tuple(_add(p, moves[pairs[i][0]]) for p in way) for i, way in ways.items()}
    return shifted, bent


@dataclass(slots=True)
class _Shelf:
    """Rows of parts beside the largest one: below it, or at its right when the flow goes down."""

    main: _Part
    across: bool
    along: float = 0.0  # how far the row is filled
    depth: float = APART[1]  # where it begins, counted from the far side of the largest part
    thick: float = 0.0

    def place(self, part: _Part) -> Point:
        """The move that puts a part at the end of the row, or at the start of the next."""
        main, wide, high = self.main, part.right - part.left, part.bottom - part.top
        long, thick = (wide, high) if self.across else (high, wide)
        room = main.right - main.left if self.across else main.bottom - main.top
        if self.along and self.along + long > room:
            self.along, self.depth, self.thick = 0.0, self.depth + self.thick + APART[1], 0.0
        at = self.along, self.depth
        self.along += long + APART[0]
        self.thick = max(self.thick, thick)
        if self.across:
            return main.left + at[0] - part.left, main.bottom + at[1] - part.top
        return main.right + at[1] - part.left, main.top + at[0] - part.top


def _tuck(
    parts: list[_Part],
    centres: Centres,
    ways: Ways,
    pairs: list[tuple[str, str]],
    orientation: str,
    shelve: bool,
) -> tuple[Centres, Ways]:
    """Move parts into free room beside the largest, as near to its end as they fit."""
    main = max(parts, key=lambda part: len(part.keys))
    shelf = _Shelf(main, orientation == "LR")
    placed = dict(centres)
    settled = set(main.keys)
    moves: dict[str, Point] = {}
    for part in parts:
        if part is main:
            continue
        taken = [box_of(_place(k, placed[k]), orientation) for k in settled]
        taken += _along_edges(placed, ways, pairs, settled)
        move = _free_place(main, part, placed, taken, orientation)
        if move is None and shelve:
            move = shelf.place(part)
        if move is not None:
            for key in part.keys:
                moves[key] = move
                placed[key] = _add(placed[key], move)
        settled.update(part.keys)
    bent = {
        i: tuple(_add(p, moves.get(pairs[i][0], (0.0, 0.0))) for p in way)
        for i, way in ways.items()
    }
    return placed, bent


def _along_edges(
    centres: Centres, ways: Ways, pairs: list[tuple[str, str]], among: set[str]
) -> list[Box]:
    """Points of edges as boxes without extent."""
    found: list[Box] = []
    for i, (source, target) in enumerate(pairs):
        if source in among and target in among:
            stops = [centres[source], *ways.get(i, ()), centres[target]]
            for (ax, ay), (bx, by) in pairwise(stops):
                for k in range(9):
                    x, y = ax + (bx - ax) * k / 8, ay + (by - ay) * k / 8
                    found.append((x, y, x, y))
    return found


def _free_place(
    main: _Part, part: _Part, centres: Centres, taken: list[Box], orientation: str
) -> Point | None:
    boxes = [box_of(_place(k, centres[k]), orientation) for k in part.keys]
    gap_x, gap_y = APART
    best: tuple[float, Point] | None = None
    x = main.right - (part.right - part.left)
    while x >= main.left:
        y = main.bottom - (part.bottom - part.top)
        while y >= main.top:
            move = (x - part.left, y - part.top)
            if (best is None or x + y > best[0]) and not any(
                box[0] + move[0] - gap_x < other[2]
                and other[0] < box[2] + move[0] + gap_x
                and box[1] + move[1] - gap_y < other[3]
                and other[1] < box[3] + move[1] + gap_y
                for box in boxes
                for other in taken
            ):
                best = x + y, move
            y -= GRID
        x -= GRID
    return best[1] if best else None


def _parts(centres: Centres, pairs: list[tuple[str, str]], orientation: str) -> list[_Part]:
    root = {key: key for key in centres}

    def find(key: str) -> str:
        while root[key] != key:
            root[key] = root[root[key]]
            key = root[key]
        return key

    for source, target in pairs:
        root[find(target)] = find(source)
    parts: dict[str, _Part] = {}
    for key, centre in centres.items():
        parts.setdefault(find(key), _Part([])).take(key, centre, orientation)
    return list(parts.values())


def _add(point: Point, move: Point) -> Point:
    return point[0] + move[0], point[1] + move[1]
