"""The graph's plan for a run and a panel: the layout's places as spots, links and regions.

A layout knows the run only. The plan stretches or squeezes the distance of its columns (rows when
top down) so that a small graph fills the panel, and gives every edge its ports.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from playground.layout import Fold, Layout, Line, Place
from playground.layout import Region as Area
from playground.trace import Trace

from .frame import Say, Size
from .geometry import HALF, Course, Point
from .links import Link
from .measures import BESIDE, CHIP_UP, GAP, LEAF_H, NODE_W, PILL_H, PLATE_H, READABLE, SLOT_H
from .nodes import KEPT_H, has_plate
from .spots import Spot

# Distance of neighbours, as small as it may get, as the layout makes it, as large as it may get.
PITCH = {False: (176.0, 204.0, 260.0), True: (96.0, 128.0, 136.0)}  # from rank to rank
TIGHT = {False: (124.0, 162.0, 162.0), True: (268.0, 294.0, 294.0)}  # inside a rank
LOOSE = 140.0  # between rows when there are regions, which need room for their label
SIDE = 28  # of the panel, left free
ABOVE, BELOW = CHIP_UP + 16 - PILL_H / 2, 28
PORT = 11  # distance of two ports at one side
APART = 24  # of a way point from its nodes
NEAR = 10  # an edge keeps that far from nodes it passes

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Region:
    """A hatched area: what ran under no_grad."""

    x: float
    y: float
    width: float
    height: float
    mode: str
    first: int | None
    last: int | None
    ops: tuple[int, ...]


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


@dataclass(slots=True)
class _Ground:
    """Nodes and regions in their places, before edges."""

    stretch: Point
    spots: dict[str, Spot]
    leaves: dict[str, int]
    ops: dict[str, int]
    folds: dict[str, Fold]
    boxes: dict[str, Box]
    regions: tuple[Region, ...]
    bounds: Box


def extent(trace: Trace, layout: Layout, panel: Size) -> Box:
    """Left, top, width and height that the plan of a layout would have."""
    ground = _ground(trace, layout, panel)
    return ground.bounds if ground else (0.0, 0.0, 0.0, 0.0)


def build(trace: Trace, layout: Layout, panel: Size) -> Plan:
    """The plan of a layout in a panel of that size."""
    vertical, ground = layout.orientation == "TB", _ground(trace, layout, panel)
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


def _ground(trace: Trace, layout: Layout, panel: Size) -> _Ground | None:
    vertical = layout.orientation == "TB"
    places = {key: place for key, place in layout.nodes.items() if place.kind != "reduce"}
    if not places:
        return None
    keeps = _keeping(trace)
    roomy = bool(layout.regions) + bool(layout.regions and keeps)
    stretch = _stretch(places, panel, vertical, roomy)
    spots = {k: Spot(k, p.x * stretch[0], p.y * stretch[1], vertical) for k, p in places.items()}
    leaves = {k: p.tensor for k, p in places.items() if p.tensor is not None}
    ops = {k: p.op for k, p in places.items() if p.op is not None}
    folds = {k: p.fold for k, p in places.items() if p.fold is not None}
    short = {key for key, op in ops.items() if not has_plate(trace, trace.ops[op])} | folds.keys()
    boxes = {
        key: _box(spot, key in leaves, key in short, ops.get(key) in keeps)
        for key, spot in spots.items()
    }
    regions = tuple(_region(area, boxes, ops) for area in layout.regions)
    bounds = _bounds(spots, leaves, boxes, regions)
    return _Ground(stretch, spots, leaves, ops, folds, boxes, regions, bounds)


def _stretch(places: dict[str, Place], panel: Size, vertical: bool, roomy: int) -> Point:
    """Ranks nearer or farther, rows nearer, so that the panel is filled and not overfilled."""
    deep = [p.y if vertical else p.x for p in places.values()]
    wide = [p.x if vertical else p.y for p in places.values()]
    room, more = (panel[0], 2 * NODE_W + 40) if vertical else (panel[1], 190)
    least, usual, most = TIGHT[vertical]
    if roomy and not vertical:
        least = LOOSE if roomy == 1 else LOOSE + KEPT_H + 4
        most = max(least, most)
    across = _factor(wide, least, usual, most, room - more)
    zoom = min(1.0, max(READABLE, room / ((max(wide) - min(wide)) * across + more)))
    room = panel[1] / zoom - 112 if vertical else panel[0] / zoom - 2 * SIDE - NODE_W
    along = _factor(deep, *PITCH[vertical], room)
    return (across, along) if vertical else (along, across)


def _factor(depths: list[float], least: float, usual: float, most: float, room: float) -> float:
    """How much to stretch a direction whose neighbours stand `usual` apart."""
    span = max(depths) - min(depths)
    return max(least, min(most, room / span * usual)) / usual if span > 1 else 1.0


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


def _keeping(trace: Trace) -> set[int]:
    """Operations whose result gets a .grad of its own, shown below its plate."""
    written = {step.tensor for step in trace.steps if step.kind == "write"}
    made = {tensor.op for tensor in trace.tensors if tensor.id in written}
    return {op for op in made if op is not None}


def _box(spot: Spot, is_leaf: bool, bare: bool, keeps: bool) -> Box:
    """Left, top, right and bottom of a node with its slot or plate, if it has one."""
    tall, below = (LEAF_H, SLOT_H) if is_leaf else (PILL_H, PLATE_H)
    left, top = spot.cx - HALF, spot.cy - tall / 2
    if spot.vertical:
        return left, top, left + (NODE_W if bare else 2 * NODE_W + BESIDE), top + tall
    below += KEPT_H + 4 if keeps else 0
    return left, top, left + NODE_W, top + tall + (0 if bare else GAP + below)


def _region(area: Area, boxes: dict[str, Box], ops: dict[str, int]) -> Region:
    inside = [boxes[key] for key in area.keys]
    left, top = min(b[0] for b in inside) - 16, min(b[1] for b in inside) - 20
    right, bottom = max(b[2] for b in inside) + 16, max(b[3] for b in inside) + 14
    done = tuple(ops[key] for key in area.keys if key in ops)
    return Region(left, top, right - left, bottom - top, area.mode, area.first, area.last, done)


def _bounds(
    spots: dict[str, Spot],
    leaves: dict[str, int],
    around: dict[str, Box],
    regions: tuple[Region, ...],
) -> Box:
    boxes = list(around.values())
    tops = [
        around[key][1] - (16 if spot.vertical or key in leaves else ABOVE)
        for key, spot in spots.items()
    ]
    left, top = min(b[0] for b in boxes) - SIDE + 4, min(tops)
    right, bottom = max(b[2] for b in boxes) + SIDE - 4, max(b[3] for b in boxes) + BELOW
    for region in regions:
        left, top = min(left, region.x - 8), min(top, region.y - 14)
        right = max(right, region.x + region.width + 8)
        bottom = max(bottom, region.y + region.height + 8)
    return left, top, right - left, bottom - top


def title(fold: Fold, say: Say) -> str:
    """What a folded group is called."""
    key = f"fold.{fold.kind}"
    return say(key, name=fold.name, n=fold.count)
