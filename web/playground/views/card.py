"""What a card beside the pointer says of a node or an edge: what its picture has no room for."""

from __future__ import annotations

import math
from typing import Any

from playground.trace import Value

from . import labels, numbers
from .frame import Frame, Selection
from .geometry import HALF
from .hit import fold_at, hit, link_at
from .links import Link
from .measures import BESIDE, GAP, LEAF_H, NODE_W, PILL_H, PLATE_H, SLOT_H
from .plan import Plan, title

LONG = 40  # characters of a value

Row = tuple[str, str]
Box = tuple[float, float, float, float]


def card_at(frame: Frame, plan: Plan, x: float, y: float) -> dict[str, Any] | None:
    """The card of what lies at a point of the graph; None where nothing does."""
    fold = fold_at(plan, x, y)
    if fold:
        return card_of(frame, plan, fold)
    found = hit(plan, frame.state, x, y, edges=False)
    if found is not None:
        return _node(frame, plan, found)
    link = link_at(plan, frame.state, x, y)
    if link is None or not any(frame.state.applied(op) for op, _ in _uses(link)):
        return None
    return _card(_edge(frame, link), (x - 4, y - 4, 8, 8))


def card_of(frame: Frame, plan: Plan, key: str) -> dict[str, Any] | None:
    """The card of a node."""
    if key in plan.folds:
        fold, spot = plan.folds[key], plan.spots[key]
        lines = [line for op in fold.ops if (line := frame.trace.ops[op].line) is not None]
        said = title(fold, frame.say), frame.say("graph.folded", n=len(fold.ops)), ""
        rows = [_line(frame, min(lines), max(lines))] if lines else []
        return _card((*said, rows), (spot.cx - HALF, spot.cy - PILL_H / 2, NODE_W, PILL_H))
    if key in plan.leaves:
        return _node(frame, plan, Selection("tensor", plan.leaves[key]))
    return _node(frame, plan, Selection("op", plan.ops[key])) if key in plan.ops else None


def _card(said: tuple[str, str, str, list[Row]], box: Box) -> dict[str, Any]:
    name, about, sign, rows = said
    return {"title": name, "about": about, "sign": sign, "rows": rows, "box": list(box)}


def _node(frame: Frame, plan: Plan, found: Selection) -> dict[str, Any] | None:
    state, trace = frame.state, frame.trace
    tensor = trace.steps[found.index - 1].tensor if found.what == "write" else found.index
    key = plan.of_op(found.index) if found.what == "op" else plan.of_leaf(tensor)
    if found.what == "op":
        op = trace.ops[found.index]
        if not state.applied(op.index) or not op.outputs:
            return None
        name, tensor = op.grad_fn or op.op, op.outputs[0]
    else:
        assert tensor is not None
        if not state.exists(tensor) and tensor in state.index.born:
            return None
        made = trace.tensors[tensor].op
        key = key or plan.of_op(made)
        name = labels.tensor(trace, tensor)
    if key not in plan.spots:
        return None
    return _card((name, "", "", _of_tensor(frame, tensor, found.what == "op")), _box(plan, key))


def _box(plan: Plan, key: str) -> Box:
    """Where a node stands, with its slot or plate."""
    spot, is_leaf = plan.spots[key], key in plan.leaves
    tall, more = (LEAF_H, SLOT_H) if is_leaf else (PILL_H, PLATE_H)
    left, top = spot.cx - HALF, spot.cy - tall / 2
    if spot.vertical:
        return left, top, 2 * NODE_W + BESIDE, tall
    return left, top, NODE_W, tall + GAP + more


def _of_tensor(frame: Frame, tensor: int, named: bool) -> list[Row]:
    """Value, gradient, shape, dtype, version, base and line of a tensor."""
    state, trace, say = frame.state, frame.trace, frame.say
    found, value = trace.tensors[tensor], state.value(tensor)
    rows = [(say("table.result"), labels.tensor(trace, tensor))] if named else []
    rows.append((say("table.value"), written(frame, value)))
    gradient = _gradient(frame, tensor)
    if gradient is not None:
        rows.append(gradient)
    rows.append((say("table.shape"), numbers.shape(value.shape)))
    rows.append(("dtype", f"torch.{value.dtype}"))
    rows.append((say("card.version"), str(state.version(tensor))))
    if found.base is not None:
        rows.append((say("card.base"), labels.tensor(trace, found.base)))
    if found.line is not None:
        rows.append(_line(frame, found.line, found.line))
    return rows


def _gradient(frame: Frame, tensor: int) -> Row | None:
    """.grad of what has or asks for one; else the gradient that passed through."""
    state = frame.state
    kept = state.grad(tensor)
    if kept is not None:
        return ".grad", written(frame, kept)
    if state.is_leaf(tensor):
        return (".grad", "None") if state.requires_grad(tensor) else None
    recorder = state.recorder(tensor)
    arrived = state.arrival(recorder) if recorder is not None else None
    if arrived is None or arrived.incoming is None:
        return None
    return frame.say("table.gradient"), written(frame, arrived.incoming)


def _edge(frame: Frame, link: Link) -> tuple[str, str, str, list[Row]]:
    """What passed along an edge last: its gradient, else the value on its way forward."""
    state, trace, say = frame.state, frame.trace, frame.say
    name = labels.tensor(trace, link.tensor)
    op = trace.ops[link.op]
    every = [state.reduction(*use) or state.message(*use) for use in _uses(link)]
    sent = max((one for one in every if one), key=lambda one: one.step, default=None)
    rows: list[Row] = []
    sign = ""
    if sent is not None:
        value, sign = sent.message.value, numbers.sign(sent.message.value)
        rows.append((say("table.gradient"), written(frame, value)))
        before = state.message(link.op, link.operand)
        if state.reduction(link.op, link.operand) is not None and before is not None:
            rows.append((say("card.before"), written(frame, before.message.value)))
        rows.append((say("table.shape"), numbers.shape(value.shape)))
        rows.append(("dtype", f"torch.{value.dtype}"))
        line = trace.steps[sent.step - 1].line
    else:
        value, line = state.value(link.tensor), op.line
        rows.append((say("table.value"), written(frame, value)))
        rows.append((say("table.shape"), numbers.shape(value.shape)))
    if line is not None:
        rows.append(_line(frame, line, line))
    return f"{name} → {op.grad_fn or op.op}", link.cut, sign, rows


def _uses(link: Link) -> tuple[tuple[int, int], ...]:
    return link.uses if link.folded else ((link.op, link.operand),)


def _line(frame: Frame, first: int, last: int) -> Row:
    return frame.say("table.line"), str(first) if first == last else f"{first}–{last}"


def written(frame: Frame, value: Value) -> str:
    """The numbers when they fit, else smallest, largest, mean and norm."""
    if value.data is not None:
        row = numbers.row(value.data, LONG) if value.data else "[ ]"
        if row is not None:
            return row
    if value.stats:
        low, high, mean, norm = (float(n) for n in value.stats)
    else:
        known = numbers.flat(value)
        low, high, mean = min(known), max(known), sum(known) / len(known)
        norm = math.hypot(*known)
    facts = {"low": low, "high": high, "mean": mean, "norm": norm}
    return frame.say("card.stats", **{name: numbers.show(n) for name, n in facts.items()})
