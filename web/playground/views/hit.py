"""What lies under a point of the graph."""

from __future__ import annotations

from playground.layout import Fold
from playground.state import State

from .edges import Edges, Link
from .frame import Selection
from .geometry import HALF, Point
from .measures import GAP, LEAF_H, NODE_W, PILL_H, PLATE_H, SLOT_H
from .nodes import shown_output
from .pen import Pen
from .plan import Plan
from .theme import LIGHT

NEAR = 9  # px off an edge that still count


def hit(plan: Plan, state: State, x: float, y: float) -> Selection | None:
    """The node, plate, slot or edge at a point."""
    for key, spot in plan.spots.items():
        if key in plan.leaves:
            if _in_box(spot.cx, spot.cy, LEAF_H, x, y):
                return Selection("tensor", plan.leaves[key])
            if _in_corner(spot.slot, SLOT_H, x, y):
                return _written(state, plan.leaves[key])
        elif key in plan.ops:
            op = plan.ops[key]
            if _in_box(spot.cx, spot.cy, PILL_H + 2 * GAP, x, y):
                return Selection("op", op)
            output = shown_output(state, state.trace.ops[op])
            if output is not None and _in_corner(spot.plate, PLATE_H, x, y):
                return Selection("tensor", output.id)
    return _edge(plan, state, x, y)


def fold_at(plan: Plan, x: float, y: float) -> str:
    """Key of the folded group at a point, "" where there is none."""
    for key in plan.folds:
        spot = plan.spots[key]
        if _in_box(spot.cx, spot.cy, PILL_H, x, y):
            return key
    return ""


def folds_around(plan: Plan, op: int | None) -> list[Fold]:
    """The groups an operation could be folded into, the smallest first."""
    found = [fold for fold in plan.foldable.values() if op in fold.ops]
    return sorted(found, key=lambda fold: len(fold.ops))


def _written(state: State, tensor: int) -> Selection:
    entries = state.ledger(tensor)
    return Selection("write", entries[-1].step) if entries else Selection("tensor", tensor)


def _edge(plan: Plan, state: State, x: float, y: float) -> Selection | None:
    edges = Edges(Pen(LIGHT, 1), state)
    best: tuple[float, Selection] | None = None
    for link in plan.links:
        sent = state.reduction(link.op, link.operand) or state.message(link.op, link.operand)
        if sent is None:
            continue
        distance = min(_distance(points, x, y) for points in _courses(edges, link))
        if distance < NEAR and (best is None or distance < best[0]):
            messages = state.trace.steps[sent.step - 1].messages
            which = next((i for i, m in enumerate(messages) if m.operand == link.operand), 0)
            best = distance, Selection("message", sent.step, which)
    return best[1] if best else None


def _courses(edges: Edges, link: Link) -> list[list[Point]]:
    courses = [edges.course(link).points(24)]
    if link.from_leaf:
        courses.append(edges.leaf_path(link).points(24))
    return courses


def _distance(points: list[Point], x: float, y: float) -> float:
    return min(float(((x - a) ** 2 + (y - b) ** 2) ** 0.5) for a, b in points)


def _in_box(cx: float, cy: float, height: float, x: float, y: float) -> bool:
    return abs(x - cx) <= HALF and abs(y - cy) <= height / 2


def _in_corner(corner: Point, height: float, x: float, y: float) -> bool:
    left, top = corner
    return left <= x <= left + NODE_W and top <= y <= top + height
