"""Tensors that share memory but no graph."""

from __future__ import annotations

from typing import Any

from engine import events, grad_mode
from engine.errors import fail
from engine.ops.record import bind, function
from engine.tensor import Tensor
from engine.views import share


@function("torch.detach", "Tensor.detach")
def detach(input: Tensor) -> Tensor:
    """Return the same memory as a leaf that needs no gradient; writes are counted in both."""
    t = share(input._shared() and input._array, input)
    t._more().inference = input._meta is not None and input._meta.inference
    if events.observer is not None:
        _tell_detach(input, t)
    return t


def _tell_detach(input: Tensor, output: Tensor) -> None:
    assert events.observer is not None
    arguments = (("input", events.facts_of(input)),)
    outputs = (events.facts_of(output),)
    line = events.learner_line()
    events.observer(
        events.OpApplied(
            line, "detach", arguments, outputs, None, None, (None,), (), grad_mode.enabled, False
        )
    )


@function("torch.detach_", "Tensor.detach_")
def detach_(input: Tensor) -> Tensor:
    """Make a result a leaf, in place: forget how it was computed."""
    if input._base is not None:
        raise fail(
            "detach-view",
            "Can't detach views in-place. Use detach() instead. If you are using"
            " DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as"
            " True,"
            " gradients are views of DDP buckets, and hence detach_() cannot be called on these"
            " gradients. To fix this error, please refer to the Optimizer.zero_grad() function in"
            " torch/optim/optimizer.py as the solution.",
        )
    input._fn = None
    if events.observer is not None:
        events.observer(events.RequiresGradChanged(events.learner_line(), events.facts_of(input)))
    return input


def _get_data(self: Tensor) -> Tensor:
    """Return the memory as a leaf with its own version counter: autograd sees no write to it."""
    self._shared()
    data = share(self._array, self)
    data._meta = None
    return data


def _set_data(self: Tensor, value: Any) -> None:
    if not isinstance(value, Tensor):
        raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
    if self._fn is not None and not value.dtype.is_floating_point:
        raise fail(
            "data-dtype",
            "data set to a tensor that requires gradients must be floating point or complex dtype",
        )
    before = events.facts_of(self) if events.observer is not None else None
    value._shared()
    self._array = value._array
    self.shape = value.shape
    self.dtype = value.dtype
    if before is not None:
        from engine.ops.inplace import tell_copied

        tell_copied(self, value, before)


bind("Tensor.data", property(_get_data, _set_data))
