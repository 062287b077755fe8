"""What the step at the cursor, or the thing picked, is and does."""

from __future__ import annotations

from typing import Any

from playground import explain
from playground.explain import Explanation, Remedy, WhyEntry
from playground.state import Entry
from playground.trace import Message, Value

from . import checked, closer, contour, explained, labels, numbers, path, vector
from .card import written
from .frame import Frame
from .html import HtmlView, button, facts, text
from .printing import printed


class Inspector(HtmlView):
    """`show` draws a frame; `said` is what the page's headers and marks need of it."""

    def __init__(self) -> None:
        super().__init__("inspector")
        self.remedies: tuple[Remedy, ...] = ()
        self.latex = ""
        self.tag: dict[str, Any] = {}
        self.made: tuple[int | None, str] = (None, "")
        self.step: Explanation | None = None  # what the step at the cursor does

    def show(self, frame: Frame) -> None:
        """Draw the thing picked, or else the step."""
        self.remedies, self.latex, self.tag, self.made = (), "", {}, (None, "")
        self.step = prepare(frame)
        more = (path.section, contour.section, vector.section, closer.section)
        parts = [self._body(frame), *(section(frame) for section in more)]
        self.write("".join([*parts, checked.section(frame, _written(frame))]))

    def _body(self, frame: Frame) -> str:
        chosen = frame.selection
        if chosen is None:
            found = self.step
            more = _printed(frame) + _retain(frame)
            return self._found(frame, found) + more if found else _empty(frame)
        if chosen.what == "op":
            return self._found(frame, explain.explain_op(frame.state, chosen.index))
        if chosen.what == "message":
            message = frame.trace.steps[chosen.index - 1].messages[chosen.operand]
            found = explain.explain_message(frame.state, message.source, message.operand)
            return self._found(frame, found) + _cut(frame, message) if found else _empty(frame)
        if chosen.what == "write":
            entry = _entry(frame, chosen.index)
            return self._entry(frame, entry) if entry else _empty(frame)
        return self._tensor(frame, chosen.index)

    def _found(self, frame: Frame, found: Explanation) -> str:
        self.latex = found.latex
        if found.tag:
            self.tag = {"tag": found.tag, "line": found.line, "latex": bool(found.levels)}
        if found.tag and found.line is not None:
            self.tag["where"] = frame.say("graph.line", line=found.line)
        if len(found.levels) > 1:  # in the learner's own names
            self.tag["formula"] = explained.worded(frame, found.levels[1]).mathml
        step = frame.state.step
        running = step.line if step is not None and frame.selection is None else None
        if found.line is not None and found.line != running:
            self.made = found.line, found.tag
        return explained.explanation(frame, found)

    def _entry(self, frame: Frame, entry: Entry) -> str:
        """Which calls made this entry of the ledger what it is."""
        found: WhyEntry = explain.why_entry(frame.state, entry)
        self.remedies = found.remedies
        parts = []
        if entry.call is not None:
            parts.append(frame.say("ledger.call", n=entry.call))
        if entry.line is not None:
            parts.append(frame.say("graph.line", line=entry.line))
        self.tag = {"tag": " · ".join(parts), "words": True}
        self.made = entry.line, parts[0] if parts else ""
        title = f'<p class="sentence"><b>{text(explained.said(frame, found.title))}</b></p>'
        body = f'<p class="sentence">{text(explained.said(frame, found.text))}</p>'
        ways = [
            (text(frame.say("ledger.call", n=call.call)), _paths(call.paths, call.more))
            for call in found.calls
        ]
        return (
            title + body + explained.boxes(frame, found.boxes) + facts(ways) + self._offers(frame)
        )

    def _offers(self, frame: Frame) -> str:
        if not self.remedies:
            return ""
        return f'<div class="two">{explained.remedies(frame, self.remedies, "inspector")}</div>'

    def _tensor(self, frame: Frame, index: int) -> str:
        """A tensor picked: what it is, and the operation that made it."""
        state, tensor = frame.state, frame.trace.tensors[index]
        name = labels.tensor(frame.trace, index)
        recorder = state.recorder(index)
        made = explain.explain_op(state, recorder) if recorder is not None else None
        self.tag = {"tag": name, "line": tensor.line, "latex": bool(made and made.levels)}
        self.latex = made.latex if made else ""
        self.made = tensor.line, frame.say("program.made")
        grad = state.grad(index)
        shape = f"{numbers.shape(tensor.shape)} {tensor.dtype}"
        lines = [
            (
                "tensor.value",
                f'<span class="mono">{text(_whole(frame, state.value(index)))}</span>',
            ),
            ("inspector.shape", f'<span class="mono">{text(shape)}</span>'),
            ("tensor.kind", text(_kind(frame, index))),
            ("tensor.version", text(state.version(index))),
        ]
        if grad is not None:
            said = text(_whole(frame, grad))
            lines.append(("ledger.total", f'<span class="mono">{said}</span>'))
        elif tensor.name:
            why = {"intent": "why", "name": tensor.name}
            ask = button(text(frame.say("leaves.why")), why, class_="btn on tight")
            lines.append(("ledger.total", f'<span class="mono dim">None</span> {ask}'))
        body = facts((text(frame.say(key)), said) for key, said in lines)
        formulas = explained.levels(frame, made.levels) if made else ""
        return f'<p class="sentence mono"><b>{text(name)}</b></p>{formulas}{body}'

    def said(self, frame: Frame) -> dict[str, Any]:
        """The step's sentence, the focused line, the tag, and marks in the program."""
        found = self.step
        line, label = self.made
        return {
            "sentence": explained.said(frame, found.sentence) if found else "",
            "node": found.tag if found and found.tag else None,
            "made_line": line,
            "made_label": label,
            "inspector": self.tag,
        }


def prepare(frame: Frame) -> Explanation | None:
    """What the step at the cursor does, worked out once."""
    return frame.once("explanation", lambda: explain.explain_step(frame.state))


def _empty(frame: Frame) -> str:
    return f'<p class="faint" style="margin-top:8px">{text(frame.say("empty.inspector"))}</p>'


def _whole(frame: Frame, value: Value) -> str:
    """As PyTorch prints it; shape and statistics where not all numbers are known."""
    if value.data is None and value.text is None:
        return f"{numbers.shape(value.shape)}  {written(frame, value)}"
    return printed(value)


def _printed(frame: Frame) -> str:
    """What a step printed."""
    step = frame.state.step
    if step is None or step.kind != "output":
        return ""
    return f'<pre class="console">{text(step.text)}</pre>'


def _cut(frame: Frame, message: Message) -> str:
    """For an edge that was picked: what the key d does."""
    op = frame.trace.ops[message.source]
    tensor = op.operands[message.operand].tensor
    name = frame.trace.tensors[tensor].name if tensor is not None else None
    if name is None or op.line is None:
        return ""
    label = text(frame.say("inspector.detach", name=name, line=op.line))
    way = button(label, {"intent": "detach"}, class_="btn line small", data_key="detach")
    return f'<p class="actions">{way}</p>'


def _retain(frame: Frame) -> str:
    """At a backward call: the switch for retain_graph."""
    step = frame.state.step
    if step is None or step.kind != "call" or step.call is None or step.line is None:
        return ""
    on = frame.trace.calls[step.call - 1].retain_graph
    switch = button(
        "",
        {"intent": "retain_graph", "line": step.line, "on": not on},
        class_="switch",
        role="switch",
        aria_checked="true" if on else "false",
        aria_label=frame.say("inspector.retain", line=step.line),
        data_key="retain",
    )
    return f'<div class="actions row">{switch}<span class="mono small">retain_graph</span></div>'


def _entry(frame: Frame, step: int) -> Entry | None:
    tensor = frame.trace.steps[step - 1].tensor
    histories = frame.state.index.ledger
    owners = [tensor] if tensor in histories else list(histories)
    for owner in owners:
        if owner is not None:
            for entry in histories[owner].values:
                if entry.step == step:
                    return entry
    return None


def _written(frame: Frame) -> Entry | None:
    """The ledger's entry that is explained: the one picked, or the one of this step."""
    chosen, step = frame.selection, frame.state.step
    if chosen is not None:
        return _entry(frame, chosen.index) if chosen.what == "write" else None
    written = step is not None and step.kind == "write"
    return _entry(frame, step.index) if step is not None and written else None


def _paths(paths: tuple[explain.Path, ...], more: int) -> str:
    lines = [f'<span class="mono">{text(path.text)}</span>' for path in paths]
    if more:
        lines.append(f'<span class="faint">+{more}</span>')
    return "<br>".join(lines)


def _kind(frame: Frame, index: int) -> str:
    """Leaf or not, asking for a gradient or not, a view or not."""
    state, tensor = frame.state, frame.trace.tensors[index]
    parts = [frame.say("tensor.leaf" if state.is_leaf(index) else "tensor.notleaf")]
    parts.append(f"requires_grad={state.requires_grad(index)}")
    if tensor.base is not None:
        parts.append(frame.say("tensor.view", name=labels.tensor(frame.trace, tensor.base)))
    return " · ".join(parts)
