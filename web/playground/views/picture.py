"""What the views draw of one moment, made before it is given to the figures, or before its time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import inspector, leaves, ledger, timeline
from .desk import Desk
from .frame import Frame
from .pinned import Pin, table
from .scene import Scene
from .sweep import Sweep


@dataclass(frozen=True, slots=True)
class Picture:
    """The rows of the graph, and a frame in which the other views' are kept."""

    frame: Frame
    scene: Scene


class Painter:
    """Makes pictures. While nobody asks for anything, that of the step that comes next."""

    def __init__(self, pin: Pin, sweep: Sweep) -> None:
        self.pin, self.sweep = pin, sweep
        self._coming: tuple[tuple[Any, ...], Picture] | None = None

    def picture(self, desk: Desk) -> Picture:
        """Of what is shown now."""
        coming, self._coming = self._coming, None
        if coming is not None and coming[0] == desk.signature():
            return coming[1]
        return self._made(desk)

    def ahead(self, desk: Desk) -> None:
        """Of what will be shown if the cursor moves on as it did the last time."""
        following = desk.following()
        if self._coming is None and following is not None:
            made = self._made(following)
            for view in (timeline, ledger, leaves, inspector):
                view.prepare(made.frame)
            self._coming = following.signature(), made

    def _made(self, desk: Desk) -> Picture:
        frame, camera = desk.frame(), desk.camera
        scene = Scene(desk.plan(), frame, camera.zoom, desk.focus, desk.window())
        self.pin.mark(scene)
        frame.found["pinned"] = table(frame, self.pin.changes(frame))
        frame.found.update(ghost=self.pin.ghost(frame), sweep=self.sweep)
        return Picture(frame, scene)
