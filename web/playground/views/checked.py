"""A gradient checked from outside: the program run again with its leaf a little changed."""

from __future__ import annotations

from playground.state import Entry

from . import labels
from .asking import at_call, can_check, differences
from .closer import compared
from .frame import Frame
from .html import button, text


def section(frame: Frame, entry: Entry | None) -> str:
    """A button at what a call wrote to a leaf, and the numbers once they are there."""
    if entry is None or not can_check(frame.state, entry) or entry.added is None:
        return ""
    asked = frame.extra.get("check") or {}
    asked = asked if asked.get("step") == entry.step else {}
    name = labels.tensor(frame.trace, entry.tensor)
    if asked.get("error"):
        return f'<p class="small err">{text(frame.say(asked["error"]))}</p>'
    if asked.get("values"):
        found = differences(at_call(frame.state, entry), asked["values"])
        title = frame.say("check.title", name=name)
        return compared(frame, title, [("inspector.reverse", entry.added), ("check.again", found)])
    label = frame.say("check.waiting" if asked else "check.ask")
    intent = {"intent": "check", "step": entry.step}
    again = button(text(label), intent, class_="btn line", data_key="check", disabled=bool(asked))
    return f'<div class="actions">{again}</div>'
