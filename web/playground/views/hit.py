"""What lies under a point of the graph."""

from __future__ import annotations

from playground.layout import Fold
from playground.state import Sent, State

from .edges import Edges
from .frame import Selection
from .geometry import HALF, Point
from .links import Link
from .measures import GAP, LEAF_H, NODE_W, PILL_H, PLATE_H, SLOT_H
from .nodes import shown_output
from .pen import Pen
from .plan import Plan
from .theme import LIGHT

NEAR = 9  # px off an edge that still count


def hit(plan: Plan, state: State, x: float, y: float, edges: bool = True) -> Selection | None:
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
    return _edge(plan, state, x, y) if edges else None


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


def link_at(plan: Plan, state: State, x: float, y: float, passed: bool = False) -> Link | None:
    """The edge nearest to a point; with `passed`, among those a message went along."""
    edges = Edges(Pen(LIGHT, 1), state)
    best: tuple[float, Link] | None = None
    for link in plan.links:
        if passed and _last(state, link) is None:
            continue
        if not _may_be_near(link, x, y):
            continue
        distance = min(_distance(points, x, y) for points in _courses(edges, link))
        if distance < NEAR and (best is None or distance < best[0]):
            best = distance, link
    return best[1] if best else None


def _may_be_near(link: Link, x: float, y: float) -> bool:
    """Whether a point lies in the box round an edge: curves are only followed then."""
    ends = (link.source, link.target)
    xs = [spot.cx for spot in ends] + [p[0] for p in link.via]
    ys = [spot.cy for spot in ends] + [p[1] for p in link.via]
    far = 2 * NODE_W
    return min(xs) - far < x < max(xs) + far and min(ys) - far < y < max(ys) + far


def _last(state: State, link: Link) -> Sent | None:
    return state.reduction(link.op, link.operand) or state.message(link.op, link.operand)


def _edge(plan: Plan, state: State, x: float, y: float) -> Selection | None:
    link = link_at(plan, state, x, y, passed=True)
    sent = _last(state, link) if link is not None else None
    if link is None or sent is None:
        return None
    messages = state.trace.steps[sent.step - 1].messages
    which = next((i for i, m in enumerate(messages) if m.operand == link.operand), 0)
    return Selection("message", sent.step, which)


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
