"""Events of the backward pass: rules run, contributions are summed, gradients written."""

from __future__ import annotations

from typing import Any

from engine import events
from playground.session import convert
from playground.session.recorder import Recorder
from playground.trace import Call, Message, Value


class Backward:
    """Adds to a recorder what happens in calls of backward() and grad()."""

    def __init__(self, rec: Recorder) -> None:
        self.rec = rec
        self._sent: dict[tuple[int, int], Value] = {}  # (op, operand) -> last message

    def started(self, event: events.BackwardStarted) -> None:
        self.rec.visit()
        roots = tuple(
            known
            for _, tensor in event.roots
            if (known := self.rec.drafts.known(tensor)) is not None
        )
        kind: Any = event.kind
        self.rec.calls.append(
            Call(
                len(self.rec.calls) + 1,
                kind,
                event.line,
                roots,
                tuple(convert.value_of(value) for value in event.gradients),
                event.retain_graph,
                event.create_graph,
            )
        )
        self.rec.in_call = len(self.rec.calls)
        self.rec.call_frame = self.rec.scene.frame
        self._sent.clear()
        op = self.rec.op_of.get(event.roots[0][0]) if event.roots else None
        tensor = roots[0] if roots else None
        self.rec.add("call", event.line, call=self.rec.in_call, op=op, tensor=tensor)

    def finished(self, event: events.BackwardFinished) -> None:
        self.rec.in_call = self.rec.call_frame = None

    def _edge(self, op: int, edge: int) -> int | None:
        """The operand an edge belongs to."""
        places = self.rec.places[op]
        return places[edge] if edge < len(places) else None

    def rule(self, event: events.VjpApplied) -> None:
        op = self.rec.op_of.get(event.node)
        if op is None:
            return
        self.rec.visit()
        messages = []
        for edge, receiver, value in event.passed:
            operand = self._edge(op, edge)
            target = self._target(op, operand, receiver)
            if operand is not None and target is not None:
                sent = convert.value_of(value)
                self._sent[op, operand] = sent
                messages.append(Message(op, operand, target, sent))
        incoming = next((value for value in event.incoming if value is not None), None)
        self.rec.add(
            "rule",
            event.line,
            call=self.rec.in_call,
            op=op,
            incoming=convert.optional(incoming),
            messages=tuple(messages),
            saved=tuple(item.name for item in self.rec.ops[op].saved),
        )

    def _target(self, op: int, operand: int | None, receiver: int) -> Any:
        if receiver in self.rec.op_of:
            return ("op", self.rec.op_of[receiver])
        if receiver in self.rec.leaf_of:
            return ("tensor", self.rec.leaf_of[receiver])
        return self.rec.ops[op].operands[operand].target if operand is not None else None

    def reduced(self, event: events.ReducedToShape) -> None:
        op = self.rec.op_of.get(event.node)
        operand = self._edge(op, event.edge) if op is not None else None
        if op is None or operand is None:
            return
        self.rec.visit()
        target = self.rec.ops[op].operands[operand].target
        if target is None:
            return
        message = Message(op, operand, target, convert.value_of(event.value))
        self.rec.add(
            "reduce",
            event.line,
            call=self.rec.in_call,
            op=op,
            incoming=self._sent.get((op, operand)),
            messages=(message,),
            dims=event.dims,
        )

    def hook(self, event: events.HookRan) -> None:
        self.rec.visit()
        self.rec.add(
            "hook",
            event.line,
            call=self.rec.in_call,
            op=self.rec.op_of.get(event.node) if event.node is not None else None,
            tensor=self.rec.drafts.known(event.tensor) if event.tensor is not None else None,
            before=convert.optional(event.before),
            value=convert.optional(event.after),
            text=event.kind,
        )

    def written(self, event: events.GradWritten) -> None:
        leaf = self.rec.drafts.known(event.leaf)
        if leaf is None:
            return
        self.rec.visit()
        value = self.rec.with_text(leaf, convert.value_of(event.grad.value))
        self.rec.drafts.link_grad(event.grad.id, leaf)
        self.rec.grads[leaf] = value
        self.rec.add(
            "write",
            event.line,
            call=self.rec.in_call,
            op=self.rec.op_of.get(event.node) if event.node is not None else None,
            tensor=leaf,
            value=value,
            before=convert.optional(event.before),
            incoming=convert.value_of(event.contribution),
            text=event.how,
        )

    def cleared(self, event: events.GradCleared) -> None:
        leaf = self.rec.drafts.known(event.leaf)
        if leaf is None or self.rec.grads.get(leaf) is None:
            return
        self.rec.visit()
        self.rec.grads[leaf] = None
        self.rec.drafts.link_grad(None, leaf)
        self.rec.add("none", event.line, tensor=leaf)

    def freed(self, event: events.SavedFreed) -> None:
        op = self.rec.op_of.get(event.node)
        if op is None:
            return
        self.rec.visit()
        self.rec.add("freed", event.line, call=self.rec.in_call, op=op, saved=event.names)
