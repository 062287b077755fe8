"""The shapes of the time line: one for every kind of step."""

from __future__ import annotations

from typing import Any

from .theme import Theme

Layers = dict[str, list[tuple[Any, ...]]]

DIAMOND = ((0, 6, 0, -6), (-6, 0, 6, 0))
TRIANGLE = ((-6, 4, 4), (0, -6, 6))
HEXAGON = ((-7, -4, 4, 7, 4, -4), (0, -6, -6, 0, 6, 6))
WARNING = ((0, 8, -8), (-8, 6, 6))
PENNANT = ((-4, 6, -4), (-7, -2, 3))
POLYGONS = {
    "call": DIAMOND,
    "rule": TRIANGLE,
    "reduce": HEXAGON,
    "error": WARNING,
    "flag": PENNANT,
}
STROKES: dict[str, tuple[tuple[tuple[float, ...], tuple[float, ...], float], ...]] = {
    "output": (((-3, 3, -3), (-5, 0, 5), 2),),
    "freed": (((-5, 5), (-5, 5), 1.75), ((5, -5), (-5, 5), 1.75)),
    "inplace": (((-6, 6), (-4, -4), 2.5), ((-6, 6), (4, 4), 2.5)),
    "zero": (((-5, 5), (5, -5), 1.5),),
    "flag": (((-4, -4), (-7, 7), 1.5),),
}


def colors(theme: Theme, state: str) -> tuple[str, str]:
    """Fill and line of a tick: past is filled, future hollow, current accent."""
    if state == "now":
        return theme.accent, theme.accent
    return (theme.ink2, theme.ink2) if state == "past" else (theme.bg, theme.edge)


def draw(layers: Layers, theme: Theme, kind: str, x: float, y: float, state: str) -> None:
    """Add the rows of one tick to the layers of the time line."""
    fill, line = colors(theme, state)
    if state != "now":
        layers["holes"].append((x, y, 9, theme.bg, None, 0, 1))
    if kind == "error":
        fill = line = theme.err
    if kind in ("leaf", "write"):
        w, h = (10, 10) if kind == "leaf" else (7, 18)
        layers["rounded"].append((x, y, w, h, fill, line, 1.5, 1))
    elif kind == "none":
        layers["dotted"].append((x, y, 10, 10, theme.bg, line, 1.5, 1))
    elif kind in ("op", "zero"):
        radius, inside = (5, fill) if kind == "op" else (6, theme.bg)
        layers["circles"].append((x, y, radius, inside, line, 1.5, 1))
    elif kind in POLYGONS:
        xs, ys = POLYGONS[kind]
        shape = [x + dx for dx in xs], [y + dy for dy in ys]
        layers["polygons"].append((*shape, fill, line, 1.5, 1))
    elif kind == "hook":
        layers["rounded"].append((x, y, 14, 16, theme.bg, line, 1.5, 1))
        layers["words"].append((x, y + 4, "ƒ", "12px", "italic", "center", line))
    for dxs, dys, weight in STROKES.get(kind, ()):
        stroke = [x + dx for dx in dxs], [y + dy for dy in dys]
        layers["strokes"].append((*stroke, line, weight))
    if kind == "error":
        layers["strokes"].append(([x, x], [y - 3, y + 1.5], theme.bg, 1.75))
        layers["strokes"].append(([x, x], [y + 3.2, y + 4.6], theme.bg, 1.75))
