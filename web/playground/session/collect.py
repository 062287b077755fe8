"""The observer of a run: hands the engine's events on to those who turn them into a trace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import events
from playground.session.backward import Backward
from playground.session.budgets import Meter
from playground.session.forward import Forward
from playground.session.instrument import Compiled
from playground.session.recorder import Recorder
from playground.trace import Final


class Collector(Recorder):
    """Called with every event; what it gathers becomes a Trace."""

    def __init__(self, source: str, compiled: Compiled, meter: Meter) -> None:
        super().__init__(source, compiled, meter)
        self.muted = False
        self.final: tuple[Final, ...] = ()
        forward, backward = Forward(self), Backward(self)
        self._handlers: dict[type, Callable[[Any], None]] = {
            events.TensorCreated: forward.created,
            events.OpApplied: forward.applied,
            events.RequiresGradChanged: forward.flag,
            events.GradModeChanged: self.scene.change_mode,
            events.BackwardStarted: backward.started,
            events.VjpApplied: backward.rule,
            events.ReducedToShape: backward.reduced,
            events.HookRan: backward.hook,
            events.GradWritten: backward.written,
            events.GradCleared: backward.cleared,
            events.SavedFreed: backward.freed,
            events.BackwardFinished: backward.finished,
            events.ModuleCalled: forward.module,
            events.OptimizerCalled: forward.optimizer,
        }

    def __call__(self, event: events.Event) -> None:
        if self.muted:
            return
        if self.meter.ended is not None:
            raise self.meter.ended
        handler = self._handlers.get(type(event))
        if handler is not None:
            if self.before_event is not None:
                self.before_event()
            handler(event)
