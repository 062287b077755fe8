"""Specialised forms of the other ops: a fixed number of tensors, any attributes, any shapes.

What apply.py finds out on each call is settled here once, from the declaration: where each argument
goes, what forward takes, which rule serves which inputs. Whatever is unusual (numbers for tensors,
types that differ, several outputs) goes the general way.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import events, grad_mode, storage
from engine.dtypes import BY_NUMPY, SIZES, float32, sized
from engine.graph import LEAF, Node
from engine.ops import bare
from engine.ops.expressions import parameters_of, source_of
from engine.ops.fast import MISSING, leave_out
from engine.ops.nodes import REFUSES_INTEGERS
from engine.ops.plain_arguments import aliases, positional, signature, spelt_with, unless_none
from engine.ops.recording import RESULT, chooser, recording, written_out
from engine.ops.rules import layout
from engine.ops.signature import REQUIRED
from engine.tensor import Tensor, new
from engine.views import wrap_view

if TYPE_CHECKING:
    from engine.ops.record import Op

HEAD = """\
def {name}({signature}):
    if events.careful or rest or unknown or out is not None{missing}:
        return general({arguments}, *spelt({attributes}, rest){named}, out=out{aliases}, **unknown)
"""

PAIR_HEAD = """\
def {name}({arguments}):
    if events.careful:
        return general({arguments})
"""

BODY = """\
    try:
{arrays}{inference}
    except AttributeError:
        return general({call})
{promotion}{prepare}
    try:
        {results} = {forward}
    except ValueError:  # shapes that do not fit: the general way says so as PyTorch does
        return general({call})
"""

INFERENCE = """
        if {tests}:
            return general({call})"""

PROMOTION = """\
    if not kind.is_floating_point{differ}:
        return general({call})
"""

PREPARE = """\
    try:
        changed = {preparation}
    except TypeError:  # the general way says it as PyTorch does
        return general({call})
    if changed:
{take}
{arrays}
"""

VIEW = """\
    t = wrap_view(result, {first}, op)
"""

NOTHING = """\
    t._fn = None
    return t
"""


def fits(op: Op) -> bool:
    """Whether the op has a specialised form of this kind."""
    return (
        bool(op.tensors)
        and all(p.kind in ("array", "optional") for p in op.tensors)
        and op.tensors[0].kind == "array"
        and len(op.tensors) <= 4
        and op.outputs == ("result",)
        and op.returns is None
        and not op.multi_view
        and op.name not in REFUSES_INTEGERS
        and not any(p.variadic or p.name == "out" for p in op.params)
        and [p.name for p in op.params[: len(op.tensors)]] == [p.name for p in op.tensors]
    )


def source_for(op: Op, scope: dict[str, Any], head: str) -> str:
    """Return the source of an op's specialised form."""
    inputs = [p.name for p in op.tensors]
    passed = handed_on(op, scope)
    call = passed["call"]
    arrays = reading(op)
    promotion = ""
    if op.promote is not None:
        differ = (unless_none(op, n, f"{n}.dtype is not kind", "False") for n in inputs[1:])
        promotion = PROMOTION.format(differ="".join(f" or {d}" for d in differ), call=call)
    text = (head + BODY).format(
        name=op.name,
        signature=signature(op),
        missing=missing(op),
        arrays=arrays if op.promote is None else f"{arrays}\n        kind = {inputs[0]}.dtype",
        inference=inference(op, inputs, call),
        promotion=promotion,
        prepare="" if op.preparer is None else preparing(op, scope, call),
        results=", ".join((op.outputs[0], *op.hidden)),
        forward=computing(op, scope),
        **passed,
    )
    text += VIEW.format(first=inputs[0]) if op.view else RESULT
    return text + (NOTHING if op.grad_fn is None else recording(op, inputs, scope, call))


def handed_on(op: Op, scope: dict[str, Any]) -> dict[str, str]:
    """Return how a call is handed on as it was: its pieces, and as a whole."""
    inputs = [p.name for p in op.tensors]
    loose = positional(op)
    scope["spelt"] = spelt_with(
        tuple(MISSING if p.default is REQUIRED else p.default for p in loose)
    )
    attributes = f"({''.join(f'{p.name}, ' for p in loose)})"
    rest = [p.name for p in op.params[len(inputs) :] if p not in loose]
    named = "".join(f", {n}={n}" for n in rest)
    return {
        "arguments": ", ".join(inputs),
        "attributes": attributes,
        "named": named,
        "aliases": "".join(f", {alias}={alias}" for alias in aliases(op)),
        "call": f"{', '.join(inputs)}, *spelt({attributes}){named}",
    }


def missing(op: Op) -> str:
    """Return the tests for what has to be given, or was given by another name."""
    required = (p.name for p in op.params if not p.is_tensor and p.default is REQUIRED)
    tests = [f" or {n} is MISSING" for n in required]
    return "".join(tests + [f" or {alias} is not MISSING" for alias in aliases(op)])


def reading(op: Op) -> str:
    """Return the lines that fetch the inputs' arrays."""
    names = [p.name for p in op.tensors]
    lines = [f"{n}_array = " + unless_none(op, n, f"{n}._array") for n in names]
    if op.view:  # a number becomes memory first, for something to look at
        x = names[0]
        memory = f"{x}_array = {x}._shared() and {x}._array"
        lines.append(f"if {x}_array.__class__ is not ndarray: {memory}")
    return "\n".join(" " * 8 + line for line in lines)


def preparing(op: Op, scope: dict[str, Any], call: str) -> str:
    """Return the lines that run the op's preparation and take what it changed."""
    take = (f"        {p.name} = changed.get({p.name!r}, {p.name})" for p in op.params)
    return PREPARE.format(
        call=call,
        preparation=preparation(op, [p.name for p in op.tensors], scope),
        take="\n".join(take),
        arrays=reading(op),
    )


def computing(op: Op, scope: dict[str, Any]) -> str:
    """Return the op's forward on the arrays."""
    attributes = [p for p in op.params if not p.is_tensor]
    given = [f"{p.name}_array" for p in op.tensors]
    given += [p.name for p in attributes if not p.keyword_only]
    alone = tuple(p.name for p in attributes if p.keyword_only)
    return source_of(op.forward, given, scope, keywords=alone)


def inference(op: Op, inputs: list[str], call: str) -> str:
    """Return the lines that leave inference tensors to the general way, where none else do."""
    if not op.view and (op.grad_fn is None or written_out(op)):
        return ""
    found = (f"({n}._meta is not None and {n}._meta.inference)" for n in inputs)
    tests = " or ".join(unless_none(op, n, t, "False") for n, t in zip(inputs, found, strict=True))
    return INFERENCE.format(tests=tests, call=call)


def preparation(op: Op, inputs: list[str], scope: dict[str, Any]) -> str:
    """Return the op's preparation, without the look at kernels where all have one."""
    names = [p.name for p in op.params]

    def prepared(function: Callable[..., Any]) -> str:
        if [p.name for p in parameters_of(function)] == names:
            return source_of(function, names, scope)
        return source_of(function, [], scope, keywords=tuple(names))

    preparer: Any = op.preparer
    if not hasattr(preparer, "then"):
        return prepared(preparer)
    common = " and ".join(unless_none(op, n, f"{n}.dtype is float32", "True") for n in inputs)
    then = "None" if preparer.then is None else f"({prepared(preparer.then)})"
    return f"{then} if {common} else {prepared(preparer)}"


def build(op: Op, generals: dict[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """Make the specialised forms of an op: one for each general way, which does the rest."""
    if not fits(op):
        return {}
    scope: dict[str, Any] = {
        "Node": Node, "Tensor": Tensor, "LEAF": LEAF, "new": new, "ndarray":
        np.ndarray,
        "events": events, "clock": storage.clock, "grad_mode": grad_mode, "SIZES": SIZES, "sized":
        sized,
        "BY_NUMPY": BY_NUMPY, "wrap_view": wrap_view, "op": op,
        "MISSING": MISSING, "float32": float32, "SINGLE": float32.np, "layout": layout, "rules": {},
    }  # fmt: skip
    if op.grad_fn is not None:
        scope["choose"] = chooser(op, scope["rules"])
    for p in op.params:
        required = p.default is inspect.Parameter.empty
        scope[f"{p.name}_default"] = MISSING if required else p.default
    heads = dict.fromkeys(generals, HEAD)
    if len(op.params) == 2 == len(op.tensors):  # an operator gets these two alone
        heads["operator"] = PAIR_HEAD
    code = {
        head: compile(source_for(op, scope, head), f"<plain form of {op.name}>", "exec")
        for head in set(heads.values())
    }
    made = {}
    for kind, general in generals.items():
        own = {**scope, "general": leave_out(general, {p.name: p.default for p in op.params})}
        exec(code[heads[kind]], own)
        made[kind] = own[op.name]
        made[kind].__doc__ = op.forward.__doc__
        made[kind].__signature__ = inspect.signature(op.forward)
    if bare.fits(op):
        for kind in made.keys() & {"function", "method"}:
            made[kind] = bare.build(op, made[kind], scope)
    return made
