"""Nodes in place of others: for one output of several, and for where no way back is."""

from __future__ import annotations

import weakref
from typing import Any

from engine import storage
from engine.graph import Edge, Extra, Node


class StandIn(Node):
    """One output of a node of several, in place of an edge to that node."""

    __slots__ = ("__weakref__",)


class _Delivery:
    """The rule of one output of a node of several: hand the gradient on under its index."""

    name = "Output"
    saves = ()

    @staticmethod
    def edges(node: Node) -> tuple[Edge, ...]:
        return (node.edge,)

    @staticmethod
    def targets(node: Node) -> tuple[None]:
        return (None,)

    @staticmethod
    def replace_result(node: Node, array: Any, index: int = 0) -> None:
        """Tell the node which of its outputs that is."""
        node.edge.run.rule.replace_result(node.edge, array, node.more().index)


def deliver(node: Node, grad: Any) -> Any:
    """Stand for the rule of an output; the pass delivers by itself."""
    raise AssertionError("the pass hands an output's gradient to its node")


deliver.rule = _Delivery  # type: ignore[attr-defined]


class _Nowhere:
    """The rule of a view that was made within no_grad of something that requires grad.

    It requires grad itself, but what is computed from it has no way back.
    """

    name = "None"
    saves = ()

    @staticmethod
    def edges(node: Node) -> tuple[Edge, ...]:
        """Return no edges."""
        return ()

    @staticmethod
    def run_all(node: Node, grad: Any) -> tuple[Any, ...]:
        """Pass nothing on."""
        return ()

    run_tensors = run_all

    @staticmethod
    def saved_items(node: Node) -> list[tuple[str, Any]]:
        """Return nothing."""
        return []

    @staticmethod
    def replace_result(node: Node, array: Any, index: int = 0) -> None:
        """Do nothing."""


def go_nowhere(node: Node, grad: Any) -> tuple[Any, ...]:
    """Pass nothing on."""
    return ()


go_nowhere.rule = _Nowhere  # type: ignore[attr-defined]


def dead_end() -> Node:
    """Make the origin of a view made within no_grad."""
    node = Node()
    node.rank = storage.tick()
    node.run = go_nowhere
    node.edge = node.edge2 = node.saved2 = ()
    node.saved = node.extra = None
    return node


def stand_in(parent: Node, index: int) -> Node:
    """Return the stand-in for one output of a node that has several.

    The node holds it weakly: the tensor it is the origin of keeps it, and it keeps the node.
    """
    outputs = parent.more().outputs
    assert outputs is not None
    shape, kind, known = outputs[index]
    node = known()
    if node is None:
        node = StandIn()
        # Between its node and the next newer one, the first output first.
        node.rank = parent.rank - 0.9 * (1 - index / len(outputs))  # type: ignore[assignment]
        node.run = deliver
        node.edge = parent
        node.edge2 = None
        node.saved = None
        extra = node.extra = Extra()
        extra.parent, extra.index = parent, index
        outputs[index] = shape, kind, weakref.ref(node)
    return node


def no_node() -> None:
    """Stand for a weak reference to nothing."""
