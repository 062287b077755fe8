"""An error, explained in place: PyTorch's text first, then the cause, then remedies."""

from __future__ import annotations

from .frame import Frame
from .html import HtmlView, icon, text


class ErrorView(HtmlView):
    """`show` draws a frame."""

    def __init__(self) -> None:
        super().__init__("error")

    def show(self, frame: Frame) -> None:
        """Draw the run's error; nothing in a run without one."""
        error = frame.trace.error
        if error is None:
            self.write("")
            return
        where = ""
        if error.line is not None:
            line = text(frame.say("graph.line", line=error.line))
            where = f'<span class="tag err words">{line}</span>'
        title = f'<div class="title"><span class="err row">{icon("warn")}<h2>{text(error.type)}</h2></span>{where}</div>'
        self.write(f'{title}<p class="torch">{text(error.message)}</p>')
