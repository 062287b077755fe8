"""torch.func and torch.utils: transforms, functional_call, checkpointing, data."""

from __future__ import annotations

from typing import Any

import pytest

import engine as torch


def test_functional_call_uses_other_parameters_and_puts_the_own_back() -> None:
    linear = torch.nn.Linear(2, 1)
    own = linear.weight
    new = {"weight": torch.ones(1, 2), "bias": torch.zeros(1)}
    out = torch.func.functional_call(linear, new, (torch.tensor([[1.0, 2.0]]),))
    assert out.tolist() == [[3.0]]
    assert linear.weight is own


def test_gradient_through_functional_call() -> None:
    linear = torch.nn.Linear(2, 1)
    params = {k: v.detach() for k, v in linear.named_parameters()}
    x = torch.tensor([[1.0, 2.0]])

    def loss(p: Any) -> Any:
        return torch.func.functional_call(linear, p, (x,)).sum()

    grads = torch.func.grad(loss)(params)
    assert grads["weight"].tolist() == [[1.0, 2.0]]
    assert linear.weight.grad is None


def test_vmap_dims() -> None:
    x = torch.arange(6.0).reshape(2, 3)
    assert torch.func.vmap(lambda t: t.sum(), in_dims=1)(x).tolist() == [3.0, 5.0, 7.0]
    assert torch.func.vmap(lambda t, k: t * k, in_dims=(0, None))(x, 2).shape == (2, 3)
    assert torch.func.vmap(lambda t: t, out_dims=1)(x).shape == (3, 2)
    with pytest.raises(ValueError, match="Expected all tensors to have the same size"):
        torch.func.vmap(torch.add)(x, torch.ones(5))
    with pytest.raises(ValueError, match="in_dim=3 for some input"):
        torch.func.vmap(lambda t: t, in_dims=3)(x)


def test_nested_transforms_leave_no_graph() -> None:
    f = torch.func.grad(torch.func.grad(lambda t: t**4))
    out = f(torch.tensor(2.0))
    assert (out.item(), out.requires_grad) == (48.0, False)


def test_what_depends_on_the_outside_keeps_its_graph() -> None:
    w = torch.tensor(3.0, requires_grad=True)
    out = torch.func.grad(lambda t: (w * t) ** 2)(torch.tensor(1.0))
    out.backward()
    assert w.grad.item() == 12.0


def test_checkpoint_runs_the_block_again_in_backward() -> None:
    calls: list[bool] = []

    def block(t: Any) -> Any:
        calls.append(torch.is_grad_enabled())
        return (t * t).sum()

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    for reentrant in (False, True):
        calls.clear()
        x.grad = None
        torch.utils.checkpoint.checkpoint(block, x, use_reentrant=reentrant).backward()
        assert calls == ([False, True] if reentrant else [True, True])
        assert x.grad.tolist() == [2.0, 4.0]


def test_loader_hands_out_batches_in_the_seed_s_order() -> None:
    data = torch.utils.data.TensorDataset(torch.arange(5.0))
    batches = [b[0].tolist() for b in torch.utils.data.DataLoader(data, batch_size=2)]
    assert batches == [[0.0, 1.0], [2.0, 3.0], [4.0]]
    torch.manual_seed(0)
    first = [b[0].tolist() for b in torch.utils.data.DataLoader(data, batch_size=5, shuffle=True)]
    torch.manual_seed(0)
    again = [b[0].tolist() for b in torch.utils.data.DataLoader(data, batch_size=5, shuffle=True)]
    assert first == again


def test_gradcheck_restores_its_input() -> None:
    x = torch.tensor([0.5, 1.5], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda t: t.exp(), (x,))
    assert x.tolist() == [0.5, 1.5]
