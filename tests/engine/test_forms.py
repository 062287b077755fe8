"""Specialised forms of ops do exactly what the general way does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine as torch
from engine import events, graph
from engine.ops import fast, overwrite, plain
from engine.ops.record import REGISTRY, Op
from engine.ops.samples import Sample, T
from engine.tensor import Tensor

torch.ones(1)


def forms_of(op: Op) -> dict[str, Any]:
    return fast.build(op, op.forms.general) or plain.build(op, op.forms.general)


SPECIALISED = {name: op for name, op in REGISTRY.items() if op.samples is not None and forms_of(op)}
WRITTEN = {
    name: op
    for name, op in SPECIALISED.items()
    if overwrite.build(op, op.forms.general_writes["method"]) is not None
}


def build(value: Any, requires_grad: bool) -> Any:
    """Make the tensors a sample asks for."""
    if isinstance(value, T):
        made = torch.tensor(value.data, dtype=getattr(torch, value.dtype))
        return made.requires_grad_() if requires_grad and made.is_floating_point() else made
    if isinstance(value, (list, tuple)) and any(isinstance(v, T) for v in value):
        return type(value)(build(v, requires_grad) for v in value)
    return value


def outcome(f: Any, sample: Sample, wanted: int) -> tuple[Any, ...]:
    """Return everything that can be seen of a call and of its backward pass."""
    args = [build(v, bool(wanted >> i & 1)) for i, v in enumerate(sample.args)]
    try:
        result = f(*args, **sample.kwargs)
    except Exception as error:
        return type(error), str(error)
    facts = (
        type(result), result.dtype, result.shape, result._array.tobytes(), result.requires_grad,
        type(result.grad_fn).__name__, result._base is not None,
    )  # fmt: skip
    if not result.requires_grad:
        return facts
    edges = tuple(type(e).__name__ for e, _ in result.grad_fn.next_functions)
    weights = np.linspace(0.5, 1.5, result.numel()).reshape(result.shape)
    try:
        result.backward(torch.tensor(weights, dtype=result.dtype), retain_graph=True)
    except RuntimeError as error:
        return (*facts, edges, str(error))
    leaves = [a for a in args if isinstance(a, Tensor)]
    grads = [None if a.grad is None else a.grad._array for a in leaves]
    seen = tuple(None if g is None else (g.shape, g.dtype, g.tobytes()) for g in grads)
    return (*facts, edges, seen, again(result, weights))


def again(result: Tensor, weights: Any) -> str:
    """Say whether a third pass over the graph is refused."""
    given = torch.tensor(weights, dtype=result.dtype)
    result.backward(given)
    try:
        result.backward(given)
    except RuntimeError as error:
        return str(error)
    return "passes"


@pytest.mark.parametrize("op", SPECIALISED.values(), ids=SPECIALISED.keys())
def test_same_as_the_general_way(op: Op) -> None:
    made = forms_of(op)
    for kind, form in made.items():
        if kind in ("operator", "reflected"):
            continue
        for sample in op.samples():  # type: ignore[misc]
            for wanted in range(1 << min(len(op.tensors), 2)):
                expected = outcome(op.forms.general[kind], sample, wanted)
                assert outcome(form, sample, wanted) == expected, (kind, sample, wanted)


@pytest.mark.parametrize("op", WRITTEN.values(), ids=WRITTEN.keys())
def test_same_write_as_the_general_way(op: Op) -> None:
    form = overwrite.build(op, op.forms.general_writes["method"])
    for sample in op.samples():  # type: ignore[misc]
        seen = []
        for write in (op.forms.general_writes["method"], form):
            args = [build(v, False) for v in sample.args]
            args[0]._shared()
            try:
                result = write(*args, **sample.kwargs)  # type: ignore[misc]
            except Exception as error:
                seen.append((type(error), str(error)))
                continue
            assert result is args[0]
            seen.append((result._array.tobytes(), result.dtype, result._version))  # type: ignore[arg-type]
        assert seen[0] == seen[1], sample


def test_most_ops_have_a_specialised_form() -> None:
    assert len(SPECIALISED) > 100
    assert {"add", "mul", "sub", "exp", "sum"} <= set(SPECIALISED)


@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_zeros_of_both_signs_are_different_numbers(zero: float) -> None:
    x = torch.ones(2)
    for _ in range(3):
        signs = [np.signbit((x * z)._array).tolist() for z in (zero, -zero)]
    assert signs == [[bool(np.signbit(zero))] * 2, [not np.signbit(zero)] * 2]


def test_true_is_not_taken_for_one() -> None:
    x = torch.ones(2)
    for _ in range(3):
        assert (x * 1).dtype is (x * True).dtype is torch.float32


def test_observer_sees_operations_that_were_specialised_before() -> None:
    x = torch.ones(2, requires_grad=True)
    for _ in range(3):
        _ = x * 2
    seen: list[events.Event] = []
    with events.observe(seen.append, "nowhere"):
        _ = x * 2
    assert [type(e).__name__ for e in seen] == ["OpApplied"]


def test_nodes_are_of_one_class_until_somebody_looks() -> None:
    y = torch.ones(2, requires_grad=True) * 2
    assert type(y._fn) is graph.Node
    assert type(y.grad_fn).__name__ == "MulBackward0"


def test_inference_tensors_are_noticed_after_their_block() -> None:
    w = torch.ones(2, requires_grad=True)
    for _ in range(3):
        _ = w * torch.ones(2), w @ torch.ones(2), torch.ones(2).add_(1)
    with torch.inference_mode():
        y = torch.ones(2) * 2
    assert not events.careful
    for refused in (lambda: w * y, lambda: y * w, lambda: w @ y, lambda: y.add_(1)):
        with pytest.raises(RuntimeError, match=r"[Ii]nference tensor"):
            refused()
    assert not (y * 2).is_inference()


def test_numbers_are_refused_where_the_preparation_refuses_them() -> None:
    x = torch.ones(2)
    for _ in range(3):
        _ = torch.maximum(x, x)
        with pytest.raises(
            TypeError, match=r"maximum\(\): argument 'other' \(position 2\) must be"
        ):
            torch.maximum(x, 1.5)
