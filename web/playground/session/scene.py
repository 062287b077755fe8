"""Where the program is: frame, execution of the line, loops, modules, grad mode, variables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import FrameType
from typing import Any

from engine import events
from engine.nn.modules._hooks import number_of
from engine.tensor import Tensor
from playground.session.budgets import CLOCK_EVERY, Meter
from playground.session.instrument import FILENAME, Compiled
from playground.session.names import learner_frame, modules_in, tensors_in


@dataclass(slots=True)
class Enclosing:
    """A module call or an optimizer's step in progress."""

    label: str
    loops: int  # how many entries of the loop path lie outside it
    ops: int  # how many operations there were before it
    given: tuple[int, ...] = ()  # numbers of the tensors a module was called with


class Scene:
    """Follows the learner's frames; `visit` is called before each step is added."""

    def __init__(self, compiled: Compiled, meter: Meter) -> None:
        self.compiled = compiled
        self.meter = meter
        self.execution = 0
        self.frame: FrameType | None = None
        self.told: Callable[[int | None], None] | None = None
        self._ticks = 0
        self._place: tuple[int | None, int] = (None, 0)  # line, instruction
        self._runs = [0] * len(compiled.loops)
        self._passes = [0] * len(compiled.loops)
        self._inside: list[Enclosing] = []
        self._calls = 0
        self._modes: list[str] = []
        self._containers: dict[str, int] = {}
        self._modules: dict[int, str] = {}  # number of a module -> `net.body.0`

    def at(self, line: int | None) -> None:
        """A statement outside of functions begins; None: there are no more."""
        if self.told is not None:
            self.told(line)

    def enter(self, loop: int) -> None:
        """A loop begins: called in front of it."""
        self._runs[loop] += 1
        self._passes[loop] = 0

    def tick(self, statements: int, loop: int) -> None:
        """A pass of a loop or a call of a function begins; the busiest lines of a run."""
        if loop >= 0:
            self._passes[loop] += 1
        meter = self.meter
        meter.ticks += 1
        meter.lines += statements
        if meter.lines > meter.limit or not meter.ticks % CLOCK_EVERY:
            meter.look()

    def visit(self) -> bool:
        """Look where the program is; whether it moved on to another execution of a line."""
        frame = learner_frame()
        line = frame.f_lineno if frame is not None else None
        instruction = frame.f_lasti if frame is not None else 0
        moved = (
            frame is not self.frame
            or line != self._place[0]
            or self._ticks != self.meter.ticks
            or instruction < self._place[1]
        )
        if moved:
            self.execution += 1
        self.previous, self.frame = self.frame, frame
        self._place = (line, instruction)
        self._ticks = self.meter.ticks
        return moved

    @property
    def line(self) -> int | None:
        return self._place[0]

    previous: FrameType | None = None

    def bound(self) -> Iterator[tuple[str, Tensor, bool]]:
        """(name, tensor, whether global) of the variables in sight."""
        globals_: Mapping[str, Any] = {}
        frame = self.frame or self.previous
        if frame is not None:
            globals_ = frame.f_globals
            for name, tensor in tensors_in(globals_, self._containers):
                yield name, tensor, True
        seen: set[int] = set()
        for inner in (self.previous, self.frame):
            if inner is None or inner.f_locals is globals_ or id(inner) in seen:
                continue
            seen.add(id(inner))
            for name, tensor in tensors_in(inner.f_locals, {}):
                yield name, tensor, False

    def group(self) -> tuple[str, ...]:
        """The path for folding: loops and modules around this place, outermost first."""
        loops = self._loop_path()
        path: list[str] = []
        done = 0
        for item in self._inside:
            path += loops[done : item.loops]
            done = max(done, item.loops)
            path.append(item.label)
        return (*path, *loops[done:])

    def _loop_path(self) -> list[str]:
        if not self.compiled.loops:
            return []
        path: list[str] = []
        for frame in self._frames():
            for loop in self.compiled.loops_at.get(frame.f_lineno, ()):
                path.append(f"loop:{loop.line}:{self._runs[loop.number]}")
                path.append(f"pass:{self._passes[loop.number]}")
        return path

    def _frames(self) -> list[FrameType]:
        """The learner's frames, the outermost first."""
        frames: list[FrameType] = []
        frame = self.frame
        while frame is not None:
            if frame.f_code.co_filename == FILENAME:
                frames.append(frame)
            frame = frame.f_back
        return frames[::-1]

    def enter_module(self, event: events.ModuleCalled, ops: int) -> None:
        """Remember that a module's forward begins, after so many operations."""
        self._enter(f"module:{event.name}", ops, event.tensors)

    def enter_optimizer(self, event: events.OptimizerCalled, ops: int) -> None:
        """Remember that an optimizer's method begins."""
        self._enter(f"optimizer:{event.name}.{event.method}", ops)

    def _enter(self, label: str, ops: int, given: tuple[int, ...] = ()) -> None:
        self._calls += 1
        self.visit()
        place = len(self._loop_path())
        self._inside.append(Enclosing(f"{label}:{self._calls}", place, ops, given))

    def leave(self) -> Enclosing | None:
        """End what was entered last, and return it."""
        return self._inside.pop() if self._inside else None

    def module_path(self, event: events.ModuleCalled) -> str:
        """What the program calls a module, `net.0`; its class if no variable leads to it."""
        if event.module not in self._modules:
            for frame in self._frames():
                for path, module in modules_in(frame.f_locals):
                    number = number_of(module)
                    if number is not None:
                        self._modules.setdefault(number, path)
        return self._modules.setdefault(event.module, event.name)

    def change_mode(self, event: events.GradModeChanged) -> None:
        if event.entered:
            self._modes.append(event.mode)
        elif event.mode in self._modes:
            del self._modes[len(self._modes) - 1 - self._modes[::-1].index(event.mode)]

    def mode(self) -> str:
        """What keeps operations from being recorded now."""
        for mode in reversed(self._modes):
            if mode != "enable_grad":
                return mode
        return "no_grad"
