"""Specialised forms for calls with one floating tensor and nothing else: `x.mean()`, `x.norm()`.

What the attributes decide is decided when the form is made. Any other call goes to the form it
stands in front of (plain.py).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.ops.expressions import parameters_of, source_of
from engine.ops.recording import RESULT, named_by, recording
from engine.tensor import make

if TYPE_CHECKING:
    from engine.ops.record import Op

FORM = """\
def {name}({x}=MISSING, *rest, **given):
    if rest or given or events.careful:
        return general({x}, *rest, **given)
    try:
        {x}_array = {x}._array
        if not {x}.dtype.is_floating_point{changed}:
            return general({x})
        result = {forward}
    except (AttributeError, TypeError, ValueError):  # the general way says it as PyTorch does
        return general({x})
"""


def fits(op: Op) -> bool:
    """Whether an op that has a plain form has one of this kind too."""
    [x, *attributes] = op.params
    return (
        len(op.tensors) == 1
        and bool(attributes)
        and all(isinstance(p.default, (bool, int, float, str, type(None))) for p in attributes)
        and not (op.view or op.hidden)
        and (op.grad_fn is None or (x.name in op.vjps and x.name not in named_by(op)))
        and not changed_by(op)
    )


def defaults(op: Op) -> dict[str, Any]:
    """Return the attributes as they are when none is given."""
    return {p.name: p.default for p in op.params[1:]}


def changed_by(op: Op) -> bool:
    """Whether the op's preparation has something to do for a common tensor."""
    if op.preparer is None:
        return False
    try:
        return bool(
            op.preparer(**{op.params[0].name: make(np.ones(2, np.float32))}, **defaults(op))
        )
    except (TypeError, RuntimeError):
        return True


def preparation(op: Op, scope: dict[str, Any]) -> str:
    """Return a condition for when the op's preparation has something to do."""
    function: Any = op.preparer
    if function is None:
        return ""
    x = op.params[0].name
    test = ""
    if hasattr(function, "then"):  # the look at kernels has nothing to say about float32
        test, function = f" or {x}.dtype is not float32", function.then
    if function is None:
        return test
    names = [p.name for p in op.params]
    if [p.name for p in parameters_of(function)] == names:
        values = [x, *map(repr, defaults(op).values())]
        return f"{test} or ({source_of(function, values, scope)})"
    return f"{test} or ({source_of(function, [], scope, keywords=tuple(names))})"


def build(op: Op, general: Callable[..., Any], scope: dict[str, Any]) -> Callable[..., Any]:
    """Make the form, given what it stands in front of and what plain forms find in their scope."""
    x = op.params[0].name
    attributes = defaults(op)
    own = {**scope, **attributes, "general": general}
    form = FORM.format(
        name=op.name, x=x, changed=preparation(op, own),
        forward=source_of(op.forward, [f"{x}_array"], own),
    )  # fmt: skip
    form += RESULT
    if op.grad_fn is None:
        form += "    t._fn = None\n    return t\n"
    else:
        name = op.grad_fn if isinstance(op.grad_fn, str) else op.grad_fn(**{x: None}, **attributes)
        form += recording(op, [x], own, x, name=name, floating=True)
    exec(compile(form, f"<bare form of {op.name}>", "exec"), own)
    made: Callable[..., Any] = own[op.name]
    made.__doc__ = op.forward.__doc__
    made.__signature__ = inspect.signature(op.forward)  # type: ignore[attr-defined]
    return made
