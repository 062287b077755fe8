"""Changing a tensor's own shape: squeeze_, unsqueeze_, transpose_, t_. No element is written."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import events, grad_mode, views
from engine.dtypes import Size
from engine.errors import fail
from engine.ops import apply as applying
from engine.ops import nodes
from engine.ops.expanding import squeeze, unsqueeze
from engine.ops.observe import tell
from engine.ops.permuting import matrix_t, transpose
from engine.ops.record import Op, function
from engine.ops.rules import rule_for
from engine.tensor import Tensor


def reshape_in_place(
    target: Tensor, op: Op, attributes: tuple[Any, ...], name: str, private: bool = False
) -> Tensor:
    """Give a tensor the shape that a view operation would give, and the node `name`.

    A `private` tensor is one the program never had: an observer is told of a result of its own.
    """
    views.check_followed(target, grad_mode.enabled and target.requires_grad)
    values = applying.prepare(op, [target, *attributes])
    before = events.facts_of(target) if events.observer is not None else None
    node = None
    recorded = grad_mode.enabled and nodes.any_needs(op, values)
    shared = target._shared()
    array = op.forward(np.asarray(target._array), *values[1:])
    if recorded:
        node = nodes.new_node(op, values, [array], [])
        node.run = rule_for(op, name, (op.tensors[0].name,)).run
        target._fn = node
    target._array = array
    target.shape = Size(array.shape)
    shared.wrote()
    views.noticed(target, target if recorded else None)
    if before is not None:
        if private:
            events.renew(target)
        tell(op, values, [target], node, before, in_place=not private)
    return target


def squeeze_result(result: Tensor, dim: int) -> Tensor:
    """Drop a dim that only a computation needed, as PyTorch does: in place."""
    return reshape_in_place(result, squeeze, (dim,), "SqueezeBackward4", private=True)


@function("Tensor.squeeze_")
def squeeze_in_place(input: Tensor, dim: Any = None) -> Tensor:
    """Drop dims of size 1 of the tensor itself."""
    kind = 3 if dim is None else 4 if isinstance(dim, int) else 5
    return reshape_in_place(input, squeeze, (dim,), f"SqueezeBackward{kind}")


@function("Tensor.unsqueeze_")
def unsqueeze_in_place(input: Tensor, dim: int) -> Tensor:
    """Insert a dim of size 1 into the tensor itself."""
    return reshape_in_place(input, unsqueeze, (dim,), "UnsqueezeBackward1")


@function("Tensor.transpose_", "Tensor.swapaxes_", "Tensor.swapdims_")
def transpose_in_place(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Swap two dims of the tensor itself."""
    return reshape_in_place(input, transpose, (dim0, dim1), "TransposeBackward1")


@function("Tensor.t_")
def t_in_place(input: Tensor) -> Tensor:
    """Transpose the matrix itself."""
    if input.ndim > 2:
        views.check_write(input, grad_mode.enabled and input.requires_grad)
        raise fail(
            "t-of-many-dims",
            f"t_() expects a tensor with <= 2 dimensions, but self is {input.ndim}D",
            ndim=input.ndim,
        )
    return reshape_in_place(input, matrix_t, (), "TBackward1")
