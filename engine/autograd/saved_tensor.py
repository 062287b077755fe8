"""What a node keeps of one tensor, as an object on which hooks can be set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import grad_mode, graph
from engine.autograd.packing import Packed
from engine.graph import FREED, Node
from engine.ops.rules import Rule, rule_for
from engine.tensor import Tensor, make

SECOND = (
    "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one"
    " pair of hooks is allowed at a time."
)


class SavedTensor:
    """The place of a saved tensor in its node."""

    def __init__(self, node: Node, index: int) -> None:
        self._node = node
        self._index = index

    def register_hooks(
        self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]
    ) -> None:
        """Keep what `pack_hook` makes of the tensor; the rule gets what `unpack_hook` returns."""
        node: Any = self._node
        if node.saved is FREED:
            raise RuntimeError(
                "Calling register_hooks on a saved tensor after it has been freed. Saved"
                " intermediate values of the graph are freed when you call .backward() or"
                " autograd.grad(). Specify retain_graph=True if you need to backward through the"
                " graph a second time or if you need to access saved tensors after calling"
                " backward."
            )
        if type(node.run.rule) is not Rule:
            spread(node)
        value = node.saved[self._index]
        if isinstance(value, Packed):
            raise RuntimeError(SECOND)
        tensor = value if isinstance(value, Tensor) else make(np.asarray(value))
        with grad_mode.no_grad():
            packed = Packed(pack_hook(tensor), unpack_hook)
        node.saved = (*node.saved[: self._index], packed, *node.saved[self._index + 1 :])
        node.run = node.run.rule.run_packed

    def __repr__(self) -> str:
        return f"<torch._C._autograd.SavedTensor object at {id(self):#x}>"


def spread(node: Any) -> None:
    """Let a node keep edges and saved values as the general form does, which can hold any."""
    rule = node.run.rule
    saved = dict(rule.saved_items(node))
    edges, targets = graph.edges_of(node), graph.targets_of(node)
    full = rule_for(rule.op, rule.name, rule.wanted)
    known = getattr(rule, "defaults", {})
    if not known and full.attributes:
        known = dict(zip(rule.attributes, node.saved2, strict=False))
    node.edge, node.edge2 = edges, targets
    node.saved = tuple(saved[n] for n in full.saves)
    node.saved2 = tuple(known[n] for n in full.attributes)
    node.run = full.run


SavedTensor.__module__ = "torch._C._autograd"


def raw_saved(node: Node, name: str) -> SavedTensor:
    """Return `_raw_saved_<name>` of a node."""
    wanted = "input" if name == "self" else name
    names = [n for n, _ in node.run.rule.saved_items(node)]  # type: ignore[attr-defined]
    if wanted not in names:
        raise AttributeError(f"'{type(node).__name__}' object has no attribute '_raw_saved_{name}'")
    return SavedTensor(node, names.index(wanted))
