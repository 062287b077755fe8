"""Jacobians, and a gradient found in three ways."""

from __future__ import annotations

import re

import numpy as np
import pytest

from playground.explain.check import array
from playground.explain.jacobian import closer
from playground.session import run
from playground.state import state_at
from playground.trace import Trace
from tests.playground.drawn import Talk

START = "import torch\nx = torch.tensor([1., 2., 3.], requires_grad=True)\n"


def looked(source: str, op: str) -> list[object]:
    trace = run(START + source)
    state = state_at(trace, len(trace.steps))
    index = next(o.index for o in trace.ops if o.op == op)
    rule = state.arrival(index)
    assert rule is not None
    found = closer(state, trace.ops[index], rule, rule.messages[0].operand)
    assert found is not None
    return [
        array(v) if v else None
        for v in (found.jacobian, found.reverse, found.forward, found.finite)
    ]


@pytest.mark.parametrize(
    ("source", "op", "wanted"),
    [
        ("(x ** 2).sum().backward()", "pow", np.diag([2.0, 4.0, 6.0])),
        ("x.sum().backward()", "sum", [[1.0, 1.0, 1.0]]),
        ("x.cumsum(0).sum().backward()", "cumsum", np.tril(np.ones((3, 3)))),
        ("(torch.ones(2, 3) @ x).sum().backward()", "mv", np.ones((2, 3))),
        ("x.softmax(0)[0].backward()", "softmax", None),
    ],
)
def test_the_jacobian_and_three_equal_gradients(source: str, op: str, wanted: object) -> None:
    jacobian, reverse, forward, finite = looked(source, op)
    if wanted is not None:
        assert np.allclose(jacobian, wanted)  # type: ignore[arg-type]
    assert jacobian.shape[1] == 3  # type: ignore[attr-defined]
    assert np.allclose(forward, reverse, atol=1e-6)  # type: ignore[arg-type]
    assert np.allclose(finite, reverse, atol=1e-5)  # type: ignore[arg-type]


def at_rule(trace: Trace, op: str) -> Talk:
    talk = Talk(trace)
    step = next(
        s.index
        for s in trace.steps
        if s.kind == "rule" and s.op is not None and trace.ops[s.op].op == op
    )
    talk.say("goto", step=step)
    return talk


def test_the_tables_open_and_stay_open() -> None:
    trace = run(START + "y = x.exp()\ny.sum().backward()\n")
    talk = at_rule(trace, "exp")
    assert "Look closer" in talk.html("inspector") and "<table" not in talk.html("inspector")
    talk.intent("closer", on=True)
    shown = talk.html("inspector")
    assert "Jacobian of y with respect to x" in shown and shown.count("<tr>") == 4 + 3
    assert re.search(r"<th scope=row>finite difference</th><td>2.718281", shown)
    assert "<mark>" in shown  # float32 differs from float64 somewhere
    talk.say("goto", step=1)
    assert "Look closer" not in talk.html("inspector")
    talk.intent("closer", on=False)


def test_what_is_too_large_is_said_to_be() -> None:
    trace = run("import torch\nx = torch.ones(20, requires_grad=True)\n(x * x).sum().backward()\n")
    talk = at_rule(trace, "mul")
    talk.intent("closer", on=True)
    assert "too large" in talk.html("inspector")


def test_nan_and_inf_are_compared_as_words() -> None:
    trace = run(
        "import torch\nx = torch.tensor([0., -1.], requires_grad=True)\nx.log().sum().backward()"
    )
    talk = at_rule(trace, "log")
    talk.intent("closer", on=True)
    assert ">inf<" in talk.html("inspector")


@pytest.mark.parametrize(("count", "found"), [(4, True), (5, False)])
def test_few_numbers_stand_beside_those_of_forward_mode(count: int, found: bool) -> None:
    numbers = [1.0, 2.0, 3.0, 4.0, 5.0][:count]
    trace = run(
        f"import torch\nx = torch.tensor({numbers}, requires_grad=True)\n(x ** 2).sum().backward()"
    )
    talk = at_rule(trace, "pow")
    assert ("forward 2 4 6 8" in talk.html("inspector")) is found
