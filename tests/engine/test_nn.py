"""What modules promise beyond the recorded programs: sharing, identity and events."""

from __future__ import annotations

import copy
import warnings

import pytest

import engine as torch
from engine import events, nn
from engine.nn import functional as F


def test_a_call_tells_an_observer_when_it_begins_and_ends() -> None:
    net = nn.Sequential(nn.Linear(1, 1), nn.ReLU())
    seen: list[events.Event] = []
    with events.observe(seen.append, __file__):
        net(torch.ones(1, 1))
    calls = [e for e in seen if isinstance(e, events.ModuleCalled)]
    assert [(e.name, e.entered) for e in calls] == [
        ("Sequential", True),
        ("Linear", True),
        ("Linear", False),
        ("ReLU", True),
        ("ReLU", False),
        ("Sequential", False),
    ]
    assert all(e.line is not None for e in calls)
    whole, first, first_end, second, second_end, whole_end = (e.tensors for e in calls)
    assert first == whole and second == first_end and whole_end == second_end
    assert len({*whole, *first_end, *second_end}) == 3


def test_modules_are_numbered_anew_in_each_run() -> None:
    net = nn.Sequential(nn.ReLU(), nn.Tanh())
    runs = []
    for _ in range(2):
        seen: list[events.Event] = []
        with events.observe(seen.append, __file__):
            net(torch.ones(1))
            net[1](torch.ones(1))
        calls = [e for e in seen if isinstance(e, events.ModuleCalled) and e.entered]
        runs.append([(e.name, e.module) for e in calls])
    assert runs[0] == runs[1] == [("Sequential", 1), ("ReLU", 2), ("Tanh", 3), ("Tanh", 3)]


def test_a_call_that_fails_is_told_to_have_ended() -> None:
    seen: list[events.Event] = []
    with events.observe(seen.append, __file__), pytest.raises(RuntimeError):
        nn.Linear(2, 1)(torch.ones(1, 3))
    calls = [e for e in seen if isinstance(e, events.ModuleCalled)]
    assert [(e.entered, len(e.tensors)) for e in calls] == [(True, 1), (False, 0)]


def test_making_a_parameter_is_an_event_of_its_own() -> None:
    seen: list[events.Event] = []
    with events.observe(seen.append, __file__):
        nn.Parameter(torch.ones(2))
    made = [e for e in seen if isinstance(e, events.TensorCreated)]
    assert [e.how for e in made] == ["ones", "Parameter"]
    assert made[1].tensor.requires_grad


def test_a_parameter_shares_memory_and_version_with_its_data() -> None:
    data = torch.zeros(2)
    parameter = nn.Parameter(data)
    with torch.no_grad():
        parameter.add_(1)
    assert data.tolist() == [1.0, 1.0] and data._version == parameter._version == 1


def test_a_state_dict_is_detached_but_shares_memory() -> None:
    layer = nn.Linear(2, 1)
    state = layer.state_dict()
    with torch.no_grad():
        layer.weight.zero_()
    assert state["weight"].tolist() == [[0.0, 0.0]] and not state["weight"].requires_grad


def test_loading_copies_into_the_same_parameters() -> None:
    layer, other = nn.Linear(2, 1), nn.Linear(2, 1)
    weight = layer.weight
    layer.load_state_dict(other.state_dict())
    assert layer.weight is weight and torch.equal(weight, other.weight)
    layer.load_state_dict(other.state_dict(), assign=True)
    assert layer.weight is not weight and isinstance(layer.weight, nn.Parameter)


def test_conversion_keeps_the_identity_of_parameters() -> None:
    layer = nn.Linear(2, 1)
    weight = layer.weight
    layer(torch.ones(1, 2)).sum().backward()
    assert layer.double().weight is weight
    assert weight.dtype is torch.float64 and weight.grad.dtype is torch.float64


def test_a_copied_module_has_parameters_of_its_own() -> None:
    layer = nn.Linear(2, 1)
    layer.bias.requires_grad_(False)
    copied = copy.deepcopy(layer)
    assert copied.weight is not layer.weight and torch.equal(copied.weight, layer.weight)
    assert isinstance(copied.weight, nn.Parameter) and not copied.bias.requires_grad


def test_a_weight_that_was_replaced_by_a_plain_tensor_is_used() -> None:
    layer = nn.Linear(1, 1, bias=False)
    del layer.weight
    layer.weight = torch.tensor([[3.0]])
    assert layer(torch.ones(1, 1)).item() == 3.0
    assert list(layer.parameters()) == []


def test_a_call_takes_as_many_draws_in_training_as_there_are_elements() -> None:
    drop = nn.Dropout(0.5)
    torch.manual_seed(0)
    drop(torch.ones(4))
    after = torch.rand(1)
    torch.manual_seed(0)
    torch.rand(4, dtype=torch.float64)
    assert torch.equal(after, torch.rand(1))
    assert drop.eval()(after) is after


def test_an_unreduced_loss_keeps_the_shape() -> None:
    x, y = torch.zeros(2, 3, requires_grad=True), torch.ones(2, 3)
    for loss in (F.mse_loss, F.l1_loss, F.smooth_l1_loss, F.huber_loss):
        assert loss(x, y, reduction="none").shape == (2, 3)


def test_sizes_that_differ_are_warned_about() -> None:
    with pytest.warns(UserWarning, match="Using a target size"):
        F.mse_loss(torch.zeros(2, 1), torch.zeros(2))


def test_warnings_name_the_line_of_the_call() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        F.mse_loss(torch.zeros(2, 1), torch.zeros(2))
        nn.init.uniform(torch.zeros(1))
    assert [w.filename for w in caught] == [__file__, __file__]


def test_clipping_leaves_small_gradients_alone() -> None:
    a = torch.tensor([3.0, 4.0], requires_grad=True)
    a.grad = torch.tensor([3.0, 4.0])
    assert nn.utils.clip_grad_norm_([a], 10.0).item() == 5.0
    assert a.grad.tolist() == [3.0, 4.0]
    nn.utils.clip_grad_norm_(a, 1.0)
    assert torch.linalg.vector_norm(a.grad).item() == pytest.approx(1.0, abs=1e-5)


def test_parameters_go_to_a_vector_and_back() -> None:
    net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
    vector = nn.utils.parameters_to_vector(net.parameters())
    nn.utils.vector_to_parameters(vector.detach() * 0 + 2, net.parameters())
    assert vector.shape == (9,) and all((p == 2).all() for p in net.parameters())
