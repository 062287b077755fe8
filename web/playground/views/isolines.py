"""Lines of equal height through a grid of numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Point = tuple[float, float]
Line = tuple[Point, Point]


def smooth(grid: Any, factor: int) -> Any:
    """The grid with `factor` times as many points, by cubics through the ones that are there."""
    if not np.isfinite(grid).all():
        return grid
    return _weights(grid.shape[0], factor) @ grid @ _weights(grid.shape[1], factor).T


def _weights(count: int, factor: int) -> Any:
    """Catmull and Rom's cubics; beyond the ends the line goes straight on."""
    out = np.zeros(((count - 1) * factor + 1, count))
    for row in range(len(out)):
        at, t = divmod(row, factor)
        t /= factor
        parts = (
            (at - 1, (-t + 2 * t**2 - t**3) / 2),
            (at, (2 - 5 * t**2 + 3 * t**3) / 2),
            (at + 1, (t + 4 * t**2 - 3 * t**3) / 2),
            (at + 2, (-(t**2) + t**3) / 2),
        )
        for place, weight in parts:
            inside = min(max(place, 0), count - 1)
            out[row, inside] += weight
            if place != inside:
                step = 1 if place < 0 else -1
                out[row, inside] += weight
                out[row, inside + step] -= weight
    return out


def levels(grid: Any, count: int) -> list[float]:
    """Heights between the lowest and the highest, closer to each other near the lowest."""
    known = grid[np.isfinite(grid)]
    if not known.size or known.min() == known.max():
        return []
    low, high = float(known.min()), float(known.max())
    return [low + (high - low) * (k / (count + 1)) ** 2 for k in range(1, count + 1)]


def isolines(grid: Any, level: float) -> list[Line]:
    """Straight pieces of one line, in (column, row) of the grid: marching squares."""
    found: list[Line] = []
    rows, columns = grid.shape
    heights = grid.tolist()
    for i in range(rows - 1):
        for j in range(columns - 1):
            corners = (
                (j, i, heights[i][j]),
                (j + 1, i, heights[i][j + 1]),
                (j + 1, i + 1, heights[i + 1][j + 1]),
                (j, i + 1, heights[i + 1][j]),
            )
            found += _cell(corners, level)
    return found


def _cell(corners: Any, level: float) -> list[Line]:
    """What of the line lies in one cell: nothing, a piece, or two in a saddle."""
    if not all(math.isfinite(height) for _, _, height in corners):
        return []
    cuts: list[Point] = []
    for k in range(4):
        (x0, y0, a), (x1, y1, b) = corners[k], corners[(k + 1) % 4]
        if (a < level) != (b < level):
            t = (level - a) / (b - a)
            cuts.append((x0 + (x1 - x0) * t, y0 + (y1 - y0) * t))
    if len(cuts) == 4:
        middle = sum(height for _, _, height in corners) / 4
        if (middle < level) == (corners[0][2] < level):  # the first corner is joined to its like
            return [(cuts[0], cuts[1]), (cuts[2], cuts[3])]
        return [(cuts[3], cuts[0]), (cuts[1], cuts[2])]
    return [(cuts[0], cuts[1])] if cuts else []
