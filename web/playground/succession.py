"""Parameters that are bound anew: `w = (w - lr * w.grad).detach().requires_grad_()`.

PyTorch has a tensor for each binding; to the learner it is one `w`, whose way is followed.
"""

from __future__ import annotations

from playground.trace import Trace


def successions(trace: Trace) -> dict[int, tuple[int, ...]]:
    """For each tensor of such a row the row: leaves of one name, each made of the one before."""
    asked = {step.tensor for step in trace.steps if step.kind == "flag" and step.text == "True"}
    rows: dict[str, list[list[int]]] = {}
    for binding in trace.bindings:
        index = binding.tensor
        if index is None:
            continue
        tensor = trace.tensors[index]
        if not tensor.is_leaf or not (tensor.requires_grad or index in asked):
            continue
        known = rows.setdefault(binding.name, [])
        if known and known[-1][-1] == index:
            continue
        if known and index > known[-1][-1] and _made_of(trace, index, known[-1][-1]):
            known[-1].append(index)
        else:
            known.append([index])
    found = (tuple(row) for known in rows.values() for row in known if len(row) > 1)
    return {tensor: row for row in found for tensor in row}


def _made_of(trace: Trace, tensor: int, earlier: int) -> bool:
    """Whether a tensor was computed from an earlier one; what is older than that was not."""
    waiting, seen = [tensor], {tensor}
    while waiting:
        op = trace.tensors[waiting.pop()].op
        if op is None:
            continue
        for operand in trace.ops[op].operands:
            if operand.tensor == earlier:
                return True
            later = operand.tensor is not None and operand.tensor > earlier
            if operand.tensor is not None and later and operand.tensor not in seen:
                seen.add(operand.tensor)
                waiting.append(operand.tensor)
    return False
