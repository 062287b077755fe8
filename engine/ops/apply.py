"""Applying an op to tensors: arguments, promotion, forward, and recording."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine import dtypes, events, grad_mode
from engine.dtypes import BY_NUMPY, Size, sized
from engine.errors import fail
from engine.ops.nodes import any_needs, record, tensors_of
from engine.tensor import Tensor, new
from engine.views import wrap_view

if TYPE_CHECKING:
    from engine.ops.record import Op


# What PyTorch lets begin with a number: torch.mul(3, x).
NUMBER_FIRST = frozenset(["add", "sub", "mul", "div", "true_divide", "floor_divide", "remainder"])


def prepare(op: Op, values: list[Any], method: bool = False) -> list[Any]:
    """Check the arguments, and let the op's own preparation replace some."""
    check_tensors(op, op.name, values, method)
    return prepared(op, values)


def check_tensors(op: Op, name: str, values: list[Any], method: bool) -> None:
    """Refuse what is no tensor where one is due."""
    for i, p in enumerate(op.params):
        if p.is_tensor:
            check_tensor(op, name, p, values[i], i, method)


def prepared(op: Op, values: list[Any]) -> list[Any]:
    """Return the arguments as the op's own preparation leaves them."""
    if op.preparer is not None:
        names = [p.name for p in op.params]
        changed = op.preparer(**dict(zip(names, values, strict=True)))
        if changed:
            values = [changed.get(n, v) for n, v in zip(names, values, strict=True)]
    return values


def check_tensor(op: Op, name: str, p: Any, value: Any, position: int, method: bool) -> None:
    """Refuse what is no tensor where one is due."""
    if isinstance(value, Tensor) and p.kind != "list":
        return
    if p.kind == "optional" and value is None:
        return
    if p.kind == "list" and isinstance(value, (list, tuple)):
        for i, v in enumerate(value):
            if not isinstance(v, Tensor):
                raise TypeError(
                    f"expected Tensor as element {i} in argument {position}, but got"
                    f" {type(v).__name__}"
                )
        return
    if isinstance(value, (int, float)) and (
        p.name in op.numbers or (op.promote is not None and (position or op.name in NUMBER_FIRST))
    ):
        return
    kind = "tuple of Tensors" if p.kind == "list" else "Tensor"
    raise TypeError(
        f"{name}(): argument '{p.name}' (position {position + 1 - method}) must be {kind}, not"
        f" {type(value).__name__}"
    )


def compute(op: Op, values: list[Any]) -> Any:
    """Run forward on the arrays of the arguments."""
    try:
        return op.compute(arrays_for(op, values))
    except ValueError:
        if op.promote is not None:
            check_broadcast([v.shape for v in tensors_of(op, values) if isinstance(v, Tensor)])
        raise


def check_broadcast(shapes: list[Size]) -> None:
    """Refuse shapes that do not broadcast, as PyTorch says it."""
    a = shapes[0]
    for b in shapes[1:]:
        n = max(len(a), len(b))
        left, right = (1,) * (n - len(a)) + tuple(a), (1,) * (n - len(b)) + tuple(b)
        for at in range(n - 1, -1, -1):
            if left[at] != right[at] and 1 not in (left[at], right[at]):
                raise fail(
                    "shapes-do-not-broadcast",
                    f"The size of tensor a ({left[at]}) must match the size of tensor b"
                    f" ({right[at]}) at non-singleton dimension {at}",
                    a=list(a),
                    b=list(b),
                    dim=at,
                )
        a = Size(y if x == 1 else x for x, y in zip(left, right, strict=True))


def arrays_for(op: Op, values: list[Any]) -> list[Any]:
    """Return forward's arguments: arrays for tensors, in one type where the op promotes."""
    if op.promote is None:
        return [_raw(v) if p.is_tensor else v for p, v in zip(op.params, values, strict=True)]
    operands = [v for p, v in zip(op.params, values, strict=True) if p.is_tensor and v is not None]
    kind = dtypes.result_type(operands)
    if op.promote == "float" and not kind.is_floating_point:
        kind = dtypes.default
    return [
        _cast(v, kind) if p.is_tensor and v is not None else v
        for p, v in zip(op.params, values, strict=True)
    ]


def _raw(v: Any) -> Any:
    if isinstance(v, Tensor):
        return v._array
    if isinstance(v, (list, tuple)):
        return [_raw(x) for x in v]
    return v


def _cast(v: Any, kind: dtypes.dtype) -> Any:
    if isinstance(v, Tensor):
        return v._array if v.dtype is kind else v._array.astype(kind.np)
    return constant(v, kind)


def constant(value: Any, kind: dtypes.dtype) -> Any:
    """Return a Python number as a numpy scalar of a type; integers wrap around as PyTorch's."""
    if kind.category == 1 and isinstance(value, int):
        return np.array(value, np.int64).astype(kind.np)[()]
    return kind.np.type(value)


def wrap(array: Any) -> Tensor:
    """Make the tensor of a result."""
    t: Tensor = new(Tensor)
    if array.__class__ is np.ndarray and array.ndim == 0:
        array = array[()]
    t._array = array
    t.shape = sized(array.shape)
    t.dtype = BY_NUMPY[array.dtype]
    t._fn = None
    t._meta = None
    return t


def apply(op: Op, values: list[Any], method: bool = False) -> Any:
    """Run an op on tensors and record it where that is wanted."""
    values = prepare(op, values, method)
    if op.view:  # a number becomes memory first, for something to look at
        next(v for p, v in zip(op.params, values, strict=True) if p.is_tensor)._shared()
    got = compute(op, values)
    several = isinstance(got, (tuple, list))
    arrays = list(got) if several else [got]
    hidden = [arrays.pop() for _ in op.hidden][::-1]
    if op.view:
        base: Tensor = next(v for p, v in zip(op.params, values, strict=True) if p.is_tensor)
        outputs = [wrap_view(a, base, op) for a in arrays]
    else:
        outputs = [wrap(a) for a in arrays]
    node = None
    if op.grad_fn is not None and grad_mode.enabled and any_needs(op, values):
        node = record(op, values, outputs, hidden)
    if grad_mode.inference:
        for t in outputs if not op.view else ():  # a view is what its source is
            t._more().inference = True
    if events.observer is not None:
        from engine.ops.observe import tell

        tell(op, values, outputs, node)
    if not several or (len(outputs) == 1 and op.hidden):
        return outputs[0]
    if op.returns is not None:
        from engine.ops.returns import named

        return named(op.returns, op.outputs)(*outputs)
    return tuple(outputs)
