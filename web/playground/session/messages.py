"""Messages of the page to the runner, JSON in and JSON out (docs/architecture.md)."""

from __future__ import annotations

import json
from typing import Any

from playground.session.budgets import Budgets
from playground.session.losses import losses
from playground.session.run import evaluate, run


def handle(message: str) -> str:
    """Answer a "run", an "evaluate" or a "losses" message."""
    data: dict[str, Any] = json.loads(message)
    source, seed = str(data["source"]), int(data.get("seed") or 0)
    budgets = Budgets.from_data(data.get("budgets"))
    if data["type"] == "run":
        trace = run(source, seed, budgets).to_json()
        return json.dumps({"type": "trace", "id": data["id"], "trace": trace})
    if data["type"] == "losses":
        places = [(str(name), int(element)) for name, element in data["places"]]
        points = [[float(number) for number in point] for point in data["points"]]
        lines = [int(line) for line in data["lines"]]
        got = losses(source, seed, budgets, int(data["call"]), lines, places, points)
        reply = {"type": "losses", "id": data["id"], "values": got.values, "error": got.error}
        return json.dumps(reply)
    if data["type"] != "evaluate":
        raise ValueError(f"unknown message {data['type']!r}")
    found = evaluate(source, seed, budgets, int(data["step"]), str(data["expression"]))
    answer = {"type": "value", "id": data["id"], "text": found.text, "error": found.error}
    return json.dumps(answer)
