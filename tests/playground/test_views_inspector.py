"""What the Inspector, the time line's lanes and the contour say of runs that are long or large."""

from __future__ import annotations

import json

from playground.explain import Level
from playground.session import run
from playground.views.explained import broken, inline
from playground.views.timeline import prepare
from tests.playground.drawn import Talk, frame_at

LARGE = """import torch
x = torch.ones(30, 40, requires_grad=True)
y = (x * 2).sum()
y.backward()
"""
LOOP = """import torch
w = torch.tensor(1., requires_grad=True)
b = torch.tensor(0., requires_grad=True)
for x in (1., 2., 3.):
    loss = (w * x + b - 2) ** 2
    loss.backward()
"""


def test_a_large_value_is_told_by_shape_and_statistics() -> None:
    talk = Talk(run(LARGE))
    talk.intent("select", what="tensor", index=0)
    said = talk.html("inspector")
    assert "(30, 40)  1 … 1, mean 1" in said
    assert "tensor(shape" not in said


def test_an_edge_that_is_picked_offers_to_be_cut() -> None:
    trace = run(LARGE)
    talk = Talk(trace)
    sent = next(s for s in trace.steps if s.kind == "rule" and trace.ops[s.op or 0].op == "mul")
    talk.intent("select", what="message", index=sent.index, operand=0)
    assert "Cut this edge: x.detach() in line 3" in talk.html("inspector")
    talk.intent("detach", source=LARGE)
    assert "x.detach() * 2" in talk.only("code")["text"]


def test_a_result_without_a_name_cannot_be_cut_by_a_button() -> None:
    trace = run(LARGE)
    talk = Talk(trace)
    sent = next(s for s in trace.steps if s.kind == "rule" and trace.ops[s.op or 0].op == "sum")
    talk.intent("select", what="message", index=sent.index, operand=0)
    assert "detach" not in talk.html("inspector")


def test_a_line_that_calls_again_has_numbered_lanes() -> None:
    titles = [row[2] for row in prepare(frame_at(run(LOOP))).layers["words"]]
    assert titles[0] == "Forward"
    assert len(set(titles)) == len(titles)
    assert titles[-1] == "call 3 · line 6"


def test_the_contour_says_of_which_call_it_is() -> None:
    talk = Talk(run(LOOP))
    talk.intent("contour")
    talk.intent("losses", of="contour", values=[1.0] * 289, error=None)
    words = talk.app.contour.layers["words"].source.data["text"]
    assert words[0] == "The loss of line 6 as it is in call 1, and the way of all calls"


def test_a_formula_breaks_before_its_outermost_equals_sign() -> None:
    latex = r"\frac{a = b}{c} = \begin{bmatrix}1 = 1\end{bmatrix}"
    pieces = broken(Level("inspector.names", latex)).split("</math>")
    assert [piece.startswith("<math") for piece in pieces] == [True, True, False]
    assert "<mo>=</mo>" in pieces[0] and pieces[1].split("<mrow>")[1].startswith("<mo>=</mo>")
    assert broken(Level("inspector.names", r"\frac{a = b}{c}")).count("<math") == 1


def test_a_fraction_in_a_line_breaks_after_its_slash() -> None:
    assert inline(r"\frac{\partial L}{\partial a}").count("<math") == 2
    assert inline("2 a").count("<math") == 1
    assert inline("") == ""


def test_more_about_an_error_is_a_button_with_a_border() -> None:
    talk = Talk(run("import torch\ntorch.ones(2).backward()\n"))
    said = talk.html("error")
    button = said[said.index("<button", said.rindex("<p style")) :]
    assert 'class="btn line"' in button and json.dumps("article") in button.replace("&quot;", '"')


def test_words_inside_a_formula_are_of_the_language() -> None:
    trace = run("import torch\nx = torch.tensor([1., 2.], requires_grad=True)\nx.flip(0)\n")
    talk = Talk(trace)
    assert "reversed along" in talk.html("inspector").replace("\u00a0", " ")
    talk.say("language", language="zh")
    shown = talk.html("inspector").replace("\u00a0", " ")
    assert "反转，沿维度" in shown and "reversed along" not in shown
