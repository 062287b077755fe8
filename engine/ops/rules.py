"""Gradient rules made ready to run: what a node saves, and how its rule is called with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.graph import MANY, Edge, Node
from engine.tensor import Tensor, new

if TYPE_CHECKING:
    from engine.ops.record import Op

SHAPE = "_shape"


class Rule:
    """The rule of one op for one set of inputs that need gradients; nodes share it.

    `run(node, grad)` works on arrays, `run_tensors(node, grad)` on tensors, for create_graph.
    """

    def __init__(self, op: Op, name: str, wanted: tuple[str, ...]) -> None:
        self.op = op
        self.name = name
        self.wanted = set(wanted)
        vjps = [op.vjps[p.name] for p in op.tensors if p.name in self.wanted and p.name in op.vjps]
        self.names = tuple(dict.fromkeys(n for v in vjps for n in v.names))
        at = {n: i for i, n in enumerate(self.names)}
        self.positions = {v.wrt: [at[n] for n in v.names] for v in vjps}
        self.arrays = {v.wrt: v.on_arrays() for v in vjps}
        self.tensors = {v.wrt: v.function for v in vjps}
        self.saves = any(op.is_tensor_name(n) for n in self.names)
        self.run = self._make_run()
        self.freed = self._make_freed()

    def _make_run(self) -> Any:
        def run(node: Node, grad: Any) -> Any:
            return self.call(self.arrays, grad, [raw(v) for v in node.saved], node)

        run.rule = self  # type: ignore[attr-defined]
        return run

    def _make_freed(self) -> Any:
        from engine.graph import freed

        def run(node: Node, grad: Any) -> Any:
            raise freed(node)

        run.rule = self  # type: ignore[attr-defined]
        return run

    def run_tensors(self, node: Node, grad: Any) -> Any:
        """Apply the rule to tensors, so that it is recorded in turn."""
        if node.run is self.freed:
            self.freed(node, grad)
        saved = [
            self._as_tensor(name, value, node)
            for name, value in zip(self.names, node.saved, strict=True)
        ]
        return self.call(self.tensors, grad, saved, node)

    def _as_tensor(self, name: str, value: Any, node: Node) -> Any:
        """A saved result was kept as an array, since the tensor would close a cycle."""
        if name in self.op.outputs and value is not None:
            return result_tensor(value, node, self.op.outputs.index(name))
        if name in self.op.hidden:
            from engine.tensor import make

            return make(value) if isinstance(value, (np.ndarray, np.generic)) else value
        return value.item() if isinstance(value, np.generic) else value

    def call(self, rules: dict[str, Any], grad: Any, saved: list[Any], node: Node) -> Any:
        """Call the rule of each wanted input; one gradient per edge."""
        passed: list[Any] = []
        edges: tuple[Edge, ...] = node.edge
        for p in self.op.tensors:
            rule = rules.get(p.name)
            value = None if rule is None else rule(grad, *[saved[i] for i in self.positions[p.name]])
            if p.kind == "list":
                count = len(edges) - len(self.op.tensors) + 1
                passed.extend([None] * count if value is None else value)
            else:
                passed.append(value)
        return tuple(passed)

    def edges(self, node: Node) -> tuple[Edge, ...]:
        """Return the edges of a node that keeps them in slots."""
        return node.edge  # type: ignore[no-any-return]

    def saved_items(self, node: Node) -> list[tuple[str, Any]]:
        """Return the tensors a node saved, by the names the rule uses."""
        if node.saved is None:
            return []
        pairs = zip(self.names, node.saved, strict=True)
        return [(n, v) for n, v in pairs if self.op.is_tensor_name(n)]

    def replace_result(self, node: Node, array: Any) -> None:
        """Make the node's saved result the array that the result tensor now shares with others."""
        if node.saved is None:
            return
        wanted = self.op.outputs[0]
        if wanted in self.names:
            at = self.names.index(wanted)
            node.saved = (*node.saved[:at], array, *node.saved[at + 1 :])

    def release(self, node: Node) -> bool:
        """Free what the node saved; afterwards it refuses to run. False when nothing was saved."""
        # See Note [Freed only if saved].
        if not self.saves or node.run is self.freed:
            return False
        node.saved = None
        node.run = self.freed
        return True


def raw(value: Any) -> Any:
    """Return the array of a tensor, of each tensor in a list, or the value itself."""
    if isinstance(value, Tensor):
        return value._array
    if value.__class__ is list:
        return [raw(v) for v in value]
    return value


def result_tensor(array: Any, node: Node, index: int) -> Tensor:
    """Make a tensor for a saved result again, computed by its node."""
    from engine import dtypes

    t: Tensor = new(Tensor)
    t._array = array
    t.shape = dtypes.Size(array.shape)
    t.dtype = dtypes.BY_NUMPY[array.dtype]
    t._meta = None
    t._fn = node
    extra = node.extra
    if extra is not None and extra.outputs is not None:
        t._fn = extra.outputs[index][2]  # the stand-in for this output
    return t


def rule_for(op: Op, name: str, wanted: tuple[str, ...]) -> Rule:
    """Return the rule for these wanted inputs, made at first use."""
    key = (name, wanted)
    rule = op.rules.get(key)
    if rule is None:
        rule = op.rules[key] = Rule(op, name, wanted)
    return rule


def many_node(rule: Rule, edges: tuple[Edge, ...], saved: tuple[Any, ...], targets: Any) -> Node:
    """Make a node that keeps its edges and saved values in tuples."""
    from engine import storage

    node = Node()
    node.seq = storage.tick()
    node.run = rule.run
    node.edge = edges
    node.edge2 = MANY
    node.saved = saved
    node.saved2 = targets
    node.extra = None
    return node
