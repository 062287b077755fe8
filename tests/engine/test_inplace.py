"""Writes in place: versions, what is refused and that it changes nothing, views and their bases."""

from __future__ import annotations

import re
from typing import Any

import pytest

import engine as torch


def leaf(*values: float) -> Any:
    return torch.tensor([float(v) for v in values], requires_grad=True)


def test_write_bumps_the_version_of_all_who_share_the_memory() -> None:
    x = torch.ones(3)
    view, detached = x[1:], x.detach()
    view.add_(1)
    detached.mul_(2)
    assert (x._version, view._version, detached._version) == (2, 2, 2)
    assert x.tolist() == [2, 4, 4]
    assert x.data._version == 0


REFUSED = {
    "a leaf Variable that requires grad is being used in an in-place operation.": lambda: leaf(
        1, 2
    ).mul_(2),
    "a view of a leaf Variable that requires grad is being used in an in-place": lambda: leaf(1, 2)[
        :1
    ].mul_(2),
    "unsupported operation: more than one element": lambda: torch.ones(2).expand(3, 2).add_(1),
    "result type Float can't be cast to the desired output type Long": lambda: torch.ones(
        2, dtype=torch.int64
    ).add_(1.5),
    "output with shape [2] doesn't match the broadcast shape [3, 2]": lambda: torch.ones(2).add_(
        torch.ones(3, 2)
    ),
    "The size of tensor a (2) must match the size of tensor b (3)": lambda: torch.ones(2).add_(
        torch.ones(3)
    ),
    "Output 0 of Unbind is a view and is being modified inplace.": lambda: (
        (leaf(1, 2) * 1).unbind()[0].mul_(2)
    ),
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused_writes(text: str) -> None:
    with pytest.raises(RuntimeError, match=re.escape(text)):
        REFUSED[text]()


def test_refused_write_leaves_the_tensor_as_it_was() -> None:
    x = leaf(1, 2)
    with pytest.raises(RuntimeError):
        x.exp_()
    assert x.tolist() == [1, 2] and x._version == 0


def test_view_made_in_no_grad_may_not_be_written_outside() -> None:
    x = leaf(1, 2) * 1
    with torch.no_grad():
        view = x[:1]
    assert view.requires_grad and view.grad_fn is None
    with pytest.raises(RuntimeError, match="A view was created in no_grad mode"):
        view.mul_(2)


@pytest.mark.parametrize(
    ("compute", "origin"),
    [
        (lambda y: y * y, "output 0 of Add"),
        (lambda y: y.sin(), "output 0 of Add"),
    ],
)
def test_saved_input_that_was_written(compute: Any, origin: str) -> None:
    y = leaf(1, 2) + 1
    z = compute(y)
    y.add_(1)
    expected = (
        rf"\[torch.FloatTensor \[2\]\], which is {origin}, is at version 1; expected version 0"
    )
    with pytest.raises(RuntimeError, match=expected):
        z.sum().backward()


def test_saved_result_that_was_written_through_a_view() -> None:
    y = leaf(1, 2).exp()
    y.detach()[:1].mul_(2)
    with pytest.raises(RuntimeError, match="output 0 of Exp, is at version 1; expected version 0"):
        y.sum().backward()


def test_expected_version_counts_the_writes_before_saving() -> None:
    y = leaf(1, 2) + 1
    y.add_(1)
    z = y * y
    y.add_(1)
    y.add_(1)
    with pytest.raises(RuntimeError, match="is at version 3; expected version 1"):
        z.sum().backward()


def test_write_where_the_rule_needs_nothing_is_fine() -> None:
    x = leaf(1, 2)
    y = x * 2
    z = y + 1
    y.add_(1)
    z.sum().backward()
    assert x.grad.tolist() == [2, 2]


def test_gradient_through_in_place_operations() -> None:
    x, w = leaf(1, 2), leaf(3, 4)
    y = x * 2
    y.add_(1)
    y.mul_(w)
    y -= x
    assert type(y.grad_fn).__name__ == "SubBackward0"
    y.sum().backward()
    assert x.grad.tolist() == [5, 7] and w.grad.tolist() == [3, 5]


@pytest.mark.parametrize("zero_dim", [False, True])
def test_gradient_through_a_result_written_in_place(zero_dim: bool) -> None:
    x = torch.tensor(0.0 if zero_dim else [0.0, 0.0], requires_grad=True)
    y = x * 2
    y.exp_()
    y.sum().backward()
    assert x.grad.sum().item() == 2 * x.numel()


def test_plain_tensor_becomes_a_result_by_a_recorded_write() -> None:
    a, w = torch.ones(2), leaf(3, 4)
    a.mul_(w)
    assert not a.is_leaf
    a.sum().backward()
    assert w.grad.tolist() == [1, 1]


def test_write_through_a_view_reaches_the_base() -> None:
    x = leaf(1, 2, 3)
    y = x * 2
    view = y[1:]
    view.mul_(3)
    assert type(y.grad_fn).__name__ == "CopySlices"
    assert type(view.grad_fn).__name__ == "AsStridedBackward0"
    (y * y).sum().backward()
    assert x.grad.tolist() == [8, 144, 216]


def test_view_follows_a_write_to_its_base() -> None:
    x = leaf(1, 2, 3)
    y = x * 2
    view = y[1:]
    y.mul_(3)
    view.sum().backward()
    assert x.grad.tolist() == [0, 6, 6]


def test_history_copied_into_a_part_of_a_plain_tensor() -> None:
    x, w = leaf(1, 2, 3), leaf(5)
    y = torch.zeros(3)
    y[1:2].copy_(x[0:1] * w)
    y.sum().backward()
    assert x.grad.tolist() == [5, 0, 0] and w.grad.tolist() == [1]


def test_write_through_a_transposed_view() -> None:
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    y = x * 1
    y.t()[0].mul_(5)
    assert y.tolist() == [[5, 2], [15, 4]]
    y.sum().backward()
    assert x.grad.tolist() == [[5, 1], [5, 1]]


def test_second_derivative_through_a_write_to_a_view() -> None:
    x = leaf(1, 2, 3)
    y = x * x
    y[1:].mul_(x[:2])
    (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x)
    # y = (a², b²a, c²b); sum of squares = a⁴ + b⁴a² + c⁴b²
    assert g.tolist() == [4 + 2 * 16, 4 * 8 + 2 * 81 * 2, 4 * 27 * 4]
    assert h.tolist() == [
        12 + 2 * 16 + 8 * 8,
        12 * 4 + 2 * 81 + 8 * 8 + 8 * 27 * 2,
        12 * 9 * 4 + 8 * 27 * 2,
    ]


def test_optimizer_like_update_within_no_grad() -> None:
    x = leaf(1, 2)
    (x * x).sum().backward()
    with torch.no_grad():
        for _ in range(3):
            x -= 0.25 * x.grad
            x.sub_(0)
    assert x.is_leaf and x._version == 6
    assert x.tolist() == [-0.5, -1]


def test_detached_in_place_is_a_leaf_and_views_refuse() -> None:
    y = leaf(1, 2) * 2
    assert y.detach_().is_leaf and not y.requires_grad
    with pytest.raises(RuntimeError, match="Can't detach views in-place"):
        (leaf(1, 2) * 2)[:1].detach_()


def test_data_replaces_the_contents_of_a_leaf() -> None:
    x = leaf(1, 2)
    x.data = torch.tensor([5.0, 6.0, 7.0])
    assert x.shape == (3,) and x.requires_grad and x._version == 0
    with pytest.raises(RuntimeError, match="must be floating point or complex dtype"):
        x.data = torch.ones(2, dtype=torch.int64)


def test_inference_tensors_are_refused_by_autograd() -> None:
    with torch.inference_mode():
        y = torch.ones(2) * 2
    assert y.is_inference() and not y.requires_grad
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
        leaf(1, 2) * y
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor"):
        y.add_(1)
    with pytest.raises(RuntimeError, match="do not track version counter"):
        _ = y._version
