"""What is added to a layout after its nodes have their places: hexagons and hatched areas."""

from __future__ import annotations

from playground.layout.fold import Drawing
from playground.layout.places import (
    BESIDE,
    GAP,
    LEAF,
    NODE,
    REGION_PAD,
    SLOT,
    Line,
    Place,
    Point,
    Region,
    box_of,
)
from playground.trace import Trace


def reductions(
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


def regions(
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
    found: list[Region] = []
    for mode, keys in groups:
        region = _region(trace, mode, keys, nodes, orientation)
        others = [place for key, place in nodes.items() if key not in keys]
        if any(_overlaps(region, box_of(place, orientation)) for place in others):
            found += [_region(trace, mode, [key], nodes, orientation) for key in keys]
        else:
            found.append(region)
    return tuple(found)


def _region(
    trace: Trace, mode: str, keys: list[str], nodes: dict[str, Place], orientation: str
) -> Region:
    boxes = [box_of(nodes[key], orientation) for key in keys]
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
