"""An error, explained in place: PyTorch's text first, then the cause, then remedies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playground.explain import Failure, Mark, Remedy, Sentence, explain_error
from playground.explain.pages import WITHOUT, page_of

from . import explained
from .frame import Frame
from .html import HtmlView, button, icon, text
from .page import html as page_html


class ErrorView(HtmlView):
    """`show` draws a frame."""

    def __init__(self) -> None:
        super().__init__("error")
        self.remedies: tuple[Remedy, ...] = ()
        self._failure: tuple[int, Failure | None] = (0, None)

    def failure(self, frame: Frame) -> Failure | None:
        """The run's error explained, once per run; before it, that of a run without a picture."""
        if "ended" in frame.extra:
            return _ended(frame.extra["ended"])
        if self._failure[0] != id(frame.trace):
            self._failure = id(frame.trace), explain_error(frame.trace)
        return self._failure[1]

    def said(self, frame: Frame) -> dict[str, Any] | None:
        """The contract's error; where PyTorch has no text, the explanation is the message."""
        found = self.failure(frame)
        if found is None:
            return None
        message = found.message or explained.said(frame, found.why)
        return {"type": found.type, "message": message, "line": found.line, "key": found.key}

    def show(self, frame: Frame) -> None:
        """Draw the run's error; nothing in a run without one."""
        found = self.failure(frame)
        self.remedies = found.remedies if found else ()
        self.write(self._body(frame, found) if found else "")

    def _body(self, frame: Frame, found: Failure) -> str:
        where = ""
        if found.line is not None:
            line = text(frame.say("graph.line", line=found.line))
            where = f'<span class="tag err words">{line}</span>'
        title = (
            f'<div class="title"><span class="err row">{icon("warn")}'
            f"<h2>{text(found.type)}</h2></span>{where}</div>"
        )
        message = f'<p class="torch">{text(found.message)}</p>' if found.message else ""
        why = ""
        if found.why is not None:
            sentence = text(explained.said(frame, found.why))
            why = f'<p class="sentence" style="margin-top:12px">{sentence}</p>'
        offers = explained.remedies(frame, self.remedies, "error")
        more, article = self._article(frame, found)
        return f'{title}{message}{why}<div class="two">{offers}</div>{more}{article}'

    def _article(self, frame: Frame, found: Failure) -> tuple[str, str]:
        """A button that unfolds the page about this kind of error, and the page."""
        if found.key in WITHOUT or not found.key.startswith("error."):
            return "", ""
        is_open = frame.extra.get("article") == found.key
        label = frame.say("page.close" if is_open else "error.more")
        intent = {"intent": "article", "key": found.key}
        more = button(
            text(label),
            intent,
            class_="btn line",
            data_key="article",
            aria_expanded=str(is_open).lower(),
        )
        more = f'<p style="margin-top:12px">{more}</p>'
        if not is_open:
            return more, ""
        # The pages come after the first picture: an error may be quicker than they.
        markdown = page_of(found.key, frame.language)
        inside = text(frame.say("error.more-later")) if markdown is None else page_html(markdown)
        return more, f'<article class="page">{inside}</article>'

    def marks(self, frame: Frame) -> list[dict[str, Any]]:
        """Words at the ends of the lines that matter, once the error has been reached."""
        found = self.failure(frame)
        step = frame.state.step
        reached = step is None or step.kind == "error" or "ended" in frame.extra
        if found is None or not reached:
            return []
        return [
            {
                "line": mark.line,
                "kind": "bad" if mark.kind == "error" else mark.kind,
                "text": frame.say(mark.label),
            }
            for mark in found.marks
        ]

    def ended(self, frame: Frame) -> dict[str, Any]:
        """What the state says of such a run: the picture's lines are not this program's."""
        given = frame.extra.get("ended")
        if given is None or not given["other"]:
            return {"ended": given is not None}
        gone = {"running_line": None, "made_line": None, "line_marks": self.marks(frame)}
        return {"ended": True, **gone}


def _ended(given: Mapping[str, Any]) -> Failure:
    """A run that the page had to end: there is no trace of it, only the line it was in."""
    line, why = given["line"], Sentence(given["why"]["key"], given["why"]["facts"])
    marks = (Mark(line, "error", "error.here"),) if line else ()
    return Failure("Stopped", "", line, why, marks, (), given["key"], None)
