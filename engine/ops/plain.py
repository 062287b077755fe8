"""Specialised forms of the other ops: a fixed number of tensors, any attributes, any shapes.

What apply.py finds out on each call is settled here once, from the declaration: where each argument
goes, what forward takes, which rule serves which inputs. Whatever is unusual (numbers for tensors,
types that differ, several outputs) goes the general way.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import events, grad_mode, storage
from engine.dtypes import BY_NUMPY, SIZES, float32, sized
from engine.graph import LEAF, Node
from engine.ops.apply import REFUSES_INTEGERS
from engine.ops.compact import compact_rule_for
from engine.ops.expressions import parameters_of, source_of
from engine.ops.fast import MISSING, leave_out
from engine.ops.plain_arguments import aliases, positional, signature, spelt_with, unless_none
from engine.ops.rules import Rule, layout, rule_for
from engine.ops.signature import REQUIRED
from engine.tensor import Tensor, new
from engine.views import wrap_view

if TYPE_CHECKING:
    from engine.ops.record import Op

HEAD = """\
def {name}({signature}):
    if events.careful or rest or unknown or out is not None{missing}:
        return general({arguments}, *spelt({attributes}, rest){named}, out=out{aliases}, **unknown)
    try:
{arrays}
        if {inference}:
            return general({call})
    except AttributeError:
        return general({call})
{promotion}{prepare}
    try:
        {results} = {forward}
    except ValueError:  # shapes that do not fit: the general way says so as PyTorch does
        return general({call})
"""

PROMOTION = """\
    if kind.numbers is None{differ}:
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

RESULT = """\
    t = new(Tensor)
    if result.__class__ is ndarray and not result.ndim:
        result = result[()]
    t._array = result
    shape = result.shape
    t.shape = SIZES[shape] if shape in SIZES else sized(shape)
    t.dtype = float32 if result.dtype is SINGLE else BY_NUMPY[result.dtype]
    t._meta = None
"""

VIEW = """\
    t = wrap_view(result, {first}, op)
"""

NOTHING = """\
    t._fn = None
    return t
"""

RECORD = """\
{origins}
    if not grad_mode.enabled or ({no_edges}){floating}:
        t._fn = None
        return t
    node = t._fn = Node()
    node.rank = clock[0] = clock[0] - 1
    node.extra = None
{keep}
    return t
"""

CHOOSE = """\
    try:
        rule = rules[{key}]
    except (KeyError, TypeError):
        rule = choose({wanted}, {values})
    node.run = rule.run
{edges}
    rule.keep(node, {values}, result{hidden})
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


def wanted_names(op: Op, wanted: tuple[bool, ...]) -> tuple[str, ...]:
    """Return the inputs that need a gradient."""
    return tuple(p.name for p, w in zip(op.tensors, wanted, strict=True) if w)


def chooser(op: Op, rules: dict[Any, Rule]) -> Callable[..., Rule]:
    """Return a function from which inputs are wanted, and the arguments, to the rule.

    It remembers the rule by what the node's name depends on: of a tensor, that is its class and
    how many dims it has.
    """
    key_names = named_by(op)

    def choose(wanted: tuple[bool, ...], *values: Any) -> Rule:
        by_name = dict(zip((p.name for p in op.params), values, strict=True))
        name = op.grad_fn if isinstance(op.grad_fn, str) else op.grad_fn(**by_name)  # type: ignore[misc]
        make: Any = compact_rule_for if alone(op) else rule_for
        rule: Rule = make(op, name, wanted_names(op, wanted))
        key = [len(v.shape) if isinstance(v, Tensor) else v for v in map(by_name.get, key_names)]
        with suppress(TypeError):  # of a list among the attributes
            rules[(wanted, *key)] = rule
        return rule

    return choose


def alone(op: Op) -> bool:
    """Whether one input is all there is, and has a rule: a node's edge has a slot then."""
    return len(op.tensors) == 1 and op.tensors[0].name in op.vjps


def named_by(op: Op) -> list[str]:
    """Return the arguments a node's name depends on."""
    if op.grad_fn is None or isinstance(op.grad_fn, str):
        return []
    return [p.name for p in parameters_of(op.grad_fn) if p.kind is not p.VAR_KEYWORD]


def source_for(op: Op, scope: dict[str, Any]) -> str:
    """Return the source of an op's specialised form."""
    inputs = [p.name for p in op.tensors]
    attributes = op.params[len(inputs) :]
    arrays = [f"{n}_array = " + unless_none(op, n, f"{n}._array") for n in inputs]
    if op.view:  # a number becomes memory first, for something to look at
        memory = f"{inputs[0]}_array = {inputs[0]}._shared() and {inputs[0]}._array"
        arrays.append(f"if {inputs[0]}_array.__class__ is not ndarray: {memory}")
    loose = positional(op)
    spelled = f"({''.join(f'{p.name}, ' for p in loose)})"
    named = "".join(f", {p.name}={p.name}" for p in attributes if p not in loose)
    call = f"{', '.join(inputs)}, *spelt({spelled}){named}"
    scope["spelt"] = spelt_with(
        tuple(MISSING if p.default is REQUIRED else p.default for p in loose)
    )
    spaces = " " * 8
    take = [f"{p.name} = changed.get({p.name!r}, {p.name})" for p in op.params]
    prepare = ""
    if op.preparer is not None:
        prepare = PREPARE.format(
            call=call,
            preparation=preparation(op, inputs, scope),
            take="\n".join(spaces + line for line in take),
            arrays="\n".join(spaces + line for line in arrays),
        )
    given = [f"{n}_array" for n in inputs]
    given += [p.name for p in attributes if not p.keyword_only]
    alone = tuple(p.name for p in attributes if p.keyword_only)
    differ = "".join(
        " or " + unless_none(op, n, f"{n}.dtype is not kind", "False") for n in inputs[1:]
    )
    promotion = ""
    if op.promote is not None:
        promotion = PROMOTION.format(differ=differ, call=call)
        arrays = [*arrays, f"kind = {inputs[0]}.dtype"]
    text = HEAD.format(
        name=op.name,
        signature=signature(op),
        missing="".join(
            f" or {p.name} is MISSING" for p in attributes if p.default is inspect.Parameter.empty
        )
        + "".join(f" or {alias} is not MISSING" for alias in aliases(op)),
        aliases="".join(f", {alias}={alias}" for alias in aliases(op)),
        arguments=", ".join(inputs),
        attributes=spelled,
        named=named,
        call=call,
        arrays="\n".join(spaces + line for line in arrays),
        inference=" or ".join(
            unless_none(op, n, f"({n}._meta is not None and {n}._meta.inference)", "False")
            for n in inputs
        ),
        promotion=promotion,
        prepare=prepare,
        results=", ".join((op.outputs[0], *op.hidden)),
        forward=source_of(op.forward, given, scope, keywords=alone),
    )
    text += VIEW.format(first=inputs[0]) if op.view else RESULT
    return text + (NOTHING if op.grad_fn is None else recording(op, inputs, scope))


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


def recording(op: Op, inputs: list[str], scope: dict[str, Any]) -> str:
    """Return the lines that make the node; a view has its origin already where none is recorded."""
    form = RECORD.replace("        t._fn = None\n", "") if op.view else RECORD
    return form.format(
        origins="\n".join(f"    {n}_fn = " + unless_none(op, n, f"{n}._fn") for n in inputs),
        no_edges=" and ".join(f"{n}_fn is None" for n in inputs),
        floating="" if op.promote == "float" else " or not t.dtype.is_floating_point",
        keep=keeping(op, inputs, scope),
    )


def keeping(op: Op, inputs: list[str], scope: dict[str, Any]) -> str:
    """Return the lines that choose the rule and keep what it names: written out where possible."""
    if isinstance(op.grad_fn, str) and len(inputs) <= 2:
        lines = []
        for mask in range(1, 1 << len(inputs)):
            wanted = tuple(bool(mask >> i & 1) for i in range(len(inputs)))
            names = wanted_names(op, wanted)
            compact = compact_rule_for(op, op.grad_fn, names)
            links = many_links(op, inputs) if compact is None else compact.linking()
            rule = compact or rule_for(op, op.grad_fn, names)
            scope[f"run{mask}"] = rule.run
            tests = [
                f"{n}_fn is {'not ' if w else ''}None" for n, w in zip(inputs, wanted, strict=True)
            ]
            last = mask == (1 << len(inputs)) - 1  # one of them needs a gradient
            head = f"if {' and '.join(tests)}:" if mask == 1 else f"elif {' and '.join(tests)}:"
            lines.append("    " + ("else:" if last and mask > 1 else head))
            kept = [f"node.run = run{mask}", *links, *rule.saving()]
            lines += [f"        {line}" for line in kept]
        return "\n".join(lines)
    wanted_source = "".join(f"{n}_fn is not None, " for n in inputs)
    parts = [unless_none(op, n, f"len({n}.shape)") if n in inputs else n for n in named_by(op)]
    key = f"({wanted_source}), {''.join(f'{part}, ' for part in parts)}"
    values = ", ".join(p.name for p in op.params)
    hidden = "".join(f", {h}" for h in op.hidden)
    [x, *_] = inputs
    one = [f"node.edge = {x} if {x}_fn is LEAF else {x}_fn", "node.edge2 = None"]
    links = one if alone(op) else many_links(op, inputs)
    return CHOOSE.format(
        key=key, wanted=f"({wanted_source})", values=values, hidden=hidden,
        edges="\n".join(f"    {line}" for line in links),
    )  # fmt: skip


def many_links(op: Op, inputs: list[str]) -> list[str]:
    """Return the statements that set a node's edges as a tuple, and what each expects."""
    edges = ", ".join(f"{n} if {n}_fn is LEAF else {n}_fn" for n in inputs)
    targets = ", ".join(unless_none(op, n, f"({n}.shape, {n}.dtype)") for n in inputs)
    return [f"node.edge = ({edges},)", f"node.edge2 = ({targets},)"]


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
    code = compile(source_for(op, scope), f"<plain form of {op.name}>", "exec")
    made = {}
    for kind, general in generals.items():
        own = {**scope, "general": leave_out(general, {p.name: p.default for p in op.params})}
        exec(code, own)
        made[kind] = own[op.name]
        made[kind].__doc__ = op.forward.__doc__
        made[kind].__signature__ = inspect.signature(op.forward)
    return made
