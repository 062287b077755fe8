"""Rules of the nodes that plain forms make for one or two inputs that need gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.fitting import fit
from engine.graph import Edge, Node, Target
from engine.ops.rules import Rule, raw

if TYPE_CHECKING:
    from engine.ops.record import Op


class CompactRule(Rule):
    """A rule whose nodes have edges in slots of their own, which the quick pass follows fastest.

    There are edges for the wanted inputs only. Where each gradient has to fit is kept in `saved2`
    behind the attributes, and `run` sees to it; `run_all` leaves that to the pass.
    """

    def __init__(self, op: Op, name: str, wanted: tuple[str, ...]) -> None:
        self.wanted = wanted
        super().__init__(op, name, wanted, ())
        self.places = [wanted.index(p.name) if p.name in wanted else None for p in op.tensors]
        self.run_each = self.run
        self.run = self._fitted()
        self.run.rule = self

    def _fitted(self) -> Any:
        """Write the rule out for the wanted inputs, each gradient summed to its input's shape."""
        scope: dict[str, Any] = {"raw": raw, "fit": fit}
        found = self._written_out(scope)
        lines = ["def run(node, grad):", *self._reading()]
        if not (self.attributes or self.op.exact):
            lines.append("    attrs = node.saved2")
        for i, at in enumerate(self.places):
            if at is None:
                continue
            shape, kind = (f"attrs[{len(self.attributes) + 2 * at + k}]" for k in (0, 1))
            unfit = f"g{at}.shape != {shape} or g{at}.dtype is not {kind}.np"
            lines.append(f"    g{at} = {found[i]}")
            if self.op.exact:
                continue
            lines += [
                f"    if g{at} is not None and ({unfit}):",
                f"        g{at} = fit(g{at}, ({shape}, {kind}))",
            ]
        lines.append("    return " + ", ".join(f"g{at}" for at in range(len(self.wanted))))
        exec(compile("\n".join(lines), f"<compact rule of {self.op.name}>", "exec"), scope)
        return scope["run"]

    def _targets_kept(self) -> str:
        return "" if self.op.exact else "".join(f"{n}.shape, {n}.dtype, " for n in self.wanted)

    def linking(self) -> list[str]:
        """Return the statements that set a node's edges."""
        ends = [f"{n} if {n}_fn is LEAF else {n}_fn" for n in self.wanted]
        return [f"node.edge = {ends[0]}", f"node.edge2 = {ends[1] if len(ends) > 1 else None}"]

    def run_all(self, node: Node, grad: Any) -> tuple[Any, ...]:
        """Apply the rule to arrays; one gradient per edge."""
        return self.run_each(node, grad)  # type: ignore[no-any-return]

    def edges(self, node: Node) -> tuple[Edge, ...]:
        """Return one edge per tensor argument."""
        mine = (node.edge, node.edge2)
        return tuple(None if at is None else mine[at] for at in self.places)

    def targets(self, node: Node) -> tuple[Target | None, ...]:
        """Return the shape and type that each edge's gradient has to get."""
        if self.op.exact:
            return (None,) * len(self.places)
        kept = node.saved2[len(self.attributes) :]
        return tuple(None if at is None else kept[2 * at : 2 * at + 2] for at in self.places)


def compact_rule_for(op: Op, name: str, wanted: tuple[str, ...]) -> CompactRule | None:
    """Return the rule for these wanted inputs, None where only edges in a tuple will do.

    That is where an input has no rule: nothing arrives then, which the quick pass expects of single
    edges only.
    """
    if len(wanted) > 2 or any(n not in op.vjps for n in wanted):
        return None
    key = (name, wanted, "compact")
    rule = op.rules.get(key)
    if rule is None:
        rule = op.rules[key] = CompactRule(op, name, wanted)
    return rule
