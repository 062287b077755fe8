"""The Inspector's content for a step, an operation or an edge, as data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from playground.explain.check import finite_difference, local_derivative
from playground.explain.formula import (
    Level,
    fill,
    forward_levels,
    learners,
    local_latex,
    root_name,
    rule_levels,
    value_latex,
)
from playground.explain.jacobian import forward_mode
from playground.explain.mathml import mathml
from playground.explain.naming import title
from playground.explain.sentences import (
    Sentence,
    closing_sentence,
    optimizer,
    receiver,
    step_sentence,
)
from playground.state import Entry, State
from playground.trace import Message, Op, Step, Value
from playground.words import numbers, shape


@dataclass(frozen=True, slots=True)
class Box:
    """One framed value of a computation; `sign` stands in front of it."""

    sign: str  # "", "×", "+", "→", "="
    label: str  # key, with {g} for the formula
    latex: str  # what {g} is; "" when the label needs none
    value: Value | None
    text: str = ""  # in place of a value: "1 + 0 + 1.67"

    @property
    def mathml(self) -> str:
        return mathml(self.latex) if self.latex else ""


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled line under the formula."""

    label: str  # key
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Explanation:
    tag: str  # "PowBackward0", "Σ₀", "x.grad"
    line: int | None  # line that made what is explained
    sentence: Sentence | None
    closing: Sentence | None = None
    levels: tuple[Level, ...] = ()
    boxes: tuple[Box, ...] = ()
    rows: tuple[Row, ...] = ()

    @property
    def latex(self) -> str:
        """What "Copy LaTeX" copies: every level on a line of its own."""
        return " \\\\\n".join(level.latex for level in self.levels)


def explain_step(state: State) -> Explanation | None:
    """The step at the cursor; None before the first."""
    step = state.step
    if step is None:
        return None
    sentence, closing = step_sentence(state), closing_sentence(state)
    if step.kind == "rule" and step.op is not None:
        message = step.messages[0] if step.messages else None
        return _rule(state, state.trace.ops[step.op], step, message, sentence)
    if step.kind == "reduce":
        return _reduce(state, step, sentence)
    if step.kind == "inplace" and step.op is not None:
        return _inplace(state, step, explain_op(state, step.op, sentence))
    if step.kind == "op" and step.op is not None:
        return explain_op(state, step.op, sentence)
    if step.kind in ("write", "zero", "none") and step.tensor is not None:
        return _ledger(state, step, sentence, closing)
    if step.kind == "freed" and step.op is not None:
        used = state.arrival(step.op)
        if used is not None:  # the rows keep their place
            message = used.messages[0] if used.messages else None
            return _rule(state, state.trace.ops[step.op], used, message, sentence)
    tag = title(state.trace, step.tensor) if step.tensor is not None else ""
    return Explanation(tag, step.line, sentence, closing)


def explain_op(state: State, index: int, sentence: Sentence | None = None) -> Explanation:
    """An operation's forward."""
    op = state.trace.ops[index]
    shapes = [
        shape(state.trace.tensors[o.tensor].shape) for o in op.operands if o.tensor is not None
    ]
    result = shape(state.trace.tensors[op.outputs[0]].shape) if op.outputs else "?"
    rows = [
        Row("inspector.shape", Sentence("inspector.shapes", {"a": ", ".join(shapes), "b": result}))
    ]
    rows += _saved(state, op, used=False)
    tag = op.grad_fn or op.op
    return Explanation(tag, op.line, sentence, None, forward_levels(state, op), (), tuple(rows))


def _inplace(state: State, step: Step, found: Explanation) -> Explanation:
    """With the value before and after; an optimizer's formula is its own affair."""
    assert step.op is not None and step.tensor is not None
    history = state.index.values[step.tensor]
    before = history.at(step.index - 1)
    boxes = (
        Box("", "inspector.before", "", before[0] if before else None),
        Box("→", "inspector.after", "", step.value),
    )
    if optimizer(state.trace.ops[step.op]) is not None:
        tag = title(state.trace, step.tensor)
        return Explanation(tag, step.line, found.sentence, None, (), boxes)
    return replace(found, boxes=boxes)


def explain_message(state: State, index: int, operand: int) -> Explanation | None:
    """The gradient that last passed along an edge; None when none did."""
    step = state.arrival(index)
    sent = state.message(index, operand)
    if step is None or sent is None:
        return None
    return _rule(state, state.trace.ops[index], step, sent.message, None)


def _rule(
    state: State, op: Op, step: Step, message: Message | None, sentence: Sentence | None
) -> Explanation:
    tag = op.grad_fn or op.op
    if message is None:
        return Explanation(tag, op.line, sentence)
    operand = message.operand
    levels = rule_levels(state, op, operand)
    boxes = _boxes(state, op, step, message)
    rows = [
        Row("inspector.shape", _shapes(state, op, step, message)),
        *_saved(state, op, used=True),
    ]
    check = _check(state, op, step, message)
    if check is not None:
        rows.append(Row("inspector.check", check))
    return Explanation(tag, op.line, sentence, None, levels, boxes, tuple(rows))


def _boxes(state: State, op: Op, step: Step, message: Message) -> tuple[Box, ...]:
    """Incoming × local derivative = passed on; an arrow where the rule is no product."""
    operand = op.operands[message.operand]
    upper = root_name(state, op)
    incoming = learners(state, op, "grad", "result", None)
    below = learners(state, op, "val", operand.name, None)
    passed = rf"\frac{{\partial {upper}}}{{\partial {below}}}"
    local = local_latex(op, message.operand)
    first = Box("", "inspector.incoming", incoming, step.incoming)
    last = Box("=", "inspector.out", passed, message.value)
    if local is None:
        return first, Box("→", "inspector.out", passed, message.value)
    if local == "":
        return first, last
    latex = fill(local, lambda kind, name: learners(state, op, kind, name, message.operand))
    value = local_derivative(state, op, message.operand)
    return first, Box("×", "inspector.local", latex, value), last


def _shapes(state: State, op: Op, step: Step, message: Message) -> Sentence:
    arrives = shape(step.incoming.shape) if step.incoming is not None else "?"
    leaves = shape(message.value.shape)
    target = op.operands[message.operand]
    wanted = state.trace.tensors[target.tensor].shape if target.tensor is not None else None
    facts = {"a": arrives, "b": leaves, "c": shape(wanted) if wanted is not None else "?"}
    if wanted is not None and wanted != message.value.shape:
        return Sentence("inspector.tosum", facts)
    return Sentence("inspector.same" if arrives == leaves else "inspector.reshaped", facts)


def _saved(state: State, op: Op, used: bool) -> list[Row]:
    rows = []
    for item in op.saved:
        if item.tensor is None:
            continue
        value = state.index.values.get(item.tensor)
        known = value.at(state.cursor) if value is not None else None
        facts: dict[str, Any] = {
            "name": title(state.trace, item.tensor),
            "value": numbers(known[0] if known else state.value(item.tensor)),
            "version": item.version,
        }
        if used:
            key = "inspector.saved.kept" if state.kept(op.index) else "inspector.saved.freed"
        else:
            key = "inspector.saved.gone" if state.freed(op.index) else "inspector.saved.held"
        rows.append(Row("inspector.saved", Sentence(key, facts)))
    return rows


def _check(state: State, op: Op, step: Step, message: Message) -> Sentence | None:
    """The same numbers by finite differences and forward mode, for tensors small enough."""
    found = finite_difference(state, op, step, message.operand)
    if found is None:
        return None
    facts = {"reverse": numbers(message.value), "finite": numbers(found)}
    forward = forward_mode(state, op, step, message)
    if forward is None:
        return Sentence("inspector.compared", facts)
    return Sentence("inspector.compared-all", {**facts, "forward": numbers(forward)})


def _reduce(state: State, step: Step, sentence: Sentence | None) -> Explanation:
    message = step.messages[0]
    op = state.trace.ops[message.source]
    name = receiver(state.trace, message)
    before, after = step.incoming, message.value
    dims = ", ".join(str(dim) for dim in step.dims)
    parts = ""
    if before is not None and before.data is not None and len(before.data) <= 8 and not after.shape:
        parts = " + ".join(numbers_of(item) for item in before.data)
    upper = root_name(state, op)
    below = learners(state, op, "val", op.operands[message.operand].name, None)
    passed = rf"\frac{{\partial {upper}}}{{\partial {below}}}"
    symbols = r"\frac{\partial L}{\partial a} = \sum_i \frac{\partial L}{\partial a_i}"
    levels = [Level("inspector.symbols", symbols)]
    if before is not None:
        total = value_latex(after)
        levels.append(Level("inspector.numbers", rf"{total} = \sum {value_latex(before)}"))
    boxes = (
        Box("", "inspector.arrives", "", before),
        Box("→", "inspector.sumdim", "", None if parts else after, parts),
        Box("=", "inspector.out", passed, after),
    )
    facts = {
        "a": shape(before.shape) if before is not None else "?",
        "b": shape(after.shape),
        "dims": dims,
        "name": name,
    }
    rows = (Row("inspector.shape", Sentence("inspector.broadcast", facts)),)
    tag = "Σ" + "".join(chr(ord("₀") + dim) if 0 <= dim <= 9 else "" for dim in step.dims)
    return Explanation(tag, op.line, sentence, None, tuple(levels), boxes, rows)


def numbers_of(item: Any) -> str:
    from playground.words import number

    text = number(item)
    return f"({text})" if text.startswith("−") else text


def _ledger(
    state: State, step: Step, sentence: Sentence | None, closing: Sentence | None
) -> Explanation:
    assert step.tensor is not None
    entries = state.ledger(step.tensor)
    tag = title(state.trace, step.tensor) + ".grad"
    boxes = entry_boxes(entries[-1]) if entries else ()
    return Explanation(tag, state.trace.tensors[step.tensor].line, sentence, closing, (), boxes)


def entry_boxes(entry: Entry) -> tuple[Box, ...]:
    """Kept from before + added by this call = .grad."""
    if entry.added is None or entry.total is None:
        return ()
    added = Box("+" if entry.before is not None else "", "ledger.added", "", entry.added)
    total = Box("=", "ledger.total", "", entry.total)
    if entry.before is None:
        return added, total
    return Box("", "ledger.kept", "", entry.before), added, total
