"""The vector of a backward call of more than one number: a field, and a button per element."""

from __future__ import annotations

from playground.edits.vector import vector_of
from playground.takeaway.asserts import literal
from playground.trace import Value

from . import labels
from .frame import Frame
from .html import attributes, button, text
from .sweep import one_hot, table

LIMIT = 8


def section(frame: Frame) -> str:
    """At such a call: what it starts from, to be edited; nothing elsewhere."""
    step = frame.state.step
    if frame.selection is not None or step is None or step.kind != "call" or step.line is None:
        return ""
    call = frame.trace.calls[(step.call or 1) - 1]
    if call.kind != "backward" or len(call.gradients) != 1:
        return ""
    given, source = call.gradients[0], vector_of(frame.trace.source, step.line)
    count = len(given.data) if given.data is not None else 0
    if not given.shape or source is None or not 1 < count <= LIMIT:
        return ""
    field = attributes(
        type="text",
        value=source,
        aria_label=frame.say("vector.label"),
        spellcheck="false",
        intent={"intent": "vector", "line": step.line},
        data_key="vector",
    )
    choices = "".join(_one_hot(frame, step.line, given, i) for i in range(count))
    rows = frame.found["sweep"].rows(frame.trace, step.line) if "sweep" in frame.found else {}
    root = labels.tensor(frame.trace, call.roots[0]) if call.roots else ""
    swept = table(frame, rows, root, count, one_hot(given))
    label, note = text(frame.say("vector.label")), text(frame.say("vector.note"))
    return (
        f'<div class="vector"><span class="small faint">{label}</span>'
        f'<div class="field"><input {field}></div><div class="row">{choices}</div>'
        f'<p class="small faint">{note}</p>{swept}</div>'
    )


def _one_hot(frame: Frame, line: int, given: Value, i: int) -> str:
    """A button that asks for one row of the Jacobian."""
    assert given.data is not None
    unit = tuple(float(k == i) for k in range(len(given.data)))
    wanted = literal(Value(given.shape, given.dtype, unit))
    return button(
        text("".join("1" if n else "0" for n in unit)),
        {"intent": "vector", "line": line, "value": wanted},
        class_="btn line small mono",
        aria_pressed=str(given.data == unit).lower(),
        aria_label=frame.say("vector.row", n=i),
    )
