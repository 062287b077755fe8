"""The in-place form of an op: what may be written to, the write, and the history after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine import dtypes, events, grad_mode, views
from engine.errors import fail
from engine.graph import LEAF
from engine.ops import apply as applying
from engine.ops import nodes
from engine.tensor import Tensor

if TYPE_CHECKING:
    from engine.ops.record import Op


def apply_in_place(op: Op, values: list[Any], method: bool = True) -> Tensor:
    """Compute an op and write the result into its first argument."""
    applying.check_tensors(op, op.name + "_", values, method)
    target: Tensor = values[0]
    recorded = grad_mode.enabled and nodes.any_needs(op, values)
    views.check_write(target, recorded, op.name)
    if op.name == "addmm":
        check_product(target, values)
    if op.promote is not None:
        check_room(target, values)
    late = op.name in SIZES_FIRST
    others = nodes.tensors_of(op, values)[1:]
    if not late:
        check_shared(op, target, others)
    values = applying.prepared(op, values)
    if late:
        check_shared(op, target, others)
    got = applying.compute(op, values)
    hidden: list[Any] = []
    if op.hidden:
        got, *hidden = got
    check_result(target, got, CPP_NAMES if op.name.startswith("clamp") else dtypes.LEGACY_NAMES)
    before = events.facts_of(target) if events.observer is not None else None
    recorded = recorded and op.grad_fn is not None
    recorded = recorded and (target.dtype.is_floating_point or op.name in INTO_ANY)
    if recorded and _saves_input(op):
        old = _clone(target)
        values = [old if v is target else v for v in values]
    write(target, got)
    node = None
    if recorded:
        inner = nodes.new_node(op, values, [target._array], hidden)
        node, refreshed = views.rebase(target, inner)
    else:
        refreshed = views.noticed(target)
    if before is not None:
        from engine.ops.observe import tell, tell_view_again

        tell(op, values, [target], node, before)
        for view in refreshed:
            tell_view_again(view)
    return target


# Ops that write a value of their own type: PyTorch records them whatever the target's type is.
INTO_ANY = frozenset(["fill", "masked_fill_tensor", "index_fill_tensor"])

# Ops that read another tensor out of order, so that it may share no memory at all with the target.
ALONE = frozenset(
    [
        "scatter",
        "scatter_add",
        "scatter_by",
        "scatter_reduce",
        "index_add",
        "index_copy",
        "index_put",
        "masked_scatter",
    ]
)

SIZES_FIRST = frozenset(["index_add", "scatter_add", "scatter"])


def check_shared(op: Op, target: Tensor, others: list[Any]) -> None:
    """Refuse to read from memory that is written, except element by element in the same place."""
    if op.name == "fill":  # it reads its one number first
        return
    if target._meta is None or target._meta.storage is None:
        shared = [v for v in others if v is target]
    else:
        storage = target._meta.storage
        shared = [
            v
            for v in others
            if isinstance(v, Tensor) and v._meta is not None and v._meta.storage is storage
        ]
    for v in shared:
        overlap = views.overlap(target._array, v._array)
        if overlap == "partial" or (overlap == "full" and op.name in ALONE):
            raise fail(
                "write-to-read",
                "unsupported operation: some elements of the input tensor and the written-to tensor"
                " refer to a single memory location. Please clone() the tensor before performing"
                " the"
                " operation.",
            )


def check_room(target: Tensor, values: list[Any]) -> None:
    """Refuse operands that broadcast to more than the target, before their values are looked at."""
    shapes = [v.shape for v in values if isinstance(v, Tensor)]
    if all(shape == target.shape for shape in shapes):
        return
    applying.check_broadcast(shapes)
    shape = np.broadcast_shapes(*map(tuple, shapes))
    if shape != tuple(target.shape):
        raise wrong_shape(target, shape)


def wrong_shape(target: Tensor, shape: Any) -> Exception:
    """Make the error about a result that does not fit the tensor's shape."""
    return fail(
        "in-place-shape",
        f"output with shape {list(target.shape)} doesn't match the broadcast shape {list(shape)}",
        shape=list(target.shape),
        result=list(shape),
    )


def _saves_input(op: Op) -> bool:
    first = op.params[0].name
    return any(first in v.names for v in op.vjps.values())


def _clone(target: Tensor) -> Tensor:
    """Keep what the tensor was before the write, for rules that use it."""
    old = applying.wrap(np.array(target._array))
    old._fn = target._fn
    return old


def check_product(target: Tensor, values: list[Any]) -> None:
    """Refuse to add a product of another size, which `addmm` would broadcast to."""
    left, right = values[1].shape, values[2].shape
    if len(left) == 2 == len(right) and left[1] == right[0]:
        size = [left[0], right[1]]
        if list(target.shape) != size and target.dtype is values[1].dtype is values[2].dtype:
            raise fail(
                "in-place-shape",
                f"Bad in-place call: input tensor size {list(target.shape)} and output tensor size"
                f" {size} should match",
                shape=list(target.shape),
                result=size,
            )


# What clamp_ says a type is called.
CPP_NAMES = {**dtypes.SCALAR_NAMES, dtypes.int64: "long int", dtypes.int16: "short int"}


def check_result(
    target: Tensor, result: Any, names: dict[dtypes.dtype, str] = dtypes.LEGACY_NAMES
) -> None:
    """Refuse a result that does not fit the tensor's shape or type."""
    if result.shape != target.shape:
        raise wrong_shape(target, result.shape)
    check_cast(dtypes.BY_NUMPY[result.dtype], target.dtype, names)


def check_cast(
    result: dtypes.dtype,
    target: dtypes.dtype,
    names: dict[dtypes.dtype, str] = dtypes.LEGACY_NAMES,
) -> None:
    """Refuse to write results of a type to a tensor whose type is of a weaker kind."""
    if not dtypes.can_cast(result, target):
        raise fail(
            "in-place-dtype",
            f"result type {dtypes.LEGACY_NAMES[result]} can't be cast to the desired output type"
            f" {names[target]}",
            dtype=target.name,
            result=result.name,
        )


def write(target: Tensor, result: Any) -> None:
    """Put the result into the tensor's memory and count the write."""
    shared = target._shared()
    array = target._array
    if 0 in array.strides and views.overlaps(array):  # the last to write is not always the one
        np.copyto(array, result, where=np.not_equal(array, result))
    else:
        array[...] = result
    views.check_written(target)
    shared.wrote()


def tell_copied(target: Tensor, source: Tensor, before: events.TensorFacts) -> None:
    """Tell the observer that a tensor has another's values, though no op wrote them."""
    from engine.ops.copies import copy
    from engine.ops.observe import tell

    tell(copy, [target, source, False], [target], None, before)


def add_quietly(target: Tensor, array: Any) -> None:
    """Add an array to a tensor in place without recording: how `.grad` accumulates."""
    shared = target._shared()
    target._array += array
    shared.wrote()


def fill_from(target: Tensor, array: Any, name: str) -> Tensor:
    """Overwrite a tensor with an array, as the random fills do; checked, counted and told.

    `name` is the public spelling, such as "normal_".
    """
    recorded = grad_mode.enabled and target._fn is not None
    views.check_write(target, recorded)
    check_result(target, array)
    write(target, array)
    views.noticed(target)
    if recorded and target._fn is not LEAF:
        from engine.ops.copies import zero

        node = nodes.new_node(zero, [target], [target._array], [])
        views.rebase(target, node)
    if events.observer is not None:
        from engine.ops.observe import tell_fill

        tell_fill(target, name)
    return target
