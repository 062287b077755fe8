"""Folding: repeated passes of a loop, modules, optimizer steps and long chains as one node each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from playground.layout.sketch import Link, Sketch
from playground.trace import Trace

FoldKind = Literal["loop", "passes", "module", "optimizer", "chain", "line", "lines"]
CHAIN = 12  # operations in a row that make a chain worth folding
ALWAYS = ("optimizer",)


@dataclass(frozen=True, slots=True)
class Fold:
    """A group of operations that can be drawn as one node."""

    key: str
    kind: FoldKind
    name: str  # of the module or optimizer; a loop's or line's number as text; "4–20" for lines
    count: int  # passes of a loop, else 1
    ops: tuple[int, ...]


@dataclass(slots=True)
class Drawing:
    """A sketch after folding."""

    leaves: dict[str, int] = field(default_factory=dict)
    ops: dict[str, int] = field(default_factory=dict)
    folds: dict[str, Fold] = field(default_factory=dict)  # folded, by the node's key
    links: list[tuple[Link, ...]] = field(default_factory=list)  # drawn as one line each
    reductions: list[tuple[int, int]] = field(default_factory=list)
    available: dict[str, Fold] = field(default_factory=dict)  # all there are, open ones included


Passes = tuple[tuple[str, str], ...]
"""For loops, by their key: which pass ("pass:3") is drawn when the others are folded."""


@dataclass(slots=True)
class Outline:
    """A run's sketch and what could be folded in it: the same for every pass that is looked at."""

    trace: Trace
    made: Sketch
    free: set[str]  # loops any pass of which can stand for all
    loops: dict[str, dict[str, list[int]]]  # loop -> pass -> operations
    groups: list[Fold]  # all but the passes of loops


def outline(trace: Trace, made: Sketch) -> Outline:
    """Look a sketch through once."""
    loops: defaultdict[str, dict[str, list[int]]] = defaultdict(dict)
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for index in made.ops.values():
        path = trace.ops[index].group
        for depth, part in enumerate(path):
            if part.startswith("pass:"):
                loops["/".join(path[:depth])].setdefault(part, []).append(index)
            else:
                groups["/".join(path[: depth + 1])].append(index)
    found = [
        _fold_of(key, tuple(ops), len(loops.get(key, ())))
        for key, ops in groups.items()
        if len(ops) > 1
    ]
    found += [*_chains(trace, made), *_lines(trace, made)]
    return Outline(trace, made, _independent(trace, made), dict(loops), found)


def fold(
    known: Outline,
    opened: frozenset[str],
    closed: frozenset[str],
    limit: int,
    passes: Passes = (),
    once: bool = False,
) -> Drawing:
    """Fold until at most `limit` nodes are left, or nothing more can be folded.

    With `once`, one pass of every loop is drawn, however few nodes there are.
    """
    made, shown = known.made, dict(passes)
    candidates = [
        *_other_passes(known, shown),
        *known.groups,
        *_stretches(known.trace, made, limit),
    ]
    by_key = {item.key: item for item in candidates}
    chosen: list[Fold] = [by_key[key] for key in sorted(closed) if key in by_key]
    chosen += [item for item in candidates if item.kind in ALWAYS and item.key not in opened]
    owner = _owner(chosen)
    count = _count(made, owner)
    # What repeats goes first, then what has a name, then whatever the text suggests.
    for kind in ("passes", "module", "chain", "loop", "line", "lines"):
        group = [item for item in candidates if item.kind == kind and item.key not in opened]
        for item in sorted(group, key=lambda item: (-len(item.ops), item.key)):
            if count <= limit and not (once and kind == "passes"):
                break
            if len({owner[op].key if op in owner else op for op in item.ops}) > 1:
                chosen.append(item)
                owner = _owner(chosen)
                count = _count(made, owner)
    return _draw(known, chosen, by_key)


def loops_of(path: tuple[str, ...]) -> Iterable[tuple[str, str]]:
    """The loops an operation ran in, and in which pass of each: ("loop:5", "pass:2")."""
    for depth, part in enumerate(path):
        if part.startswith("pass:"):
            yield "/".join(path[:depth]), part


def _independent(trace: Trace, made: Sketch) -> set[str]:
    """Loops of which no pass uses what another one computed, so that any pass can stand for all."""
    free = {loop for index in made.ops.values() for loop, _ in loops_of(trace.ops[index].group)}
    for link in made.links:
        source = made.ops.get(link.source)
        if source is not None:
            before = dict(loops_of(trace.ops[source].group))
            after = dict(loops_of(trace.ops[link.op].group))
            free -= {loop for loop in free & before.keys() if before[loop] != after.get(loop)}
    return free


def _other_passes(known: Outline, shown: dict[str, str]) -> Iterable[Fold]:
    """Of every loop the passes that are not shown; a chain of passes shows its first."""
    for loop, parts in known.loops.items():
        stays = shown.get(loop, "pass:1") if loop in known.free else "pass:1"
        ops = tuple(op for part, inside in parts.items() if part != stays for op in inside)
        if len(ops) > 1:
            name = loop.rsplit("/", 1)[-1].split(":")[1]
            yield Fold(loop + "/passes", "passes", name, len(parts) - 1, ops)


def _fold_of(key: str, ops: tuple[int, ...], passes: int) -> Fold:
    kind, name = key.rsplit("/", 1)[-1].split(":")[:2]
    if kind == "loop":
        return Fold(key, "loop", name, passes, ops)
    return Fold(key, "optimizer" if kind == "optimizer" else "module", name, 1, ops)


def _chains(trace: Trace, made: Sketch) -> Iterable[Fold]:
    """Rows of operations with one input from the graph and one user."""
    inputs: Counter[str] = Counter()
    users: Counter[str] = Counter()
    following: dict[str, str] = {}
    for link in made.links:
        inputs[link.target] += link.source in made.ops
        users[link.source] += 1
        following[link.source] = link.target
    seen: set[str] = set()
    for key in made.ops:
        row = [key]
        while key not in seen and users[row[-1]] == 1 and inputs[following[row[-1]]] == 1:
            row.append(following[row[-1]])
        if len(row) >= CHAIN:
            inner = row[1:-1]
            yield Fold(f"chain:{inner[0]}", "chain", "", 1, tuple(made.ops[k] for k in inner))
        seen.update(row)


def _lines(trace: Trace, made: Sketch) -> Iterable[Fold]:
    lines: defaultdict[int, list[int]] = defaultdict(list)
    for index in made.ops.values():
        lines[trace.ops[index].line or 0].append(index)
    for line, ops in lines.items():
        if len(ops) > 1:
            yield Fold(f"line:{line}", "line", str(line), 1, tuple(ops))


def _stretches(trace: Trace, made: Sketch, limit: int) -> Iterable[Fold]:
    """The program cut into so many stretches that the limit holds: for texts without structure."""
    ops = list(made.ops.values())
    if len(ops) <= limit:
        return
    size = -(-len(ops) // max(1, limit // 2))
    for start in range(0, len(ops), size):
        part = ops[start : start + size]
        numbers = [line for op in part if (line := trace.ops[op].line) is not None]
        name = f"{min(numbers)}–{max(numbers)}" if numbers else ""
        if len(part) > 1:
            yield Fold(f"lines:{name}:{start}", "lines", name, 1, tuple(part))


def _owner(chosen: Iterable[Fold]) -> dict[int, Fold]:
    """Which fold hides an operation: the largest that has it."""
    owner: dict[int, Fold] = {}
    for item in sorted(chosen, key=lambda item: len(item.ops)):
        for op in item.ops:
            owner[op] = item
    return owner


def _count(made: Sketch, owner: dict[int, Fold]) -> int:
    """How many nodes would be drawn."""
    hidden = sum(op in owner for op in made.ops.values())
    folds = len({item.key for item in owner.values()})
    inside = {link.source for link in made.links if link.op in owner and _minor(link.source)}
    inside -= {link.source for link in made.links if link.op not in owner}
    leaves = len(made.leaves) - len(inside & made.leaves.keys())
    return leaves + len(made.ops) - hidden + folds


def _draw(known: Outline, chosen: list[Fold], available: dict[str, Fold]) -> Drawing:
    made, owner = known.made, _owner(chosen)
    out = Drawing(available=available)
    new_key: dict[str, str] = {}
    for key, index in made.ops.items():
        if index in owner:
            item = owner[index]
            new_key[key] = "fold:" + item.key
            out.folds.setdefault(new_key[key], item)
        else:
            new_key[key] = key
            out.ops[key] = index
    joined: dict[tuple[object, ...], list[Link]] = {}
    for link in made.links:
        source = new_key.get(link.source, link.source)
        target = new_key.get(link.target, link.target)
        if source == target:
            continue
        both_plain = source in out.ops and target in out.ops
        plain = both_plain or (source in made.leaves and target in out.ops)
        line = (source, target, link.op, link.operand) if plain else (source, target)
        moved = Link(source, target, link.op, link.operand, link.kind, link.gradient)
        joined.setdefault(line, []).append(moved)
    # Links of folds come last: the order must not depend on which pass of a loop is drawn.
    out.links = sorted(
        (tuple(links) for links in joined.values()),
        key=lambda links: links[0].source in out.folds or links[0].target in out.folds,
    )
    out.leaves = _visible_leaves(known, out, new_key)
    _loosen(known, out)
    out.reductions = [edge for edge in made.reductions if edge[0] not in owner]
    return out


def _loosen(known: Outline, out: Drawing) -> None:
    """Passes that are as the one drawn stand beside it: lines to what it uses too say nothing."""
    alike = {
        key
        for key, item in out.folds.items()
        if item.kind == "passes" and item.key.removesuffix("/passes") in known.free
    }
    used = {links[0].source for links in out.links if links[0].target not in alike}
    out.links = [
        links for links in out.links if links[0].target not in alike or links[0].source not in used
    ]


def _visible_leaves(known: Outline, out: Drawing, new_key: dict[str, str]) -> dict[str, int]:
    """Leaves without those that only one fold uses and nobody named: they are inside it."""
    made = known.made
    users: defaultdict[str, set[str]] = defaultdict(set)
    for link in made.links:
        if link.source in made.leaves:
            users[link.source].add(new_key.get(link.target, link.target))
    inside = {
        key
        for key, targets in users.items()
        if len(targets) == 1 and next(iter(targets)) in out.folds
        if _minor(key) or known.trace.tensors[made.leaves[key]].name is None
    }
    out.links = [links for links in out.links if links[0].source not in inside]
    return {key: tensor for key, tensor in made.leaves.items() if key not in inside}


def _minor(key: str) -> bool:
    """A leaf that repeats an earlier one of the same name, as loops make them."""
    return "#" in key
