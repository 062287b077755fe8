"""What views draw of the sample traces, for tests."""

from __future__ import annotations

import json
from typing import Any

from playground.app import Playground
from playground.layout import layout
from playground.state import state_at
from playground.trace import Trace
from playground.views.frame import Frame
from playground.views.layered import solve
from playground.views.plan import Plan, build
from playground.views.scene import Scene
from playground.words import speaker

PANEL = (991.0, 338.0)


def frame_at(trace: Trace, cursor: int | None = None, **more: Any) -> Frame:
    """A frame of a trace; at its end unless a cursor is given."""
    at = len(trace.steps) if cursor is None else cursor
    return Frame(state_at(trace, at), speaker(more.get("language", "en")), **more)


def plan_of(trace: Trace, orientation: str = "LR", panel: tuple[float, float] = PANEL) -> Plan:
    return build(trace, layout(trace, solve, orientation=orientation), panel)


def scene_at(trace: Trace, cursor: int | None = None, **more: Any) -> Scene:
    return Scene(plan_of(trace), frame_at(trace, cursor, **more))


def texts(scene: Scene, layer: str) -> list[str]:
    """Everything written in a layer of text."""
    return [row[2] for row in scene.pen.rows[layer]]


class Talk:
    """A playground without a page: sends messages, keeps the answers of the last one."""

    def __init__(self, trace: Trace | None = None, **around: Any) -> None:
        self.heard: list[dict[str, Any]] = []
        self.app = Playground(lambda text: self.heard.append(json.loads(text)))
        self.app.start(json.dumps(around))
        self.ready = self.heard[0]
        self.count = 0
        if trace is not None:
            self.say("trace", trace=trace.to_json(), keep=False)

    def say(self, kind: str, **fields: Any) -> list[dict[str, Any]]:
        """Send a message; the answers are returned and kept."""
        self.count += 1
        self.heard.clear()
        self.app.handle(json.dumps({"type": kind, "id": self.count, **fields}))
        return self.heard

    def intent(self, intent: str, **fields: Any) -> list[dict[str, Any]]:
        return self.say("intent", intent=intent, **fields)

    def only(self, kind: str) -> dict[str, Any]:
        """The one answer of that kind."""
        found = [message for message in self.heard if message["type"] == kind]
        assert len(found) == 1, [message["type"] for message in self.heard]
        return found[0]

    @property
    def state(self) -> dict[str, Any]:
        return self.only("state")

    def html(self, name: str) -> str:
        return str(getattr(self.app, name).html)
