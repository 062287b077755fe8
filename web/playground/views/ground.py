"""Nodes and hatched regions in their places in a panel, before edges are drawn.

A layout knows the run only. Here the distance of its columns and rows is stretched or squeezed so
that a small graph fills the panel and a large one needs little room.
"""

from __future__ import annotations

from dataclasses import dataclass

from playground.layout import Fold, Layout, Place
from playground.layout import Region as Area
from playground.trace import Trace

from .frame import Size
from .geometry import HALF, Point
from .measures import BESIDE, CHIP_UP, GAP, LEAF_H, NODE_W, PILL_H, PLATE_H, READABLE, SLOT_H
from .nodes import KEPT_H, has_plate
from .spots import Box, Spot

# Distance of neighbours, as small as it may get, as the layout makes it, as large as it may get.
PITCH = {False: (176.0, 204.0, 260.0), True: (96.0, 128.0, 136.0)}  # from rank to rank
TIGHT = {False: (124.0, 162.0, 162.0), True: (268.0, 294.0, 294.0)}  # inside a rank
LOOSE = 140.0  # between rows when there are regions, which need room for their label
BROAD = 290.0  # between columns when there are regions, which have a border
SIDE = 28  # of the panel, left free
ABOVE, BELOW = CHIP_UP + 16 - PILL_H / 2, 28
APART = 24  # of a way point from its nodes


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


@dataclass(slots=True)
class Ground:
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
    ground = ground_of(trace, layout, panel)
    return ground.bounds if ground else (0.0, 0.0, 0.0, 0.0)


def ground_of(trace: Trace, layout: Layout, panel: Size) -> Ground | None:
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
    ways = [(x * stretch[0], y * stretch[1]) for line in layout.edges for x, y in line.via]
    bounds = _bounds(spots, leaves, boxes, regions, ways)
    return Ground(stretch, spots, leaves, ops, folds, boxes, regions, bounds)


def _stretch(places: dict[str, Place], panel: Size, vertical: bool, roomy: int) -> Point:
    """Ranks nearer or farther, rows nearer, so that the panel is filled and not overfilled."""
    deep = [p.y if vertical else p.x for p in places.values()]
    wide = [p.x if vertical else p.y for p in places.values()]
    room, more = (panel[0], 2 * NODE_W + 40) if vertical else (panel[1], 190)
    least, usual, most = TIGHT[vertical]
    if roomy:
        least = BROAD if vertical else LOOSE if roomy == 1 else LOOSE + KEPT_H + 4
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
    ways: list[Point],
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
    for a, b in ways:
        left, top = min(left, a - APART), min(top, b - APART)
        right, bottom = max(right, a + APART), max(bottom, b + APART)
    return left, top, right - left, bottom - top
