"""The graph: the run's nodes and edges as they are at the cursor.

`Scene` computes every row from a plan and a frame; `Graph` owns the figure and its layers and gives
them the rows.
"""

from __future__ import annotations

from bokeh.models import HoverTool, PanTool, Rect, WheelZoomTool

from .canvas import Layer, Sheet
from .scene import Scene

RADII = {  # layers of rounded boxes with the radius of their corners; 999 is a pill
    "regions": (8, "6 4"),
    "region_back": (0, "solid"),
    "cut_back": (0, "solid"),
    "halo_box": (11, "solid"),
    "halo_pill": (999, "solid"),
    "stack": (999, "solid"),
    "tabs": (3, "solid"),
    "leaves": (8, "solid"),
    "constants": (8, "4 3"),
    "empty": (6, "2 3"),
    "plates": (6, "solid"),
    "dashed": (6, "4 3"),
    "pills": (999, "solid"),
    "hollow": (999, "5 4"),
    "heat": (0, "solid"),
    "pips": (1, "solid"),
    "hooks": (4, "solid"),
    "ring_box": (9, "solid"),
    "ring_pill": (999, "solid"),
    "badges": (999, "solid"),
    "chips": (999, "solid"),
}
SEGMENTS = ("hatch", "strikes", "cuts", "pluses", "leads", "crosses")
CURVES = ("edge_halo", "unreached", "gradients", "forward")
POLYGONS = ("under_heads", "gradient_heads", "forward_heads", "sums", "dot_heads", "start_heads")
CIRCLES = ("pins", "gates", "dots")
TEXTS = {
    "region_text": "sans",
    "tab_text": "mono",
    "mono": "mono",
    "math": "math",
    "sans": "sans",
    "hook_text": "math",
    "badge_text": "mono",
    "chip_mono": "mono",
    "chip_sans": "sans",
}
ORDER = [
    "regions",
    "hatch",
    "edge_halo",
    "unreached",
    "under_heads",
    "gradients",
    "gradient_heads",
    "forward",
    "forward_heads",
    "region_back",
    "region_text",
    "cut_back",
    "cuts",
    "halo_box",
    "halo_pill",
    "tabs",
    "tab_text",
    "strikes",
    "pins",
    "stack",
    "leaves",
    "constants",
    "empty",
    "plates",
    "dashed",
    "pills",
    "hollow",
    "heat",
    "pips",
    "mono",
    "math",
    "sans",
    "hooks",
    "hook_text",
    "sums",
    "gates",
    "pluses",
    "crosses",
    "ring_box",
    "ring_pill",
    "badges",
    "badge_text",
    "leads",
    "start_heads",
    "dots",
    "dot_heads",
    "chips",
    "chip_mono",
    "chip_sans",
]


class Graph:
    """The figure. `show` draws a frame by a plan; the camera is the caller's."""

    def __init__(self) -> None:
        self.sheet = Sheet("view-graph", 991, 338)
        self.root = self.sheet.plot
        wheel = WheelZoomTool(zoom_on_axis=False)
        self.root.add_tools(PanTool(), wheel)
        self.root.toolbar.active_scroll = wheel
        self.layers: dict[str, Layer] = {name: self._layer(name) for name in ORDER}
        self.areas = {"box": self._hover(8), "pill": self._hover(999)}

    def _hover(self, radius: int) -> Layer:
        """Nodes under the pointer turn a little accent, without asking Python."""
        areas = self.sheet.boxes(radius)
        renderer = self.root.renderers[-1]
        renderer.hover_glyph = Rect(
            x="x",
            y="y",
            width="width",
            height="height",
            border_radius=radius,
            fill_color="fill",
            fill_alpha=0.08,
            line_color=None,
        )
        self.root.add_tools(HoverTool(renderers=[renderer], tooltips=None))
        return areas

    def _layer(self, name: str) -> Layer:
        sheet = self.sheet
        if name in RADII:
            radius, dash = RADII[name]
            return sheet.boxes(radius, dash)
        if name in SEGMENTS:
            return sheet.segments()
        if name in CURVES:
            return sheet.curves("round" if name == "unreached" else "butt")
        if name in POLYGONS:
            return sheet.polygons()
        if name in CIRCLES:
            return sheet.circles()
        return sheet.texts(TEXTS[name])

    def window(self) -> tuple[float, float, float, float]:
        """Left, top, width and height of what is seen, as the page last told."""
        x, y = self.root.x_range, self.root.y_range
        return x.start, y.end, x.end - x.start, y.start - y.end

    def show(self, scene: Scene, camera: tuple[float, float, float]) -> None:
        """Draw a scene; camera is the left upper corner of the window, and the zoom."""
        left, top, zoom = camera
        width, height = scene.frame.size("graph")
        self.sheet.prepare(width, height, scene.frame.theme.paper)
        self.sheet.look(left, top, width / zoom, height / zoom)
        for kind, areas in self.areas.items():
            areas.show(scene.areas(kind))
        for name, layer in self.layers.items():
            layer.show(scene.pen.rows.get(name, ()))
            if name in RADII and RADII[name][0] not in (0, 999):
                layer.round(RADII[name][0] * zoom)
