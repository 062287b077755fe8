"""The graph as programs look at it: nodes of named classes, accumulators, `next_functions`."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine import events, storage
from engine.graph import FREED, Edge, Node, RemovableHandle, edges_of, freed
from engine.stand_ins import go_nowhere

if TYPE_CHECKING:
    from engine.tensor import Tensor


class SeenNode(Node):
    """A node somebody looked at: saved values can be read from it."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_saved_"):
            from engine.saved import look_up

            return look_up(self, name[len("_saved_") :])
        if name.startswith("_raw_saved_"):
            from engine.autograd.saved_tensor import raw_saved

            return raw_saved(self, name[len("_raw_saved_") :])
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __dir__(self) -> list[str]:
        from engine.saved import public_name, shown_attributes, unneeded

        rule: Any = self.run.rule  # type: ignore[attr-defined]
        names = {*map(public_name, rule.saves), *unneeded(rule), *shown_attributes(self)}
        return sorted([*super().__dir__(), *("_saved_" + n for n in names)])

    def __call__(self, *grads: Tensor) -> Any:
        """Run the node's rule on gradients of its outputs."""
        given = list(grads) if self.extra is not None and self.extra.outputs else grads[0]
        if self.saved is FREED:
            raise freed(self)
        passed = self.run.rule.run_tensors(self, given)  # type: ignore[attr-defined]
        return passed[0] if len(passed) == 1 else passed


class AccumulateGrad:
    """The end of the graph at a leaf: adds what arrives to its `.grad`."""

    def __init__(self, variable: Tensor) -> None:
        self.variable = variable

    next_functions = ()

    def name(self) -> str:
        """Return the name PyTorch gives to it."""
        return "torch::autograd::AccumulateGrad"

    @property
    def seq(self) -> int:
        """The number by which events know it."""
        return accumulator_seq(self.variable)

    def _hooks(self, kind: str) -> dict[int, Any]:
        meta = self.variable._more()
        if meta.pass_hooks is None:
            meta.pass_hooks = {"pre": {}, "post": {}, "keep": self}
        return meta.pass_hooks[kind]  # type: ignore[no-any-return]

    def register_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(grad_inputs, grad_outputs)` after the gradient was accumulated."""
        return RemovableHandle(self._hooks("post"), hook)

    def register_prehook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(grad_outputs)` before the gradient is accumulated."""
        return RemovableHandle(self._hooks("pre"), hook)

    def __repr__(self) -> str:
        return f"<AccumulateGrad object at {id(self):#x}>"


_named: dict[str, type[SeenNode]] = {}


def public(node: Node) -> Node:
    """Give a node the class of its name, as a program that looks at it expects.

    Unseen nodes stay of one class: the pass reads their slots several times faster that way.
    """
    if node.__class__ is Node:
        name = node.name().rpartition("::")[2]
        if name not in _named:
            _named[name] = type(name, (SeenNode,), {"__slots__": (), "__module__": "builtins"})
        node.__class__ = _named[name]
    extra = node.extra
    if extra is not None and extra.context is not None:
        return extra.context  # type: ignore[no-any-return]
    return node


def accumulator_of(leaf: Tensor) -> AccumulateGrad:
    """Return the leaf's AccumulateGrad, the same one as long as somebody holds it."""
    meta = leaf._more()
    found = meta.accumulator() if meta.accumulator is not None else None
    if found is None:
        found = AccumulateGrad(leaf)
        meta.accumulator = weakref.ref(found)
    return found


def accumulator_seq(leaf: Tensor) -> int:
    """Return the number by which events know a leaf's AccumulateGrad."""
    meta = leaf._more()
    if meta.accumulator_rank is None:
        meta.accumulator_rank = storage.tick()
    return events.origin - meta.accumulator_rank


def shown_places(node: Node) -> list[int] | None:
    """Return which edges PyTorch has too, None for all: an index or a mask has none there."""
    silent = getattr(node.run.rule, "silent", ())  # type: ignore[attr-defined]
    if not silent:
        return None
    kinds = node.run.rule.kinds  # type: ignore[attr-defined]
    many = len(edges_of(node)) - len(kinds) + 1
    places: list[int] = []
    at = 0
    for kind, quiet in zip(kinds, silent, strict=True):
        width = many if kind == "list" else 1
        if not quiet:
            places.extend(range(at, at + width))
        at += width
    return places


def public_edge(edge: Edge) -> tuple[Any, int]:
    """Return an edge as PyTorch shows it: the node and which of its outputs."""
    if edge is None or (isinstance(edge, Node) and edge.run is go_nowhere):
        return None, 0
    if not isinstance(edge, Node):
        return accumulator_of(edge), 0
    extra = edge.extra
    if extra is not None and extra.parent is not None:
        return public(extra.parent), extra.index
    return public(edge), 0


def edge_seq(edge: Edge) -> int | None:
    """Return the number of the node an edge leads to."""
    if edge is None or (isinstance(edge, Node) and edge.run is go_nowhere):
        return None
    if not isinstance(edge, Node):
        return accumulator_seq(edge)
    extra = edge.extra
    return extra.parent.seq if extra is not None and extra.parent is not None else edge.seq
