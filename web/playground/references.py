"""Whether the ids, indexes and numbers in a trace lead somewhere."""

from __future__ import annotations

from playground.codec import SchemaError
from playground.trace import Step, Trace


def check_references(trace: Trace) -> None:
    """Refuse ids, indexes and numbers that lead nowhere."""
    tensors, ops, calls = len(trace.tensors), len(trace.ops), len(trace.calls)

    def need(index: int | None, count: int, where: str, first: int = 0) -> None:
        if index is not None and not first <= index < count + first:
            raise SchemaError(f"there is no number {index}", where)

    def target(to: tuple[str, int] | None, where: str) -> None:
        if to is not None:
            need(to[1], ops if to[0] == "op" else tensors, where)

    for i, tensor in enumerate(trace.tensors):
        where = f"tensors[{i}]"
        if tensor.id != i:
            raise SchemaError(f"expected id {i}", where)
        need(tensor.op, ops, where + ".op")
        need(tensor.base, tensors, where + ".base")
        need(tensor.grad_of, tensors, where + ".grad_of")
    for i, op in enumerate(trace.ops):
        where = f"ops[{i}]"
        if op.index != i:
            raise SchemaError(f"expected index {i}", where)
        for operand in op.operands:
            need(operand.tensor, tensors, where + ".operands")
            target(operand.target, where + ".operands")
        for output in op.outputs:
            need(output, tensors, where + ".outputs")
        for saved in op.saved:
            need(saved.tensor, tensors, where + ".saved")
    for i, call in enumerate(trace.calls):
        if call.number != i + 1:
            raise SchemaError(f"expected number {i + 1}", f"calls[{i}]")
        for root in call.roots:
            need(root, tensors, f"calls[{i}].roots")
    for i, binding in enumerate(trace.bindings):
        need(binding.tensor, tensors, f"bindings[{i}]")
        need(binding.step, len(trace.steps) + 1, f"bindings[{i}]")
    for i, step in enumerate(trace.steps):
        where = f"steps[{i}]"
        if step.index != i + 1:
            raise SchemaError(f"expected index {i + 1}", where)
        _check_step(step, where)
        need(step.op, ops, where + ".op")
        need(step.tensor, tensors, where + ".tensor")
        need(step.call, calls, where + ".call", first=1)
        for other, _ in step.shared:
            need(other, tensors, where + ".shared")
        for message in step.messages:
            need(message.source, ops, where + ".messages")
            need(message.operand, len(trace.ops[message.source].operands), where + ".messages")
            target(message.target, where + ".messages")


NEEDED: dict[str, tuple[str, ...]] = {
    "leaf": ("tensor", "value"),
    "op": ("op", "tensor"),
    "inplace": ("op", "tensor", "value", "version"),
    "call": ("call",),
    "rule": ("call", "op"),
    "reduce": ("call", "op"),
    "hook": (),
    "write": ("tensor", "value", "incoming"),
    "zero": ("tensor", "value"),
    "none": ("tensor",),
    "freed": ("call", "op"),
    "flag": ("tensor",),
    "output": (),
    "error": (),
}


def _check_step(step: Step, where: str) -> None:
    for name in NEEDED[step.kind]:
        if getattr(step, name) is None:
            raise SchemaError(f"a step of kind {step.kind!r} needs {name!r}", where)
    if step.kind == "reduce" and len(step.messages) != 1:
        raise SchemaError("a reduction sends one message", where)
