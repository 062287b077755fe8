"""The table of leaves, with a switch for requires_grad, and the expression box under it."""

from __future__ import annotations

from playground.trace import Tensor, Value

from . import numbers
from .frame import Frame
from .html import HtmlView, attributes, button, text

FLOATING = ("float", "complex", "bfloat")
LONG = 16
LETTER, BADGE, LEAST = 8.0, 34, 32  # px of a letter in bold, of "v12", of the column's title
LONG_NAME, MOST = 9, 160  # letters beyond which the shape goes under the name; px of the column


class Leaves(HtmlView):
    """`show` draws a frame."""

    def __init__(self) -> None:
        super().__init__("leaves")

    def show(self, frame: Frame) -> None:
        """Draw the leaves that exist at the cursor."""
        self.write(prepare(frame) + str(frame.found.get("pinned", "")) + _ask(frame))


def prepare(frame: Frame) -> str:
    """The table, worked out once."""
    return frame.once("table of leaves", lambda: _body(frame))


def _body(frame: Frame) -> str:
    if frame.leaves:
        return _table(frame, frame.leaves)
    return f'<p class="faint" style="margin-top:8px">{text(frame.say("empty.leaves"))}</p>'


def _table(frame: Frame, found: list[Tensor]) -> str:
    say = frame.say
    longest = max(len(tensor.name or tensor.expression) for tensor in found)
    stacked = longest > LONG_NAME
    width = _width(frame, found, longest, stacked)
    heads = f'<th scope=col style="width:{width}px">{text(say("leaves.name"))}</th>'
    if not stacked:
        heads += f'<th scope=col class="shape">{text(say("leaves.shape"))}</th>'
    heads += f"<th scope=col>{text(say('leaves.value'))}</th>"
    heads += '<th scope=col class="mono tiny needs">requires_grad</th>'
    heads += '<th scope=col class="mono tiny grad">.grad</th>'
    rows = "".join(_row(frame, tensor, stacked) for tensor in found)
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<div class="leaves">{table}</div>'


def _width(frame: Frame, found: list[Tensor], longest: int, stacked: bool) -> int:
    """Room for the longest name, and beside it for a badge where the run ever writes in place."""
    written = {step.tensor for step in frame.trace.steps if step.kind == "inplace"}
    badge = BADGE if not stacked and any(tensor.id in written for tensor in found) else 0
    return min(round(max(LETTER * longest, LEAST) + badge + 12), MOST)


def _row(frame: Frame, tensor: Tensor, stacked: bool) -> str:
    state, name = frame.state, tensor.name or tensor.expression
    needs = state.requires_grad(tensor.id)
    version = state.version(tensor.id)
    select = {"intent": "select", "what": "tensor", "index": tensor.id}
    label = f'<b class="{"acc" if needs else "dim"}">{_broken(name)}</b>'
    head = button(label, select, class_="link mono", title=name)
    badge = f' <span class="tag acc">v{version}</span>' if version else ""
    shape = text(numbers.shape(tensor.shape))
    if stacked:
        head += f'<div class="mono small dim">{shape}{badge}</div>'
    else:
        head += badge
    able = tensor.dtype.startswith(FLOATING)
    switch = button(
        "",
        {"intent": "requires_grad", "name": name, "on": not needs},
        class_="switch",
        role="switch",
        aria_checked="true" if needs else "false",
        aria_label=frame.say("leaves.switch", name=name),
        data_key=f"switch {name}",
        disabled=not able,
        title=None if able else frame.say("leaves.integers", dtype=tensor.dtype),
    )
    cells = [
        f"<th scope=row>{head}</th>",
        "" if stacked else f'<td class="mono small dim">{shape}</td>',
        f'<td class="mono small cut">{text(brief(state.value(tensor.id)))}</td>',
        f"<td>{switch}</td>",
        f'<td class="mono small cut">{_grad(frame, tensor, name, needs)}</td>',
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _broken(name: str) -> str:
    """A name of several parts may go on in the next line after a dot."""
    return text(name).replace(".", ".<wbr>")


def _grad(frame: Frame, tensor: Tensor, name: str, needs: bool) -> str:
    grad = frame.state.grad(tensor.id)
    if grad is None:
        if not needs:
            return ""
        why = {"intent": "why", "name": name}
        tip = frame.say("leaves.why")
        return button("None", why, class_="none mono small", title=tip, aria_label=f"None. {tip}")
    sign = numbers.sign(grad)
    tint = {"zero": "dim", "mixed": "", "nan": "err"}.get(sign, sign)
    return f'<span class="{tint}">{text(brief(grad))}</span>'


def brief(value: Value) -> str:
    """A value in a few characters: its numbers, else its extremes."""
    if value.data is not None:
        row = numbers.row(value.data, LONG) if value.data else "[ ]"
        if row is not None:
            return row.replace("  ", " ")
    known = value.stats[:2] if value.stats else _ends(value)
    return f"{numbers.show(known[0])} … {numbers.show(known[1])}"


def _ends(value: Value) -> tuple[float, float]:
    known = numbers.flat(value)
    return min(known, default=0.0), max(known, default=0.0)


def _first(frame: Frame) -> str:
    """The leaf to ask about first."""
    asking = [leaf for leaf in frame.leaves if frame.state.requires_grad(leaf.id)]
    return next((leaf.name for leaf in asking or frame.leaves if leaf.name), "x")


def _ask(frame: Frame) -> str:
    """The expression box: evaluated in the program's state at the cursor."""
    asked = frame.extra.get("asked") or {}
    current = asked if asked.get("step") == frame.cursor else {}
    label = frame.say("leaves.at", step=frame.cursor)
    expression = asked.get("expression", "")
    field = attributes(
        type="text",
        value=expression,
        intent={"intent": "evaluate"},
        data_key="evaluate",
        aria_label=f"{label} >>>",
        autocomplete="off",
        autocapitalize="off",
        spellcheck="false",
        placeholder=f"{_first(frame)}.grad",
    )
    answer = current.get("error") or current.get("text") or ""
    tone = "err" if current.get("error") else "dim" if answer == "None" else ""
    why = ""
    name = expression.removesuffix(".grad") if expression.endswith(".grad") else ""
    if answer == "None" and name.isidentifier():
        why = button(
            text(frame.say("leaves.why")), {"intent": "why", "name": name}, class_="btn on tight"
        )
    return (
        f'<div class="ask"><div class="small faint">{text(label)}</div>'
        f'<div class="field"><span class="faint mono">&gt;&gt;&gt;</span><input {field}>'
        f'<output class="mono small {tone}">{text(answer)}</output>{why}</div></div>'
    )
