"""Pictures made before they are asked for are the same, and give way to anything else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from bokeh.core.serialization import Serializer

from playground import app
from playground.session import run
from playground.views import picture
from playground.views.document import Quick
from tests.playground.drawn import Talk

PROGRAM = """import torch
x = torch.tensor([1., 2.], requires_grad=True)
y = x * 3
z = y.sum()
z.backward()
print(x.grad)
"""


@pytest.fixture
def talk(monkeypatch: pytest.MonkeyPatch) -> Talk:
    made = Talk(run(PROGRAM))
    monkeypatch.setattr(app, "_app", [made.app])
    return made


def drawn(talk: Talk) -> dict[str, Any]:
    graph = {name: layer.source.data for name, layer in talk.app.graph.layers.items()}
    ledger = {name: layer.source.data for name, layer in talk.app.ledger.layers.items()}
    panes = {name: talk.html(name) for name in ("inspector", "leaves", "console")}
    return json.loads(json.dumps([graph, ledger, panes, talk.state]))


@pytest.mark.parametrize("way", [1, -1])
def test_a_step_made_ahead_is_the_step(talk: Talk, way: int) -> None:
    talk.say("goto", step=4)
    talk.say("goto", step=4 + way)
    app.ahead()
    talk.say("goto", step=4 + 2 * way)
    found = drawn(talk)
    fresh = Talk(run(PROGRAM))
    for step in (4, 4 + way, 4 + 2 * way):
        fresh.say("goto", step=step)
    assert found == drawn(fresh)


def test_what_comes_next_is_not_made_twice(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    talk.say("goto", step=4)
    talk.say("goto", step=5)
    app.ahead()
    monkeypatch.setattr(picture, "Scene", None)  # making one now would fail
    talk.say("goto", step=6)
    assert talk.state["step"] == 6


def test_another_step_is_made_when_it_is_asked_for(talk: Talk) -> None:
    talk.say("goto", step=4)
    talk.say("goto", step=5)
    app.ahead()
    talk.say("goto", step=1)
    assert (talk.state["step"], talk.app.scene.state.cursor) == (1, 1)


def test_after_a_jump_nothing_is_made_ahead(talk: Talk) -> None:
    talk.say("goto", step=1)
    talk.say("goto", step=6)
    assert talk.app.desk.following() is None


def test_making_ahead_moves_nothing(talk: Talk) -> None:
    talk.say("goto", step=4)
    talk.say("goto", step=5)
    before = talk.app.desk.signature()
    app.ahead()
    assert talk.app.desk.signature() == before
    assert not talk.app.desk.stale()


def test_columns_are_serialised_as_bokeh_does() -> None:
    columns = [[1.5, None, "a", 2], [float("nan"), float("-inf"), 1.0], [[1.0], [2.0, 3.0]], []]
    assert Quick(deferred=False).encode(columns) == Serializer(deferred=False).encode(columns)
