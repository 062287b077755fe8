"""The Jacobian, gathered row by row from runs with one-hot vectors."""

from __future__ import annotations

import re

import pytest

from playground.session import run
from playground.trace import Value
from playground.views.sweep import one_hot
from tests.playground.drawn import Talk

SOURCE = """\
import torch
x = torch.tensor([1., 2.], requires_grad=True)
a = torch.tensor(3., requires_grad=True)
y = a * x * x
y.backward(torch.tensor(V))
"""


def show(talk: Talk, vector: str, source: str = SOURCE) -> str:
    """Run with that vector, and stand at the call."""
    trace = run(source.replace("V", vector))
    assert trace.error is None
    talk.say("trace", trace=trace.to_json(), keep=False)
    talk.say("goto", step=next(s.index for s in trace.steps if s.kind == "call"))
    return talk.html("inspector")


def cells(html: str) -> list[str]:
    table = html.partition('class="matrix sweep"')[2]
    return re.findall(r"<td>([^<]*)</td>", table)[1:]


def test_rows_come_one_by_one() -> None:
    talk = Talk()
    assert "sweep" not in show(talk, "[0.5, 1.]")
    first = show(talk, "[1., 0.]")
    assert cells(first) == ["6", "0", "1", "·", "·", "·"] and "1 of 2" in first
    both = show(talk, "[0., 1.]")
    assert cells(both) == ["6", "0", "1", "0", "12", "4"] and "2 of 2" in both
    assert both.count("<tr aria-current=true>") == 1
    assert cells(show(talk, "[0.5, 1.]")) == cells(both)


def test_another_program_has_rows_of_its_own() -> None:
    talk = Talk()
    show(talk, "[1., 0.]")
    other = show(talk, "[0., 1.]", SOURCE.replace("3.", "5."))
    assert cells(other) == ["·", "·", "·", "0", "20", "4"]


@pytest.mark.parametrize(
    ("data", "wanted"),
    [((0.0, 1.0), 1), ((1.0, 1.0), None), ((0.0, 2.0), None), ((1.0,), None), ((0.0, 0.0), None)],
)
def test_what_a_one_hot_vector_is(data: tuple[float, ...], wanted: int | None) -> None:
    assert one_hot(Value((len(data),), "float32", data)) == wanted
