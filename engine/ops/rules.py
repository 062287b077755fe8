"""Gradient rules made ready to run: what a node saves, and how its rule is called with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine import stand_ins, storage
from engine.autograd.packing import Packed
from engine.dtypes import BY_NUMPY, Size
from engine.graph import FREED, Edge, Node
from engine.ops.expressions import source_of
from engine.tensor import Tensor, make, new

if TYPE_CHECKING:
    from engine.ops.record import Op

# What nodes are called whose rule refuses.
NO_DERIVATIVE = "torch::autograd::NotImplemented"


class Rule:
    """The rule of one op for one set of inputs that need gradients; nodes share it.

    `run(node, grad)` works on arrays, `run_tensors(node, grad)` on tensors, for create_graph. A
    node
    keeps what is saved as `saved`, a tuple in the order of `saves`, and as `saved2`, a tuple in the
    order of `attributes`; `keep` puts them there.
    """

    def __init__(
        self, op: Op, name: str, wanted: tuple[str, ...], without: tuple[str, ...]
    ) -> None:
        self.op = op
        self.name = name
        tensors = [p for p in op.tensors if p.name not in without]
        vjps = [op.vjps[p.name] for p in op.tensors if p.name in wanted and p.name in op.vjps]
        names = tuple(dict.fromkeys(n for v in vjps for n in v.names))
        # A number that chose a form of its own (`without`) is kept as one: nothing to free.
        kept = [op.is_tensor_name(n) and n not in without for n in names]
        self.saves = tuple(n for n, is_tensor in zip(names, kept, strict=True) if is_tensor)
        self.attributes = tuple(
            n for n, is_tensor in zip(names, kept, strict=True) if not is_tensor
        )
        at = {n: i for i, n in enumerate((*self.saves, *self.attributes))}
        self.vjps = [
            (v.on_arrays(), v.function, [at[n] for n in v.names]) if v is not None else None
            for v in (op.vjps.get(p.name) if p.name in wanted else None for p in tensors)
        ]
        self.kinds = [p.kind for p in tensors]
        # Inputs without a rule, such as an index: their edges are for observers alone. A node that
        # only refuses has none for what needs no gradient.
        shown = wanted if name == NO_DERIVATIVE else op.vjps
        quiet = tuple(p.name not in shown for p in tensors)
        self.silent = quiet if any(quiet) and not all(quiet) else ()
        self.run: Any = self._interpreted() if "list" in self.kinds else self._generated()
        self.run.rule = self
        self.run_packed: Any = self._interpreted()  # for nodes whose saved tensors a hook packed
        self.run_packed.rule = self
        self.keep: Any = self._keep()

    def _interpreted(self) -> Any:
        plan = [None if v is None else (v[0], v[2]) for v in self.vjps]

        def run(node: Node, grad: Any) -> Any:
            grad = complete(node, grad)
            saved = [raw(v) for v in node.saved] if node.saved is not None else []
            return self._call(plan, grad, [*saved, *node.saved2], node)

        return run

    def _generated(self) -> Any:
        """Write the rule out: each vjp with what it is given, None for an input without one."""
        scope: dict[str, Any] = {"raw": raw, "complete": complete}
        lines = ["def run(node, grad):"]
        if self.op.multi_view or len(self.op.outputs) > 1 or self.op.returns is not None:
            lines.append("    grad = complete(node, grad)")
        lines += self._reading()
        lines.append(f"    return ({', '.join(self._written_out(scope))},)")
        exec(compile("\n".join(lines), f"<rule of {self.op.name}>", "exec"), scope)
        return scope["run"]

    def _reading(self) -> list[str]:
        """Return the lines that fetch what the node keeps."""
        lines = ["    saved = node.saved"] * bool(self.saves)
        return lines + ["    attrs = node.saved2"] * bool(self.attributes)

    def _written_out(self, scope: dict[str, Any]) -> list[str]:
        """Return the source of each edge's gradient."""
        plain = self.op.promote is None and not self.op.numbers
        kinds = {p.name: p.kind for p in self.op.tensors}
        sources = [
            f"saved[{i}]" if name not in kinds
            else f"saved[{i}]._array" if plain and kinds[name] == "array"
            else f"raw(saved[{i}])"
            for i, name in enumerate(self.saves)
        ]  # fmt: skip
        sources += [f"attrs[{i}]" for i in range(len(self.attributes))]
        calls: list[str] = []
        for vjp in self.vjps:
            if vjp is None:
                calls.append("None")
                continue
            given = ["grad", *(sources[at] for at in vjp[2])]
            calls.append(source_of(vjp[1], given, scope, vjp[0]))
        return calls

    def saving(self) -> list[str]:
        """Return the statements by which a node keeps what its rule names."""
        known = {p.name for p in self.op.params}.union(self.op.outputs, self.op.hidden)
        kept = "".join(f"{n}, " for n in self.saves)
        facts = "".join(f"{n if n in known else fact_source(n)}, " for n in self.attributes)
        lines = [f"node.saved = ({kept})" if self.saves else "node.saved = None"]
        return [*lines, f"node.saved2 = ({facts}{self._targets_kept()})"]

    def _targets_kept(self) -> str:
        """Return what is kept after the attributes: nothing, where `edge2` has the targets."""
        return ""

    def _keep(self) -> Any:
        """Write out how a node keeps what its rule names, given all arguments and results."""
        parameters = [p.name for p in self.op.params] + [*self.op.outputs, *self.op.hidden]
        lines = [f"def keep(node, {', '.join(parameters)}):", *self.saving()]
        scope: dict[str, Any] = {"layout": layout}
        exec(compile("\n    ".join(lines), f"<saving of {self.op.name}>", "exec"), scope)
        return scope["keep"]

    def run_tensors(self, node: Node, grad: Any) -> tuple[Any, ...]:
        """Apply the rule to tensors, so that it is recorded in turn; one gradient per edge."""
        grad = complete(node, grad, make)
        saved = [self.as_tensor(n, v, node) for n, v in self.saved_items(node)]
        plan = [None if v is None else (v[1], v[2]) for v in self.vjps]
        return self._call(plan, grad, [*saved, *node.saved2], node)

    def run_all(self, node: Node, grad: Any) -> tuple[Any, ...]:
        """Apply the rule to arrays; one gradient per edge."""
        return node.run(node, grad)  # type: ignore[no-any-return]

    def as_tensor(self, name: str, value: Any, node: Node) -> Any:
        """Return a saved value as what a rule on tensors takes."""
        if isinstance(value, Packed):
            value = value.unpack()
            if name not in self.op.outputs:
                return value
            value = value._array
        if name in self.op.outputs:
            return result_tensor(value, node, self.op.outputs.index(name))
        if isinstance(value, Tensor):
            return value
        if name in self.op.hidden and isinstance(value, (np.ndarray, np.generic)):
            return make(value)
        return value.item() if isinstance(value, np.generic) else value

    def _call(self, plan: list[Any], grad: Any, saved: list[Any], node: Node) -> tuple[Any, ...]:
        passed: list[Any] = []
        for kind, rule in zip(self.kinds, plan, strict=True):
            value = None if rule is None else rule[0](grad, *[saved[i] for i in rule[1]])
            if kind == "list":
                count = len(node.edge) - len(self.kinds) + 1
                passed.extend([None] * count if value is None else value)
            else:
                passed.append(value)
        return tuple(passed)

    def edges(self, node: Node) -> tuple[Edge, ...]:
        """Return the edges of a node, one per tensor argument."""
        return node.edge  # type: ignore[no-any-return]

    def saved_items(self, node: Node) -> list[tuple[str, Any]]:
        """Return the tensors a node saved, by the names the rule uses."""
        if node.saved is None or node.saved is FREED:
            return []
        return list(zip(self.saves, node.saved, strict=True))

    def replace_result(self, node: Node, array: Any, index: int = 0) -> None:
        """Make the node's saved result the array that the result tensor now shares with others."""
        wanted = self.op.outputs[index] if index < len(self.op.outputs) else None
        if wanted in self.saves and node.saved is not FREED:
            at = self.saves.index(wanted)
            node.saved = (*node.saved[:at], array, *node.saved[at + 1 :])


def complete(node: Node, grad: Any, wrap: Any = None) -> Any:
    """Return the gradients of several outputs with zeros where nothing arrived."""
    if grad.__class__ is not list:
        # split and its like: their rules take a list also of one piece
        return [grad] if node.run.rule.op.multi_view else grad  # type: ignore[attr-defined]
    if all(g is not None for g in grad):
        return grad
    outputs = node.more().outputs
    assert outputs is not None
    made = [
        np.zeros(shape, kind.np) if g is None and kind.is_floating_point else g
        for g, (shape, kind, _) in zip(grad, outputs, strict=True)
    ]
    if wrap is None:
        return made
    return [g if g is None or isinstance(g, Tensor) else wrap(g) for g in made]


def fact_source(name: str) -> str:
    """Return source for `<input>_shape` or `<input>_layout`."""
    owner, _, what = name.rpartition("_")
    return {"shape": f"{owner}.shape", "layout": f"layout({owner})"}[what]


def layout(value: Tensor) -> tuple[Size, tuple[int, ...]]:
    """Return shape and strides of a tensor, in elements."""
    array = value._array
    return value.shape, tuple(step // array.itemsize for step in array.strides)


def raw(value: Any) -> Any:
    """Return the array of a tensor, of each tensor in a list, or the value itself."""
    if isinstance(value, Tensor):
        return value._array
    if value.__class__ is list:
        return [raw(v) for v in value]
    if value.__class__ is Packed:
        return value.unpack()._array
    return value


def result_tensor(array: Any, node: Node, index: int) -> Tensor:
    """Make a tensor for a saved result again, computed by its node.

    It was kept as an array: a node that holds its own result as a tensor would be a cycle.
    """
    t: Tensor = new(Tensor)
    t._array = array
    t.shape = Size(array.shape)
    t.dtype = BY_NUMPY[array.dtype]
    t._meta = None
    t._fn = node if t.dtype.is_floating_point else None
    extra = node.extra
    if t._fn is not None and extra is not None and extra.outputs is not None:
        t._fn = stand_ins.stand_in(node, index)
    return t


def rule_for(op: Op, name: str, wanted: tuple[str, ...], without: tuple[str, ...] = ()) -> Rule:
    """Return the rule for these wanted inputs, made at first use; `without` have no edge at all."""
    key = (name, wanted, without)
    rule = op.rules.get(key)
    if rule is None:
        rule = op.rules[key] = Rule(op, name, wanted, without)
    return rule


def many_node(rule: Any, edges: tuple[Edge, ...], targets: Any) -> Node:
    """Make a node that keeps its edges in a tuple and has saved nothing yet."""
    node = Node()
    node.rank = storage.tick()
    node.run = rule.run
    node.edge = edges
    node.edge2 = targets
    node.saved = node.extra = None
    node.saved2 = ()
    return node
