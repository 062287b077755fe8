"""The contour of a loss of two numbers, and gradients checked by running again."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from playground.explain.descent import descent
from playground.session import run
from playground.session.messages import handle
from playground.views.isolines import isolines, levels, smooth
from tests.playground.drawn import Talk

PAIR = """\
import torch
w = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(-1.0, requires_grad=True)
sgd = torch.optim.SGD([w, b], lr=0.25)
for i in range(4):
    sgd.zero_grad()
    (w ** 2 + b ** 2 * 0.5).backward()
    sgd.step()
"""
VECTOR = """\
import torch
p = torch.tensor([2.0, 1.0], requires_grad=True)
(p ** 3).sum().backward()
"""
THREE = VECTOR.replace("2.0, ", "2.0, 3.0, ")


def ask(talk: Talk) -> dict[str, Any]:
    """What the page does with a question: the runner answers, and the answer is an intent."""
    asked = talk.only("ask")
    about = {"source": talk.app.desk.trace.source, "seed": 0, "budgets": None, "id": 1}
    answer = json.loads(handle(json.dumps({**asked["question"], **about})))
    told = {key: answer[key] for key in ("values", "error")}
    talk.intent(**{**asked["reply"], **told})
    return told


def rows(talk: Talk, layer: str, column: str = "x") -> list[Any]:
    return list(talk.app.contour.layers[layer].source.data[column])


def test_two_numbers_are_found_and_followed_from_call_to_call() -> None:
    found = descent(run(PAIR))
    assert found is not None and found.names == ("w", "b") and (found.line, found.call) == (7, 1)
    assert [round(a, 4) for _, a, _ in found.way] == [3.0, 1.5, 0.75, 0.375, 0.1875]
    assert found.low[0] < 0.1875 and found.high[0] > 3.0 and len(found.grid()) == found.count**2


def test_a_vector_of_two_and_nothing_else() -> None:
    found = descent(run(VECTOR))
    assert found is not None and found.names == ("p[0]", "p[1]") and len(found.way) == 1
    assert descent(run(THREE)) is None and descent(run("import torch\n")) is None


def test_it_is_drawn_when_asked_for_and_goes_with_another_click() -> None:
    talk = Talk(run(PAIR))
    assert talk.state["contour"] is False and rows(talk, "dots") == []
    talk.intent("contour")
    assert talk.state["contour"] is True
    asked = talk.only("ask")["question"]
    assert asked["lines"] == [2, 3, 8] and asked["places"] == [["w", 0], ["b", 0]]
    told = ask(talk)
    assert told["error"] is None and len(told["values"]) == 17**2
    assert len(rows(talk, "lines", "x0")) > 100
    low = [(rows(talk, "lowest", "x0")[0] + rows(talk, "lowest", "x1")[0]) / 2]
    assert low[0] == pytest.approx(rows(talk, "dots")[-1], abs=20)
    talk.intent("contour")
    assert talk.state["contour"] is False and rows(talk, "lines", "x0") == []


def test_dots_grow_with_the_cursor_and_lead_to_their_step() -> None:
    trace = run(PAIR)
    talk = Talk(trace)
    talk.intent("contour")
    ask(talk)
    lines = rows(talk, "lines", "x0")
    counts = []
    for cursor in (1, 2, len(trace.steps) // 2, len(trace.steps)):
        talk.say("goto", step=cursor)
        counts.append(len(rows(talk, "dots")))
    assert counts[0] == 0 and counts[1] == 1 and counts[2] < counts[3] == 5
    assert rows(talk, "lines", "x0") == lines
    contour = talk.app.contour
    x, y = rows(talk, "dots")[1], rows(talk, "dots", "y")[1]
    found = descent(trace)
    assert found is not None and contour.hit(x + 2, y) == found.way[1][0]
    assert contour.hit(-50, -50) is None


def test_it_belongs_to_its_run_and_a_late_answer_to_none() -> None:
    talk = Talk(run(PAIR))
    talk.intent("contour")
    reply = talk.only("ask")["reply"]
    talk.say("trace", trace=run(VECTOR).to_json(), keep=False)
    talk.intent(**reply, values=[1.0] * 289, error=None)
    assert talk.state["contour"] is False and rows(talk, "lines", "x0") == []


def test_what_cannot_be_had_is_said() -> None:
    talk = Talk(run(PAIR))
    talk.intent("contour")
    talk.intent(**talk.only("ask")["reply"], values=[], error="losses.slow")
    assert "The program takes too long for that." in rows(talk, "words", "text")
    assert rows(talk, "dots") and not rows(talk, "lines", "x0")


def test_holes_in_the_loss_are_left_out() -> None:
    talk = Talk(run(PAIR))
    talk.intent("contour")
    values: list[float | None] = [float(k % 17) for k in range(289)]
    values[40] = None
    talk.intent(**talk.only("ask")["reply"], values=values, error=None)
    assert rows(talk, "lines", "x0")


def test_a_gradient_is_found_again_by_running_with_other_numbers() -> None:
    trace = run(VECTOR)
    talk = Talk(trace)
    write = next(step.index for step in trace.steps if step.kind == "write")
    talk.say("goto", step=write)
    assert "Check by running again" in talk.html("inspector")
    talk.intent("check", step=write)
    assert talk.only("ask")["question"]["points"][0] == pytest.approx([2.02, 1.0])
    ask(talk)
    shown = talk.html("inspector")
    assert "<td>12</td><td>3</td>" in shown and "run again" in shown and "<mark>" in shown
    talk.say("goto", step=write - 1)
    assert "run again" not in talk.html("inspector")


def test_large_leaves_and_writes_of_the_program_are_not_checked() -> None:
    big = run(VECTOR.replace("torch.tensor([2.0, 1.0]", "torch.ones(9"))
    own = run(VECTOR + "p.grad = torch.ones(2)\n")
    for trace in (big, own):
        talk = Talk(trace)
        writes = [step.index for step in trace.steps if step.kind == "write"]
        talk.say("goto", step=writes[-1])
        assert "Check by" not in talk.html("inspector")


def test_lines_go_where_the_height_is() -> None:
    grid = np.array([[float(column) for column in range(5)] for _ in range(4)])
    pieces = isolines(grid, 1.5)
    assert len(pieces) == 3 and all(x == 1.5 for piece in pieces for x, _ in piece)
    saddle = isolines(np.array([[1.0, 0.0], [0.0, 1.0]]), 0.4)
    assert len(saddle) == 2
    assert levels(np.zeros((2, 2)), 3) == []


def test_cubics_pass_through_every_point_and_keep_straight_lines() -> None:
    grid = np.random.default_rng(0).normal(size=(6, 6))
    assert np.allclose(smooth(grid, 3)[::3, ::3], grid)
    plane = np.add.outer(np.arange(4.0), 2 * np.arange(5.0))
    assert np.allclose(smooth(plane, 2)[:, -1], np.arange(0, 3.5, 0.5) + 8)


def test_the_dots_are_a_table_whose_steps_the_keyboard_reaches() -> None:
    talk = Talk(run(PAIR))
    assert "<th scope=col>w</th>" not in talk.html("inspector")
    talk.intent("contour")
    ask(talk)
    shown = talk.html("inspector")
    assert "<th scope=col>w</th><th scope=col>b</th>" in shown
    dots = [step for _, _, step in talk.app.contour.dots]
    assert [f'"step": {step}' in shown.replace("&quot;", '"') for step in dots] == [True] * 5
    assert "<td>1.5</td>" in shown
