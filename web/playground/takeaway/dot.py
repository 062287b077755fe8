"""The graph as DOT for Graphviz: what has been computed up to the cursor, and the gradients.

Leaves are boxes, operations ellipses with their result; a forward edge carries the last gradient
that went back along it.
"""

from __future__ import annotations

from collections.abc import Iterator

from playground.state import State
from playground.trace import Op, Tensor, Value
from playground.views import labels, numbers, symbols

ROOM = 40  # characters of numbers in a label


def dot(state: State) -> str:
    """The whole graph at the cursor, nothing folded."""
    ops = [op for op in state.trace.ops if state.applied(op.index)]
    lines = ["digraph autograd {", "  rankdir=LR;", '  node [fontname="monospace"];']
    lines += [_leaf(state, tensor) for tensor in _leaves(state, ops)]
    lines += [_operation(state, op) for op in ops]
    lines += [edge for op in ops for edge in _edges(state, op)]
    return "\n".join([*lines, "}", ""])


def quoted(text: str) -> str:
    """Text as a DOT string; a line break becomes one of DOT's."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\r", "").replace("\n", "\\n") + '"'


def said(value: Value) -> str:
    """The numbers when they fit, else the shape."""
    row = numbers.row(value.data, ROOM) if value.data is not None else None
    return row or numbers.shape(value.shape)


def _leaves(state: State, ops: list[Op]) -> Iterator[Tensor]:
    """Tensors no operation made, that are used or have a name."""
    used = {operand.tensor for op in ops for operand in op.operands}
    for tensor in state.trace.tensors:
        named = tensor.name is not None and tensor.grad_of is None and state.exists(tensor.id)
        if tensor.op is None and (tensor.id in used or named):
            yield tensor


def _leaf(state: State, tensor: Tensor) -> str:
    asks = state.requires_grad(tensor.id)
    lines = [f"{labels.tensor(state.trace, tensor.id)} {numbers.shape(tensor.shape)}"]
    lines.append(said(state.value(tensor.id)))
    if asks:
        grad = state.grad(tensor.id)
        lines.append(f".grad {said(grad) if grad is not None else 'None'}")
    style = "solid" if asks else "dashed"
    return f"  t{tensor.id} [shape=box, style={style}, label={quoted(chr(10).join(lines))}];"


def _operation(state: State, op: Op) -> str:
    lines = [symbols.symbol(op)]
    if op.grad_fn:
        lines.append(op.grad_fn)
    if op.outputs:
        result = op.outputs[0]
        lines.append(f"{labels.tensor(state.trace, result)} = {said(state.value(result))}")
    style = "solid" if op.grad_fn else "dashed"
    return f"  op{op.index} [style={style}, label={quoted(chr(10).join(lines))}];"


def _edges(state: State, op: Op) -> Iterator[str]:
    for index, operand in enumerate(op.operands):
        if operand.tensor is None:
            continue
        source = _source(state, op, operand.tensor)
        sent = state.reduction(op.index, index) or state.message(op.index, index)
        label = f" [label={quoted(said(sent.message.value))}]" if sent is not None else ""
        yield f"  {source} -> op{op.index}{label};"


def _source(state: State, op: Op, tensor: int) -> str:
    """What had computed an operand when it was used: a write in place counts."""
    history = state.index.writers.get(tensor)
    begun = state.index.done[op.index]
    writer = history.at(begun - 1) if history else None
    made = state.trace.tensors[tensor].op if writer is None else writer
    return f"t{tensor}" if made is None or made == op.index else f"op{made}"
