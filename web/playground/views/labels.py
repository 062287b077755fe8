"""Short names of things: tensors, operations, steps."""

from __future__ import annotations

from playground.state import State
from playground.trace import Step, Tensor, Trace


def tensor(trace: Trace, index: int | None) -> str:
    """The learner's name of a tensor, else the text that made it."""
    if index is None:
        return ""
    found = trace.tensors[index]
    return found.name or found.expression


def short(grad_fn: str | None) -> str:
    """MulBackward0 as the time line writes it: Mul."""
    return (grad_fn or "").split("Backward")[0]


def step(trace: Trace, at: Step) -> str:
    """What is written under a tick: Latin and digits only."""
    kind = at.kind
    if kind in ("leaf", "flag"):
        return tensor(trace, at.tensor)
    if kind == "op":
        return tensor(trace, at.tensor)
    if kind == "inplace":
        return f"{tensor(trace, at.tensor)} ←"
    if kind == "call" and at.call is not None:
        roots = trace.calls[at.call - 1].roots
        return tensor(trace, roots[0]) if roots else ""
    if kind in ("rule", "freed", "error") and at.op is not None:
        return short(trace.ops[at.op].grad_fn) or trace.ops[at.op].op
    if kind == "reduce":
        return f"Σ {tensor(trace, reduced(trace, at))}".strip()
    if kind == "write":
        return f"{tensor(trace, at.tensor)}.grad"
    return {"zero": "zero_", "none": "None", "hook": "hook", "output": "print"}.get(kind, "")


def reduced(trace: Trace, at: Step) -> int | None:
    """The tensor a reduction's message is for."""
    if not at.messages:
        return at.tensor
    message = at.messages[0]
    return trace.ops[message.source].operands[message.operand].tensor


def with_grad(trace: Trace) -> list[Tensor]:
    """The tensors a ledger can be shown for: named leaves that ask for a gradient, or got one."""
    written = {at.tensor for at in trace.steps if at.kind in ("write", "zero", "none")}
    newest: dict[str, Tensor] = {}
    for found in trace.tensors:
        wanted = found.id in written or (found.is_leaf and found.requires_grad and found.name)
        if wanted and found.grad_of is None:
            newest[found.name or f"{found.expression} {found.id}"] = found
    return list(newest.values())


def with_ledger(state: State, tensor: int) -> int | None:
    """The one of these whose ledger has a tensor's entries; None when there is none."""
    row = state.row(tensor)
    return next((found.id for found in with_grad(state.trace) if found.id in row), None)
