"""Specialised in-place forms: the writes of optimizers and accumulators, which nobody records.

Only an array that the tensor has to itself is written here, and only while the write needs no node;
everything else goes the general way (inplace.py).
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import events, grad_mode
from engine.ops.expressions import source_of
from engine.ops.fast import MISSING, fits, leave_out, number, takes_numbers

if TYPE_CHECKING:
    from engine.ops.record import Op

FORM = """\
def {name}_({x}=MISSING, {second}*rest{signature}):
    if events.careful or rest{changed}:
        return general({arguments}, *rest{keywords})
    try:
        a = {x}._array
        kind = {x}.dtype
        meta = {x}._meta or {x}._more()
        shared = meta.storage or {x}._shared()
        if (not kind.is_floating_point or a.__class__ is not ndarray or a.base is not None
                or shared.views or meta.inference
                or (grad_mode.enabled and {x}._fn is not None)):
            return general({arguments})
{operand}
    except AttributeError:
        return general({arguments})
    {write}
    shared.wrote()
    return {x}
"""

OPERAND = """\
        given = {y}.__class__
        if given is float or given is int:
            if not takes_numbers:
                return general({arguments})
            b = kind.arrays.get({y})
            if b is None:
                b = number({y}, kind, True)
        else:
            if ({y}.dtype is not kind or {y}.shape != {x}.shape
                    or (grad_mode.enabled and {y}._fn is not None)):
                return general({arguments})
            b = {y}._array
"""

ASSIGNED = {ast.Add: "+=", ast.Sub: "-=", ast.Mult: "*=", ast.Div: "/="}


def write_source(compute: str) -> str:
    """Return the statement that writes an expression into `a`: `a += b` where that says it."""
    parsed = ast.parse(compute, mode="eval").body
    if isinstance(parsed, ast.BinOp) and type(parsed.op) in ASSIGNED:
        left, right = ast.unparse(parsed.left), ast.unparse(parsed.right)
        if left == "a" and right in ("a", "b"):
            return f"a {ASSIGNED[type(parsed.op)]} {right}"
    return f"a[...] = {compute}"


def build(op: Op, general: Callable[..., Any]) -> Callable[..., Any] | None:
    """Make the specialised in-place form of an op; None when it can have none."""
    if not fits(op) or op.grad_fn is None:
        return None
    inputs = [p.name for p in op.tensors]
    rest = op.params[len(inputs) :]
    scope: dict[str, Any] = {
        "events": events, "grad_mode": grad_mode, "ndarray": np.ndarray, "number": number,
        "takes_numbers": takes_numbers(op),
        "MISSING": MISSING, "general": leave_out(general, {p.name: p.default for p in op.params}),
    }  # fmt: skip
    for p in rest:
        scope[f"{p.name}_default"] = p.default
    compute = source_of(op.forward, ["a", "b"][: len(inputs)], scope)
    pieces = {
        "x": inputs[0],
        "y": inputs[-1],
        "arguments": ", ".join(inputs),
    }
    source = FORM.format(
        name=op.name,
        second="" if len(inputs) == 1 else f"{inputs[1]}=MISSING, ",
        signature="".join(f", {p.name}={p.name}_default" for p in rest),
        changed="".join(f" or {p.name} is not {p.name}_default" for p in rest),
        keywords="".join(f", {p.name}={p.name}" for p in rest),
        operand=OPERAND.format(**pieces) if len(inputs) == 2 else "",
        write=write_source(compute),
        **pieces,
    )
    exec(compile(source, f"<in-place form of {op.name}>", "exec"), scope)
    made: Callable[..., Any] = scope[f"{op.name}_"]
    made.__doc__ = f"Do what `{op.name}` does, in place."
    made.__signature__ = inspect.signature(op.forward)  # type: ignore[attr-defined]
    return made
