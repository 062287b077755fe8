"""What optimizers promise beyond the recorded programs: events, versions and exactness."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine as torch
from engine import events, optim
from engine.optim._array_optimizer import EXACT, axpy
from engine.optim._line_search import Point, cubic_minimum

ALGORITHMS: dict[str, dict[str, Any]] = {
    "SGD": {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.1},
    "Adam": {"lr": 0.1, "amsgrad": True},
    "AdamW": {"lr": 0.1},
    "RMSprop": {"lr": 0.1, "momentum": 0.5, "centered": True},
    "Adagrad": {"lr": 0.1},
    "Adadelta": {},
    "Adamax": {"lr": 0.1},
    "NAdam": {"lr": 0.1},
    "RAdam": {"lr": 0.1},
    "ASGD": {"lr": 0.1},
    "Rprop": {"lr": 0.1},
}


def train(name: str, steps: int, watched: list[events.Event] | None = None) -> Any:
    w = torch.tensor([[1.0, -2.0], [0.5, 3.0]], requires_grad=True)
    scale = torch.tensor(1.5, requires_grad=True)
    opt = getattr(optim, name)([w, scale], **ALGORITHMS[name])
    for _ in range(steps):
        opt.zero_grad()
        ((w * scale) ** 2).sum().backward()
        if watched is None:
            opt.step()
        else:
            with events.observe(watched.append, __file__):
                opt.step()
    return w, scale


@pytest.mark.parametrize("name", ALGORITHMS)
def test_an_observer_changes_no_number(name: str) -> None:
    seen: list[events.Event] = []
    for plain, watched in zip(train(name, 4), train(name, 4, seen), strict=True):
        assert torch.equal(plain, watched)
    calls = [e for e in seen if isinstance(e, events.OptimizerCalled)]
    assert [(e.name, e.method, e.entered) for e in calls[:2]] == [
        (name, "step", True),
        (name, "step", False),
    ]
    writes = [e for e in seen if isinstance(e, events.OpApplied) and e.inplace]
    assert len(writes) == 8


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_step_counts_its_writes_to_each_parameter(name: str) -> None:
    w, scale = train(name, 3)
    each = 2 if name == "AdamW" else 1  # which takes the decay off in a write of its own
    assert w._version == scale._version == 3 * each
    assert w.is_leaf and w.grad_fn is None


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_parameter_without_gradient_is_left_alone(name: str) -> None:
    idle = torch.tensor([1.0], requires_grad=True)
    opt = getattr(optim, name)([idle], **ALGORITHMS[name])
    opt.step()
    assert idle.item() == 1.0 and idle._version == 0


def test_a_gradient_of_zeros_still_decays() -> None:
    w = torch.tensor([1.0], requires_grad=True)
    w.grad = torch.zeros(1)
    optim.SGD([w], lr=0.5, weight_decay=0.5).step()
    assert w.item() == 0.75


def test_zero_grad_is_told() -> None:
    w = torch.tensor([1.0], requires_grad=True)
    w.grad = torch.ones(1)
    opt = optim.SGD([w], lr=1.0)
    seen: list[events.Event] = []
    with events.observe(seen.append, __file__):
        opt.zero_grad()
    names = [type(e).__name__ for e in seen]
    assert names == ["OptimizerCalled", "GradCleared", "OptimizerCalled"]
    assert w.grad is None


def test_small_updates_round_once_and_large_ones_nearly() -> None:
    rng = np.random.default_rng(0)
    for size in (8, EXACT + 1):
        y, x = rng.standard_normal((2, size)).astype(np.float32)
        exact = (y.astype(np.float64) + np.float64(np.float32(-0.1)) * x).astype(np.float32)
        axpy(y, -0.1, x)
        assert (y == exact).all() if size == 8 else np.allclose(y, exact, rtol=1e-6, atol=1e-7)


def test_a_closure_runs_with_gradients_enabled() -> None:
    w = torch.tensor([2.0], requires_grad=True)
    opt = optim.SGD([w], lr=0.25)

    def closure() -> Any:
        opt.zero_grad()
        loss = (w**2).sum()
        loss.backward()
        return loss

    with torch.no_grad():
        assert opt.step(closure).item() == 4.0
    assert w.item() == 1.0


def test_lbfgs_reaches_the_minimum_of_a_quadratic() -> None:
    target = torch.tensor([3.0, -1.0])
    w = torch.zeros(2, requires_grad=True)
    opt = optim.LBFGS([w], line_search_fn="strong_wolfe")

    def closure() -> Any:
        opt.zero_grad()
        loss = (torch.tensor([1.0, 10.0]) * (w - target) ** 2).sum()
        loss.backward()
        return loss

    opt.step(closure)
    assert torch.allclose(w, target, atol=1e-4)


def test_lbfgs_refuses_an_unknown_search() -> None:
    w = torch.tensor([2.0], requires_grad=True)
    opt = optim.LBFGS([w], line_search_fn="foo")

    def closure() -> Any:
        opt.zero_grad()
        loss = (w**2).sum()
        loss.backward()
        return loss

    with pytest.raises(RuntimeError, match="only 'strong_wolfe' is supported"):
        opt.step(closure)


def test_the_cubic_through_a_parabola_finds_its_minimum() -> None:
    def at(x: float) -> Point:
        return Point(x, (x - 2.0) ** 2, None, 2 * (x - 2.0))

    assert cubic_minimum(at(0.0), at(5.0)) == pytest.approx(2.0)
    assert cubic_minimum(at(5.0), at(0.0)) == pytest.approx(2.0)
    assert cubic_minimum(at(0.0), at(1.0), (1.01, 10.0)) == pytest.approx(2.0)
    assert cubic_minimum(at(3.0), at(5.0)) == 3.0


def test_a_schedule_before_the_first_step_warns() -> None:
    w = torch.tensor([1.0], requires_grad=True)
    opt = optim.SGD([w], lr=1.0)
    schedule = optim.lr_scheduler.ExponentialLR(opt, 0.5)
    with pytest.warns(UserWarning, match="Detected call of `lr_scheduler.step"):
        schedule.step()
    assert opt.param_groups[0]["lr"] == 0.5
