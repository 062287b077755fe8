"""Messages of the page to the runner, JSON in and JSON out (docs/architecture.md)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playground.session.budgets import Budgets
from playground.session.losses import losses
from playground.session.run import evaluate, run


def handle(message: str, tell: Callable[[str], object] | None = None) -> str:
    """Answer a "run", an "evaluate" or a "losses" message.

    `tell` hears on the way what line is about to run, so that whoever waits for an answer that
    does not come knows where: `{"type": "at", "id", "line"}`, with line null at the program's end.
    """
    data: dict[str, Any] = json.loads(message)
    source, seed = str(data["source"]), int(data.get("seed") or 0)
    budgets = Budgets.from_data(data.get("budgets"))

    def at(line: int | None) -> None:
        if tell is not None:
            tell(json.dumps({"type": "at", "id": data["id"], "line": line}))

    if data["type"] == "run":
        trace = run(source, seed, budgets, at).to_json()
        return json.dumps({"type": "trace", "id": data["id"], "trace": trace})
    if data["type"] == "losses":
        places = [(str(name), int(element)) for name, element in data["places"]]
        points = [[float(number) for number in point] for point in data["points"]]
        lines = [int(line) for line in data["lines"]]
        at(min(lines, default=1))
        got = losses(source, seed, budgets, int(data["call"]), lines, places, points)
        reply = {"type": "losses", "id": data["id"], "values": got.values, "error": got.error}
        return json.dumps(reply)
    if data["type"] != "evaluate":
        raise ValueError(f"unknown message {data['type']!r}")
    found = evaluate(source, seed, budgets, int(data["step"]), str(data["expression"]), at)
    answer = {"type": "value", "id": data["id"], "text": found.text, "error": found.error}
    return json.dumps(answer)
