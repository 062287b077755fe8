"""Cuts the browser's half of Bokeh and Panel to the models that the page draws with.

Their bundles are one module per function, each on lines of its own: what no wanted model needs is
left out, and the modules that list all models list the wanted ones.
"""

import json
import re
from dataclasses import dataclass

from .places import Failure

# The class of every model that the document ever holds; a test compares them with the views.
BOKEH = (
    *("AllIndices", "Bezier", "CDSView", "Circle", "ColumnDataSource", "GlyphRenderer"),
    *("HoverTool", "LinearScale", "MultiLine", "PanTool", "Patches", "Plot", "Range1d", "Rect"),
    *("Segment", "Selection", "Text", "Toolbar", "UnionRenderers", "WheelZoomTool"),
    "Notifications",  # of every document
)
WIDGETS = ("Markup", "Widget")  # what Panel's HTML is made of
PANEL = ("HTML",)

_START = re.compile(r'^(?:("?\w+"?): )?function _\((\w+)', re.MULTILINE)
_TAIL = re.compile(r'^[}\]], ("?\w+"?), (\{.*\}), \{\}\);\}\);', re.MULTILINE)
# o("Rect",e(341).Rect), or var g=e(341);o("Rect",g.Rect),o("RectView",g.RectView)
_LISTED = re.compile(r'\b(\w+)=\w\(("?\w+"?)\)|\b\w\("(\w+)",(?:\w\(("?\w+"?)\)|(\w+))\.\3\)')
_ALL = re.compile(r'\.__exportStar\(\w\(("?\w+"?)\),\w\)')


@dataclass
class Bundle:
    """A script of modules by id: what is before them, they, what is after them."""

    head: str
    modules: dict[str, str]
    tail: str
    entry: str
    aliases: dict[str, str]
    named: bool  # whether ids are written down, or are places in a list

    def needs(self, key: str) -> set[str]:
        """Return the modules of this bundle that one module asks for."""
        text = self.modules[key]
        start = _START.match(text)
        asked = re.findall(rf'\b{start[2] if start else ""}\(("[^"]+"|\d+)\)', text)
        keys = {name.strip('"').removeprefix("@bokehjs/") for name in asked}
        return {self.aliases.get(key, key) for key in keys} & set(self.modules)


def script(bokeh: str, widgets: str, _tables: str, panel: str) -> str:
    """Return all of Bokeh and Panel that the page needs, as one script."""
    parts = (
        cut(bokeh, BOKEH, "models/index"),
        cut(widgets, WIDGETS, "models/widgets/index"),
        cut(panel, PANEL, "models/index"),
    )
    return "\n".join(parts)


def read(text: str) -> Bundle:
    """Take a bundle apart."""
    tail, starts = _TAIL.search(text), list(_START.finditer(text))
    if not tail or not starts:
        raise Failure("A script of Bokeh or Panel is no bundle of modules any more")
    ends = [start.start() for start in starts[1:]] + [tail.start()]
    modules = {}
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        modules[(start[1] or str(number)).strip('"')] = text[start.start() : end]
    aliases = {name: str(key) for name, key in json.loads(tail[2]).items()}
    head, rest = text[: starts[0].start()], text[tail.start() :]
    return Bundle(head, modules, rest, tail[1].strip('"'), aliases, starts[0][1] is not None)


def cut(text: str, wanted: tuple[str, ...], listing: str) -> str:
    """Return a bundle with the wanted classes alone, and all that they need.

    `listing` is the module, by id or by name, that lists the classes of all models.
    """
    bundle = read(text)
    listing = bundle.aliases.get(listing, listing)
    _list(bundle, listing, wanted)
    kept: set[str] = set()
    coming = [bundle.entry]
    while coming:
        key = coming.pop()
        if key not in kept:
            kept.add(key)
            coming += bundle.needs(key)
    return _written(bundle, kept)


def _list(bundle: Bundle, listing: str, wanted: tuple[str, ...]) -> None:
    """Have the listing module export the wanted classes and no others."""
    found: dict[str, str] = {}
    coming = [listing]
    while coming:
        here = coming.pop()
        text = bundle.modules[here]
        for name in wanted:
            if re.search(rf"\b\w\.{name}=(?!void 0)", text):  # the class is here itself
                found.setdefault(name, here)
        names: dict[str, str] = {}
        for name, bound, listed, key, of in _LISTED.findall(text):
            if bound:
                names[name] = bound
            elif module := key or names.get(of):
                found.setdefault(listed, module)
        coming += [key.strip('"') for key in _ALL.findall(text)]
    if missing := [name for name in wanted if name not in found]:
        raise Failure(f"Bokeh or Panel has no model {', '.join(missing)} any more")
    exports = "".join(f'o("{name}",e({found[name]}).{name});' for name in wanted)
    label = re.match(r'(?:"?\w+"?: )?', bundle.modules[listing])
    start = label[0] if label else ""
    bundle.modules[listing] = f"{start}function _(e,t,s,n,o){{n();{exports}}},\n"


def _written(bundle: Bundle, kept: set[str]) -> str:
    if bundle.named:
        modules = "".join(text for key, text in bundle.modules.items() if key in kept)
    else:  # the others' places stay
        modules = "".join(text if key in kept else "0,\n" for key, text in bundle.modules.items())
    return bundle.head + modules + bundle.tail
