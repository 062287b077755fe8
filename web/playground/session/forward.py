"""Events of the forward pass: tensors are made, operations applied, flags set."""

from __future__ import annotations

from typing import Any

from engine import events
from engine.ops.record import REGISTRY
from playground.session import convert
from playground.session.drafts import Draft
from playground.session.recorder import Recorder
from playground.trace import Op, Operand, SavedTensor, Value

ZEROING = ("zero_", "fill_", "mul", "mul_", "zero", "fill")


def _is_zero(value: Value) -> bool:
    if value.data is None:
        return value.stats is not None and value.stats[3] == 0
    return not any(value.data)


class Forward:
    """Adds to a recorder what happens outside backward, and inside it under create_graph."""

    def __init__(self, rec: Recorder) -> None:
        self.rec = rec
        self._flags: dict[int, bool] = {}

    def _draft(self, facts: events.TensorFacts, line: int | None) -> Draft:
        return self.rec.drafts.of(facts, line)

    def created(self, event: events.TensorCreated) -> None:
        self.rec.visit()
        known = self.rec.drafts.known(event.tensor.id)
        self.rec.meter.allocate(convert.size_in_bytes(event.tensor))
        draft = self._draft(event.tensor, event.line)
        self._flags[draft.id] = event.tensor.requires_grad
        if known is not None:  # a Parameter made of a tensor that was announced already
            return
        self.rec.drafts.describe(draft, self.rec.scene, event.how)
        if event.how == "Parameter":
            self._replace_data(draft)
        self.rec.add("leaf", event.line, tensor=draft.id, value=draft.value)

    def _replace_data(self, parameter: Draft) -> None:
        """Take back the step of the tensor a Parameter was made of: one box is enough for both."""
        last = self.rec.steps[-1] if self.rec.steps else None
        if (
            last is not None
            and last.kind == "leaf"
            and last.execution == self.rec.scene.execution
            and last.value == parameter.value
        ):
            self.rec.steps.pop()

    def applied(self, event: events.OpApplied) -> None:
        self.rec.visit()
        index = len(self.rec.ops)
        operands = self._operands(event, index)
        outputs = []
        for facts in event.outputs:
            known = self.rec.drafts.known(facts.id)
            draft = self._draft(facts, event.line)
            if known is None:
                self.rec.meter.allocate(convert.size_in_bytes(facts))
                draft.op = index
                self.rec.drafts.describe(
                    draft, self.rec.scene, event.op, operands, self.rec.call_frame
                )
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
                    self.rec.drafts.known(item.tensor) if item.tensor is not None else None,
                    item.version,
                )
                for item in event.saved
            ),
            event.inplace,
            None if event.grad_enabled or event.grad_fn else self.rec.scene.mode(),
            self.rec.scene.group(),
        )
        self.rec.ops.append(op)
        if event.node is not None:
            self.rec.op_of[event.node] = index
        if event.inplace:
            self._changed(event, index, outputs[0])
        else:
            self.rec.add("op", event.line, op=index, tensor=outputs[0].id, call=self.rec.in_call)

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
        self.rec.places[op] = places
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
            target = ("op", self.rec.op_of[seq]) if seq in self.rec.op_of else ("tensor", draft.id)
            if target[0] == "tensor":
                self.rec.leaf_of.setdefault(seq, draft.id)
        return Operand(name, draft.id, version, None, target)

    def _changed(self, event: events.OpApplied, op: int, draft: Draft) -> None:
        """Add the step of an in-place operation."""
        facts = event.outputs[0]
        value = convert.value_of(facts.value)
        owner = draft.grad_of
        shared = self._shared(draft, facts)
        if owner is not None and self.rec.drafts.current_grad(owner) == facts.id:
            value = self.rec.with_text(owner, value)
            before, self.rec.grads[owner] = self.rec.grads.get(owner), value
            if event.op in ZEROING and _is_zero(value):
                self.rec.add("zero", event.line, op=op, tensor=owner, value=value, before=before)
                return
        self.rec.add(
            "inplace",
            event.line,
            op=op,
            tensor=draft.id,
            value=value,
            version=facts.version,
            shared=shared,
            call=self.rec.in_call,
        )

    def _shared(self, draft: Draft, facts: events.TensorFacts) -> tuple[tuple[int, Value], ...]:
        """New values of the learner's other tensors on the memory that was written."""
        if not self.rec.drafts.may_share(draft, facts):
            return ()
        found = []
        for other, reference in self.rec.objects.items():
            tensor = reference()
            if tensor is None or other == draft.id:
                continue
            value = convert.value_of(events.value_of(tensor._array))
            if value != self.rec.drafts[other].last:
                self.rec.drafts[other].last = value
                found.append((other, value))
        return tuple(found)

    def module(self, event: events.ModuleCalled) -> None:
        """A module's forward begins or ends; what it made is called after it."""
        if event.entered:
            return self.rec.scene.enter_module(event, len(self.rec.ops))
        entered = self.rec.scene.leave()
        known = self.rec.drafts.known
        for index in map(known, event.tensors):
            draft = self.rec.drafts[index] if index is not None else None
            if entered and draft and draft.op is not None and draft.op >= entered.ops:
                draft.module = self.rec.scene.module_path(event)
                draft.given = tuple(map(known, entered.given))

    def optimizer(self, event: events.OptimizerCalled) -> None:
        """An optimizer's method begins or ends."""
        if event.entered:
            self.rec.scene.enter_optimizer(event, len(self.rec.ops))
        else:
            self.rec.scene.leave()

    def flag(self, event: events.RequiresGradChanged) -> None:
        self.rec.visit()
        draft = self._draft(event.tensor, event.line)
        on = event.tensor.requires_grad
        if self._flags.get(draft.id, draft.requires_grad) != on:
            self._flags[draft.id] = on
            self.rec.add("flag", event.line, tensor=draft.id, text=str(on))
