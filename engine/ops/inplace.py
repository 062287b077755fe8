"""The in-place form of an op: what may be written to, the write, and the history after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine import dtypes, events, grad_mode
from engine.errors import fail
from engine.graph import LEAF
from engine.ops import apply as applying
from engine.tensor import Tensor

if TYPE_CHECKING:
    from engine.ops.record import Op


def apply_in_place(op: Op, values: list[Any]) -> Tensor:
    """Compute an op and write the result into its first argument."""
    values = applying.prepare(op, values)
    target: Tensor = values[0]
    recorded = grad_mode.enabled and op.grad_fn is not None and applying.any_needs(op, values)
    check_target(target, recorded)
    arrays = applying.arrays_for(op, values)
    got = op.compute(arrays)
    hidden: list[Any] = []
    if op.hidden:
        got, *hidden = got
    check_result(target, got)
    node = None
    if recorded:
        before = [_clone(target), *values[1:]] if _saves_input(op) else values
        before = [before[0] if v is target else v for v in before]
    write(target, got)
    if recorded:
        node = applying.new_node(op, before, [target._array], hidden)
        rebase(target, node)
    if events.observer is not None:
        from engine.ops.observe import tell

        tell(op, values, [target], node, True)
    return target


def _saves_input(op: Op) -> bool:
    first = op.params[0].name
    return any(first in v.names for v in op.vjps.values())


def _clone(target: Tensor) -> Tensor:
    """Keep what the tensor was before the write, for rules that use it."""
    old = applying.wrap(np.array(target._array))
    old._fn = target._fn
    if target._fn is LEAF:
        old._fn = target._fn
    return old


def check_target(target: Tensor, recorded: bool) -> None:
    """Refuse to write where autograd could not follow."""
    if target._fn is LEAF and grad_mode.enabled:
        raise fail(
            "leaf-in-place",
            "a leaf Variable that requires grad is being used in an in-place operation.",
            tensor=events.identify(target) if events.observer is not None else None,
        )


def check_result(target: Tensor, result: Any) -> None:
    """Refuse a result that does not fit the tensor's shape or type."""
    if result.shape != target.shape:
        raise fail(
            "in-place-shape",
            f"output with shape {list(target.shape)} doesn't match the broadcast shape"
            f" {list(result.shape)}",
        )
    kind = dtypes.BY_NUMPY[result.dtype]
    if not dtypes.can_cast(kind, target.dtype):
        names = dtypes.LEGACY_NAMES
        raise fail(
            "in-place-dtype",
            f"result type {names[kind]} can't be cast to the desired output type"
            f" {names[target.dtype]}",
        )


def write(target: Tensor, result: Any) -> None:
    """Put the result into the tensor's memory and count the write."""
    shared = target._shared()
    target._array[...] = result
    shared.wrote()


def rebase(target: Tensor, node: Any) -> None:
    """Make the node of the write the origin of the tensor."""
    target._fn = node
    node.more().storage = target._shared()
