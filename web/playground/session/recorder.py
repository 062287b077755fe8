"""The time line of a run as it grows: steps, what was printed, and what variables are called."""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable
from dataclasses import replace
from types import FrameType
from typing import Any, Literal

from engine import events
from engine.tensor import Tensor as EngineTensor
from playground.session import convert
from playground.session.budgets import Meter
from playground.session.drafts import Drafts
from playground.session.instrument import Compiled
from playground.session.names import Texts
from playground.session.scene import Scene
from playground.trace import Binding, Call, Kind, Op, Step, Value

ADDRESS = re.compile(r" at (0x[0-9a-f]+)>")
FIRST_ADDRESS = 0x7F0000000040
TEXTS = 200_000  # characters of gradients that are too large to be copied
Stream = Literal["stdout", "stderr"]


class Recorder:
    """What is known so far; forward.py and backward.py add to it."""

    def __init__(self, source: str, compiled: Compiled, meter: Meter) -> None:
        self.scene = Scene(compiled, meter)
        self.meter = meter
        self.drafts = Drafts(Texts(source))
        self.ops: list[Op] = []
        self.calls: list[Call] = []
        self.steps: list[Step] = []
        self.bindings: list[Binding] = []
        self.printed: list[str] = []
        self.after_step: Callable[[], None] | None = None
        self.before_event: Callable[[], None] | None = None
        self.op_of: dict[int, int] = {}  # seq of a node -> op
        self.places: dict[int, list[int]] = {}  # op -> operand of each of its node's edges
        self.leaf_of: dict[int, int] = {}  # seq of an accumulator -> leaf
        self.grads: dict[int, Value | None] = {}  # tensor -> its .grad
        self.objects: dict[int, weakref.ref[EngineTensor]] = {}  # tensors that variables hold
        self.in_call: int | None = None
        self.call_frame: FrameType | None = None  # where that call was made
        self._names: dict[str, int | None] = {}
        self._held: dict[str, tuple[weakref.ref[EngineTensor], int]] = {}
        self._characters = 0
        self._room = TEXTS
        self._text: list[str] = []
        self._stream: Stream = "stdout"
        self._addresses: dict[str, int] = {}

    def visit(self) -> None:
        """Find out what changed since the last step: names, and text that was printed."""
        before = self.scene.line
        moved = self.scene.visit()
        if moved:
            self._flush(before)
            self.bind_names()

    def add(self, kind: Kind, line: int | None, **fields: Any) -> None:
        """Append a step."""
        self._flush(self.scene.line)
        self._append(kind, line, **fields)

    def _append(self, kind: Kind, line: int | None, **fields: Any) -> None:
        if len(self.steps) >= self.meter.budgets.steps:
            self.meter.fail("steps", self.meter.budgets.steps)
        self.meter.check_clock()
        number = len(self.steps) + 1
        self.steps.append(Step(number, kind, line, execution=self.scene.execution, **fields))
        if self.after_step is not None:
            self.after_step()

    def write(self, text: str, stream: Stream) -> None:
        """Take what the program prints; one step per print."""
        if self.meter.ended is not None:
            raise self.meter.ended
        if stream != self._stream:
            self._flush(self.scene.line)
            self._stream = stream
        if not self._text and self.before_event is not None:
            self.before_event()
        self.visit()
        self._characters += len(text)
        if self._characters > self.meter.budgets.characters:
            self.meter.fail("characters", self.meter.budgets.characters)
        self._text.append(text)
        if text == "\n":
            self._flush(self.scene.line)

    def _flush(self, line: int | None) -> None:
        text = self._steady("".join(self._text))
        if text:
            self._text.clear()
            if self._stream == "stdout":
                self.printed.append(text)
            self._append("output", line, text=text, stream=self._stream)

    def _steady(self, text: str) -> str:
        """The text with memory addresses counted from a fixed one: two runs print the same."""

        def put(match: re.Match[str]) -> str:
            known = self._addresses.setdefault(match[1], FIRST_ADDRESS + 64 * len(self._addresses))
            return f" at {known:#x}>"

        return ADDRESS.sub(put, text)

    def finish(self) -> None:
        """Take in what came after the last event."""
        self._flush(self.scene.line)
        self.bind_names()

    def with_text(self, owner: int, grad: Value) -> Value:
        """A .grad with PyTorch's text of it, where it was not copied and there is room for it."""
        reference = self.objects.get(owner)
        tensor = reference() if reference is not None else None
        if grad.data is not None or self._room <= 0 or tensor is None or tensor._meta is None:
            return grad
        kept = tensor._meta.grad
        if kept is None:
            return grad
        text = repr(kept)
        self._room -= len(text)
        return replace(grad, text=text)

    # --- names -----------------------------------------------------------------------------------

    def bind_names(self) -> None:
        """Give names to tensors that variables hold now."""
        cursor = len(self.steps)
        present: dict[str, int | None] = {}
        for name, tensor, is_global in self.scene.bound():
            held = self._held.get(name)
            if held is not None and held[0]() is tensor:  # as nearly all of them, at every line
                present.setdefault(name, held[1])
                continue
            known = self.drafts.known(events.identify(tensor))
            if known is None:
                continue
            reference = self.objects.setdefault(known, weakref.ref(tensor))
            self._held[name] = reference, known
            self.drafts[known].call(name, is_global)
            present.setdefault(name, known)
        for name, found in present.items():
            if self._names.get(name) != found:
                self._names[name] = found
                self.bindings.append(Binding(cursor, name, found))
        self._drop_names(cursor)

    def _drop_names(self, cursor: int) -> None:
        """Note global names that hold no tensor any more."""
        frame = self.scene.frame or self.scene.previous
        if frame is None:
            return
        for name, known in list(self._names.items()):
            if known is not None and name in frame.f_globals:
                value = frame.f_globals[name]
                if not isinstance(value, EngineTensor):
                    self._names[name] = None
                    self.bindings.append(Binding(cursor, name, None))

    def fact(self, name: str, value: Any) -> Any:
        """A fact of an error with the engine's numbers turned into the trace's."""
        if isinstance(value, int) and not isinstance(value, bool):
            if name in ("tensor", "leaf", "saved_tensor"):
                return self.drafts.known(value)
            if name in ("node", "op", "seq"):
                return self.op_of.get(value)
        return convert.constant(value, lambda known: self.drafts.known(known) or 0)

    def number_of_op(self, seq: Any) -> int | None:
        return self.op_of.get(seq) if isinstance(seq, int) else None

    def fail(self, line: int | None, text: str, op: int | None) -> None:
        """Append the step of the error that ended the program, beyond any budget."""
        call = self.in_call
        step = Step(
            len(self.steps) + 1,
            "error",
            line,
            call=call,
            op=op,
            text=text,
            execution=self.scene.execution + 1,
        )
        self.steps.append(step)
