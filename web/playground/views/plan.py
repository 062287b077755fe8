"""The graph's plan for a run and a window: where every node stands, in sheet pixels."""

from __future__ import annotations

from dataclasses import dataclass, field

from playground.trace import Trace

from .edges import Link
from .frame import Size
from .nodes import Spot


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
class Fold:
    """A folded group of operations, drawn as one node."""

    key: str
    title: str
    count: int
    ops: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything whose place is fixed for the run."""

    vertical: bool
    width: float
    height: float
    spots: dict[str, Spot] = field(default_factory=dict)
    leaves: dict[str, int] = field(default_factory=dict)  # key -> tensor id
    ops: dict[str, int] = field(default_factory=dict)  # key -> op index
    folds: dict[str, Fold] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    regions: tuple[Region, ...] = ()
    chain: bool = False  # one node to a column: there is room for line numbers


def build(trace: Trace, panel: Size, vertical: bool) -> Plan:
    depth: dict[str, int] = {}
    leaves: dict[str, int] = {}
    ops: dict[str, int] = {}
    used: set[int] = set()
    for op in trace.ops:
        d = 0
        for operand in op.operands:
            if operand.tensor is None:
                continue
            tensor = trace.tensors[operand.tensor]
            if tensor.op is not None:
                d = max(d, depth[f"op{tensor.op}"] + 1)
            else:
                used.add(tensor.id)
                d = max(d, 1)
        depth[f"op{op.index}"] = d
        ops[f"op{op.index}"] = op.index
    for tensor in trace.tensors:
        if tensor.op is None and (tensor.id in used or tensor.requires_grad):
            key = f"t{tensor.id}"
            leaves[key] = tensor.id
            users = [
                depth[f"op{op.index}"] for op in trace.ops for o in op.operands if o.tensor == tensor.id
            ]
            depth[key] = max(0, min(users, default=1) - 1)
    columns: dict[int, list[str]] = {}
    for key, d in depth.items():
        columns.setdefault(d, []).append(key)
    if not columns:
        return Plan(vertical, 0, 0)
    n = max(columns) + 1
    most = max(len(column) for column in columns.values())
    spots: dict[str, Spot] = {}
    if vertical:
        across, along = 290.0, max(101.0, min(120.0, (panel[1] - 110) / max(1, n - 1)))
        width, height = most * across, (n - 1) * along + 110
        for d, keys in columns.items():
            for i, key in enumerate(keys):
                x = width / 2 + (i - (len(keys) - 1) / 2) * across - 65
                spots[key] = Spot(key, x, 44 + d * along, True)
    else:
        along = max(184.0, min(260.0, (panel[0] - 56 - 120) / max(1, n - 1)))
        across = 176.0
        width, height = (n - 1) * along + 176, most * across
        for d, keys in columns.items():
            for i, key in enumerate(keys):
                y = height / 2 + (i - (len(keys) - 1) / 2) * across - 12
                spots[key] = Spot(key, 88 + d * along, y, False)
    links = []
    for op in trace.ops:
        tensors = [(i, o) for i, o in enumerate(op.operands) if o.tensor is not None]
        for j, (i, operand) in enumerate(tensors):
            tensor = trace.tensors[operand.tensor or 0]
            key = f"t{tensor.id}" if tensor.op is None else f"op{tensor.op}"
            source, target = spots[key], spots[f"op{op.index}"]
            at = (j - (len(tensors) - 1) / 2) * 11
            x, y = source.gate
            sums = (x, y + 34) if vertical else (x + 48, y)
            cut = "detach()" if op.op.startswith("detach") else ""
            links.append(
                Link(op.index, i, tensor.id, source, target, tensor.op is None, 0, at, False, cut, sums)
            )
    return Plan(vertical, width, height, spots, leaves, ops, {}, tuple(links), (), most == 1)
