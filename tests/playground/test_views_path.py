"""The way of a parameter's value under an optimizer."""

from __future__ import annotations

import re

from playground.session import run
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
