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
from engine.dtypes import BY_NUMPY, bool_, float32, sized
from engine.graph import FREED, LEAF, Edge, Node
from engine.ops.expressions import source_of
from engine.ops.rules import NO_DERIVATIVE, result_tensor
from engine.tensor import Tensor, new

if TYPE_CHECKING:
    from engine.ops.record import Op, Vjp

# Where a rule finds what it names: at most two tensors fit into a node's own slots.
SLOTS = ("saved", "saved2")


class SlotRule:
    """The rule of a node that keeps edges and saved values in slots of their own.

    `wanted` has the inputs with an edge, `constant` whether the second input is a number.
    """

    def __init__(self, op: Op, name: str, wanted: tuple[str, ...], constant: bool) -> None:
        self.op = op
        self.name = name
        self.wanted = wanted
        self.constant = constant
        self.vjps: list[Vjp] = [op.vjps[w] for w in wanted]
        self.saves = tuple(
            dict.fromkeys(n for v in self.vjps for n in v.names if op.is_tensor_name(n))
        )
        self.inputs = tuple(p.name for p in op.tensors)
        # PyTorch makes a tensor of a number, which then has an (empty) edge, except where the op
        # has a form of its own for numbers; that form names its node otherwise. A node that only
        # refuses has edges for what needs a gradient.
        named_so = constant and not isinstance(op.grad_fn, str)
        self.with_edges = self.inputs[:1] if named_so else self.inputs
        if name == NO_DERIVATIVE:
            self.with_edges = wanted
        defaults = {p.name: p.default for p in op.params if not p.is_tensor}
        self.defaults = {n: defaults[n] for v in self.vjps for n in v.names if n in defaults}
        self.slots = dict(zip(self.saves, SLOTS, strict=False))
        # The slot that is left keeps a number as it was given: 3 and 3.0 are one to the rule, but
        # not to who looks at what was saved.
        alone = constant and self.saves == self.inputs[1:]
        self.given = SLOTS[1] if alone else None
        scope: dict[str, Any] = {}
        parts = [source_of(v.function, self._arguments(v), scope, v.on_arrays()) for v in self.vjps]
        source = f"def {op.name}_backward(node, grad):\n    return {', '.join(parts)}\n"
        exec(compile(source, f"<rule of {op.name}>", "exec"), scope)
        self.run: Callable[[Node, Any], Any] = scope[f"{op.name}_backward"]
        self.run.rule = self

    def _arguments(self, vjp: Vjp) -> list[str]:
        return ["grad", *(self._source(n) for n in vjp.names)]

    def _source(self, name: str) -> str:
        if name in self.defaults:
            return repr(self.defaults[name])
        return f"node.{self.slots[name]}" + ("._array" if self.is_tensor(name) else "")

    def is_tensor(self, name: str) -> bool:
        """Whether a saved value is kept as the tensor: an input that is no number."""
        return name in self.inputs and not (self.constant and name == self.inputs[1])

    def edges(self, node: Node) -> tuple[Edge, ...]:
        """Return one edge per tensor argument."""
        mine = iter((node.edge, node.edge2))
        return tuple(next(mine) if name in self.wanted else None for name in self.with_edges)

    def targets(self, node: Node) -> tuple[None, ...]:
        """Say that what the rule gives always fits: all tensors are of one shape and type."""
        return (None,) * len(self.with_edges)

    def _per_input(self, passed: Any) -> tuple[Any, ...]:
        mine = iter(passed if len(self.wanted) == 2 else (passed,))
        return tuple(next(mine) if name in self.wanted else None for name in self.with_edges)

    def run_all(self, node: Node, grad: Any) -> tuple[Any, ...]:
        """Apply the rule to arrays; one gradient per edge."""
        return self._per_input(self.run(node, grad))

    def run_tensors(self, node: Node, grad: Any) -> tuple[Any, ...]:
        """Apply the rule to tensors, so that it is recorded in turn; one gradient per edge."""
        known = {n: self.as_tensor(n, v, node) for n, v in self.saved_items(node)}
        known.update(self.defaults)
        passed = [v.function(grad, *[known[n] for n in v.names]) for v in self.vjps]
        return self._per_input(passed if len(passed) == 2 else passed[0])

    def saved_items(self, node: Node) -> list[tuple[str, Any]]:
        """Return what a node saved, by the names the rule uses."""
        if node.saved is None or node.saved is FREED:
            return []
        return [(name, getattr(node, slot)) for name, slot in self.slots.items()]

    def as_tensor(self, name: str, value: Any, node: Node) -> Any:
        """Return a saved value as what a rule on tensors takes."""
        if self.is_tensor(name):
            return value
        if name in self.inputs:
            return getattr(node, self.given) if self.given else value.item()
        return result_tensor(value, node, 0)

    def replace_result(self, node: Node, array: Any, index: int = 0) -> None:
        """Make the node's saved result the array that the result tensor now shares with others."""
        slot = self.slots.get(self.op.outputs[0])
        if slot is not None and node.saved is not FREED:
            setattr(node, slot, array)


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


def slot_rule(op: Op, wanted: tuple[str, ...], constant: bool) -> SlotRule | None:
    """Return the rule for these inputs, or None when what it saves does not fit."""
    names = [n for w in wanted for n in op.vjps[w].names]
    if any(n.endswith(("_shape", "_layout")) for n in names):
        return None
    if len({n for n in names if op.is_tensor_name(n)}) > len(SLOTS):
        return None
    example: dict[str, Any] = {p.name: p.default for p in op.params}
    for p in op.tensors:
        example[p.name] = from_number()
    if constant:
        example[op.tensors[1].name] = 1.0
    name = op.grad_fn if isinstance(op.grad_fn, str) else op.grad_fn(**example)  # type: ignore[misc]
    return SlotRule(op, name, wanted, constant)


def from_number() -> Tensor:
    """Return a tensor with no dims, to ask an op how it calls its node."""
    t: Tensor = new(Tensor)
    t._array, t._fn, t._meta = np.float32(1), None, None
    t.shape, t.dtype = sized(()), float32
    return t


HEAD = """\
def {name}({x}=MISSING, {second}*rest{signature}):
    if events.careful or rest{changed}:
        return general({arguments}, *rest{keywords})
"""

OPERATOR_HEAD = """\
def {name}({arguments}):
    if events.careful:
        return general({arguments})
"""

RESULT = """\
    t = new(Tensor)
    t._array = array
    t.shape = shape
    t.dtype = kind
    t._meta = None
"""

RECORD = """\
    node = t._fn = Node()
    node.rank = clock[0] = clock[0] - 1
    node.extra = None
"""

UNARY = (
    """\
    try:
        a = {x}._array
        kind = {x}.dtype
        shape = {x}.shape
        if kind.numbers is None:
            return general({x})
    except AttributeError:
        return general({x})
    array = {compute}
"""
    + RESULT
    + """\
    fn = {x}._fn
    if fn is None or not grad_mode.enabled:
        t._fn = None
        return t
"""
    + RECORD
    + """\
    node.run = run_one
    node.edge = {x} if fn is LEAF else fn
    node.edge2 = None
    {save_one}
    return t
"""
)

BINARY = (
    """\
    try:
        a = {x}._array
        kind = {x}.dtype
        shape = {x}.shape
        numbers = kind.numbers
        given = type({y})
        if given is float or given is int:
            if numbers is None{refused}:
                return general({x}, {y})
            b = (numbers[1] if a.__class__ is ndarray else numbers[0]).get({y})
            if b is None:
                b = number({y}, kind, a.__class__ is ndarray)
            fn2 = NUMBER
        else:
            if {y}.dtype is not kind or numbers is None:
                return general({x}, {y})
            if {y}.shape is not shape and {y}.shape != shape:
                return broadcast({x}, {y})
            b = {y}._array
            fn2 = {y}._fn
    except AttributeError:
        return general({x}, {y})
    array = {compute}
"""
    + RESULT
    + """\
    fn = {x}._fn
    if not grad_mode.enabled or (fn is None and (fn2 is None or fn2 is NUMBER)):
        t._fn = None
        return t
"""
    + RECORD
    + """\
    if fn2 is NUMBER:
        node.run = run_constant
        node.edge = {x} if fn is LEAF else fn
        node.edge2 = None
        {save_constant}
    elif fn2 is None:
        if {y}._meta is not None and {y}._meta.inference:
            return general({x}, {y})
        node.run = run_first
        node.edge = {x} if fn is LEAF else fn
        node.edge2 = None
        {save_first}
    elif fn is None:
        if {x}._meta is not None and {x}._meta.inference:
            return general({x}, {y})
        node.run = run_second
        node.edge = {y} if fn2 is LEAF else fn2
        node.edge2 = None
        {save_second}
    else:
        node.run = run_both
        node.edge = {x} if fn is LEAF else fn
        node.edge2 = {y} if fn2 is LEAF else fn2
        {save_both}
    return t
"""
)

COMPARISON = (
    BINARY[: BINARY.index("    t = new(Tensor)")]
    + """\
    t = new(Tensor)
    t._array = array
    t.shape = shape
    t.dtype = bool_ if array.dtype is TRUTH else BY_NUMPY[array.dtype]
    t._fn = t._meta = None
    return t
"""
)

MISSING: Any = type("Missing", (), {"__slots__": ()})()
NUMBER: Any = Node()  # in place of the second input's node: the input is a Python number


def saving(op: Op, rule: SlotRule, indent: int) -> str:
    """Return the lines that save what a rule names."""
    places = {p: p for p in rule.inputs}
    places["result"] = "array"
    if rule.constant:
        places[rule.inputs[1]] = "b"
    lines = [f"node.{slot} = {places[name]}" for name, slot in rule.slots.items()]
    if rule.given:
        lines.append(f"node.{rule.given} = {rule.inputs[1]}")
    return f"\n{' ' * indent}".join(lines or ["node.saved = None"])


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
        filled[f"save_{case}"] = saving(op, rule, 4 if case == "one" else 8)
    compute = source_of(op.forward, ["a", "b"][: len(inputs)], scope)
    rest = op.params[len(inputs) :]
    for p in rest:
        scope[f"{p.name}_default"] = p.default
    template = UNARY if len(inputs) == 1 else BINARY if op.grad_fn is not None else COMPARISON
    return (head + template).format(
        name=op.name,
        x=inputs[0],
        y=inputs[-1],
        refused="" if takes_numbers(op) else " or True",
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
    from engine.ops import plain

    if not fits(op):
        return {}
    scope: dict[str, Any] = {
        "Node": Node, "Tensor": Tensor, "LEAF": LEAF, "NUMBER": NUMBER, "MISSING": MISSING, "new":
        new, "ndarray": np.ndarray, "BY_NUMPY": BY_NUMPY, "bool_": bool_, "TRUTH": bool_.np,
        "events": events, "clock": storage.clock,
        "grad_mode": grad_mode, "number": number, }  # fmt: skip
    heads = {kind: HEAD for kind in generals}
    if len(op.tensors) == 2:  # what `x + y` calls gets these two alone
        heads.update(operator=OPERATOR_HEAD, reflected=OPERATOR_HEAD)
    sources = {head: source_for(op, scope, head) for head in set(heads.values())}
    if None in sources.values():
        return {}
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
    known = kind.numbers[beside_array]
    if len(known) > 1000:
        known.clear()
    known[value] = np.array(made) if beside_array else made
    return known[value]
