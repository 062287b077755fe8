"""Specialised forms of ops on one or two floating tensors of one shape and type.

Most operations of the graphs people look at are such. The general way (apply.py) decides everything
anew for each call; a form made here from the declaration decides once. `docs/notes/speed.md` has
the measurements behind each line of the templates.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import events, grad_mode, storage
from engine.dtypes import BY_NUMPY, SIZES, bool_, sized
from engine.graph import LEAF, Node
from engine.ops.expressions import source_of
from engine.ops.fast_templates import (
    BINARY,
    BINARY_OF_TENSORS,
    COMPARISON,
    HEAD,
    OPERATOR_HEAD,
    UNARY,
)
from engine.ops.recording import written_out
from engine.ops.slot_rule import from_number, saving, slot_rule
from engine.tensor import Tensor, new

if TYPE_CHECKING:
    from engine.ops.record import Op


def fits(op: Op) -> int:
    """Return how many inputs a specialised form of the op has; 0 when there can be none."""
    inputs = [p for p in op.params if p.is_tensor]
    count = len(inputs)
    plain = (
        (op.grad_fn is not None or (count == 2 and op.preparer is None))
        and not (op.view or op.hidden or op.returns)
        and op.outputs == ("result",)
        and op.same_shape
        and all(p.kind == "array" for p in inputs)
        and [p.name for p in op.params[:count]] == [p.name for p in inputs]
        and all(isinstance(p.default, (int, float, type(None))) for p in op.params[count:])
        and (op.grad_fn is None or {p.name for p in inputs} == set(op.vjps))
    )
    return count if plain and count in (1, 2) else 0


def takes_numbers(op: Op) -> bool:
    """Whether the op's preparation accepts a number for the second input."""
    if op.preparer is None or len(op.tensors) < 2:
        return True
    arguments: dict[str, Any] = {p.name: p.default for p in op.params}
    arguments[op.tensors[0].name] = from_number()
    arguments[op.tensors[1].name] = 1.5
    try:
        op.preparer(**arguments)
    except TypeError:
        return False
    return True


SPACES = {"one": 4, "constant": 12, "first": 8, "second": 8, "both": 8}  # before what is saved
MISSING: Any = type("Missing", (), {"__slots__": ()})()


def source_for(op: Op, scope: dict[str, Any], head: str) -> str | None:
    """Return the source of an op's specialised form and fill the scope it runs in."""
    inputs = [p.name for p in op.tensors]
    cases: dict[str, tuple[tuple[str, ...], bool]] = {"one": ((inputs[0],), False)}
    if len(inputs) == 2:
        x, y = inputs
        cases = {
            "constant": ((x,), True), "first": ((x,), False), "second": ((y,), False),
            "both": ((x, y), False),
        }  # fmt: skip
    filled: dict[str, str] = {}
    if op.grad_fn is None:
        cases = {}
    for case, (wanted, constant) in cases.items():
        rule = slot_rule(op, wanted, constant)
        if rule is None:
            return None
        scope[f"run_{case}"] = rule.run
        filled[f"save_{case}"] = saving(op, rule, SPACES[case])
    compute = source_of(op.forward, ["a", "b"][: len(inputs)], scope)
    rest = op.params[len(inputs) :]
    for p in rest:
        scope[f"{p.name}_default"] = p.default
    template = UNARY if len(inputs) == 1 else BINARY
    if len(inputs) == 2 and op.grad_fn is None:
        template = COMPARISON
    elif len(inputs) == 2 and not takes_numbers(op):
        template = BINARY_OF_TENSORS
    return (head + template).format(
        name=op.name,
        x=inputs[0],
        y=inputs[-1],
        second="" if len(inputs) == 1 else f"{inputs[1]}=MISSING, ",
        signature="".join(f", {p.name}={p.name}_default" for p in rest) + ", out=None",
        changed="".join(f" or {p.name} is not {p.name}_default" for p in rest)
        + " or out is not None",
        arguments=", ".join(inputs),
        keywords="".join(f", {p.name}={p.name}" for p in rest) + ", out=out",
        compute=compute,
        **filled,
    )


def build(op: Op, generals: dict[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """Make the specialised forms of an op: one for each general way, which does the rest."""
    from engine.ops import broadcasting, plain

    if not fits(op):
        return {}
    scope: dict[str, Any] = {
        "Node": Node, "Tensor": Tensor, "LEAF": LEAF, "MISSING": MISSING, "new":
        new, "ndarray": np.ndarray, "BY_NUMPY": BY_NUMPY, "bool_": bool_, "TRUTH": bool_.np,
        "events": events, "clock": storage.clock,
        "grad_mode": grad_mode, "number": number, "SIZES": SIZES, "sized": sized,
    }  # fmt: skip
    heads = {kind: HEAD for kind in generals}
    if len(op.tensors) == 2:  # what `x + y` calls gets these two alone
        heads.update(operator=OPERATOR_HEAD, reflected=OPERATOR_HEAD)
    sources = {head: source_for(op, scope, head) for head in set(heads.values())}
    if None in sources.values():
        return {}
    if len(op.tensors) == 2 and written_out(op):
        scope["broadcast"] = broadcasting.build(op, generals["method"], scope)
    else:
        scope["broadcast"] = plain.build(op, {"method": generals["method"]})["method"]
    made = {}
    for kind, general in generals.items():
        own = {**scope, "general": leave_out(general, {p.name: p.default for p in op.params})}
        exec(compile(sources[heads[kind]], f"<fast form of {op.name}>", "exec"), own)  # type: ignore[arg-type]
        made[kind] = own[op.name]
        made[kind].__doc__ = op.forward.__doc__
        made[kind].__signature__ = inspect.signature(op.forward)
    return made


def leave_out(general: Callable[..., Any], defaults: dict[str, Any]) -> Callable[..., Any]:
    """Wrap the general way so that arguments that were not given are not passed on."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if args and args[-1] is MISSING:
            args = tuple(a for a in args if a is not MISSING)
        if kwargs:
            kwargs = {
                n: v for n, v in kwargs.items() if v is not MISSING and v is not defaults.get(n)
            }
        return general(*args, **kwargs)

    return call


def number(value: float, kind: Any, beside_array: bool) -> Any:
    """Return a Python number in a tensor's type, and remember it: making one is slow.

    Zero is not remembered, since 0.0 and -0.0 are one key; nor is more than a bounded number of
    them.
    """
    made = kind.np.type(value)
    if value == 0:
        return made
    known = kind.arrays if beside_array else kind.scalars
    if len(known) > 1000:
        known.clear()
    known[value] = np.array(made) if beside_array else made
    return known[value]
