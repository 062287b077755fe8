"""One sentence for every step: a key into the locale files and the facts it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from playground.explain.formula import local_latex
from playground.explain.naming import local_text, title
from playground.state import State
from playground.trace import Message, Op, Step, Trace, Value
from playground.words import number, numbers, shape

FEW = 8  # elements a sentence may hold


@dataclass(frozen=True, slots=True)
class Sentence:
    """What `words.say(language, key, **facts)` turns into a sentence."""

    key: str
    facts: Mapping[str, Any] = field(default_factory=dict)


def step_sentence(state: State) -> Sentence | None:
    """What the step at the cursor does."""
    step = state.step
    return SAY[step.kind](state, step) if step is not None else None


def closing_sentence(state: State) -> Sentence | None:
    """After the last step of a backward call: what came of it."""
    step = state.step
    if step is None or step.call is None or step.kind == "error":
        return None
    call = state.trace.calls[step.call - 1]
    if state.index.calls[step.call].last != state.cursor or call.kind != "backward":
        return None
    names = [
        title(state.trace, entry.tensor) + ".grad"
        for history in state.index.ledger.values()
        for entry in history.values
        if entry.call == step.call and entry.how in ("set", "add")
    ]
    root = title(state.trace, call.roots[0]) if call.roots else ""
    if not names or not root:
        return None
    return Sentence("say.end", {"names": ", ".join(dict.fromkeys(names)), "root": root})


def receiver(trace: Trace, message: Message) -> str:
    """The tensor whose gradient a message is."""
    operand = trace.ops[message.source].operands[message.operand]
    if operand.tensor is not None:
        return title(trace, operand.tensor)
    kind, number_of = message.target
    return title(trace, number_of if kind == "tensor" else trace.ops[number_of].outputs[0])


def output_title(trace: Trace, op: Op) -> str:
    return title(trace, op.outputs[0]) if op.outputs else op.op


def few(value: Value | None) -> str:
    return numbers(value, FEW)


# --- forward -------------------------------------------------------------------------------------


def _leaf(state: State, step: Step) -> Sentence:
    assert step.tensor is not None
    tensor = state.trace.tensors[step.tensor]
    key = "say.leaf" if tensor.requires_grad else "say.constant"
    return Sentence(key, {"name": title(state.trace, tensor.id), "shape": shape(tensor.shape)})


def _op(state: State, step: Step) -> Sentence:
    assert step.op is not None
    op = state.trace.ops[step.op]
    inputs = [title(state.trace, o.tensor) for o in op.operands if o.tensor is not None]
    facts: dict[str, Any] = {
        "name": output_title(state.trace, op),
        "inputs": ", ".join(dict.fromkeys(inputs)) or "…",
        "grad_fn": op.grad_fn or "",
        "mode": op.mode or "",
        "op": op.op,
    }
    if op.op in ("detach", "detach_"):
        return Sentence("say.detach", facts)
    if op.mode is not None:
        return Sentence("say.op.unrecorded", facts)
    if op.grad_fn is None:
        return Sentence("say.op.plain", facts)
    saved = [saved_name(state.trace, op, item.name, item.tensor) for item in op.saved]
    facts["saved"] = ", ".join(dict.fromkeys(saved))
    return Sentence("say.op.saving" if saved else "say.op", facts)


def saved_name(trace: Trace, op: Op, name: str, tensor: int | None) -> str:
    if tensor is not None:
        return title(trace, tensor)
    if name == "result" and op.outputs:
        return title(trace, op.outputs[0])
    operand = next((item for item in op.operands if item.name == name), None)
    if operand is not None and isinstance(operand.constant, (int, float)):
        return number(operand.constant)
    return name


def _inplace(state: State, step: Step) -> Sentence:
    assert step.tensor is not None and step.op is not None
    op = state.trace.ops[step.op]
    facts = {
        "name": title(state.trace, step.tensor),
        "mode": op.mode or "",
        "grad_fn": op.grad_fn or "",
        "old": max(0, (step.version or 1) - 1),
        "new": step.version or 1,
    }
    if op.grad_fn is not None:
        return Sentence("say.inplace.recorded", facts)
    who = optimizer(op)
    if who is not None:
        return Sentence("say.inplace.optimizer", {**facts, "who": who})
    return Sentence("say.inplace" if op.mode else "say.inplace.plain", facts)


def optimizer(op: Op) -> str | None:
    """The optimizer's method an operation belongs to: "SGD.step"."""
    for label in reversed(op.group):
        kind, _, name = label.partition(":")
        if kind == "optimizer":
            return name.partition(":")[0]
    return None


def _flag(state: State, step: Step) -> Sentence:
    assert step.tensor is not None
    key = "say.flag.on" if step.text == "True" else "say.flag.off"
    return Sentence(key, {"name": title(state.trace, step.tensor)})


def _output(state: State, step: Step) -> Sentence:
    key = "say.warning" if step.stream == "stderr" else "say.output"
    return Sentence(key, {"line": step.line if step.line is not None else "?"})


def _error(state: State, step: Step) -> Sentence:
    error = state.trace.error
    kind = error.type if error is not None else step.text.partition(":")[0]
    facts = {"type": kind, "line": step.line if step.line is not None else "?"}
    if error is not None and error.key.startswith("error.budget-"):
        return Sentence("say.stopped", facts)
    return Sentence("say.error", facts)


# --- backward ------------------------------------------------------------------------------------


def _call(state: State, step: Step) -> Sentence:
    assert step.call is not None
    call = state.trace.calls[step.call - 1]
    roots = ", ".join(title(state.trace, root) for root in call.roots)
    facts = {
        "root": roots or "?",
        "gradient": "; ".join(few(value) for value in call.gradients),
        "n": call.number,
        "line": call.line if call.line is not None else "?",
    }
    if call.kind == "grad":
        return Sentence("say.call.grad", facts)
    ones = all(value.data == (1.0,) and value.shape == () for value in call.gradients)
    return Sentence("say.call" if ones else "say.call.vector", facts)


def _rule(state: State, step: Step) -> Sentence:
    assert step.op is not None
    op = state.trace.ops[step.op]
    names = [receiver(state.trace, message) for message in step.messages]
    facts = {
        "source": output_title(state.trace, op),
        "grad_fn": op.grad_fn or op.op,
        "target": ", ".join(dict.fromkeys(names)),
    }
    if not step.messages:
        return Sentence("say.rule.nothing", facts)
    if len(step.messages) > 1:
        same = all(local_latex(op, message.operand) == "" for message in step.messages)
        return Sentence("say.rule.copy" if same else "say.rule.several", facts)
    local = local_latex(op, step.messages[0].operand)
    if local == "":
        return Sentence("say.rule.same", facts)
    if local == "-1":
        return Sentence("say.rule.minus", facts)
    factor = local_text(state.trace, op, local) if local is not None else None
    if factor is None:
        return Sentence("say.rule", facts)
    return Sentence("say.rule.times", {**facts, "factor": factor})


def _reduce(state: State, step: Step) -> Sentence:
    message = step.messages[0]
    before = step.incoming.shape if step.incoming is not None else ()
    after = message.value.shape
    facts = {
        "name": receiver(state.trace, message),
        "before": shape(before),
        "after": shape(after),
        "dims": ", ".join(str(dim) for dim in step.dims),
        "count": _product(before),
    }
    return Sentence("say.sum.scalar" if _product(after) == 1 else "say.sum", facts)


def _product(sizes: tuple[int, ...]) -> int:
    out = 1
    for size in sizes:
        out *= size
    return out


def _write(state: State, step: Step) -> Sentence:
    assert step.tensor is not None
    tensor = state.trace.tensors[step.tensor]
    facts = {
        "name": title(state.trace, tensor.id),
        "before": few(step.before),
        "added": few(step.incoming),
        "total": few(step.value),
    }
    if step.text == "assign":
        return Sentence("say.assign", facts)
    if step.text == "retain":
        return Sentence("say.retain", facts)
    if step.before is None:
        return Sentence("say.first", facts)
    small = all(
        value is not None and value.data is not None and len(value.data) <= 4
        for value in (step.before, step.incoming, step.value)
    )
    return Sentence("say.acc" if small else "say.acc.large", facts)


def _zero(state: State, step: Step) -> Sentence:
    assert step.tensor is not None
    return Sentence("say.zero", {"name": title(state.trace, step.tensor)})


def _none(state: State, step: Step) -> Sentence:
    assert step.tensor is not None
    return Sentence("say.none", {"name": title(state.trace, step.tensor)})


def _freed(state: State, step: Step) -> Sentence:
    assert step.op is not None
    op = state.trace.ops[step.op]
    return Sentence("say.freed", {"grad_fn": op.grad_fn or op.op})


def _hook(state: State, step: Step) -> Sentence:
    where = "?"
    if step.tensor is not None:
        where = title(state.trace, step.tensor)
    elif step.op is not None:
        where = state.trace.ops[step.op].grad_fn or state.trace.ops[step.op].op
    changed = step.value is not None and step.value != step.before
    facts = {"name": where, "before": few(step.before), "after": few(step.value)}
    return Sentence("say.hook.changed" if changed else "say.hook", facts)


SAY: dict[str, Callable[[State, Step], Sentence]] = {
    "leaf": _leaf,
    "op": _op,
    "inplace": _inplace,
    "call": _call,
    "rule": _rule,
    "reduce": _reduce,
    "hook": _hook,
    "write": _write,
    "zero": _zero,
    "none": _none,
    "freed": _freed,
    "flag": _flag,
    "output": _output,
    "error": _error,
}
