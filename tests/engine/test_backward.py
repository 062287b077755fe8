"""The pass: order, accumulation, hooks, freeing, higher derivatives."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

import engine as torch


def leaf(*values: float) -> Any:
    return torch.tensor([float(v) for v in values], requires_grad=True)


def number(value: float) -> Any:
    return torch.tensor(value, requires_grad=True)


def test_gradients_of_a_shared_value_add_up() -> None:
    x = number(2.0)
    y = x * x + x
    y.backward()
    assert x.grad.item() == 5


def test_accumulation_keeps_the_same_grad_object() -> None:
    x = leaf(1, 2)
    (x * 3).sum().backward()
    first = x.grad
    (x * 3).sum().backward()
    assert x.grad is first
    assert first.tolist() == [6, 6]


def test_grad_is_not_the_memory_of_anything_else() -> None:
    x, y = leaf(1, 2), leaf(3, 4)
    (x + y).backward(torch.ones(2))
    x.grad.add_(10)
    assert y.grad.tolist() == [1, 1]


def test_given_gradient_is_not_taken_as_grad() -> None:
    x, v = leaf(1, 2), torch.ones(2)
    (x + 0).backward(v)
    x.grad.mul_(5)
    assert v.tolist() == [1, 1]


def test_chain_of_100_000_nodes() -> None:
    x = number(1.0)
    y = x
    for _ in range(100_000):
        y = y + 1
    y.backward()
    assert x.grad.item() == 1


def test_long_chain_is_let_go_without_recursion() -> None:
    y = number(1.0)
    for _ in range(200_000):
        y = y * 1.5
    del y


class Kept:
    """What a test hangs on a node to see it go."""


def test_graph_is_freed_by_reference_counting_alone() -> None:
    x = leaf(1, 2)
    y = (x * 2).exp()
    z = y.sum()
    y.grad_fn.metadata["here"] = kept = Kept()  # a node itself takes no weak reference
    seen = [weakref.ref(t) for t in (x, y, z, kept)]
    gc.disable()
    try:
        z.backward()
        del x, y, z, kept
        assert [ref() for ref in seen] == [None] * 4
    finally:
        gc.enable()


def test_second_backward_fails_where_something_was_saved() -> None:
    x = leaf(1, 2)
    y = (x * 2).sum()
    y.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.backward()


def test_second_backward_passes_when_nothing_was_saved() -> None:
    x = leaf(1, 2)
    y = (x + 1).sum()
    y.backward()
    y.backward()
    assert x.grad.tolist() == [2, 2]


def test_leaves_finished_before_a_failure_have_their_gradient() -> None:
    x, z = number(2.0), number(3.0)
    y = x * 2 + z
    y.backward()
    with pytest.raises(RuntimeError):
        y.backward()
    assert (x.grad.item(), z.grad.item()) == (2, 2)


@pytest.mark.parametrize("hooked", [False, True])
def test_failure_leaves_the_same_gradients_whoever_watches(hooked: bool) -> None:
    x, z, w = number(2.0), number(3.0), number(4.0)
    if hooked:
        w.register_hook(lambda g: None)
    y = (x * 2) * w + z
    y.backward()
    x.grad = z.grad = w.grad = None
    with pytest.raises(RuntimeError):
        y.backward()
    assert x.grad is None and w.grad is None and z.grad.item() == 1


def test_newest_node_first_and_leaves_as_early_as_possible() -> None:
    seen: list[Any] = []
    x, w = number(2.0), number(3.0)
    a = x * w
    b = a + x
    c = b * w
    for name, t in {"x": x, "w": w, "a": a, "b": b, "c": c}.items():
        t.register_hook(lambda g, name=name: seen.append((name, g.item())))
    x.register_post_accumulate_grad_hook(lambda p: seen.append(("x.grad", p.grad.item())))
    c.backward()
    assert seen == [
        ("c", 1), ("b", 3), ("a", 3), ("x", 12), ("x.grad", 12), ("w", 14),
    ]  # fmt: skip


def test_hook_replaces_the_gradient_and_can_be_removed() -> None:
    x = leaf(1, 2)
    y = x * 2
    y.retain_grad()
    handle = y.register_hook(lambda g: g * 10)
    z = y.sum()
    z.backward(retain_graph=True)
    assert x.grad.tolist() == [20, 20]
    assert y.grad.tolist() == [10, 10]
    handle.remove()
    z.backward()
    assert x.grad.tolist() == [22, 22]


def test_hook_that_changes_the_shape_is_refused() -> None:
    x = leaf(1, 2)
    y = x * 2
    y.register_hook(lambda g: torch.ones(3))
    with pytest.raises(RuntimeError, match="has changed the size of value"):
        y.sum().backward()


def test_node_hooks_see_what_goes_in_and_out() -> None:
    x = leaf(1, 2)
    y = x * 2
    seen: list[Any] = []
    y.grad_fn.register_prehook(lambda out: seen.append(out[0].tolist()))
    y.grad_fn.register_hook(lambda into, out: seen.append((into[0].tolist(), into[1])))
    y.sum().backward()
    assert seen == [[1, 1], ([2, 2], None)]


def test_backward_inside_a_hook() -> None:
    x = leaf(1, 2)

    def hook(g: Any) -> None:
        with torch.enable_grad():
            z = number(3.0)
            (z * z).backward()
            assert z.grad.item() == 6

    y = x * 2
    y.register_hook(hook)
    y.sum().backward()
    assert x.grad.tolist() == [2, 2]


def test_third_derivative() -> None:
    x = leaf(1, 2)
    y = (x * x * x * x).sum()
    for expected in ([4, 32], [12, 48], [24, 48]):
        (g,) = torch.autograd.grad(y, x, create_graph=True)
        assert g.tolist() == expected
        y = g.sum()


def test_create_graph_makes_grad_differentiable() -> None:
    x = leaf(1, 2)
    (x * x * x).sum().backward(create_graph=True)
    assert x.grad.requires_grad
    (h,) = torch.autograd.grad(x.grad.sum(), x)
    assert h.tolist() == [6, 12]


def test_gradient_of_a_gradient_with_respect_to_the_vector() -> None:
    x, v = leaf(1, 2), torch.ones(2, requires_grad=True)
    (g,) = torch.autograd.grad(x * 2, x, v, create_graph=True)
    (back,) = torch.autograd.grad(g.sum(), v)
    assert back.tolist() == [2, 2]


def test_grad_with_respect_to_an_intermediate() -> None:
    x = leaf(1, 2)
    y = x * 2
    gy, gx = torch.autograd.grad((y * y).sum(), [y, x])
    assert gy.tolist() == [4, 8] and gx.tolist() == [8, 16]
    assert x.grad is None


def test_grad_of_an_unused_input() -> None:
    x, unused = leaf(1, 2), leaf(1)
    with pytest.raises(RuntimeError, match="index 1 appears to not have been used in the graph"):
        torch.autograd.grad((x * 2).sum(), [x, unused])
    assert torch.autograd.grad((x * 2).sum(), [unused], allow_unused=True) == (None,)
    (zeros,) = torch.autograd.grad((x * 2).sum(), [unused], materialize_grads=True)
    assert zeros.tolist() == [0]


def test_inputs_limit_what_gets_a_grad() -> None:
    x, w = leaf(1, 2), leaf(3, 4)
    (x * w).sum().backward(inputs=[x])
    assert x.grad.tolist() == [3, 4] and w.grad is None


def test_batched_gradients_make_a_jacobian() -> None:
    x = leaf(1, 2)
    (jacobian,) = torch.autograd.grad(x * x, x, torch.eye(2), is_grads_batched=True)
    assert jacobian.tolist() == [[2, 0], [0, 4]]


@pytest.mark.parametrize("hooked", [False, True])
def test_broadcasting_is_undone(hooked: bool) -> None:
    x = torch.ones(2, 3, requires_grad=True)
    b, s, column = leaf(1, 2, 3), number(2.0), torch.ones(2, 1, requires_grad=True)
    if hooked:
        x.register_hook(lambda g: None)
    (x * b + s * column).sum().backward()
    assert x.grad.tolist() == [[1, 2, 3]] * 2
    assert b.grad.tolist() == [2, 2, 2]
    assert s.grad.item() == 6
    assert column.grad.tolist() == [[6], [6]]


def test_gradient_comes_back_in_the_type_of_each_input() -> None:
    x = leaf(1, 2)
    d = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    (x * d).sum().backward()
    assert (x.grad.dtype, d.grad.dtype) == (torch.float32, torch.float64)


def test_unused_output_of_several_counts_as_zero() -> None:
    x = leaf(1, 2, 3)
    a, b, _ = x.unbind()
    (a * b).backward()
    assert x.grad.tolist() == [2, 1, 0]


def test_saved_result_changed_through_data_is_what_backward_uses() -> None:
    for x in (leaf(0, 0), number(0.0)):
        y = x.exp()
        y.data.mul_(3)
        y.sum().backward()
        assert x.grad.sum().item() == 3 * x.numel()


def test_no_grad_records_nothing_and_modes_nest() -> None:
    x = leaf(1, 2)
    with torch.no_grad():
        assert not (x * 2).requires_grad
        with torch.enable_grad():
            assert (x * 2).requires_grad
    with torch.set_grad_enabled(False):
        assert not torch.is_grad_enabled()
    assert torch.is_grad_enabled()


def test_next_functions_and_names() -> None:
    x = leaf(1, 2)
    y = x * 2 + x.exp()
    (mul, _), (exp, _) = y.grad_fn.next_functions
    assert [type(n).__name__ for n in (y.grad_fn, mul, exp)] == [
        "AddBackward0", "MulBackward0", "ExpBackward0",
    ]  # fmt: skip
    accumulate = mul.next_functions[0][0]
    assert accumulate.variable is x and mul.next_functions[1] == (None, 0)
    assert accumulate is exp.next_functions[0][0]
