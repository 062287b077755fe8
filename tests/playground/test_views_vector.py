"""The vector of a backward call: an edit of the program, and its place in the Inspector."""

from __future__ import annotations

import pytest

from playground.edits import EditError, set_vector
from playground.edits.vector import vector_of
from playground.session import run
from tests.playground.drawn import Talk


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("y.backward(v)", "y.backward(w)"),
        ("y.backward()", "y.backward(w)"),
        ("y.backward(gradient=v)  # 行", "y.backward(gradient=w)  # 行"),
        ("y.backward(retain_graph=True)", "y.backward(w, retain_graph=True)"),
        ("y.backward(\n    torch.ones(3),\n)", "y.backward(\n    w,\n)"),
        ("for i in range(2): y.backward((v), True)", "for i in range(2): y.backward((w), True)"),
    ],
)
def test_only_the_vector_changes(before: str, after: str) -> None:
    assert set_vector(before, 1, " w ").text == after


def test_the_vector_and_back_is_the_same_text() -> None:
    source = "y.backward(torch.tensor([0.1, 1.0]))\n"
    text = vector_of(source, 1)
    assert text == "torch.tensor([0.1, 1.0])"
    assert set_vector(set_vector(source, 1, "v").text, 1, text).text == source


def test_what_is_no_expression_or_no_call_is_refused() -> None:
    with pytest.raises(EditError):
        set_vector("y.backward(v)", 1, "1 +")
    with pytest.raises(EditError):
        set_vector("y.sum()", 1, "v")
    with pytest.raises(EditError):
        set_vector("torch.autograd.backward(y, v)", 1, "w")
    assert vector_of("x = (", 1) is None and vector_of("y.backward()", 1) == ""


SOURCE = (
    "import torch\nx = torch.tensor([1., 2.], requires_grad=True)\ny = x * x\n"
    "v = torch.tensor([0.5, 1.])\ny.backward(v)\n"
)


def at_call(source: str) -> Talk:
    trace = run(source)
    talk = Talk(trace)
    talk.say("goto", step=next(s.index for s in trace.steps if s.kind == "call"))
    return talk


def test_a_row_of_the_jacobian_is_one_click_away() -> None:
    talk = at_call(SOURCE)
    shown = talk.html("inspector")
    assert 'value="v"' in shown and "Row 1 of the Jacobian" in shown
    talk.intent("vector", line=5, value="torch.tensor([0.0, 1.0])", source=SOURCE)
    edited = talk.only("code")["text"]
    assert edited.endswith("y.backward(torch.tensor([0.0, 1.0]))\n")
    pressed = at_call(edited).html("inspector")
    assert pressed.count('aria-pressed="true"') == 1
    assert run(edited).final[0].grad.data == (0.0, 4.0)  # type: ignore[union-attr]


def test_a_wrong_vector_is_said_to_be() -> None:
    talk = at_call(SOURCE)
    talk.intent("vector", line=5, value="[1,", source=SOURCE)
    assert "[1," in talk.only("error")["message"]


def test_one_number_needs_no_vector() -> None:
    assert "vector" not in at_call(SOURCE.replace("y.backward(v)", "y.sum().backward()")).html(
        "inspector"
    )
