"""The Save menu's answers: which file an entry stands for, and its text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playground.state import State
from playground.takeaway.dot import dot
from playground.takeaway.notebook import notebook
from playground.takeaway.program import script
from playground.views.frame import Say

Texts = dict[str, tuple[str, str, Callable[[], str]]]


def files(state: State, say: Say, picture: Callable[[], str]) -> Texts:
    """Name, type and text of every file, by the menu's word for it.

    The picture's text is SVG for PNG as well: it becomes pixels in the page, which has a canvas.
    """
    trace = state.trace
    return {
        "svg": ("graph.svg", "image/svg+xml", picture),
        "png": ("graph.png", "image/png", picture),
        "dot": ("graph.dot", "text/vnd.graphviz", lambda: dot(state)),
        "py": ("program.py", "text/x-python", lambda: script(trace, say)),
        "ipynb": ("program.ipynb", "application/x-ipynb+json", lambda: notebook(trace, say)),
        "trace": ("trace.json", "application/json", lambda: trace.to_json() + "\n"),
    }


def download(
    what: str, state: State, say: Say, picture: Callable[[], str]
) -> dict[str, Any] | None:
    """The message that hands a file to the page; None when there is nothing to hand over."""
    found = files(state, say, picture).get(what)
    text = found[2]() if found is not None else ""
    if found is None or not text:
        return None
    return {"type": "download", "name": found[0], "mime": found[1], "text": text}
