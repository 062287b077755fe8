"""The close look in the Inspector: the Jacobian as a table, three derivatives side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from playground.explain.jacobian import Closer, closer
from playground.trace import Op, Step, Value

from . import numbers
from .frame import Frame
from .html import button, text

DIGITS = 8


def section(frame: Frame) -> str:
    """A switch below what is explained and, when it is on, the tables; nothing without a rule."""
    target = _target(frame)
    if target is None:
        return ""
    is_on = bool(frame.extra.get("closer"))
    label = text(frame.say("closer.title"))
    switch = button(
        label,
        {"intent": "closer", "on": not is_on},
        class_="btn line small",
        data_key="closer",
        aria_expanded=str(is_on).lower(),
    )
    inside = ""
    if is_on:
        found = closer(frame.state, *target)
        inside = _tables(frame, target[0], target[2], found) if found else _nothing(frame)
    kind = "closer" if is_on else "closer shut"
    return f'<div class="{kind}">{switch}{inside}</div>'


def _target(frame: Frame) -> tuple[Op, Step, int] | None:
    """The rule and the operand that are explained now."""
    chosen, step = frame.selection, frame.state.step
    index, operand = None, None
    if chosen is not None and chosen.what == "message":
        message = frame.trace.steps[chosen.index - 1].messages[chosen.operand]
        index, operand = message.source, message.operand
    elif chosen is not None and chosen.what == "op":
        index = chosen.index
    elif chosen is None and step is not None and step.kind in ("rule", "freed"):
        index = step.op
    rule = frame.state.arrival(index) if index is not None else None
    if index is None or rule is None or not rule.messages:
        return None
    return frame.trace.ops[index], rule, rule.messages[0].operand if operand is None else operand


def _nothing(frame: Frame) -> str:
    return f'<p class="small faint">{text(frame.say("closer.nothing"))}</p>'


def _tables(frame: Frame, op: Op, operand: int, found: Closer) -> str:
    tensor = op.operands[operand].tensor
    below = frame.trace.tensors[tensor].expression if tensor is not None else ""
    above = frame.trace.tensors[op.outputs[0]].expression if op.outputs else ""
    parts = []
    if found.jacobian is not None:
        title = text(frame.say("closer.jacobian", result=above, input=below))
        cells = _matrix(frame, op, operand, found.jacobian)
        parts.append(f'<table class="matrix"><caption>{title}</caption>{cells}</table>')
    title = frame.say("closer.compared", input=below)
    ways = (("reverse", found.reverse), ("forward", found.forward), ("finite", found.finite))
    parts.append(compared(frame, title, [(f"inspector.{key}", value) for key, value in ways]))
    return "".join(parts)


def compared(frame: Frame, title: str, rows: Sequence[tuple[str, Value | None]]) -> str:
    """The same gradient found in several ways, the first being what the others are held against."""
    first = rows[0][1]
    assert first is not None
    lines = "".join(
        f"<tr><th scope=row>{text(frame.say(key))}</th>{_digits(value, first)}</tr>"
        for key, value in rows
        if value is not None
    )
    return f'<table class="matrix"><caption>{text(title)}</caption>{lines}</table>'


def _matrix(frame: Frame, op: Op, operand: int, jacobian: Value) -> str:
    """Rows and columns by index; the elements of a single number need none."""
    assert jacobian.data is not None
    high, wide = jacobian.shape
    tensor = op.operands[operand].tensor
    columns = _indices(frame.trace.tensors[tensor].shape if tensor is not None else (), wide)
    lines = _indices(frame.trace.tensors[op.outputs[0]].shape, high)
    head = "".join(f"<th scope=col>{text(column)}</th>" for column in columns)
    body = "".join(
        f"<tr><th scope=row>{text(line)}</th>"
        + "".join(
            f"<td>{text(numbers.show(n))}</td>" for n in jacobian.data[i * wide : (i + 1) * wide]
        )
        + "</tr>"
        for i, line in enumerate(lines)
    )
    return f"<tr><td></td>{head}</tr>{body}"


def _indices(shape: tuple[int, ...], count: int) -> list[str]:
    """Indices as the program would write them; a single number has none."""
    names = []
    for i in range(count):
        index = []
        for size in reversed(shape):
            index.append(str(i % size))
            i //= size
        names.append(f"[{', '.join(reversed(index))}]" if shape else "")
    return names


def _digits(value: Value, reverse: Value) -> str:
    """The numbers with as many digits as there are; those that differ from reverse are marked."""
    if value.data is None or reverse.data is None:
        return "<td></td>"
    cells = []
    for number, wanted in zip(value.data, reverse.data, strict=True):
        said, other = _long(number), _long(wanted)
        same = len(_common(said, other))
        rest = f"<mark>{escape(said[same:])}</mark>" if said[same:] else ""
        cells.append(f"<td>{escape(said[:same])}{rest}</td>")
    return "".join(cells)


def _common(a: str, b: str) -> str:
    if len(a) == len(b) or "e" not in a + b:
        for i, (one, two) in enumerate(zip(a, b, strict=False)):
            if one != two:
                return a[:i]
        return a[: len(b)]
    return ""


def _long(number: float | int | bool | str) -> str:
    if isinstance(number, str) or not math.isfinite(number):
        return str(number).replace("-", "−")
    return f"{float(number):.{DIGITS}g}".replace("-", "−")
