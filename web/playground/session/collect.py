"""The observer of a run: turns the engine's events into steps, ops and tensors."""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable
from typing import Any

from engine import events
from engine.ops.record import REGISTRY
from engine.tensor import Tensor as EngineTensor
from playground.session import convert
from playground.session.budgets import Meter
from playground.session.drafts import Draft, Drafts
from playground.session.instrument import Compiled
from playground.session.names import Texts
from playground.session.scene import Scene
from playground.trace import (
    Binding,
    Call,
    Kind,
    Message,
    Op,
    Operand,
    SavedTensor,
    Step,
    Value,
)

ADDRESS = re.compile(r" at (0x[0-9a-f]+)>")
FIRST_ADDRESS = 0x7F0000000040
ZEROING = ("zero_", "fill_", "mul", "mul_", "zero", "fill")


class Collector:
    """Called with every event; what it gathers becomes a Trace."""

    def __init__(self, source: str, compiled: Compiled, meter: Meter) -> None:
        self.scene = Scene(compiled, meter)
        self.meter = meter
        self.drafts = Drafts(Texts(source))
        self.ops: list[Op] = []
        self.calls: list[Call] = []
        self.steps: list[Step] = []
        self.bindings: list[Binding] = []
        self.printed: list[str] = []
        self.muted = False
        self.after_step: Callable[[], None] | None = None
        self.before_event: Callable[[], None] | None = None
        self._op_of: dict[int, int] = {}  # seq of a node -> op
        self._places: dict[int, list[int]] = {}  # op -> operand of each of its node's edges
        self._leaf_of: dict[int, int] = {}  # seq of an accumulator -> leaf
        self._grads: dict[int, Value | None] = {}  # tensor -> its .grad
        self._flags: dict[int, bool] = {}
        self._names: dict[str, int | None] = {}
        self._objects: dict[int, weakref.ref[EngineTensor]] = {}
        self._sent: dict[tuple[int, int], Value] = {}  # (op, operand) -> last message
        self._characters = 0
        self._text: list[str] = []
        self._stream = "stdout"
        self._addresses: dict[str, int] = {}
        self._in_call: int | None = None
        self._handlers: dict[type, Callable[[Any], None]] = {
            events.TensorCreated: self._created,
            events.OpApplied: self._applied,
            events.RequiresGradChanged: self._flag,
            events.GradModeChanged: self.scene.change_mode,
            events.BackwardStarted: self._started,
            events.VjpApplied: self._rule,
            events.ReducedToShape: self._reduced,
            events.HookRan: self._hook,
            events.GradWritten: self._written,
            events.GradCleared: self._cleared,
            events.SavedFreed: self._freed,
            events.BackwardFinished: self._finished,
            events.ModuleCalled: self.scene.call_module,
            events.OptimizerCalled: self.scene.call_module,
        }

    def __call__(self, event: events.Event) -> None:
        if self.muted or self.meter.ended is not None:
            if self.meter.ended is not None and not self.muted:
                raise self.meter.ended
            return
        handler = self._handlers.get(type(event))
        if handler is not None:
            if self.before_event is not None:
                self.before_event()
            handler(event)

    # --- steps -----------------------------------------------------------------------------------

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

    def write(self, text: str, stream: str) -> None:
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

    # --- names -----------------------------------------------------------------------------------

    def bind_names(self) -> None:
        """Give names to tensors that variables hold now."""
        cursor = len(self.steps)
        present: dict[str, int | None] = {}
        for name, tensor, is_global in self.scene.bound():
            known = self.drafts.known(events.identify(tensor))
            if known is None:
                continue
            self._objects.setdefault(known, weakref.ref(tensor))
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

    # --- forward ---------------------------------------------------------------------------------

    def _draft(self, facts: events.TensorFacts, line: int | None) -> Draft:
        return self.drafts.of(facts, line)

    def _created(self, event: events.TensorCreated) -> None:
        self.visit()
        known = self.drafts.known(event.tensor.id)
        self.meter.allocate(convert.size_in_bytes(event.tensor))
        draft = self._draft(event.tensor, event.line)
        self._flags[draft.id] = event.tensor.requires_grad
        if known is not None:  # a Parameter made of a tensor that was announced already
            return
        self.drafts.describe(draft, self.scene, event.how)
        self.add("leaf", event.line, tensor=draft.id, value=draft.value)

    def _applied(self, event: events.OpApplied) -> None:
        self.visit()
        index = len(self.ops)
        operands = self._operands(event, index)
        outputs = []
        for facts in event.outputs:
            known = self.drafts.known(facts.id)
            draft = self._draft(facts, event.line)
            if known is None:
                self.meter.allocate(convert.size_in_bytes(facts))
                draft.op = index
                self.drafts.describe(draft, self.scene, event.op, operands, self._in_call)
            self._flags[draft.id] = facts.requires_grad
            outputs.append(draft)
        op = Op(
            index,
            event.op,
            event.grad_fn,
            event.line,
            operands,
            tuple(draft.id for draft in outputs),
            tuple(
                SavedTensor(
                    item.name,
                    self.drafts.known(item.tensor) if item.tensor is not None else None,
                    item.version,
                )
                for item in event.saved
            ),
            event.inplace,
            None if event.grad_enabled or event.grad_fn else self.scene.mode(),
            self.scene.group(),
        )
        self.ops.append(op)
        if event.node is not None:
            self._op_of[event.node] = index
        if event.inplace:
            self._changed(event, index, outputs[0])
        else:
            self.add("op", event.line, op=index, tensor=outputs[0].id, call=self._in_call)

    def _operands(self, event: events.OpApplied, op: int) -> tuple[Operand, ...]:
        """The operands of an op; edges are one per argument that may be a tensor."""
        record = REGISTRY.get(event.op)
        kinds = {param.name: param.is_tensor for param in record.params} if record else {}
        found: list[Operand] = []
        places: list[int] = []

        def add(name: str, argument: Any, takes_edge: bool) -> None:
            is_tensor = isinstance(argument, events.TensorFacts)
            edge = None
            if takes_edge:
                edge = event.edges[len(places)] if len(places) < len(event.edges) else None
                places.append(len(found))
            if is_tensor:
                found.append(self._operand(name, argument, edge, event))
            else:
                found.append(Operand(name, None, None, convert.constant(argument), None))

        for name, argument in event.arguments:
            items = argument if isinstance(argument, tuple) else ()
            if any(isinstance(item, events.TensorFacts) for item in items):
                for position, item in enumerate(items):
                    add(f"{name}[{position}]", item, kinds.get(name, True))
            else:
                default = isinstance(argument, events.TensorFacts)
                add(name, argument, kinds.get(name, default))
        self._places[op] = places
        return tuple(found)

    def _operand(
        self, name: str, facts: events.TensorFacts, seq: int | None, event: events.OpApplied
    ) -> Operand:
        draft = self._draft(facts, event.line)
        version = facts.version
        if event.inplace and facts.id == event.outputs[0].id and version:
            version = min(version, event.outputs[0].version - 1)
        target: Any = None
        if seq is not None:
            target = ("op", self._op_of[seq]) if seq in self._op_of else ("tensor", draft.id)
            if target[0] == "tensor":
                self._leaf_of.setdefault(seq, draft.id)
        return Operand(name, draft.id, version, None, target)

    def _changed(self, event: events.OpApplied, op: int, draft: Draft) -> None:
        """Add the step of an in-place operation."""
        facts = event.outputs[0]
        value = convert.value_of(facts.value)
        owner = draft.grad_of
        shared = self._shared(draft, facts)
        if owner is not None and self.drafts.current_grad(owner) == facts.id:
            before, self._grads[owner] = self._grads.get(owner), value
            if event.op in ZEROING and value.data is not None and not any(value.data):
                self.add("zero", event.line, op=op, tensor=owner, value=value, before=before)
                return
        self.add(
            "inplace",
            event.line,
            op=op,
            tensor=draft.id,
            value=value,
            version=facts.version,
            shared=shared,
            call=self._in_call,
        )

    def _shared(self, draft: Draft, facts: events.TensorFacts) -> tuple[tuple[int, Value], ...]:
        """New values of the learner's other tensors on the memory that was written."""
        if not self.drafts.may_share(draft, facts):
            return ()
        found = []
        for other, reference in self._objects.items():
            tensor = reference()
            if tensor is None or other == draft.id:
                continue
            value = convert.value_of(events.value_of(tensor._array))
            if value != self.drafts[other].last:
                self.drafts[other].last = value
                found.append((other, value))
        return tuple(found)

    def _flag(self, event: events.RequiresGradChanged) -> None:
        self.visit()
        draft = self._draft(event.tensor, event.line)
        on = event.tensor.requires_grad
        if self._flags.get(draft.id, draft.requires_grad) != on:
            self._flags[draft.id] = on
            self.add("flag", event.line, tensor=draft.id, text=str(on))

    # --- backward --------------------------------------------------------------------------------

    def _started(self, event: events.BackwardStarted) -> None:
        self.visit()
        roots = tuple(
            known for _, tensor in event.roots if (known := self.drafts.known(tensor)) is not None
        )
        kind: Any = event.kind
        self.calls.append(
            Call(
                len(self.calls) + 1,
                kind,
                event.line,
                roots,
                tuple(convert.value_of(value) for value in event.gradients),
                event.retain_graph,
                event.create_graph,
            )
        )
        self._in_call = len(self.calls)
        self._sent.clear()
        op = self._op_of.get(event.roots[0][0]) if event.roots else None
        tensor = roots[0] if roots else None
        self.add("call", event.line, call=self._in_call, op=op, tensor=tensor)

    def _finished(self, event: events.BackwardFinished) -> None:
        self._in_call = None

    def _edge(self, op: int, edge: int) -> int | None:
        """The operand an edge belongs to."""
        places = self._places[op]
        return places[edge] if edge < len(places) else None

    def _rule(self, event: events.VjpApplied) -> None:
        op = self._op_of.get(event.node)
        if op is None:
            return
        self.visit()
        messages = []
        for edge, receiver, value in event.passed:
            operand = self._edge(op, edge)
            target = self._target(op, operand, receiver)
            if operand is not None and target is not None:
                sent = convert.value_of(value)
                self._sent[op, operand] = sent
                messages.append(Message(op, operand, target, sent))
        incoming = next((value for value in event.incoming if value is not None), None)
        self.add(
            "rule",
            event.line,
            call=self._in_call,
            op=op,
            incoming=convert.optional(incoming),
            messages=tuple(messages),
            saved=tuple(item.name for item in self.ops[op].saved),
        )

    def _target(self, op: int, operand: int | None, receiver: int) -> Any:
        if receiver in self._op_of:
            return ("op", self._op_of[receiver])
        if receiver in self._leaf_of:
            return ("tensor", self._leaf_of[receiver])
        return self.ops[op].operands[operand].target if operand is not None else None

    def _reduced(self, event: events.ReducedToShape) -> None:
        op = self._op_of.get(event.node)
        operand = self._edge(op, event.edge) if op is not None else None
        if op is None or operand is None:
            return
        self.visit()
        target = self.ops[op].operands[operand].target
        if target is None:
            return
        message = Message(op, operand, target, convert.value_of(event.value))
        self.add(
            "reduce",
            event.line,
            call=self._in_call,
            op=op,
            incoming=self._sent.get((op, operand)),
            messages=(message,),
            dims=event.dims,
        )

    def _hook(self, event: events.HookRan) -> None:
        self.visit()
        self.add(
            "hook",
            event.line,
            call=self._in_call,
            op=self._op_of.get(event.node) if event.node is not None else None,
            tensor=self.drafts.known(event.tensor) if event.tensor is not None else None,
            before=convert.optional(event.before),
            value=convert.optional(event.after),
            text=event.kind,
        )

    def _written(self, event: events.GradWritten) -> None:
        leaf = self.drafts.known(event.leaf)
        if leaf is None:
            return
        self.visit()
        value = convert.value_of(event.grad.value)
        self.drafts.link_grad(event.grad.id, leaf)
        self._grads[leaf] = value
        self.add(
            "write",
            event.line,
            call=self._in_call,
            op=self._op_of.get(event.node) if event.node is not None else None,
            tensor=leaf,
            value=value,
            before=convert.optional(event.before),
            incoming=convert.value_of(event.contribution),
            text=event.how,
        )

    def _cleared(self, event: events.GradCleared) -> None:
        leaf = self.drafts.known(event.leaf)
        if leaf is None or self._grads.get(leaf) is None:
            return
        self.visit()
        self._grads[leaf] = None
        self.drafts.link_grad(None, leaf)
        self.add("none", event.line, tensor=leaf)

    def _freed(self, event: events.SavedFreed) -> None:
        op = self._op_of.get(event.node)
        if op is None:
            return
        self.visit()
        self.add("freed", event.line, call=self._in_call, op=op, saved=event.names)

    # --- errors ----------------------------------------------------------------------------------

    def fact(self, name: str, value: Any) -> Any:
        """A fact of an error with the engine's numbers turned into the trace's."""
        if isinstance(value, int) and not isinstance(value, bool):
            if name in ("tensor", "leaf", "saved_tensor"):
                return self.drafts.known(value)
            if name in ("node", "op", "seq"):
                return self._op_of.get(value)
        return convert.constant(value, lambda known: self.drafts.known(known) or 0)

    def number_of_op(self, seq: Any) -> int | None:
        return self._op_of.get(seq) if isinstance(seq, int) else None

    def fail(self, line: int | None, text: str, op: int | None) -> None:
        """Append the step of the error that ended the program, beyond any budget."""
        call = self._in_call
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
