"""The graph as an SVG file: the same rows the canvas gets, written as elements."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from typing import Any

from .canvas import FACES
from .graph import CIRCLES, CURVES, ORDER, POLYGONS, RADII, SEGMENTS, TEXTS
from .plan import Plan
from .scene import Scene


def svg(scene: Scene, plan: Plan) -> str:
    """The whole graph at zoom 1, whatever part of it is in sight."""
    box = " ".join(f"{value:g}" for value in (plan.x, plan.y, plan.width, plan.height))
    body = "\n".join(_layers(scene))
    paper = scene.frame.theme.paper
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" '
        f'width="{plan.width:g}" height="{plan.height:g}">\n'
        f'<rect x="{plan.x:g}" y="{plan.y:g}" width="100%" height="100%" fill="{paper}"/>\n'
        f"{body}\n</svg>\n"
    )


def _layers(scene: Scene) -> Iterable[str]:
    for name in ORDER:
        rows = scene.pen.rows.get(name, ())
        write = _writer(name)
        yield from (write(row) for row in rows)


def _writer(name: str) -> Callable[[Any], str]:
    if name in RADII:
        radius, dash = RADII[name]
        return lambda row: _box(row, radius, dash)
    if name in SEGMENTS:
        return _segment
    if name in CURVES:
        return _curve
    if name in POLYGONS:
        return _polygon
    if name in CIRCLES:
        return _circle
    return lambda row: _text(row, FACES[TEXTS[name]])


def _paint(fill: str | None, line: str | None, weight: float, dash: str, alpha: float) -> str:
    parts = [f'fill="{fill or "none"}"']
    if line:
        parts.append(f'stroke="{line}" stroke-width="{weight:g}"')
        if dash not in ("", "solid"):
            parts.append(f'stroke-dasharray="{dash}"')
    if alpha != 1:
        parts.append(f'opacity="{alpha:g}"')
    return " ".join(parts)


def _box(row: Any, radius: float, dash: str) -> str:
    x, y, w, h, fill, line, weight, alpha = row
    place = f'x="{x - w / 2:g}" y="{y - h / 2:g}" width="{w:g}" height="{h:g}"'
    corner = min(radius, w / 2, h / 2)
    return f'<rect {place} rx="{corner:g}" {_paint(fill, line, weight, dash, alpha)}/>'


def _segment(row: Any) -> str:
    x0, y0, x1, y1, line, weight, dash, alpha = row
    place = f'x1="{x0:g}" y1="{y0:g}" x2="{x1:g}" y2="{y1:g}"'
    return f"<line {place} {_paint(None, line, weight, dash, alpha)}/>"


def _curve(row: Any) -> str:
    *points, line, weight, dash, alpha = row
    a = " ".join(f"{value:g}" for value in points[:2])
    rest = " ".join(f"{value:g}" for value in points[2:])
    return f'<path d="M{a}C{rest}" {_paint(None, line, weight, dash, alpha)}/>'


def _polygon(row: Any) -> str:
    xs, ys, fill, line, weight, alpha = row
    points = " ".join(f"{x:g},{y:g}" for x, y in zip(xs, ys, strict=True))
    return f'<polygon points="{points}" {_paint(fill, line, weight, "", alpha)}/>'


def _circle(row: Any) -> str:
    x, y, radius, fill, line, weight, alpha = row
    place = f'cx="{x:g}" cy="{y:g}" r="{radius:g}"'
    return f"<circle {place} {_paint(fill, line, weight, '', alpha)}/>"


def _text(row: Any, face: str) -> str:
    x, y, text, size, style, align, color = row
    anchor = {"left": "start", "center": "middle", "right": "end"}[align]
    kind = {"bold": ' font-weight="700"', "italic": ' font-style="italic"'}.get(style, "")
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{color}" font-family="{escape(face)}" '
        f'font-size="{size}" text-anchor="{anchor}"{kind} xml:space="preserve">'
        f"{escape(text)}</text>"
    )
