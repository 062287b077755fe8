"""Bokeh figures as sheets of paper: pixels for units, y downwards, layers that take rows.

A `Sheet` is a figure without axes. A `Layer` is one glyph renderer with its data source; `show`
gives it new rows and sends only what differs from the rows before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bokeh.core.properties import value as constant
from bokeh.models import (
    ColumnDataSource,
    Glyph,
    GlyphRenderer,
    Plot,
    Range1d,
)
from bokeh.models.glyphs import Bezier, Circle, MultiLine, Patches, Rect, Segment, Text

from .theme import MATH, MONO, SANS

RISE = 0.345  # from the base line to the middle of a line, in ems: half of ascent − descent
PATCH_SHARE = 8
"""Rows are patched one by one while at most 1/8 of the cells of a column changed."""


class Layer:
    """One kind of drawn thing."""

    def __init__(self, sheet: Sheet, glyph: Glyph, columns: Sequence[str]) -> None:
        self.columns = tuple(columns)
        self.glyph = glyph
        self._rows: list[Sequence[Any]] = []
        self.source = ColumnDataSource(data={name: [] for name in self.columns})
        sheet.plot.renderers.append(
            GlyphRenderer(
                data_source=self.source,
                glyph=glyph,
                selection_glyph=None,
                nonselection_glyph=None,
                muted_glyph=None,
            )
        )

    def round(self, radius: float) -> None:
        """Give rounded boxes that radius, in screen pixels."""
        if self.glyph.border_radius != round(radius):
            self.glyph.border_radius = round(radius)

    def cells(self, row: Sequence[Any]) -> Sequence[Any]:
        """What is sent of a row, a cell for every column."""
        return row

    def show(self, rows: Iterable[Sequence[Any]]) -> None:
        """Draw these rows; columns in the order given to the constructor."""
        rows = list(rows)
        if rows == self._rows:
            return
        self._rows = rows
        cells = zip(*map(self.cells, rows), strict=True) if rows else ([] for _ in self.columns)
        fresh = {name: list(column) for name, column in zip(self.columns, cells, strict=True)}
        data = self.source.data
        if len(rows) != len(data[self.columns[0]]):
            self.source.data = fresh
            return
        changed = {name: cells for name, cells in fresh.items() if cells != data[name]}
        if not changed:
            return
        few = {name: _differences(data[name], cells) for name, cells in changed.items()}
        if all(len(cells) * PATCH_SHARE <= len(rows) for cells in few.values()):
            self.source.patch(few)
        else:
            data.update(changed)


class Writing(Layer):
    """A layer of text. Bokeh wants the middle of a line; rows give the base line."""

    def cells(self, row: Sequence[Any]) -> Sequence[Any]:
        """From x, y of the base line, text, size, style, align, color."""
        return (*row, -round(RISE * float(row[3][:-2]), 2))


def _differences(old: Sequence[Any], new: Sequence[Any]) -> list[tuple[int, Any]]:
    return [(i, cell) for i, (was, cell) in enumerate(zip(old, new, strict=True)) if was != cell]


class Sheet:
    """A figure whose data units are pixels at zoom 1, with y growing downwards."""

    def __init__(self, name: str, width: float, height: float) -> None:
        self.plot = Plot(
            name=name,
            width=round(width),
            height=round(height),
            x_range=Range1d(0, width),
            y_range=Range1d(height, 0),
            toolbar_location=None,
            min_border=0,
            outline_line_color=None,
            title=None,
            border_fill_color=None,
            match_aspect=False,
            lod_threshold=None,
            stylesheets=[":host(:focus), :host(:focus-visible) { outline: none }"],  # the page's
            output_backend="canvas",
        )
        self.plot.toolbar.logo = None

    def prepare(self, width: float, height: float, paper: str) -> None:
        """Give the figure that many pixels, and its paper.

        Opaque paper matters: Bokeh clears half a pixel too little at the edges, so that what is
        panned across them would leave traces.
        """
        width, height = max(1, round(width)), max(1, round(height))
        self.plot.update(width=width, height=height, background_fill_color=paper)

    def look(self, left: float, top: float, width: float, height: float) -> None:
        """Show that part of the sheet; ranges the page itself has moved there are left alone."""
        for axis, ends in (
            (self.plot.x_range, (left, left + width)),
            (self.plot.y_range, (top + height, top)),
        ):
            if max(abs(axis.start - ends[0]), abs(axis.end - ends[1])) > 0.01:
                axis.update(start=ends[0], end=ends[1])

    def boxes(self, radius: float, dash: str = "solid", **more: Any) -> Layer:
        """Rounded boxes: x, y (middle), width, height, fill, line, weight, alpha."""
        glyph = Rect(
            x="x",
            y="y",
            width="width",
            height="height",
            border_radius=round(radius),
            fill_color="fill",
            line_color="line",
            line_width="weight",
            line_dash=dash if dash == "solid" else [int(part) for part in dash.split()],
            fill_alpha="alpha",
            line_alpha="alpha",
            **more,
        )
        return Layer(self, glyph, ("x", "y", "width", "height", "fill", "line", "weight", "alpha"))

    def curves(self, cap: str = "butt") -> Layer:
        """Cubic béziers: four points, line, weight, dash ("" is solid), alpha."""
        points = ("x0", "y0", "cx0", "cy0", "cx1", "cy1", "x1", "y1")
        glyph = Bezier(
            **{name: name for name in points},
            line_color="line",
            line_width="weight",
            line_dash="dash",
            line_alpha="alpha",
            line_cap=cap,
        )
        return Layer(self, glyph, (*points, "line", "weight", "dash", "alpha"))

    def segments(self, cap: str = "butt") -> Layer:
        """Straight lines: x0, y0, x1, y1, line, weight, dash, alpha."""
        glyph = Segment(
            x0="x0",
            y0="y0",
            x1="x1",
            y1="y1",
            line_color="line",
            line_width="weight",
            line_dash="dash",
            line_alpha="alpha",
            line_cap=cap,
        )
        return Layer(self, glyph, ("x0", "y0", "x1", "y1", "line", "weight", "dash", "alpha"))

    def polygons(self) -> Layer:
        """Small filled shapes: xs, ys, fill, line, weight, alpha."""
        glyph = Patches(
            xs="xs",
            ys="ys",
            fill_color="fill",
            line_color="line",
            line_width="weight",
            line_join="round",
            fill_alpha="alpha",
            line_alpha="alpha",
        )
        return Layer(self, glyph, ("xs", "ys", "fill", "line", "weight", "alpha"))

    def strokes(self) -> Layer:
        """Open lines: xs, ys, line, weight."""
        glyph = MultiLine(
            xs="xs", ys="ys", line_color="line", line_width="weight", line_join="miter"
        )
        return Layer(self, glyph, ("xs", "ys", "line", "weight"))

    def circles(self) -> Layer:
        """Circles: x, y, radius, fill, line, weight, alpha."""
        glyph = Circle(
            x="x",
            y="y",
            radius="radius",
            fill_color="fill",
            line_color="line",
            line_width="weight",
            fill_alpha="alpha",
        )
        return Layer(self, glyph, ("x", "y", "radius", "fill", "line", "weight", "alpha"))

    def texts(self, face: str) -> Layer:
        """Writing: x, y (of the base line), text, size ("12px"), style, align, color."""
        glyph = Text(
            x="x",
            y="y",
            text="text",
            text_font=constant(FACES[face]),
            text_font_size="size",
            text_font_style="style",
            text_align="align",
            text_baseline="alphabetic",
            text_color="color",
            y_offset="lift",
        )
        columns = ("x", "y", "text", "size", "style", "align", "color", "lift")
        return Writing(self, glyph, columns)


FACES: Mapping[str, str] = {"mono": MONO, "sans": SANS, "math": MATH}
