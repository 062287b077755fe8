"""An error in the learner's own terms: cause, the lines that matter, remedies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from playground import edits
from playground.explain.naming import title
from playground.explain.plain import facts_of
from playground.explain.remedy import Remedy, remedy
from playground.explain.sentences import Sentence, saved_name
from playground.explain.slips import mended
from playground.trace import Error, Op, Trace


@dataclass(frozen=True, slots=True)
class Mark:
    """A line of the program with a word at its end."""

    line: int
    kind: str  # "error" for culprits, "note" for the rest
    label: str  # key


@dataclass(frozen=True, slots=True)
class Failure:
    type: str
    message: str  # PyTorch's or Python's text, "" when the playground itself stopped the program
    line: int | None
    why: Sentence | None
    marks: tuple[Mark, ...]
    remedies: tuple[Remedy, ...]
    key: str
    op: int | None  # operation that raised


def explain_error(trace: Trace) -> Failure | None:
    """The error a run ended with; None when it ended well."""
    error = trace.error
    if error is None:
        return None
    last = trace.steps[-1] if trace.steps else None
    op = trace.ops[last.op] if last is not None and last.op is not None else None
    special = CAUSES.get(error.key)
    if special is not None:
        why, marks, remedies = special(trace, error, op)
    else:
        marks = []
        why, remedies = mended(trace.source, error)
    if error.line is not None and not any(mark.line == error.line for mark in marks):
        marks.append(Mark(error.line, "error", "error.here"))
    return Failure(
        error.type,
        error.message,
        error.line,
        why,
        tuple(sorted(marks, key=lambda mark: mark.line)),
        tuple(remedies),
        error.key,
        op.index if op is not None else None,
    )


Cause = tuple[Sentence | None, list[Mark], list[Remedy]]


def _twice(trace: Trace, error: Error, op: Op | None) -> Cause:
    """A second backward through what the first one freed."""
    calls = [call for call in trace.calls if call.line is not None]
    freed = next(
        (
            s
            for s in reversed(trace.steps)
            if s.kind == "freed" and op is not None and s.op == op.index
        ),
        None,
    )
    first = freed.line if freed is not None else (calls[0].line if calls else None)
    second = error.line
    if op is None or first is None or second is None:
        return Sentence("error.backward-twice.why", facts_of(error, first=first or "?")), [], []
    saved = ", ".join(dict.fromkeys(_saved(trace, op)))
    why = Sentence(
        "error.backward-twice.saved",
        {
            "grad_fn": error.facts.get("grad_fn") or op.grad_fn or op.op,
            "made": op.line if op.line is not None else "?",
            "saved": saved or "?",
            "first": first,
            "second": second,
        },
    )
    marks = [Mark(first, "error", "error.freedhere"), Mark(second, "error", "error.neededhere")]
    if op.line is not None and op.line not in (first, second):
        marks.append(Mark(op.line, "note", "error.savedhere"))
    source = trace.source
    fixes = remedy(
        source, "error.keep", lambda: edits.set_retain_graph(source, first, True), {"line": first},
        Sentence("error.keepnote"),
    )  # fmt: skip
    lines = _graph_lines(trace, op)
    if first != second and lines:
        fixes += remedy(
            source,
            "error.again",
            lambda: edits.recompute(source, lines, second),
            {"line": second},
            Sentence("error.againnote"),
        )
    return why, marks, fixes


def _saved(trace: Trace, op: Op) -> list[str]:
    return [saved_name(trace, op, item.name, item.tensor) for item in op.saved]


def _graph_lines(trace: Trace, op: Op) -> list[int]:
    """The lines that computed the root of the last call, leaves left out."""
    call = trace.calls[-1] if trace.calls else None
    waiting = [trace.tensors[root].op for root in call.roots] if call is not None else []
    lines: set[int] = set()
    seen: set[int] = set()
    while waiting:
        index = waiting.pop()
        if index is None or index in seen:
            continue
        seen.add(index)
        made = trace.ops[index]
        if made.line is not None:
            lines.add(made.line)
        waiting += [trace.tensors[o.tensor].op for o in made.operands if o.tensor is not None]
    return sorted(lines)


def _vector(trace: Trace, error: Error, op: Op | None) -> Cause:
    """backward() of something that is not one number."""
    source, line = trace.source, error.line or 0
    shape = error.facts.get("shape", "?")
    why = Sentence("error.backward-of-a-vector.why", facts_of(error, shape=_shape(shape)))
    fixes = remedy(
        source,
        "error.backward-of-a-vector.sum",
        lambda: edits.sum_before_backward(source, line),
        note=Sentence("error.backward-of-a-vector.sumnote"),
    )
    return why, [], fixes


def _shape(value: Any) -> str:
    return str(tuple(value)) if isinstance(value, (tuple, list)) else str(value)


def _no_graph(trace: Trace, error: Error, op: Op | None) -> Cause:
    """backward() of something nothing was recorded for."""
    index = error.facts.get("tensor")
    if not isinstance(index, int) or not 0 <= index < len(trace.tensors):
        return Sentence("error.no-graph.unnamed", facts_of(error)), [], []
    tensor = trace.tensors[index]
    name = title(trace, index)
    marks = [Mark(tensor.line, "note", "error.madehere")] if tensor.line is not None else []
    fixes: list[Remedy] = []
    source = trace.source
    for at, label in _constant_leaves(trace, index):
        fixes += remedy(
            source,
            "none.fix.requires",
            partial(edits.set_requires_grad, source, label, at, True),
            {"name": label, "line": at},
        )
    return Sentence("error.no-graph.why", facts_of(error, name=name)), marks, fixes[:2]


def _constant_leaves(trace: Trace, tensor: int) -> list[tuple[int, str]]:
    """Named floating tensors a value was computed from, with their lines."""
    found: dict[str, int] = {}
    waiting, seen = [tensor], {tensor}
    while waiting:
        item = trace.tensors[waiting.pop(0)]
        if item.op is None:
            if item.name and item.line is not None and item.dtype.startswith("float"):
                found.setdefault(item.name, item.line)
            continue
        for operand in trace.ops[item.op].operands:
            if operand.tensor is not None and operand.tensor not in seen:
                seen.add(operand.tensor)
                waiting.append(operand.tensor)
    return [(line, name) for name, line in found.items()]


def _leaf_in_place(trace: Trace, error: Error, op: Op | None) -> Cause:
    index = error.facts.get("tensor")
    name = title(trace, index) if isinstance(index, int) and index < len(trace.tensors) else "?"
    source, line = trace.source, error.line or 0
    why = Sentence("error.leaf-in-place.why", facts_of(error, name=name))
    fixes = remedy(
        source,
        "error.leaf-in-place.no_grad",
        lambda: edits.set_no_grad(source, line, line, True),
        {"line": line},
        Sentence("error.leaf-in-place.no_grad.note"),
    )
    fixes += remedy(
        source,
        "error.out-of-place",
        lambda: edits.make_out_of_place(source, line),
        {"line": line},
        Sentence("error.leaf-in-place.out.note", {"name": name}),
    )
    return why, [], fixes


def _modified(trace: Trace, error: Error, op: Op | None) -> Cause:
    """A saved tensor was written before backward needed it."""
    index = error.facts.get("tensor")
    written, made = error.facts.get("written_line"), error.facts.get("saved_line")
    name = title(trace, index) if isinstance(index, int) and index < len(trace.tensors) else None
    if name is None and op is not None and op.outputs:
        name = title(trace, op.outputs[0])
    why = Sentence(
        "error.modified-in-place.why",
        facts_of(
            error,
            name=name or "?",
            grad_fn=error.facts.get("grad_fn") or (op.grad_fn if op is not None else "?"),
            made=made if made is not None else "?",
            written=written if written is not None else "?",
        ),
    )
    marks = []
    if isinstance(made, int):
        marks.append(Mark(made, "note", "error.savedhere"))
    fixes: list[Remedy] = []
    if isinstance(written, int):
        marks.append(Mark(written, "error", "error.writtenhere"))
        source, line = trace.source, written
        fixes = remedy(
            source,
            "error.out-of-place",
            lambda: edits.make_out_of_place(source, line),
            {"line": line},
            Sentence("error.modified-in-place.note"),
        )
    return why, marks, fixes


def _none_attribute(trace: Trace, error: Error, op: Op | None) -> Cause:
    return Sentence("error.none-attribute.why", facts_of(error)), [], []


def _syntax(trace: Trace, error: Error, op: Op | None) -> Cause:
    """What Python cannot read; where it names no line, the program as a whole."""
    key = "error.syntax.why" if error.line is not None else "error.syntax.whole"
    return Sentence(key, facts_of(error)), [], []


CAUSES: Mapping[str, Callable[[Trace, Error, Op | None], Cause]] = {
    "error.backward-twice": _twice,
    "error.backward-of-a-vector": _vector,
    "error.no-graph": _no_graph,
    "error.leaf-in-place": _leaf_in_place,
    "error.leaf-view-in-place": _leaf_in_place,
    "error.modified-in-place": _modified,
    "error.syntax": _syntax,
    "error.none-attribute": _none_attribute,
}
