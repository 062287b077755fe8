"""The same layers in as little room across the flow as they need, for where a graph has to fit.

dagre keeps long edges straight, and layers grow apart for it. Here every layer is at most as long
as the longest one has to be; inside it, nodes and passing edges stand as near to their neighbours
as their order and their size allow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from playground.layout.places import NODE_GAP, Point, size_of

SWEEPS = 12
PASSING = 0.3  # of a node's room, for an edge that passes a layer


@dataclass(slots=True, eq=False)
class _Stop:
    """A node, or an edge where it passes a layer: its place, the room it needs, its neighbours."""

    along: float
    at: float  # across the flow
    room: float
    near: list[_Stop] = field(default_factory=list)


def tight(
    centres: dict[str, Point],
    ways: dict[int, tuple[Point, ...]],
    pairs: list[tuple[str, str]],
    orientation: str,
) -> tuple[dict[str, Point], dict[int, tuple[Point, ...]]]:
    """New places across the flow; those along it stay. Edges keep the way points inside layers."""
    across = 1 if orientation == "LR" else 0
    room = size_of(orientation)[across] + NODE_GAP[orientation]
    depths = {round(centre[1 - across]) for centre in centres.values()}
    nodes = {key: _Stop(c[1 - across], c[across], room) for key, c in centres.items()}
    passing: dict[int, list[_Stop]] = {}
    for i, (source, target) in enumerate(pairs):
        inside = [p for p in ways.get(i, ()) if round(p[1 - across]) in depths]
        passing[i] = [_Stop(p[1 - across], p[across], room * PASSING) for p in inside]
        for a, b in pairwise([nodes[source], *passing[i], nodes[target]]):
            a.near.append(b)
            b.near.append(a)
    top = 0.0
    for part in _parts(nodes.values()):
        top = _relax(part, top)

    def point(stop: _Stop) -> Point:
        return (stop.along, stop.at) if across else (stop.at, stop.along)

    return (
        {key: point(stop) for key, stop in nodes.items()},
        {i: tuple(map(point, stops)) for i, stops in passing.items()},
    )


def _parts(stops: Iterable[_Stop]) -> Iterable[list[_Stop]]:
    """What hangs together, in the order of the program."""
    seen: set[int] = set()
    for first in stops:
        part = [first] if id(first) not in seen else []
        seen.add(id(first))
        for stop in part:
            fresh = [other for other in stop.near if id(other) not in seen]
            fresh = list({id(other): other for other in fresh}.values())
            seen.update(map(id, fresh))
            part += fresh
        if part:
            yield part


def _relax(part: list[_Stop], top: float) -> float:
    """Sweep over the layers and back, every stop towards its neighbours; returns the far end."""
    found: defaultdict[int, list[_Stop]] = defaultdict(list)
    for stop in sorted(part, key=lambda stop: stop.at):
        found[round(stop.along)].append(stop)
    layers = [found[depth] for depth in sorted(found)]
    longest = max(sum(stop.room for stop in layer) for layer in layers)
    for sweep in range(SWEEPS):
        for layer in layers if sweep % 2 == 0 else layers[::-1]:
            wanted = [
                sum(other.at for other in stop.near) / len(stop.near) - top if stop.near else 0.0
                for stop in layer
            ]
            places = _spread(wanted, [stop.room for stop in layer], longest)
            for stop, at in zip(layer, places, strict=True):
                stop.at = top + at
    return top + longest


def _spread(wanted: list[float], rooms: list[float], length: float) -> list[float]:
    """The places nearest to the wanted ones that keep order, room, and stay in 0 … length.

    Least squares under "not before the one before": blocks of stops that touch share a mean.
    """
    starts, used = [], 0.0
    for room in rooms:
        starts.append(used + room / 2)
        used += room
    blocks: list[tuple[float, int]] = []  # sum of (wanted − start), stops
    for at, start in zip(wanted, starts, strict=True):
        blocks.append((at - start, 1))
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] >= blocks[-1][0] / blocks[-1][1]:
            (a, m), (b, n) = blocks[-2], blocks.pop()
            blocks[-1] = (a + b, m + n)
    shifts = [total / count for total, count in blocks for _ in range(count)]
    free = length - used
    return [start + max(0.0, min(free, shift)) for start, shift in zip(starts, shifts, strict=True)]
