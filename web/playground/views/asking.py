"""What the page asks the runner for a view: losses for other numbers in the leaves."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from playground.explain.descent import descent, question
from playground.state import Entry, State
from playground.trace import Value

from .desk import Desk
from .rewriting import Send

LIMIT = 8  # elements of a leaf that is nudged, one by one
NUDGE = {"float64": 1e-4}
WIDE = 1e-2  # in float32 a smaller one drowns in rounding


class Asking:
    """Sends `ask` messages; the answers come back as intents and are kept in the desk's `extra`.

    What was asked for belongs to a run: the desk forgets it with the run, and an answer that comes
    too late finds nothing it belongs to.
    """

    def __init__(self, desk: Desk, send: Send) -> None:
        self.desk, self.send = desk, send
        self.table: Mapping[str, Callable[[dict[str, Any]], None]] = {
            "contour": self.contour,
            "check": self.check,
            "losses": self.losses,
        }

    def contour(self, _: dict[str, Any]) -> None:
        """The loss around the way of the descent, on or off."""
        desk, found = self.desk, descent(self.desk.trace)
        if desk.extra.pop("contour", None) is not None or found is None:
            return
        desk.extra["contour"] = {"asked": True}
        self._ask("contour", question(desk.trace, found.call, found.places, found.grid()))

    def check(self, given: dict[str, Any]) -> None:
        """What a call added to a leaf's .grad, by running the program with the leaf nudged."""
        desk = self.desk
        entry = entry_at(desk.state(), int(given["step"]))
        if entry is None or not can_check(desk.state(), entry):
            return
        assert entry.call is not None
        value = at_call(desk.state(), entry)
        base = [float(number) for number in value.data or ()]
        places = [(entry.tensor, i) for i in range(len(base))]
        points = [
            [
                number + sign * (nudge(value, number) if k == i else 0.0)
                for k, number in enumerate(base)
            ]
            for i in range(len(base))
            for sign in (1, -1)
        ]
        desk.extra["check"] = {"step": entry.step}
        self._ask("check", question(desk.trace, entry.call, places, points))

    def _ask(self, of: str, asked: dict[str, Any]) -> None:
        self.send({"type": "ask", "question": asked, "reply": {"intent": "losses", "of": of}})

    def losses(self, given: dict[str, Any]) -> None:
        """The runner's answer."""
        of, extra = str(given.get("of")), self.desk.extra
        if of in ("contour", "check") and extra.get(of) is not None:
            answer = {"values": tuple(given.get("values") or ()), "error": given.get("error")}
            extra[of] = {**extra[of], **answer}


def entry_at(state: State, step: int) -> Entry | None:
    """The entry of a ledger that a step made."""
    trace = state.trace
    tensor = trace.steps[step - 1].tensor if 0 < step <= len(trace.steps) else None
    history = state.index.ledger.get(tensor) if tensor is not None else None
    return next((e for e in history.values if e.step == step), None) if history else None


def can_check(state: State, entry: Entry) -> bool:
    """Whether a call wrote it, to a leaf small enough that has a name."""
    tensor = state.trace.tensors[entry.tensor]
    by_call = entry.call is not None and entry.added is not None and entry.how in ("set", "add")
    return (
        by_call
        and tensor.name is not None
        and tensor.dtype in ("float32", "float64")
        and 0 < math.prod(tensor.shape) <= LIMIT
        and all(map(math.isfinite, map(float, at_call(state, entry).data or (math.nan,))))
    )


def at_call(state: State, entry: Entry) -> Value:
    """The leaf's value when the call began."""
    known = state.index
    first = known.calls[entry.call or 1].first
    found = known.values[entry.tensor].at(first) if entry.tensor in known.values else None
    return found[0] if found else state.trace.tensors[entry.tensor].value


def nudge(value: Value, number: float) -> float:
    """How far a number is moved to either side."""
    return NUDGE.get(value.dtype, WIDE) * max(1.0, abs(number))


def differences(value: Value, losses: tuple[float | None, ...]) -> Value:
    """The gradient from losses for each element a little larger and a little smaller."""
    found: list[float | str] = []
    for i, number in enumerate(value.data or ()):
        high, low = losses[2 * i], losses[2 * i + 1]
        if high is None or low is None:
            found.append("nan")
        else:
            found.append((high - low) / (2 * nudge(value, float(number))))
    return Value(value.shape, "float64", tuple(found))
