"""The loss of a backward call for other numbers in the leaves, by running the program again."""

from __future__ import annotations

import json

import pytest

from playground.session import run
from playground.session.budgets import Budgets
from playground.session.losses import losses
from playground.session.messages import handle

LINE = """\
import torch
x, y = torch.tensor([1., 2.]), torch.tensor([3., 5.])
w = torch.tensor(0.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)
sgd = torch.optim.SGD([w, b], lr=0.1)
for i in range(4):
    sgd.zero_grad()
    loss = ((w * x + b - y) ** 2).mean()
    loss.backward()
    sgd.step()
"""
LAYER = """\
import torch
net = torch.nn.Linear(1, 1)
torch.nn.init.zeros_(net.weight)
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    sgd.zero_grad()
    torch.nn.functional.mse_loss(net(torch.ones(2, 1)), torch.ones(2, 1)).backward()
    sgd.step()
"""
NOISE = """\
import torch
p = torch.zeros(2, requires_grad=True)
data = torch.randn(2)
((p - data) ** 2).sum().backward()
"""
VECTOR = """\
import torch
p = torch.tensor([1., 2.], requires_grad=True)
(p ** 2).backward(torch.tensor([1., 10.]))
"""
BRANCH = """\
import torch
p = torch.tensor([1., 2.], requires_grad=True)
loss = p.sum() if p[0] > 0 else (p * 100).sum()
if p[1] < 0:
    raise ValueError("no")
loss.backward()
"""
COUNT = "setattr(torch, 'runs', getattr(torch, 'runs', 0) + 1) or torch.runs"
PAIR = [("w", 0), ("b", 0)]
BOTH = [("p", 0), ("p", 1)]


@pytest.mark.parametrize("call", [1, 3])
def test_every_call_of_a_loop_computes_the_same_loss(call: int) -> None:
    found = losses(LINE, 0, None, call, [10], PAIR, [(2.0, 1.0), (0.0, 0.0), (1.0, 1.0)])
    assert found.error is None and found.values == pytest.approx((0.0, 17.0, 2.5))


def test_parameters_of_a_layer_that_are_written_after_it_is_made() -> None:
    places = [("net.weight", 0), ("net.bias", 0)]
    found = losses(LAYER, 0, None, 1, [2, 3, 8], places, [(0.5, 0.25), (1.0, 0.0)])
    assert found.values == pytest.approx((0.0625, 0.0))
    # Without the line that writes, what it writes is all there is.
    found = losses(LAYER, 0, None, 1, [2], places, [(0.5, 0.25)])
    assert found.values == (None,)


def test_random_numbers_are_those_of_the_run() -> None:
    trace = run(NOISE, 7)
    data = next(t.value.data for t in trace.tensors if t.name == "data")
    assert data is not None
    there = [float(number) for number in data]
    assert losses(NOISE, 7, None, 1, [2], BOTH, [there]).values == pytest.approx((0.0,))


def test_a_vector_weighs_the_elements_of_the_root() -> None:
    assert losses(VECTOR, 0, None, 1, [2], BOTH, [(3.0, 1.0)]).values == pytest.approx((19.0,))


def test_control_flow_is_the_programs_own_and_may_fail() -> None:
    found = losses(BRANCH, 0, None, 1, [2], BOTH, [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0)])
    assert found.values == (2.0, 0.0, None)


@pytest.mark.parametrize(
    ("source", "places", "error"),
    [
        (LINE, [("w", 0), ("nobody", 0)], "losses.nowhere"),
        (LINE.replace("loss.backward()", "pass"), PAIR, "losses.nowhere"),
        ("import torch\nw = (", PAIR, "losses.nowhere"),
        (NOISE.replace("torch.randn(2)", COUNT), BOTH, "losses.other"),
        (NOISE + "\n", [("p", 5)], "losses.nowhere"),
    ],
)
def test_what_cannot_be_had_is_said(source: str, places: list, error: str) -> None:
    assert losses(source, 0, None, 1, [2], places, [(0.0,) * len(places)]).error == error


def test_an_endless_loop_ends() -> None:
    source = BRANCH.replace("if p[1] < 0:", "while p[1] < 0:").replace("raise", "p[0] #")
    found = losses(source, 0, Budgets(lines=50_000), 1, [2], BOTH, [(1.0, -1.0)])
    assert found.error == "losses.slow"


def test_prints_and_later_runs_are_untouched(capsys: pytest.CaptureFixture[str]) -> None:
    before = run(LINE).to_json()
    losses(LINE + "print(w)\n", 0, None, 1, [10], PAIR, [(1.0, 1.0)])
    assert capsys.readouterr().out == "" and run(LINE).to_json() == before


def test_the_message_of_the_page() -> None:
    message = {
        "type": "losses", "id": 4, "source": LINE, "seed": 0, "budgets": None, "call": 1,
        "lines": [10], "places": [["w", 0], ["b", 0]], "points": [[2, 1]],
    }  # fmt: skip
    answer = json.loads(handle(json.dumps(message)))
    assert answer.pop("values") == pytest.approx([0.0])
    assert answer == {"type": "losses", "id": 4, "error": None}
