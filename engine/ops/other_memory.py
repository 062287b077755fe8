"""Giving a tensor the memory of another one."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import events, grad_mode, views
from engine.dtypes import Size
from engine.errors import fail, unsupported
from engine.ops import nodes
from engine.ops.inplace import CPP_NAMES
from engine.ops.observe import tell
from engine.ops.record import Array, function, op
from engine.ops.rules import NO_DERIVATIVE
from engine.ops.strided import as_strided
from engine.tensor import Tensor, make


def _refused() -> Exception:
    return fail("no-derivative", "derivative for set_ is not implemented", op="set_")


@op("set", latex=r"\val{result} = \val{source}", grad_fn=NO_DERIVATIVE)
def look_at(input: Array, source: Array) -> Array:
    """Look at the memory of another tensor."""
    return source


@look_at.vjp("input", latex=r"\grad{input} \text{ undefined for } \grad{result}")
def _(grad: Any) -> Any:
    raise _refused()


@look_at.vjp("source", latex=r"\grad{source} \text{ undefined for } \grad{result}")
def _(grad: Any) -> Any:
    raise _refused()


@function("Tensor.set_")
def set_(
    input: Tensor, source: Any = None, storage_offset: int = 0, size: Any = None, stride: Any = None
) -> Tensor:
    """Make a tensor look at the memory of another, or at none; it counts as a write.

    Writes show in both from then on, each with its own version. No gradient passes.
    """
    if source is None:
        source = make(np.empty(0, input.dtype.np))
    if not isinstance(source, Tensor):
        raise unsupported("Tensor.set_ from a storage")
    needs = nodes.any_needs(look_at, [input, source])
    views.check_followed(input, grad_mode.enabled and needs)
    if source.dtype is not input.dtype:
        kinds = CPP_NAMES[source.dtype], CPP_NAMES[input.dtype]
        raise fail(
            "dtypes-differ", "Could not set tensor of type {} to a tensor of type {}".format(*kinds)
        )
    before = events.facts_of(input) if events.observer is not None else None
    source._shared()
    array = np.asarray(source._array)
    if size is not None:
        array = as_strided.forward(array, size, stride or _dense(size), storage_offset)
    node = None
    if grad_mode.enabled and needs:
        node = nodes.new_node(look_at, [input, source], [array], [])
        input._fn = node
    input._array = array
    input.shape = Size(array.shape)
    input._shared().wrote()
    if before is not None:
        tell(look_at, [input, source], [input], node, before, in_place=True)
    return input


def _dense(size: Any) -> tuple[int, ...]:
    """Return the strides of elements that follow one another."""
    steps = [1]
    for n in reversed(size[1:]):
        steps.insert(0, steps[0] * n)
    return tuple(steps)
