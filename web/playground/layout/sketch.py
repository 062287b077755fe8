"""Which tensors and operations of a run are drawn, and what leads from where to where."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from playground.trace import Op, Operand, Tensor, Trace

LineKind = Literal["data", "view", "cut"]


@dataclass(frozen=True, slots=True)
class Link:
    """One use of a tensor by an operation."""

    source: str
    target: str
    op: int
    operand: int
    kind: LineKind
    gradient: bool  # whether a message can come back along it


@dataclass(slots=True)
class Sketch:
    """Nodes by key, in the order of the program, and the links between them."""

    leaves: dict[str, int] = field(default_factory=dict)  # key -> tensor
    ops: dict[str, int] = field(default_factory=dict)  # key -> op
    links: list[Link] = field(default_factory=list)
    reductions: list[tuple[int, int]] = field(default_factory=list)  # (op, operand)


def sketch(trace: Trace) -> Sketch:
    """Choose and connect what is drawn."""
    drawn = _drawn_ops(trace)
    made = Sketch()
    counts: Counter[str] = Counter()
    keys: dict[int, str] = {}
    for op in trace.ops:
        if op.index in drawn:
            keys[op.index] = _key(counts, f"op:{_op_text(trace, op)}")
            made.ops[keys[op.index]] = op.index
    used = {
        operand.tensor
        for index in drawn
        for operand in trace.ops[index].operands
        if operand.tensor is not None
    }
    leaf_keys: dict[int, str] = {}
    for tensor in trace.tensors:
        if _is_source(trace, tensor, drawn) and (tensor.id in used or _stands_alone(tensor)):
            leaf_keys[tensor.id] = _key(counts, f"leaf:{tensor.name or tensor.expression}")
            made.leaves[leaf_keys[tensor.id]] = tensor.id
    _connect(trace, made, keys, leaf_keys)
    reduced = {
        (message.source, message.operand)
        for step in trace.steps
        if step.kind == "reduce"
        for message in step.messages
    }
    made.reductions = sorted(edge for edge in reduced if edge[0] in keys)
    return made


def _key(counts: Counter[str], text: str) -> str:
    """A key that stays the same while names do: text and how often it came before."""
    counts[text] += 1
    return text if counts[text] == 1 else f"{text}#{counts[text]}"


def _op_text(trace: Trace, op: Op) -> str:
    if not op.outputs:
        return op.op
    output = trace.tensors[op.outputs[0]]
    text = output.name or output.expression
    return f"{op.op} {text}" if op.inplace else text


def _drawn_ops(trace: Trace) -> set[int]:
    """Recorded operations, those under no_grad, and those whose results somebody uses or names."""
    feeds: dict[int, set[int]] = {}  # op -> ops that use its results
    for op in trace.ops:
        for operand in op.operands:
            source = trace.tensors[operand.tensor].op if operand.tensor is not None else None
            if source is not None:
                feeds.setdefault(source, set()).add(op.index)
    # That a gradient was set to zero is told in its slot.
    zeroed = {step.op for step in trace.steps if step.kind == "zero"}
    drawn: set[int] = set()
    for op in reversed(trace.ops):
        named = any(trace.tensors[output].name for output in op.outputs)
        feeding = not drawn.isdisjoint(feeds.get(op.index, ()))
        if _fills_new_leaf(trace, op) or op.index in zeroed:
            continue
        if op.grad_fn or op.mode or feeding or named or op.inplace:
            drawn.add(op.index)
    return drawn or {op.index for op in trace.ops}


def _fills_new_leaf(trace: Trace, op: Op) -> bool:
    """Whether an operation is part of making a leaf, as modules fill their parameters."""
    if not op.inplace or op.grad_fn or not op.outputs or op.line is None:
        return False
    target = trace.tensors[op.outputs[0]]
    alone = all(operand.tensor in (None, target.id) for operand in op.operands)
    return alone and target.op is None and target.line == op.line and op.mode is not None


def _is_source(trace: Trace, tensor: Tensor, drawn: set[int]) -> bool:
    """Whether the tensor is drawn as a box of its own: nothing drawn computes it."""
    if tensor.grad_of is not None:
        return False
    return tensor.op is None or tensor.op not in drawn


def _stands_alone(tensor: Tensor) -> bool:
    return tensor.op is None and (tensor.requires_grad or not _has_ops(tensor))


def _has_ops(tensor: Tensor) -> bool:
    return tensor.name is None or not tensor.dtype.startswith("float")


def _connect(trace: Trace, made: Sketch, keys: dict[int, str], leaf_keys: dict[int, str]) -> None:
    """Link every operand to the node its value comes from."""
    written: dict[int, int] = {}  # tensor -> op that last wrote into it
    for op in trace.ops:
        target = keys.get(op.index)
        for position, operand in enumerate(op.operands):
            if target is None or operand.tensor is None:
                continue
            source = _source(trace, operand, keys, leaf_keys, written)
            if source is None or source == target:
                continue
            if op.inplace and position == 0 and op.mode is not None and op.grad_fn is None:
                continue  # what is overwritten without a record is no input of anything
            kind = _kind(trace, op, operand)
            made.links.append(
                Link(source, target, op.index, position, kind, operand.target is not None)
            )
        if op.inplace and op.outputs and (op.grad_fn is not None or op.mode is None):
            tensor = trace.tensors[op.outputs[0]]
            written[tensor.id] = op.index
            if tensor.base is not None and op.grad_fn is not None:
                written[tensor.base] = op.index


def _source(
    trace: Trace,
    operand: Operand,
    keys: dict[int, str],
    leaf_keys: dict[int, str],
    written: dict[int, int],
) -> str | None:
    assert operand.tensor is not None
    if operand.target is not None and operand.target[0] == "op" and operand.target[1] in keys:
        return keys[operand.target[1]]
    writer = written.get(operand.tensor)
    if writer is not None and writer in keys:
        return keys[writer]
    made_by = trace.tensors[operand.tensor].op
    if made_by is not None and made_by in keys:
        return keys[made_by]
    return leaf_keys.get(operand.tensor)


def _kind(trace: Trace, op: Op, operand: Operand) -> LineKind:
    if op.op in ("detach", "detach_"):
        return "cut"
    for output in op.outputs:
        base = trace.tensors[output].base
        if base is not None and operand.tensor is not None and not op.inplace:
            same = trace.tensors[operand.tensor].base
            if base in (operand.tensor, same):
                return "view"
    return "data"
