"""The graph's plan for a run and a panel: the layout's places as spots, links and regions.

ground.py puts nodes in their places; here every edge gets its ports and its way round them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from playground.layout import Fold, Layout, Line
from playground.trace import Trace

from .frame import Say, Size
from .geometry import HALF, Course, Point
from .ground import APART, Region, ground_of
from .links import Link
from .measures import PILL_H
from .spots import Box, Spot

PORT = 11  # distance of two ports at one side
NEAR = 10  # an edge keeps that far from nodes it passes


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything whose place is fixed for the run; x, y of the content's left upper corner."""

    vertical: bool
    x: float = 0
    y: float = 0
    width: float = 0
    height: float = 0
    spots: dict[str, Spot] = field(default_factory=dict)
    leaves: dict[str, int] = field(default_factory=dict)  # key -> tensor id
    ops: dict[str, int] = field(default_factory=dict)  # key -> op index
    folds: dict[str, Fold] = field(default_factory=dict)
    foldable: dict[str, Fold] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    regions: tuple[Region, ...] = ()
    chain: bool = False  # one node to a rank: there is room for line numbers

    by_op: dict[int, str] = field(default_factory=dict)
    by_leaf: dict[int, str] = field(default_factory=dict)

    def of_op(self, op: int | None) -> str:
        """Key of the node that shows an operation: its pill, or the fold that hides it."""
        return self.by_op.get(op, "") if op is not None else ""

    def of_leaf(self, tensor: int | None) -> str:
        return self.by_leaf.get(tensor, "") if tensor is not None else ""


def build(trace: Trace, layout: Layout, panel: Size) -> Plan:
    """The plan of a layout in a panel of that size."""
    vertical, ground = layout.orientation == "TB", ground_of(trace, layout, panel)
    if ground is None:
        return Plan(vertical, foldable=layout.folds)
    spots, leaves, ops, folds = ground.spots, ground.leaves, ground.ops, ground.folds
    links = _links(trace, layout, spots, leaves, folds.keys(), ground.boxes, ground.stretch)
    ranks = [spot.cy if vertical else spot.cx for spot in spots.values()]
    chain = len({round(rank) for rank in ranks}) == len(spots)
    by_op = {op: key for key, fold in folds.items() for op in fold.ops}
    by_op.update({op: key for key, op in ops.items()})
    return Plan(
        vertical,
        *ground.bounds,
        spots,
        leaves,
        ops,
        folds,
        layout.folds,
        links,
        ground.regions,
        chain,
        by_op,
        {tensor: key for key, tensor in leaves.items()},
    )


def _links(
    trace: Trace,
    layout: Layout,
    spots: dict[str, Spot],
    leaves: dict[str, int],
    folds: Container[str],
    boxes: dict[str, Box],
    stretch: Point,
) -> tuple[Link, ...]:
    vertical = layout.orientation == "TB"
    arrive = _ports(layout.edges, spots, vertical, incoming=True)
    leave = _ports(layout.edges, spots, vertical, incoming=False)
    sums = _sums(layout, spots, leaves)
    links = []
    for i, line in enumerate(layout.edges):
        source, target = spots[line.source], spots[line.target]
        from_leaf = line.source in leaves
        others = [box for key, box in boxes.items() if key not in (line.source, line.target)]
        via = tuple((x * stretch[0], y * stretch[1]) for x, y in line.via)
        links.append(
            Link(
                line.op,
                line.operand,
                trace.ops[line.op].operands[line.operand].tensor or 0,
                source,
                target,
                from_leaf,
                leave[i] if from_leaf else leave[i] * 0.6,
                arrive[i],
                line.kind == "view",
                "detach()" if line.kind == "cut" else "",
                sums.get((line.op, line.operand)),
                _via(source, target, via, others),
                line.uses,
                target.key in folds,
            )
        )
    return tuple(links)


def _ports(
    edges: Iterable[Line], spots: dict[str, Spot], vertical: bool, incoming: bool
) -> dict[int, float]:
    """Offsets from the middle of a node's side, in the order in which the other ends lie."""
    sides: defaultdict[str, list[tuple[float, int, int]]] = defaultdict(list)
    for i, line in enumerate(edges):
        here, there = (line.target, line.source) if incoming else (line.source, line.target)
        other = spots[there]
        sides[here].append((other.cx if vertical else other.cy, line.operand, i))
    offsets: dict[int, float] = {}
    for ends in sides.values():
        pitch = min(PORT, 40 / len(ends))
        for k, (_, _, i) in enumerate(sorted(ends)):
            offsets[i] = (k - (len(ends) - 1) / 2) * pitch
    return offsets


def _sums(
    layout: Layout, spots: dict[str, Spot], leaves: dict[str, int]
) -> dict[tuple[int, int], Point]:
    """Where reductions for leaves stand: beside the gate, one below the other."""
    found: dict[tuple[int, int], Point] = {}
    count: defaultdict[str, int] = defaultdict(int)
    by_use = {use: line for line in layout.edges for use in line.uses}
    for place in layout.nodes.values():
        if place.kind != "reduce" or place.op is None or place.operand is None:
            continue
        line = by_use.get((place.op, place.operand))
        if line is None or line.source not in leaves:
            continue
        (x, y), k = spots[line.source].gate, count[line.source]
        count[line.source] += 1
        at = (x + 46 * k, y + 34) if layout.orientation == "TB" else (x + 48, y + 30 * k)
        found[place.op, place.operand] = at
    return found


def _via(source: Spot, target: Spot, via: tuple[Point, ...], boxes: list[Box]) -> tuple[Point, ...]:
    """Way points, when the straight way would go through another node."""
    vertical = source.vertical
    if vertical:
        a, b = (source.cx, source.cy + PILL_H / 2), (target.cx, target.cy - PILL_H / 2)
    else:
        a, b = (source.cx + HALF, source.cy), (target.cx - HALF, target.cy)
    if not any(_inside(p, box) for p in Course.between(a, b, vertical).points(16) for box in boxes):
        return ()
    axis = 1 if vertical else 0
    return tuple(p for p in via if a[axis] + APART < p[axis] < b[axis] - APART)


def _inside(point: Point, box: Box) -> bool:
    x, y = point
    left, top, right, bottom = box
    return left - NEAR < x < right + NEAR and top - NEAR < y < bottom + NEAR


def title(fold: Fold, say: Say) -> str:
    """What a folded group is called."""
    key = f"fold.{fold.kind}"
    return say(key, name=fold.name, n=fold.count)
