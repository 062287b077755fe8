"""The answer to "Why None?": it floats beside the tensor it is about."""

from __future__ import annotations

from typing import Any

from playground import explain
from playground.explain import Remedy, WhyNone

from . import explained
from .frame import Frame
from .html import HtmlView, button, icon, text
from .measures import NODE_W, PLATE_H, SLOT_H
from .nodes import shown_output
from .plan import Plan


class Why(HtmlView):
    """`show` draws a frame; `said` tells the page where the answer is to float."""

    def __init__(self) -> None:
        super().__init__("why")
        self.remedies: tuple[Remedy, ...] = ()
        self.found: WhyNone | None = None

    def show(self, frame: Frame) -> None:
        """Draw the answer, if one was asked for."""
        name = frame.extra.get("why")
        self.found = explain.why_none(frame.state, name) if name else None
        self.remedies = self.found.remedies if self.found else ()
        self.write(_body(frame, self.found, self.remedies) if self.found else "")

    def said(self, frame: Frame, plan: Plan) -> dict[str, Any] | None:
        """Title, and the box of the tensor in figure coordinates where it is drawn."""
        if self.found is None:
            return None
        title = explained.said(frame, self.found.title)
        return {"title": title, "box": _place(frame, plan, self.found.tensor)}


def _place(frame: Frame, plan: Plan, tensor: int) -> list[float] | None:
    """Left, top, width and height of a leaf's slot or of a result's plate."""
    state = frame.state
    key = plan.of_leaf(tensor)
    high: float = SLOT_H
    if not key:
        made = state.recorder(tensor)
        made = frame.trace.tensors[tensor].op if made is None else made
        key, high = plan.of_op(made), PLATE_H
        shown = shown_output(state, frame.trace.ops[made]) if made is not None else None
        if key in plan.ops and (shown is None or shown.id != tensor):
            return None
    spot = plan.spots.get(key)
    if spot is None:
        return None
    x, y = spot.slot if key in plan.leaves else spot.plate
    return [round(x, 1), round(y, 1), NODE_W, high]


def _body(frame: Frame, why: WhyNone, offered: tuple[Remedy, ...]) -> str:
    """The causes in a fixed order, up to the one that holds; then what would change it."""
    items = "".join(
        f'<li class="{"" if check.passed else "guilty"}">'
        f'<span class="{"pos" if check.passed else "err"}">'
        f"{icon('ok' if check.passed else 'no')}</span>"
        f"<span>{text(explained.said(frame, check.sentence))}</span></li>"
        for check in why.checks
    )
    detail = ""
    if why.detail is not None:
        detail = f'<p class="dim">{text(explained.said(frame, why.detail))}</p>'
    shows = "".join(
        button(text(frame.say("none.show", name=name)), {"intent": "show-grad", "name": name})
        for name in why.show
    )
    close = button(
        icon("no"),
        {"intent": "close"},
        class_="btn close",
        aria_label=frame.say("none.close"),
        title=frame.say("none.close"),
    )
    offers = explained.remedies(frame, offered, "why")
    offers = f'<div class="offers">{offers}</div>' if offers else ""
    actions = f'<div class="actions">{shows}</div>' if shows else ""
    return (
        f'<div class="why"><div class="row"><b class="grow">'
        f"{text(explained.said(frame, why.title))}</b>{close}</div>"
        f'<p class="sentence">{text(explained.said(frame, why.lead))}</p>{detail}'
        f'<ul class="list">{items}</ul>{offers}{actions}</div>'
    )


def focus_line(frame: Frame, why: WhyNone) -> tuple[int | None, str]:
    """The guilty line, and what stands at its end."""
    made = frame.trace.tensors[why.tensor].line
    return why.line, frame.say("program.made") if why.line == made else ""
