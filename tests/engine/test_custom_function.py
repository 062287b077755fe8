"""Custom Functions: what ctx is, what observers are told, what the graph looks like."""

from __future__ import annotations

from typing import Any

import pytest

import engine as torch
from engine import events


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any, times: float) -> Any:
        ctx.save_for_backward(x)
        ctx.saved = ctx.run = ctx.edge = times  # names the engine's own nodes use inside
        return x**3 * times

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensors
        return grad * 3 * x**2 * ctx.saved, None


def test_ctx_is_the_grad_fn() -> None:
    x = torch.tensor(2.0, requires_grad=True)
    y = Cube.apply(x, 2.0)
    assert y.grad_fn.run == 2.0
    assert y.grad_fn.name() == "CubeBackward"
    assert y.grad_fn.saved_tensors[0] is x
    assert y.grad_fn.next_functions[0][0].variable is x
    assert isinstance(y.grad_fn, torch.autograd.graph.Node)


def test_gradient_and_second_derivative() -> None:
    x = torch.tensor(2.0, requires_grad=True)
    (g,) = torch.autograd.grad(Cube.apply(x, 2.0), x, create_graph=True)
    (gg,) = torch.autograd.grad(g, x)
    assert (g.item(), gg.item()) == (24.0, 24.0)


def test_observer_is_told_of_one_operation_with_its_node() -> None:
    seen: list[Any] = []
    x = torch.tensor(2.0, requires_grad=True)
    with events.observe(seen.append, __file__):
        y = Cube.apply(x, 2.0)
        number = y._node().seq
    told = [e for e in seen if isinstance(e, events.OpApplied) and e.op == "Cube"]
    assert [e.node for e in told] == [number]
    assert told[0].grad_fn == "CubeBackward"
    assert [name for name, _ in told[0].arguments] == ["x", "times"]
    assert told[0].saved[0].tensor == events.identify(x)


def test_freed_after_backward() -> None:
    x = torch.tensor(2.0, requires_grad=True)
    y = Cube.apply(x, 2.0)
    y.backward()
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        y.backward()


def test_input_changed_in_place_is_refused() -> None:
    x = torch.tensor(2.0, requires_grad=True)
    w = x * 1
    y = Cube.apply(w, 2.0)
    w.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()
    assert x.grad is None


def test_node_hooks_run() -> None:
    seen: list[Any] = []
    x = torch.tensor(2.0, requires_grad=True)
    y = Cube.apply(x, 1.0)
    y.grad_fn.register_prehook(lambda grads: seen.append(("pre", grads[0].item())))
    y.grad_fn.register_hook(lambda ins, outs: seen.append(("post", ins[0].item())))
    y.backward()
    assert seen == [("pre", 1.0), ("post", 12.0)]


def test_multi_grad_hook() -> None:
    seen: list[Any] = []
    x = torch.tensor(2.0, requires_grad=True)
    y = torch.tensor(3.0, requires_grad=True)
    handle = torch.autograd.graph.register_multi_grad_hook(
        [x, y], lambda grads: seen.append([g.item() for g in grads])
    )
    (x * y).backward()
    handle.remove()
    (x * y).backward()
    assert seen == [[3.0, 2.0]]


def test_view_made_in_no_grad_is_recorded_but_leads_nowhere() -> None:
    x = torch.ones(2, 2, requires_grad=True)
    for _ in range(4):  # specialised forms take over at the second call
        with torch.no_grad():
            row = x[0]
        assert (row.requires_grad, row.is_leaf, row.grad_fn) == (True, True, None)
        y = row * 2
        assert y.requires_grad
        y.sum().backward()
        assert x.grad is None
