"""What arrives at a leaf, and the rules of `.grad`."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from engine import dtypes, events, shown
from engine.errors import fail
from engine.graph import LEAF
from engine.tensor import Tensor, make

# References to a gradient that only the pass holds: the local variables on the way here, the
# argument of getrefcount, and the pass's own dict or list.
UNSHARED = 4


def accumulate(leaf: Tensor, grad: Any, create: bool, call: int | None = None) -> None:
    """Add a gradient to `.grad`: in place, so that it stays the same object, unless `create`."""
    if leaf._fn is not LEAF:
        return
    meta = leaf._meta
    if meta is None:
        meta = leaf._more()
    before = meta.grad
    seen = events.observer is not None
    old = events.value_of(before._array) if seen and before is not None else None
    contribution = events.value_of(grad._array if create else grad) if seen else None
    if before is None:
        meta.grad = own(grad, create)
    elif create:
        meta.grad = before + grad
    else:
        from engine.ops.inplace import add_quietly

        add_quietly(before, grad)
    if seen:
        assert meta.grad is not None and contribution is not None
        tell_written(leaf, "set" if old is None else "add", call, contribution, old)


def own(grad: Any, create: bool) -> Tensor:
    """Return a gradient as a tensor that nothing else writes to or sees."""
    if create:  # a recorded copy, which is why such a .grad prints CopyBackwards
        return make(np.zeros(grad.shape, grad.dtype.np)).copy_(grad)  # type: ignore[attr-defined, no-any-return]
    if needs_copy(grad, sys.getrefcount(grad)):
        grad = np.array(grad, order="C")
    return make(grad)


def needs_copy(array: Any, references: int) -> bool:
    """Whether somebody else may hold the array."""
    if array.__class__ is not np.ndarray:
        return False
    return array.base is not None or references > UNSHARED or not array.flags.writeable


def tell_written(
    tensor: Tensor, how: str, call: int | None, contribution: events.Value, old: events.Value | None
) -> None:
    """Tell the observer that `.grad` has a new value."""
    grad = tensor.grad
    assert grad is not None
    node = None
    if call is not None:
        node = shown.edge_seq(tensor if tensor._fn is LEAF else tensor._fn)
    number = events.identify(tensor)
    facts = events.facts_of(grad)
    line = events.learner_line()
    events.emit(events.GradWritten(line, number, how, call, node, contribution, old, facts))


def retain(tensor: Tensor, grad: Any, create: bool, call: int) -> None:
    """Set or add to the `.grad` of a result that retains it."""
    meta = tensor._more()
    old = meta.grad
    before = (
        events.value_of(old._array) if old is not None and events.observer is not None else None
    )
    if create:
        meta.grad = grad.clone() if old is None else old + grad
    else:
        meta.grad = own(grad, False) if old is None else own(old._array + grad, False)
    if events.observer is not None:
        tell_written(tensor, "retain", call, events.value_of(array_of(grad)), before)


def array_of(grad: Any) -> Any:
    """Return the array of a gradient that may be a tensor."""
    return grad._array if isinstance(grad, Tensor) else grad


def assign_grad(tensor: Tensor, value: Any) -> None:
    """Set `.grad` as the program asks, after PyTorch's checks."""
    if value is not None:
        check_grad(tensor, value)
    meta = tensor._more()
    old = meta.grad
    meta.grad = value
    if events.observer is None:
        return
    if value is None:
        if old is not None:
            events.emit(events.GradCleared(events.learner_line(), events.identify(tensor)))
    else:
        before = None if old is None else events.value_of(old._array)
        tell_written(tensor, "assign", None, events.value_of(value._array), before)


def check_grad(tensor: Tensor, value: Any) -> None:
    """Refuse what does not fit as a gradient of the tensor."""
    if not isinstance(value, Tensor):
        raise TypeError(
            f"assigned grad expected to be a Tensor or None but got grad of type"
            f" {type(value).__name__}"
        )
    if value is tensor:
        raise fail("grad-is-itself", "can't assign Variable as its own grad")
    if value.dtype is not tensor.dtype:
        was = {"long": "long int"}.get(*[dtypes.SCALAR_NAMES[value.dtype]] * 2)
        wanted = dtypes.LEGACY_NAMES[tensor.dtype]
        raise fail(
            "grad-dtype",
            f"attempting to assign a gradient with dtype '{was}' to a tensor with grad_dtype"
            f" '{wanted}'. The gradient must match the tensor's grad_dtype (defaults to the"
            " tensor's dtype). You can set the tensor's grad_dtype attribute with a specific dtype,"
            " or None to allow any dtype. Set grad_dtype with caution. Diverging the dtypes of a"
            " tensor and its gradient may break downstream systems that assume they match.",
            dtype=value.dtype.name,
            wanted=tensor.dtype.name,
        )
    if value.shape != tensor.shape:
        raise fail(
            "grad-shape",
            f"attempting to assign a gradient of size '{list(value.shape)}' to a tensor of size"
            f" '{list(tensor.shape)}'. Please ensure that the gradient and the tensor are the same"
            " size",
            shape=list(value.shape),
            wanted=list(tensor.shape),
        )
