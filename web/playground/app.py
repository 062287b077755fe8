"""The interface: every view put together, and the messages that move them.

`start` and `receive` are what the interface worker calls; `Playground` is the same for tests and
for any other way of carrying text to a page and back.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from typing import Any

from bokeh.core.property.validation import validate
from bokeh.document import Document
from bokeh.events import DoubleTap, Tap
from bokeh.model import Model

from playground.layout import Solve
from playground.takeaway.files import download
from playground.trace import Trace, collector_paused
from playground.views import status
from playground.views.actions import Actions
from playground.views.asking import Asking
from playground.views.card import card_at, card_of
from playground.views.console import Console
from playground.views.contour import Contour
from playground.views.desk import Desk
from playground.views.document import Page
from playground.views.error import ErrorView
from playground.views.graph import Graph
from playground.views.inspector import Inspector
from playground.views.layered import solve as layered
from playground.views.leaves import Leaves
from playground.views.ledger import Ledger
from playground.views.picture import Painter
from playground.views.pinned import Pin
from playground.views.scene import Scene
from playground.views.svg import svg
from playground.views.sweep import Sweep
from playground.views.table import Table
from playground.views.timeline import Timeline
from playground.views.why import Why, focus_line

Send = Callable[[str], None]


class Playground:
    """The views, what they show, and how messages change it."""

    def __init__(self, send: Send, solve: Solve = layered) -> None:
        self.send_text = send
        self.desk = Desk(solve)
        self.actions = Actions(self.desk, self._send)
        self.graph, self.timeline, self.ledger = Graph(), Timeline(), Ledger()
        self.contour = Contour()
        self.leaves, self.console, self.table = Leaves(), Console(), Table()
        self.inspector, self.error, self.why = Inspector(), ErrorView(), Why()
        self.pin, self.sweep = Pin(), Sweep()
        self.painter = Painter(self.pin, self.sweep)
        self._listen()  # a document learns who listens when a root is added
        self.page = Page(self._build)
        self._told: Trace | None = None  # the run whose ticks and stops the page has
        self._ready: dict[str, Any] | None = None  # the document as it was drawn ahead

    def _send(self, message: dict[str, Any]) -> None:
        self.send_text(json.dumps(message, ensure_ascii=False))

    def _build(self, document: Document) -> dict[str, Model]:
        names = ("graph", "timeline", "ledger", "contour")
        panes = (self.leaves, self.console, self.inspector, self.error, self.table, self.why)
        roots: dict[str, Model] = {name: getattr(self, name).root for name in names}
        roots.update({pane.name: pane.root(document) for pane in panes})
        return roots

    def _listen(self) -> None:
        """Taps on figures become intents."""
        desk, actions = self.desk, self.actions
        self.graph.root.on_event(Tap, lambda event: actions.tap_graph(event.x, event.y))
        self.graph.root.on_event(DoubleTap, lambda event: actions.enter_graph(event.x, event.y))
        self.ledger.root.on_event(Tap, lambda event: actions.tap_ledger(event.x, event.y))
        self.ledger.root.on_event(DoubleTap, lambda event: actions.enter_ledger(event.x, event.y))
        self.contour.root.on_event(Tap, self._tap_contour)
        actions.ledger_hit = self.ledger.hit
        actions.picture = self._picture
        more: dict[str, Any] = {"pin": lambda given: self.pin.toggle(desk.trace)}
        more |= {"save": self._save, "article": self._unfold_article, "closer": self._look_closer}
        actions.table = {**actions.table, **Asking(desk, self._send).table, **more}
        actions.latex = lambda: self.inspector.latex
        offers = {"error": self.error, "why": self.why}
        actions.rewriting.remedies = lambda of: offers.get(of, self.inspector).remedies
        desk.window_of = self.graph.window

    def start(self, surroundings: str = "{}") -> None:
        """Send the document; one that was drawn ahead is followed by what differs here."""
        ready = self._ready
        self.desk.surround(json.loads(surroundings))
        self._show()
        self._send(ready or self.page.ready())
        self._send_patch()

    def draw_ahead(self, surroundings: str) -> None:
        """Draw the document for a page that is not there yet."""
        self.desk.surround(json.loads(surroundings))
        self._show()
        self._ready = self.page.ready()

    def meet(self, send: Send, solve: Solve) -> None:
        """Take the page's ends in place of those it was made with."""
        self.send_text, self.desk.solve = send, solve

    def handle(self, message: str) -> None:
        """Answer one message: patches, the state, then that it is done."""
        given = json.loads(message)
        kind = given["type"]
        if kind == "patch":
            self._patched(given["patch"])
        elif kind == "trace":
            with collector_paused():
                self._load(given)
        elif kind == "ended":
            self.desk.extra["ended"] = given
        elif kind == "goto":
            self.desk.goto(int(given["step"]))
        elif kind == "intent":
            self.actions.do(given)
        elif kind in ("language", "theme", "viewport"):
            self.desk.surround({kind: given[kind]})
        elif kind == "hover":
            self._send({"type": "card", "card": self._card(given)})
        self._answer(given.get("id"), quiet=kind in ("patch", "hover"))

    def _load(self, given: dict[str, Any]) -> None:
        """Show a run; what is looked at first is found here, before the collector looks again."""
        trace = Trace.from_json(given["trace"])
        self.sweep.note(trace)
        self.desk.load(trace, bool(given.get("keep")))

    def _card(self, given: dict[str, Any]) -> dict[str, Any] | None:
        """What is said of the thing at a point, of a node, or of the one the keys have reached."""
        frame, plan = self.desk.frame(), self.desk.plan()
        if "x" in given:
            return card_at(frame, plan, float(given["x"]), float(given["y"]))
        return card_of(frame, plan, str(given.get("key") or self.desk.focus))

    def _patched(self, patch: str) -> None:
        """A change the page made: an event of a figure, or its window moved."""
        self.page.apply(patch)
        self.desk.window_moved()

    def _answer(self, number: Any, quiet: bool) -> None:
        changed = self._show()
        self._send_patch()
        if changed or not quiet:
            self._send(self.state())
        self._send({"type": "done", "id": number})

    def _send_patch(self) -> None:
        patch = self.page.take()
        if patch is not None:
            self._send({"type": "patch", "patch": patch, "buffers": []})

    def _show(self) -> bool:
        """Draw everything again if anything that is drawn has changed."""
        self.pin.tell(self.desk)
        if not self.desk.stale():
            return False
        with validate(False):  # Bokeh looks at every cell of every column otherwise
            self._draw()
        self.desk.shown()
        return True

    def _draw(self) -> None:
        picture, camera = self.painter.picture(self.desk), self.desk.camera
        frame, self.scene = picture.frame, picture.scene
        self.frame = frame
        self.graph.show(self.scene, (camera.left, camera.top, camera.zoom))
        for view in (self.timeline, self.ledger, self.contour, self.leaves, self.console):
            view.show(frame)
        self.inspector.show(frame)
        self.why.show(frame)
        self.error.show(frame)
        self.table.show(frame, self.desk.plan(), self.desk.table_open)

    def _tap_contour(self, event: Tap) -> None:
        """A dot of the descent leads to its step."""
        step = None if event.x is None or event.y is None else self.contour.hit(event.x, event.y)
        if step is not None:
            self.desk.goto(step)

    def _picture(self) -> str:
        """The whole graph at the cursor as SVG."""
        plan = self.desk.plan()
        return svg(Scene(plan, self.desk.frame()), plan) if plan.spots else ""

    def _save(self, given: dict[str, Any]) -> None:
        """Hand the page the file that was asked for."""
        frame = self.desk.frame()
        file = download(str(given.get("what")), frame.state, frame.say, self._picture)
        if file is not None:
            self._send(file)

    def _unfold_article(self, given: dict[str, Any]) -> None:
        """Open or close the page about the run's error."""
        extra, key = self.desk.extra, str(given.get("key"))
        extra["article"] = None if extra.get("article") == key else key

    def _look_closer(self, given: dict[str, Any]) -> None:
        """The Inspector's tables of numbers, on or off; they stay on from step to step."""
        self.desk.extra["closer"] = bool(given.get("on"))

    def state(self) -> dict[str, Any]:
        """The `state` message for what is shown now."""
        frame, camera = self.frame, self.desk.camera
        said = status.basics(frame)
        if self._told is not frame.trace:
            self._told = frame.trace
            said.update(status.of_run(frame))
        said.update(self.inspector.said(frame))
        said["why"] = self.why.said(frame, self.desk.plan())
        if self.why.found is not None:
            said["made_line"], said["made_label"] = focus_line(frame, self.why.found)
        said["error"] = self.error.said(frame)
        said["line_marks"] = [*status.line_marks(frame), *self.error.marks(frame)]
        said.update(self.error.ended(frame))
        said["motion"] = status.motion(frame, self.scene)
        said["graph"] = {
            "zoom": round(camera.zoom * 100),
            "tools": status.TOOLS,
            "table": self.desk.table_open,
            "pinned": self.pin.trace is not None,
        }
        return said


_app: list[Playground] = []
_ahead: list[Playground] = []


def draw_ahead(surroundings: str) -> None:
    """Build the interface before there is a page: a snapshot keeps it."""
    _app.clear()
    gc.collect()  # what was used to try things out leaves its room to this one
    _ahead[:] = [Playground(lambda _text: None)]
    _ahead[0].draw_ahead(surroundings)


def start(send: Send, surroundings: str, solve: Solve | None = None) -> None:
    """Build the interface, unless that was done ahead, and send its document.

    `surroundings` is JSON; `solve` is the page's layered layout (web/shell/dagre-layout.js).
    """
    _app[:] = [_ahead.pop() if _ahead else Playground(send)]
    _app[0].meet(send, solve or layered)
    _app[0].start(surroundings)


def shown() -> Playground:
    """Return the interface that the page has."""
    return _app[0]


def receive(message: str) -> None:
    """Answer one message of the page."""
    shown().handle(message)


def ahead() -> None:
    """Draw what probably comes next; the worker asks for it when no message waits."""
    shown().painter.ahead(shown().desk)
