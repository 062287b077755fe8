"""Places for a drawing: dagre's layers, kept steady from run to run."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from playground.layout.fold import Drawing, Fold
from playground.layout.sketch import LineKind, Link
from playground.trace import Trace

Solve = Callable[[str], str]
Point = tuple[float, float]

# Measures of drawn things, from the design.
NODE, LEAF, SLOT, PILL, PLATE, GAP = 120, 56, 44, 52, 48, 6
BESIDE = 10  # between a pill and its plate, top down
CHIPS = 56  # above a pill: tab, chip and the air over it
REDUCTION = (40, 24)
RANK_GAP = {"LR": 84, "TB": 72}
NODE_GAP = {"LR": 56, "TB": 44}
MARGIN = 24
REGION_PAD = 16


@dataclass(frozen=True, slots=True)
class Place:
    """A node; x, y is the middle of the leaf's box, the pill or the hexagon, y grows downwards."""

    key: str
    kind: Literal["leaf", "op", "fold", "reduce"]
    x: float
    y: float
    tensor: int | None = None  # leaf
    op: int | None = None  # op, reduce
    operand: int | None = None  # reduce
    fold: Fold | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """An edge as drawn; `uses` are all (op, operand) it stands for, more than one at a fold."""

    source: str
    target: str
    op: int
    operand: int
    kind: LineKind
    gradient: bool
    uses: tuple[tuple[int, int], ...]
    via: tuple[Point, ...] = ()  # way points round other nodes


@dataclass(frozen=True, slots=True)
class Region:
    """A hatched area: operations under no_grad."""

    x: float
    y: float
    width: float
    height: float
    mode: str
    first: int | None
    last: int | None
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    orientation: str
    nodes: dict[str, Place] = field(default_factory=dict)
    edges: tuple[Line, ...] = ()
    regions: tuple[Region, ...] = ()
    width: float = 0
    height: float = 0
    folds: dict[str, Fold] = field(default_factory=dict)  # all that can be folded or unfolded
    shape: tuple[Any, ...] = ()  # what the places depend on; equal shapes have equal places


def arrange(
    trace: Trace, drawing: Drawing, solve: Solve, orientation: str, previous: Layout | None
) -> Layout:
    """Place a drawing; nodes keep the places they had in `previous` where possible."""
    keys = (*drawing.leaves, *drawing.ops, *drawing.folds)
    pairs = tuple((links[0].source, links[0].target) for links in drawing.links)
    shape = (orientation, keys, pairs)
    if not keys:
        return Layout(orientation, folds=drawing.available, shape=shape)
    steady = _steady(previous, orientation, keys, pairs)
    if steady is not None:
        centres, ways = steady
    else:
        centres, ways = _solve(drawing, solve, orientation, keys)
        centres, ways = _settle(centres, ways, previous, orientation)
    nodes = _places(drawing, centres)
    lines = tuple(_line(links, ways.get(i, ())) for i, links in enumerate(drawing.links))
    nodes.update(_reductions(trace, drawing, nodes, lines, orientation))
    regions = _regions(trace, drawing, nodes, orientation)
    made = Layout(orientation, nodes, lines, regions, 0, 0, drawing.available, shape)
    return _measured(made)


def _size(orientation: str) -> tuple[float, float]:
    """The box of a node with its slot or plate, the same for all so that rows align."""
    if orientation == "LR":
        return NODE, LEAF + GAP + SLOT
    return NODE + BESIDE + NODE, LEAF


def _solve(
    drawing: Drawing, solve: Solve, orientation: str, keys: tuple[str, ...]
) -> tuple[dict[str, Point], dict[int, tuple[Point, ...]]]:
    width, height = _size(orientation)
    number = {key: str(i) for i, key in enumerate(keys)}
    labels = {(links[0].op, links[0].operand): i for i, links in enumerate(drawing.links)}
    wide = {labels[edge] for edge in drawing.reductions if edge in labels}
    question = {
        "rankdir": orientation,
        "nodesep": NODE_GAP[orientation],
        "ranksep": RANK_GAP[orientation],
        "nodes": [{"id": number[key], "width": width, "height": height} for key in keys],
        "edges": [
            {
                "from": number[links[0].source],
                "to": number[links[0].target],
                **({"width": REDUCTION[0], "height": REDUCTION[1]} if i in wide else {}),
            }
            for i, links in enumerate(drawing.links)
        ],
    }
    answer = json.loads(solve(json.dumps(question)))
    places = answer["nodes"]
    shift_x, shift_y = _anchor(orientation)
    centres = {
        key: (places[number[key]][0] + shift_x, places[number[key]][1] + shift_y) for key in keys
    }
    # One way point is the middle of an edge between neighbours, which bends round nothing.
    ways = {
        i: tuple((x + shift_x, y + shift_y) for x, y in points) if len(points) > 1 else ()
        for i, points in enumerate(answer["edges"])
    }
    return _program_order(centres, ways, orientation)


def _program_order(
    centres: dict[str, Point], ways: dict[int, tuple[Point, ...]], orientation: str
) -> tuple[dict[str, Point], dict[int, tuple[Point, ...]]]:
    """Mirror the layers when most nodes of a layer stand against the order of the program."""
    across = 1 if orientation == "LR" else 0
    layers: dict[float, list[float]] = {}
    for centre in centres.values():
        layers.setdefault(centre[1 - across], []).append(centre[across])
    balance = sum(
        (later > earlier) - (later < earlier)
        for layer in layers.values()
        for earlier, later in itertools.pairwise(layer)
    )
    if balance >= 0:
        return centres, ways
    total = sum(f(c[across] for c in centres.values()) for f in (min, max))

    def mirror(point: Point) -> Point:
        x, y = point
        return (x, total - y) if across else (total - x, y)

    return (
        {key: mirror(centre) for key, centre in centres.items()},
        {i: tuple(map(mirror, way)) for i, way in ways.items()},
    )


def _anchor(orientation: str) -> Point:
    """From the middle of a node's box to the middle of its leaf or pill."""
    width, height = _size(orientation)
    return (0.0, LEAF / 2 - height / 2) if orientation == "LR" else (NODE / 2 - width / 2, 0.0)


def _steady(
    previous: Layout | None,
    orientation: str,
    keys: tuple[str, ...],
    pairs: tuple[tuple[str, str], ...],
) -> tuple[dict[str, Point], dict[int, tuple[Point, ...]]] | None:
    """The former places, when nothing was added: holes are better than everything moving."""
    if previous is None or previous.orientation != orientation or not previous.shape:
        return None
    if not set(keys) <= previous.nodes.keys():
        return None
    former = Counter((line.source, line.target) for line in previous.edges)
    if Counter(pairs) - former:
        return None
    centres = {key: (previous.nodes[key].x, previous.nodes[key].y) for key in keys}
    waiting: dict[tuple[str, str], list[tuple[Point, ...]]] = {}
    for line in previous.edges:
        waiting.setdefault((line.source, line.target), []).append(line.via)
    return centres, {i: waiting[pair].pop(0) for i, pair in enumerate(pairs)}


def _settle(
    centres: dict[str, Point],
    ways: dict[int, tuple[Point, ...]],
    previous: Layout | None,
    orientation: str,
) -> tuple[dict[str, Point], dict[int, tuple[Point, ...]]]:
    """Move everything so that most nodes that were there before are where they were."""
    if previous is None or previous.orientation != orientation:
        return centres, ways
    moves = Counter(
        (round(previous.nodes[key].x - x, 1), round(previous.nodes[key].y - y, 1))
        for key, (x, y) in centres.items()
        if key in previous.nodes
    )
    if not moves:
        return centres, ways
    (dx, dy), _ = max(moves.items(), key=lambda item: (item[1], -abs(item[0][0]) - abs(item[0][1])))
    return (
        {key: (x + dx, y + dy) for key, (x, y) in centres.items()},
        {i: tuple((x + dx, y + dy) for x, y in way) for i, way in ways.items()},
    )


def _places(drawing: Drawing, centres: dict[str, Point]) -> dict[str, Place]:
    nodes: dict[str, Place] = {}
    for key, (x, y) in centres.items():
        if key in drawing.leaves:
            nodes[key] = Place(key, "leaf", x, y, tensor=drawing.leaves[key])
        elif key in drawing.ops:
            nodes[key] = Place(key, "op", x, y, op=drawing.ops[key])
        else:
            nodes[key] = Place(key, "fold", x, y, fold=drawing.folds[key])
    return nodes


def _line(links: tuple[Link, ...], way: tuple[Point, ...]) -> Line:
    first = links[0]
    return Line(
        first.source,
        first.target,
        first.op,
        first.operand,
        first.kind,
        any(link.gradient for link in links),
        tuple((link.op, link.operand) for link in links),
        way,
    )


def _reductions(
    trace: Trace,
    drawing: Drawing,
    nodes: dict[str, Place],
    lines: tuple[Line, ...],
    orientation: str,
) -> dict[str, Place]:
    """Hexagons: beside the gate of a leaf, half way along an edge between operations."""
    out: dict[str, Place] = {}
    by_use = {use: line for line in lines for use in line.uses}
    for op, operand in drawing.reductions:
        line = by_use.get((op, operand))
        if line is None:
            continue
        source, target = nodes[line.source], nodes[line.target]
        if source.kind == "leaf":
            x, y = _beside_gate(source, orientation)
        else:
            x, y = (source.x + target.x) / 2, (source.y + target.y) / 2
        shift = sum(abs(p.x - x) < 20 and abs(p.y - y) < 20 for p in out.values())
        key = f"reduce:{line.target}:{operand}"
        place = (x, y + 30 * shift) if orientation == "LR" else (x + 46 * shift, y)
        out[key] = Place(key, "reduce", *place, op=op, operand=operand)
    return out


def _beside_gate(leaf: Place, orientation: str) -> Point:
    if orientation == "LR":
        return leaf.x + NODE / 2 + 46, leaf.y + LEAF / 2 + GAP + SLOT / 2
    return leaf.x + NODE / 2 + BESIDE + NODE / 2, leaf.y + SLOT / 2 + 36


def _box(place: Place, orientation: str) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of a node with its slot or plate and the chips above it."""
    if place.kind == "reduce":
        w, h = REDUCTION
        return place.x - w / 2, place.y - h / 2, place.x + w / 2, place.y + h / 2
    if orientation == "LR":
        top = place.y - LEAF / 2
        return place.x - NODE / 2, top, place.x + NODE / 2, top + LEAF + GAP + SLOT
    left = place.x - NODE / 2
    return left, place.y - LEAF / 2, left + NODE + BESIDE + NODE, place.y + LEAF / 2


def _regions(
    trace: Trace, drawing: Drawing, nodes: dict[str, Place], orientation: str
) -> tuple[Region, ...]:
    """One area per run of lines under a mode; one per node where others lie between them."""
    groups: list[tuple[str, list[str]]] = []
    last: int | None = None
    for key, index in drawing.ops.items():
        op = trace.ops[index]
        if op.mode is None:
            last = None
            continue
        near = last is not None and op.line is not None and abs(op.line - last) <= 1
        if not (near and groups and groups[-1][0] == op.mode):
            groups.append((op.mode, []))
        groups[-1][1].append(key)
        last = op.line
    regions: list[Region] = []
    for mode, keys in groups:
        region = _region(trace, mode, keys, nodes, orientation)
        others = [place for key, place in nodes.items() if key not in keys]
        if any(_overlaps(region, _box(place, orientation)) for place in others):
            regions += [_region(trace, mode, [key], nodes, orientation) for key in keys]
        else:
            regions.append(region)
    return tuple(regions)


def _region(
    trace: Trace, mode: str, keys: list[str], nodes: dict[str, Place], orientation: str
) -> Region:
    boxes = [_box(nodes[key], orientation) for key in keys]
    left, top = min(b[0] for b in boxes) - REGION_PAD, min(b[1] for b in boxes) - REGION_PAD
    right, bottom = max(b[2] for b in boxes) + REGION_PAD, max(b[3] for b in boxes) + REGION_PAD
    lines = [line for key in keys if (line := trace.ops[nodes[key].op or 0].line) is not None]
    first, last = (min(lines), max(lines)) if lines else (None, None)
    return Region(left, top, right - left, bottom - top, mode, first, last, tuple(keys))


def _overlaps(region: Region, box: tuple[float, float, float, float]) -> bool:
    left, top, right, bottom = box
    return (
        left < region.x + region.width
        and right > region.x
        and top < region.y + region.height
        and bottom > region.y
    )


def _measured(made: Layout) -> Layout:
    """The layout moved so that everything, chips included, begins at the margin."""
    boxes = [_box(place, made.orientation) for place in made.nodes.values()]
    boxes += [(r.x, r.y, r.x + r.width, r.y + r.height) for r in made.regions]
    right = max(box[2] for box in boxes) + MARGIN
    bottom = max(box[3] for box in boxes) + MARGIN
    return replace(made, width=right, height=bottom)
