"""A plain layered layout, for where the page's own library is not: tests and `panel serve`.

Same question and answer as web/shell/dagre-layout.js. Layers by longest path, sources pulled next
to their first user; the order in a layer by repeated barycentres.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

MARGIN_X, MARGIN_Y = 24, 72
SWEEPS = 4


def solve(question: str) -> str:
    """Places of nodes (their middles) and way points of edges, as JSON."""
    asked = json.loads(question)
    sizes = {node["id"]: (node["width"], node["height"]) for node in asked["nodes"]}
    edges = [(edge["from"], edge["to"]) for edge in asked["edges"]]
    ranks = _ranks(list(sizes), edges)
    layers = _ordered(ranks, edges)
    places = _placed(layers, sizes, asked)
    return json.dumps({"nodes": places, "edges": [[] for _ in edges]})


def _ranks(nodes: list[str], edges: list[tuple[str, str]]) -> dict[str, int]:
    before, after = _neighbours(edges)
    ranks = dict.fromkeys(nodes, 0)
    waiting = {node: len(before[node]) for node in nodes}
    ready = [node for node in nodes if not waiting[node]]
    for node in ready:
        for user in after[node]:
            ranks[user] = max(ranks[user], ranks[node] + 1)
            waiting[user] -= 1
            if not waiting[user]:
                ready.append(user)
    for node in nodes:
        if not before[node] and after[node]:
            ranks[node] = min(ranks[user] for user in after[node]) - 1
    return ranks


def _neighbours(
    edges: list[tuple[str, str]],
) -> tuple[defaultdict[str, list[str]], defaultdict[str, list[str]]]:
    before: defaultdict[str, list[str]] = defaultdict(list)
    after: defaultdict[str, list[str]] = defaultdict(list)
    for source, target in edges:
        before[target].append(source)
        after[source].append(target)
    return before, after


def _ordered(ranks: dict[str, int], edges: list[tuple[str, str]]) -> list[list[str]]:
    layers: defaultdict[int, list[str]] = defaultdict(list)
    for node, rank in ranks.items():
        layers[rank].append(node)
    rows = [layers[rank] for rank in sorted(layers)]
    before, after = _neighbours(edges)
    for sweep in range(SWEEPS):
        beside = before if sweep % 2 == 0 else after
        order = rows if sweep % 2 == 0 else rows[::-1]
        position = {node: float(i) for row in rows for i, node in enumerate(row)}
        for row in order:
            at = {
                node: sum(position[n] for n in beside[node]) / len(beside[node])
                if beside[node]
                else position[node]
                for node in row
            }
            row.sort(key=at.__getitem__)
            position.update({node: float(i) for i, node in enumerate(row)})
    return rows


def _placed(
    layers: list[list[str]], sizes: dict[str, tuple[float, float]], asked: dict[str, Any]
) -> dict[str, list[float]]:
    across = asked["rankdir"] == "LR"
    depth, breadth = (0, 1) if across else (1, 0)
    widest = max((_breadth(layer, sizes, breadth, asked["nodesep"]) for layer in layers), default=0)
    places: dict[str, list[float]] = {}
    along = float(MARGIN_X if across else MARGIN_Y)
    for layer in layers:
        thick = max(sizes[node][depth] for node in layer)
        own = _breadth(layer, sizes, breadth, asked["nodesep"])
        at = (widest - own) / 2 + (MARGIN_Y if across else MARGIN_X)
        for node in layer:
            mid = at + sizes[node][breadth] / 2
            places[node] = [along + thick / 2, mid] if across else [mid, along + thick / 2]
            at += sizes[node][breadth] + asked["nodesep"]
        along += thick + asked["ranksep"]
    return places


def _breadth(
    layer: list[str], sizes: dict[str, tuple[float, float]], axis: int, gap: float
) -> float:
    return sum(sizes[node][axis] for node in layer) + gap * (len(layer) - 1)
