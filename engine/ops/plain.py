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
from engine.dtypes import BY_NUMPY, SIZES, sized
from engine.graph import LEAF, MANY, Node
from engine.ops.fast import MISSING, leave_out
from engine.ops.rules import Rule, rule_for
from engine.tensor import Tensor, new
from engine.views import wrap_view

if TYPE_CHECKING:
    from engine.ops.record import Op

HEAD = """\
def {name}({signature}):
    if events.careful or rest:
        return general({arguments}, *rest{keywords})
    try:
{arrays}
    except AttributeError:
        return general({arguments}{keywords})
{promotion}{prepare}
    try:
        {results} = forward({forward})
    except ValueError:  # shapes that do not fit: the general way says so as PyTorch does
        return general({arguments}{keywords})
"""

PROMOTION = """\
    if kind.numbers is None{differ}:
        return general({arguments}{keywords})
"""

PREPARE = """\
    changed = prepare({by_name})
    if changed:
{take}
{arrays}
"""

RESULT = """\
    t = new(Tensor)
    if array.__class__ is ndarray and not array.ndim:
        array = array[()]
    t._array = array
    shape = array.shape
    t.shape = SIZES.get(shape) or sized(shape)
    t.dtype = BY_NUMPY[array.dtype]
    t._meta = None
"""

VIEW = """\
    t = wrap_view(array, {first}, op)
"""

NOTHING = """\
    t._fn = None
    return t
"""

RECORD = """\
{edges}
    if not grad_mode.enabled or ({no_edges}) or not t.dtype.is_floating_point:
        t._fn = None
        return t
    rule = {rule}
    node = t._fn = Node()
    storage.clock = node.rank = storage.clock - 1
    node.run = rule.run
    node.edge = ({edge_values},)
    node.edge2 = MANY
    node.targets = ({targets},)
    node.saved2 = node.extra = None
    rule.keep(node, {everything})
    return t
"""


def fits(op: Op) -> bool:
    """Whether the op has a specialised form of this kind."""
    return (
        all(p.kind == "array" for p in op.tensors)
        and 0 < len(op.tensors) <= 4
        and op.outputs == ("result",)
        and op.returns is None
        and not op.multi_view
        and not any(p.variadic for p in op.params)
        and [p.name for p in op.params[: len(op.tensors)]] == [p.name for p in op.tensors]
    )


def chooser(op: Op) -> Callable[..., Rule]:
    """Return a function from which inputs are wanted, and the arguments, to the rule."""
    names = [p.name for p in op.tensors]
    known: dict[Any, Rule] = {}
    grad_fn = op.grad_fn

    def fixed(wanted: tuple[bool, ...], *values: Any) -> Rule:
        rule = known.get(wanted)
        if rule is None:
            chosen = tuple(n for n, w in zip(names, wanted, strict=True) if w)
            rule = known[wanted] = rule_for(op, grad_fn, chosen)  # type: ignore[arg-type]
        return rule

    def named(wanted: tuple[bool, ...], *values: Any) -> Rule:
        by_name = dict(zip((p.name for p in op.params), values, strict=True))
        name = grad_fn(**by_name)  # type: ignore[operator, misc]
        rule = known.get((name, wanted))
        if rule is None:
            chosen = tuple(n for n, w in zip(names, wanted, strict=True) if w)
            rule = known[name, wanted] = rule_for(op, name, chosen)
        return rule

    return fixed if isinstance(grad_fn, str) else named


def source_for(op: Op) -> str:
    """Return the source of an op's specialised form."""
    inputs = [p.name for p in op.tensors]
    attributes = op.params[len(inputs) :]
    arrays = [f"{n}_array = {n}._array" for n in inputs]
    if op.view:  # a number becomes memory first, for something to look at
        memory = f"{inputs[0]}_array = {inputs[0]}._shared() and {inputs[0]}._array"
        arrays.append(f"if {inputs[0]}_array.__class__ is not ndarray: {memory}")
    keywords = "".join(f", {p.name}={p.name}" for p in attributes)
    spaces = " " * 8
    take = [f"{p.name} = changed.get({p.name!r}, {p.name})" for p in op.params]
    prepare = ""
    if op.preparer is not None:
        prepare = PREPARE.format(
            by_name=", ".join(f"{p.name}={p.name}" for p in op.params),
            take="\n".join(spaces + line for line in take),
            arrays="\n".join(spaces + line for line in arrays),
        )
    given = [f"{n}_array" for n in inputs]
    given += [f"{p.name}={p.name}" if p.keyword_only else p.name for p in attributes]
    differ = "".join(f" or {n}.dtype is not kind" for n in inputs[1:])
    promotion = ""
    if op.promote is not None:
        promotion = PROMOTION.format(
            differ=differ, arguments=", ".join(inputs), keywords=keywords
        )
        arrays = [*arrays, f"kind = {inputs[0]}.dtype"]
    text = HEAD.format(
        name=op.name,
        signature=signature(op),
        arguments=", ".join(inputs),
        keywords=keywords,
        arrays="\n".join(spaces + line for line in arrays),
        promotion=promotion,
        prepare=prepare,
        results=", ".join(("array", *(f"{h}_hidden" for h in op.hidden))),
        forward=", ".join(given),
    )
    text += VIEW.format(first=inputs[0]) if op.view else RESULT
    return text + (NOTHING if op.grad_fn is None else recording(op, inputs))


def signature(op: Op) -> str:
    """Return the parameters: all may be missing, so that the general way makes the error."""
    positional = [p for p in op.params if not p.keyword_only]
    rest = [p for p in op.params if p.keyword_only]
    parts = [f"{p.name}={p.name}_default" for p in positional]
    parts += ["*rest", *(f"{p.name}={p.name}_default" for p in rest)]
    return ", ".join(parts)


def recording(op: Op, inputs: list[str]) -> str:
    """Return the lines that make the node."""
    values = ", ".join(p.name for p in op.params)
    wanted = ", ".join(f"{n}_fn is not None" for n in inputs)
    form = RECORD.replace("        t._fn = None\n", "") if op.view else RECORD
    return form.format(
        edges="\n".join(f"    {n}_fn = {n}._fn" for n in inputs),
        no_edges=" and ".join(f"{n}_fn is None" for n in inputs),
        rule=f"choose(({wanted},), {values})",
        edge_values=", ".join(f"({n} if {n}_fn is LEAF else {n}_fn)" for n in inputs),
        targets=", ".join(f"({n}.shape, {n}.dtype)" for n in inputs),
        everything=", ".join(
            [values, "array", *(f"{h}_hidden" for h in op.hidden)]
        ),
    )


def build(op: Op, generals: dict[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """Make the specialised forms of an op: one for each general way of doing what is not covered."""
    if not fits(op):
        return {}
    scope: dict[str, Any] = {
        "Node": Node, "Tensor": Tensor, "LEAF": LEAF, "MANY": MANY, "new": new, "ndarray": np.ndarray,
        "events": events, "storage": storage, "grad_mode": grad_mode, "SIZES": SIZES, "sized": sized,
        "BY_NUMPY": BY_NUMPY, "wrap_view": wrap_view, "op": op, "forward": op.forward, "prepare": op.preparer,
        "choose": chooser(op) if op.grad_fn is not None else None,
    }  # fmt: skip
    for p in op.params:
        required = p.default is inspect.Parameter.empty
        scope[f"{p.name}_default"] = MISSING if required else p.default
    code = compile(source_for(op), f"<plain form of {op.name}>", "exec")
    made = {}
    for kind, general in generals.items():
        own = {**scope, "general": leave_out(general, {p.name: p.default for p in op.params})}
        exec(code, own)
        made[kind] = own[op.name]
        made[kind].__doc__ = op.forward.__doc__
        made[kind].__signature__ = inspect.signature(op.forward)
    return made
