"""Places for a drawing: dagre's layers, kept steady from run to run."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from dataclasses import replace

from playground.layout.extras import reductions, regions
from playground.layout.fold import Drawing
from playground.layout.pack import pack
from playground.layout.places import (
    LEAF,
    MARGIN,
    NODE,
    NODE_GAP,
    RANK_GAP,
    REDUCTION,
    Layout,
    Line,
    Place,
    Point,
    Solve,
    box_of,
    size_of,
)
from playground.layout.sketch import Link
from playground.layout.tight import tight
from playground.trace import Trace


def arrange(
    trace: Trace,
    drawing: Drawing,
    solve: Solve,
    orientation: str,
    previous: Layout | None,
    narrow: bool = False,
) -> Layout:
    """Place a drawing; nodes keep the places they had in `previous` where possible.

    `narrow` takes as little room across the flow as the layers need.
    """
    keys = (*drawing.leaves, *drawing.ops, *drawing.folds)
    pairs = tuple((links[0].source, links[0].target) for links in drawing.links)
    shape = (orientation, keys, pairs)
    if not keys:
        return Layout(orientation, folds=drawing.available, shape=shape)
    steady = _steady(previous, orientation, keys, pairs)
    if steady is not None:
        centres, ways = steady
    else:
        centres, ways = _solve(drawing, solve, orientation, keys, narrow)
        centres, ways = _settle(centres, ways, previous, orientation)
    nodes = _places(drawing, centres)
    lines = tuple(_line(links, ways.get(i, ())) for i, links in enumerate(drawing.links))
    nodes.update(reductions(trace, drawing, nodes, lines, orientation))
    areas = regions(trace, drawing, nodes, orientation)
    made = Layout(orientation, nodes, lines, areas, 0, 0, drawing.available, shape)
    return _measured(made)


def _solve(
    drawing: Drawing, solve: Solve, orientation: str, keys: tuple[str, ...], narrow: bool
) -> tuple[dict[str, Point], dict[int, tuple[Point, ...]]]:
    width, height = size_of(orientation)
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
    centres, ways = _program_order(centres, ways, orientation)
    pairs = [(links[0].source, links[0].target) for links in drawing.links]
    if narrow:
        centres, ways = tight(centres, ways, pairs, orientation)
    return pack(centres, ways, pairs, orientation, narrow)


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
    width, height = size_of(orientation)
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


def _measured(made: Layout) -> Layout:
    """The layout moved so that everything, chips included, begins at the margin."""
    boxes = [box_of(place, made.orientation) for place in made.nodes.values()]
    boxes += [(r.x, r.y, r.x + r.width, r.y + r.height) for r in made.regions]
    right = max(box[2] for box in boxes) + MARGIN
    bottom = max(box[3] for box in boxes) + MARGIN
    return replace(made, width=right, height=bottom)
