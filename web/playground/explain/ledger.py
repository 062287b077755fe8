"""Why is this `.grad` 4 and not 2? Which calls added what, along which paths."""

from __future__ import annotations

from dataclasses import dataclass

from playground import edits
from playground.explain.inspector import Box, entry_boxes
from playground.explain.naming import title
from playground.explain.remedy import Remedy, remedy
from playground.explain.sentences import Sentence, few
from playground.state import Entry, State
from playground.trace import Trace, Value
from playground.words import number

SHOWN = 4  # paths


@dataclass(frozen=True, slots=True)
class Path:
    """The operations a gradient passed from the root to the leaf, and what the last one sent."""

    ops: tuple[int, ...]
    text: str  # "Sum → Add → Mul → x"
    value: Value | None


@dataclass(frozen=True, slots=True)
class CallPaths:
    call: int
    line: int | None
    paths: tuple[Path, ...]
    more: int  # paths not listed


@dataclass(frozen=True, slots=True)
class WhyEntry:
    title: Sentence
    text: Sentence
    boxes: tuple[Box, ...]
    calls: tuple[CallPaths, ...]
    remedies: tuple[Remedy, ...]


def why_entry(state: State, entry: Entry) -> WhyEntry:
    """Explain one entry of the ledger by those before it, back to the last time it was cleared."""
    trace = state.trace
    name = title(trace, entry.tensor)
    parts = _since_cleared(state, entry)
    calls = tuple(
        paths_of(trace, item) for item in parts if item.call is not None and item.added is not None
    )
    facts = {"name": name, "total": _one(entry.total, entry), "added": _one(entry.added, entry)}
    if entry.how != "add" or len(parts) < 2:
        return WhyEntry(
            Sentence("ledger.what.title", facts),
            _single(entry, name),
            entry_boxes(entry),
            calls,
            (),
        )
    before = parts[-2]
    source, line = trace.source, entry.line or 0
    fix = remedy(
        source,
        "ledger.why.fix",
        lambda: edits.insert_clear(source, name, line),
        {"name": name, "line": line},
    )
    last = calls[-1].paths[0].ops[-1] if calls and calls[-1].paths else None
    text = Sentence(
        "ledger.why.text",
        {
            "name": name,
            "old_line": before.line if before.line is not None else "?",
            "old": few(entry.before),
            "line": entry.line if entry.line is not None else "?",
            "added": few(entry.added),
            "grad_fn": (trace.ops[last].grad_fn or "") if last is not None else "",
        },
    )
    return WhyEntry(
        Sentence("ledger.why.title", facts), text, entry_boxes(entry), calls, tuple(fix)
    )


def _single(entry: Entry, name: str) -> Sentence:
    facts = {
        "name": name,
        "line": entry.line if entry.line is not None else "?",
        "total": few(entry.total),
    }
    return Sentence(f"ledger.what.{entry.how}", facts)


def _since_cleared(state: State, entry: Entry) -> list[Entry]:
    history = state.index.ledger[entry.tensor].until(entry.step)
    out: list[Entry] = []
    for item in history:
        if item.how in ("zero", "none", "assign"):
            out.clear()
        out.append(item)
    return [item for item in out if item.how in ("set", "add", "retain")] or [entry]


def _one(value: Value | None, entry: Entry) -> str:
    """The element the title speaks of: the one that grew most."""
    if value is None:
        return "None"
    if not value.data or entry.total is None or not entry.total.data:
        return few(value)
    sizes = [abs(item) if not isinstance(item, str) else -1.0 for item in entry.total.data]
    return number(value.data[sizes.index(max(sizes))])


def paths_of(trace: Trace, entry: Entry) -> CallPaths:
    """The ways from the root to the leaf that messages of the entry's call took."""
    sources: dict[tuple[str, int], list[tuple[int, Value]]] = {}
    for step in trace.steps[: entry.step]:
        if step.call == entry.call:
            for message in step.messages:
                known = sources.setdefault(message.target, [])
                found = [i for i, (op, _) in enumerate(known) if op == message.source]
                if step.kind == "reduce" and found:
                    known[found[-1]] = (message.source, message.value)
                else:
                    known.append((message.source, message.value))
    paths: list[Path] = []
    count = 0
    name = title(trace, entry.tensor)
    arrived = sources.get(("tensor", entry.tensor), [])
    stack: list[tuple[int, tuple[int, ...], Value]] = []
    stack += [(op, (op,), value) for op, value in reversed(arrived)]
    while stack and count < 1000:
        op, way, value = stack.pop()
        before = [] if op in way[1:] else sources.get(("op", op), [])
        if not before:
            count += 1
            if len(paths) < SHOWN:
                text = " → ".join([*(short(trace, item) for item in way), name])
                paths.append(Path(way, text, value))
            continue
        stack += [(source, (source, *way), value) for source, _ in reversed(before)]
    return CallPaths(entry.call or 0, entry.line, tuple(paths), count - len(paths))


def short(trace: Trace, op: int) -> str:
    """An operation's name in a path: "Mul" for MulBackward0."""
    made = trace.ops[op]
    return made.grad_fn.partition("Backward")[0] if made.grad_fn else made.op
