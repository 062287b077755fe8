"""The way of a parameter's value under an optimizer."""

from __future__ import annotations

import re

import pytest

from playground.index import index
from playground.session import run
from playground.views.ledger import prepare
from playground.views.ledger_data import columns
from tests.playground.drawn import Talk

SOURCE = """\
import torch
w = torch.tensor([4., -2.], requires_grad=True)
big = torch.zeros(20, requires_grad=True)
sgd = torch.optim.SGD([w, big], lr=0.25)
for i in range(PASSES):
    sgd.zero_grad()
    ((w ** 2).sum() + big.sum()).backward()
    sgd.step()
"""


def picked(passes: int, name: str) -> Talk:
    trace = run(SOURCE.replace("PASSES", str(passes)))
    assert trace.error is None
    talk = Talk(trace)
    index = next(t.id for t in trace.tensors if t.name == name)
    talk.intent("select", what="tensor", index=index)
    return talk


def test_every_value_is_listed_and_drawn() -> None:
    shown = picked(2, "w").html("inspector")
    assert re.findall(r"<td>([^<]*)</td>", shown) == ["4", "−2", "2", "−1", "1", "−0.5"]
    lines = re.findall(r'<polyline points="([^"]*)"', shown)
    assert [len(line.split()) for line in lines] == [3, 3]


def test_a_long_way_shows_its_newest_part() -> None:
    shown = picked(20, "w").html("inspector")
    assert shown.count("<th scope=row>") == 12 and "9 writes before these" in shown


def test_it_ends_at_the_cursor_and_begins_with_a_second_value() -> None:
    talk = picked(2, "w")
    index = next(t.id for t in talk.app.desk.trace.tensors if t.name == "w")
    talk.say("goto", step=3)
    talk.intent("select", what="tensor", index=index)
    assert "polyline" not in talk.html("inspector")


def test_a_large_tensor_has_none() -> None:
    assert "polyline" not in picked(2, "big").html("inspector")


REBOUND = """\
import torch
x = torch.tensor(3.)
w = torch.tensor(1., requires_grad=True)
v = torch.tensor(5., requires_grad=True)
for i in range(3):
    (w ** 2 + v).backward()
    w = MADE
y = torch.tensor(1., requires_grad=True)
y = torch.tensor(2., requires_grad=True)
"""
MADE = {
    "detached": "(w - 0.25 * w.grad).detach().requires_grad_()",
    "flagged": "w.detach() - 0.25 * w.grad\n    w.requires_grad_()",
    "under no_grad": "torch.no_grad()(lambda: w - 0.25 * w.grad)().requires_grad_()",
}


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_a_parameter_that_is_bound_anew_is_followed(made: str) -> None:
    trace = run(REBOUND.replace("MADE", made))
    assert trace.error is None
    talk = Talk(trace)
    first = next(t.id for t in trace.tensors if t.name == "w")
    talk.intent("select", what="tensor", index=first)
    cells = re.findall(r"<td>([^<]*)</td>", talk.html("inspector"))
    assert cells == ["1", "0.5", "0.25", "0.125"]
    assert talk.state["ledger"]["selected"] == "w"
    state = talk.app.desk.state()
    assert [c.total for c in columns(state, first)] == [(2.0,), (1.0,), (0.5,)]
    assert [len(xs) for xs, *_ in prepare(talk.app.frame).layers["line"]][:3] == [5, 5, 5]
    last = state.row(first)[-1]
    talk.say("goto", step=state.index.born[last])
    assert "polyline" in talk.html("inspector")


def test_a_name_that_is_given_to_something_else_is_not_followed() -> None:
    trace = run(REBOUND.replace("MADE", "w"))
    found = index(trace)
    assert found.chains == {}
