"""What intents do to the text of the program: the smallest edit that turns something on or off."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from playground import edits
from playground.explain import Remedy
from playground.words import say

from .desk import Desk

Send = Callable[[dict[str, Any]], None]


class Rewriting:
    """Each intent's answer is a `code` message, or an `error` when there is no place for it."""

    def __init__(self, desk: Desk, send: Send) -> None:
        self.desk, self.send = desk, send
        self.remedies: Callable[[str], Sequence[Remedy]] = lambda of: ()
        self.table: Mapping[str, Callable[[dict[str, Any]], None]] = {
            "requires_grad": self.requires_grad,
            "no_grad": self.no_grad,
            "retain_graph": self.retain_graph,
            "detach": self.detach,
            "vector": self.vector,
            "remedy": self.remedy,
        }

    def requires_grad(self, given: dict[str, Any]) -> None:
        name = str(given["name"])
        tensor = self.desk.state().tensor_named(name) or next(
            (t for t in self.desk.trace.tensors if t.name == name), None
        )
        line = tensor.line if tensor and tensor.line else 1
        self._edit(given, lambda text: edits.set_requires_grad(text, name, line, bool(given["on"])))

    def detach(self, given: dict[str, Any]) -> None:
        """Cut the edge that is selected, or mend it: name.detach() where its tensor is used."""
        chosen, trace = self.desk.selection, self.desk.trace
        if chosen is None or chosen.what != "message":
            return
        message = trace.steps[chosen.index - 1].messages[chosen.operand]
        op = trace.ops[message.source]
        tensor = op.operands[message.operand].tensor
        name = trace.tensors[tensor].name if tensor is not None else None
        line = op.line
        if name is not None and line is not None:
            self._edit(given, lambda text: edits.set_detach(text, line, name, True))

    def vector(self, given: dict[str, Any]) -> None:
        line, wanted = int(given["line"]), str(given.get("value", ""))
        self._edit(given, lambda text: edits.set_vector(text, line, wanted))

    def retain_graph(self, given: dict[str, Any]) -> None:
        line, on = int(given["line"]), bool(given["on"])
        self._edit(given, lambda text: edits.set_retain_graph(text, line, on))

    def no_grad(self, given: dict[str, Any]) -> None:
        first, last, on = int(given["first"]), int(given["last"]), bool(given["on"])
        self._edit(given, lambda text: edits.set_no_grad(text, first, last, on))

    def remedy(self, given: dict[str, Any]) -> None:
        """Put an offered edit into the editor, if the program is still the one it was made for."""
        offered = self.remedies(str(given.get("of", "error")))
        index = int(given.get("index", 0))
        if not 0 <= index < len(offered):
            return
        source = given.get("source", self.desk.trace.source)
        if source != self.desk.trace.source:
            self.send({"type": "error", "message": say(self.desk.language, "remedy.changed")})
            return
        edit = offered[index].edit
        self.send({"type": "code", "text": edit.text, "line": edit.first})

    def _edit(self, given: dict[str, Any], change: Callable[[str], edits.Edit]) -> None:
        source = str(given.get("source", self.desk.trace.source))
        try:
            edit = change(source)
        except edits.EditError as error:
            message = say(self.desk.language, error.key, **error.facts)
            self.send({"type": "error", "message": message})
            return
        if edit.text != source:
            self.send({"type": "code", "text": edit.text, "line": edit.first})
