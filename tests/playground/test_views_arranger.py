"""Which way a graph is drawn: the same for a whole run, all of it in sight where that can be."""

from __future__ import annotations

from playground.session import run
from playground.trace import Trace
from playground.views.arranger import scale
from playground.views.desk import Desk
from playground.views.layered import solve
from playground.views.measures import OVERVIEW
from tests.playground import samples

XOR = """\
import torch
from torch import nn
torch.manual_seed(1)
X = torch.tensor([[0., 0.], [0., 1.], [1., 0.], [1., 1.]])
Y = torch.tensor([[0.], [1.], [1.], [0.]])
net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1), nn.Sigmoid())
opt = torch.optim.SGD(net.parameters(), lr=0.5)
for epoch in range(8):
    opt.zero_grad()
    loss = nn.functional.binary_cross_entropy(net(X), Y)
    loss.backward()
    opt.step()
"""


def shown(trace: Trace) -> Desk:
    desk = Desk(solve)
    desk.load(trace, keep=False)
    return desk


def test_a_training_loop_shows_one_pass_whole() -> None:
    desk = shown(run(XOR))
    plan, panel = desk.plan(), desk.sizes["graph"]
    content = (plan.x, plan.y, plan.width, plan.height)
    kinds = sorted(fold.kind for fold in plan.folds.values())
    assert kinds == ["optimizer", "passes"]
    assert scale(content, panel) >= OVERVIEW
    window = desk.camera.zoom * plan.width, desk.camera.zoom * plan.height
    assert window[0] <= panel[0] + 1 and window[1] <= panel[1] + 1


def test_every_pass_is_drawn_alike_in_the_same_places() -> None:
    desk = shown(run(XOR))
    places = set()
    for step in (s.index for s in desk.trace.steps if s.kind == "call"):
        desk.goto(step)
        spots = desk.plan().spots.values()
        places.add(tuple(sorted((round(spot.cx), round(spot.cy)) for spot in spots)))
    assert len(places) == 1


def test_a_short_loop_is_folded_only_when_it_does_not_fit() -> None:
    short = (
        "import torch\nw = torch.ones(2, requires_grad=True)\nfor i in range(2):\n    y = w * 2\n"
    )
    assert not shown(run(short)).plan().folds
    long = short.replace("range(2)", "range(9)")
    assert [fold.kind for fold in shown(run(long)).plan().folds.values()] == ["passes"]


def test_the_questions_to_the_layout_library_are_not_repeated() -> None:
    asked: list[str] = []
    desk = Desk(lambda question: asked.append(question) or solve(question))
    desk.load(samples.broadcast(), keep=False)
    for step in range(len(desk.trace.steps)):
        desk.goto(step)
        desk.plan()
    assert len(asked) == len(set(asked))
