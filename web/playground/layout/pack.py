"""Separate graphs side by side: a program that draws many small ones would be one long column."""

from __future__ import annotations

import math
from dataclasses import dataclass

from playground.layout.places import Place, Point, box_of

LONG = {"LR": 900.0, "TB": 1600.0}  # extent across the flow up to which dagre's own stacking stays
GAPS = {"LR": (84.0, 72.0), "TB": (56.0, 72.0)}
SHAPE = 1.6  # width to height that is aimed at

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
        left, top, right, bottom = box_of(Place(key, "op", *centre), orientation)
        self.left, self.top = min(self.left, left), min(self.top, top)
        self.right, self.bottom = max(self.right, right), max(self.bottom, bottom)


def pack(
    centres: Centres, ways: Ways, pairs: list[tuple[str, str]], orientation: str
) -> tuple[Centres, Ways]:
    """Put the connected parts in rows, when stacked they would be too long."""
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
