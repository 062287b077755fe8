"""Rules of the nodes that fast forms make: edges and saved tensors have slots of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.dtypes import float32, sized
from engine.graph import FREED, Edge, Node
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
