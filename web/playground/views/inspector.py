"""What the step at the cursor, or the thing picked, is and does."""

from __future__ import annotations

from typing import Any

from . import labels
from .frame import Frame
from .html import HtmlView, text


class Inspector(HtmlView):
    """`show` draws a frame; `said` is what the page's headers and marks need of it."""

    def __init__(self) -> None:
        super().__init__("inspector")

    def show(self, frame: Frame) -> None:
        step = frame.state.step
        sentence = labels.step(frame.trace, step) if step else ""
        self.write(f'<p class="sentence">{text(sentence)}</p>')

    def said(self, frame: Frame) -> dict[str, Any]:
        step = frame.state.step
        op = frame.trace.ops[step.op] if step and step.op is not None else None
        return {
            "sentence": labels.step(frame.trace, step) if step else "",
            "node": labels.step(frame.trace, step) if step else None,
            "made_line": op.line if op else None,
            "made_label": op.grad_fn if op else None,
            "line_marks": [],
            "inspector": {"tag": op.grad_fn} if op and op.grad_fn else {},
        }
