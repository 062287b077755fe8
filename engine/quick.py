"""The pass for when nobody can see the order: no hooks, no observer, no create_graph.

It does what `backward.Pass` does, several times faster: leaves are not counted but get their
gradient at the end. When a rule fails on the way, the leaves that `Pass` would have finished by
then still get theirs.
"""

from __future__ import annotations

from heapq import heappop, heappush, heappushpop
from sys import getrefcount
from typing import Any

from numpy import array, ndarray

from engine import graph, leaves, storage
from engine.backward import reachable
from engine.fitting import fit
from engine.graph import FREED, LEAF, Edge, Node, edges_of, targets_of
from engine.saved import check_versions, free
from engine.tensor import Tensor, new

# What arrived at leaves, by the leaf's id: hashing a tensor itself takes as long as an addition.
Arrived = dict[int, list[Any]]


def run_unseen(roots: list[tuple[Edge, Any]], retain: bool) -> None:
    """Run a whole pass and accumulate into the leaves."""
    arrived: Arrived = {}
    waiting: dict[int, Any] = {}  # by rank: what arrived at nodes in the heap
    nodes: dict[int, Node] = {}
    heap: list[int] = []
    for edge, grad in roots:
        put(edge, grad, arrived, waiting, nodes, heap)
    if heap:
        walk(roots, retain, arrived, waiting, nodes, heap)
    give_to_leaves(arrived)


def give_to_leaves(arrived: Arrived) -> None:
    """Put what arrived into each leaf's `.grad`; an array nobody else holds becomes it as it is."""
    for pair in arrived.values():
        leaf, grad = pair
        pair[1] = None  # so that nobody holds the gradient but this function
        if leaf._fn is not LEAF:
            continue
        meta = leaf._meta or leaf._more()
        if meta.grad is not None:
            leaves.accumulate(leaf, grad, False)
            continue
        if type(grad) is ndarray and (getrefcount(grad) > 2 or grad.base is not None):
            grad = array(grad, order="C")
        t = meta.grad = new(Tensor)
        t._array = grad
        t.shape = leaf.shape
        t.dtype = leaf.dtype
        t._fn = t._meta = None


def put(
    edge: Edge,
    grad: Any,
    arrived: Arrived,
    waiting: dict[int, Any],
    nodes: dict[int, Node],
    heap: list[int],
) -> None:
    """Add a contribution to what waits at an edge's end."""
    if not isinstance(edge, Node):
        if grad is not None:
            slot = arrived.get(id(edge))
            if slot is None:
                arrived[id(edge)] = [edge, grad]
            else:
                slot[1] = slot[1] + grad
        return
    rank = edge.rank
    if rank not in nodes:
        nodes[rank] = edge
        waiting[rank] = grad
        heappush(heap, rank)
    elif grad is not None:
        held = waiting[rank]
        waiting[rank] = grad if held is None else held + grad


def walk(
    roots: list[tuple[Edge, Any]],
    retain: bool,
    arrived: Arrived,
    waiting: dict[int, Any],
    nodes: dict[int, Node],
    heap: list[int],
) -> None:
    """Run nodes, newest first, until none waits.

    One long loop on purpose: a call per node would cost as much as a node of a scalar graph. The
    node just made ready is gone on with; only when others wait does it take its place in the heap.
    `type(x)` because reading `x.__class__` takes three times as long where classes alternate.
    """
    rank = heappop(heap)
    node = nodes.pop(rank)
    grad = waiting.pop(rank)
    last_write = storage.last_write
    try:
        while True:
            saved = node.saved
            if saved is not None:
                if saved is FREED:
                    raise graph.freed(node)
                if last_write < node.rank:
                    check_versions(node)
            edge = node.edge
            kind = type(edge)
            if kind is tuple or grad is None or node.extra is not None:
                edge, grad = run_general(node, grad, retain, arrived, waiting, nodes, heap)
                kind = type(edge)
            else:
                edge2 = node.edge2
                if edge2 is None:
                    grad = node.run(node, grad)
                else:
                    grad, other = node.run(node, grad)
                    if type(edge2) is Tensor:
                        slot = arrived.get(id(edge2))
                        if slot is None:
                            arrived[id(edge2)] = [edge2, other]
                        else:
                            slot[1] = slot[1] + other
                    elif kind is Tensor:
                        slot = arrived.get(id(edge))
                        if slot is None:
                            arrived[id(edge)] = [edge, grad]
                        else:
                            slot[1] = slot[1] + grad
                        edge, grad, kind = edge2, other, type(edge2)
                    else:
                        put(edge2, other, arrived, waiting, nodes, heap)
                if saved is not None and not retain:
                    node.saved = FREED
                    if type(saved) is not tuple:
                        node.saved2 = None
            if kind is Node:
                if not heap:
                    node = edge
                    continue
                rank = edge.rank
                if rank not in nodes:
                    nodes[rank] = edge
                    waiting[rank] = grad
                    rank = heappushpop(heap, rank)
                    node = nodes.pop(rank)
                    grad = waiting.pop(rank)
                    continue
            if edge is not None:
                put(edge, grad, arrived, waiting, nodes, heap)
            if not heap:
                return
            rank = heappop(heap)
            node = nodes.pop(rank)
            grad = waiting.pop(rank)
    except BaseException:
        finish_before(node, roots, arrived)
        raise


def run_general(
    node: Node,
    grad: Any,
    retain: bool,
    arrived: Arrived,
    waiting: dict[int, Any],
    nodes: dict[int, Node],
    heap: list[int],
) -> tuple[Edge, Any]:
    """Run a node that is not simple: many edges, several outputs, or nothing arrived.

    Return the first edge to a node and what goes there, (None, None) when there is none.
    """
    if node.extra is not None and node.extra.parent is not None:
        hand_to_parent(node, grad, waiting, nodes, heap)
        return None, None
    rule = node.run.rule  # type: ignore[attr-defined]
    edges = edges_of(node)
    passed = (None,) * len(edges) if grad is None else rule.run_all(node, grad)
    if node.saved is not None and not retain:
        free(node)
    first, through = None, None
    for edge, got, target in zip(edges, passed, targets_of(node), strict=True):
        if edge is None:
            continue
        if (
            got is not None
            and target is not None
            and (got.shape != target[0] or got.dtype is not target[1].np)
        ):
            got = fit(got, target)
        if edge.__class__ is Tensor and got is not None and id(edge) not in arrived:
            arrived[id(edge)] = [edge, got]
        elif first is None and edge.__class__ is Node:
            first, through = edge, got
        else:
            if edge is first:  # what arrives at one node is added up in the order of the edges
                put(first, through, arrived, waiting, nodes, heap)
                first, through = None, None
            put(edge, got, arrived, waiting, nodes, heap)
    return first, through


def hand_to_parent(
    node: Node, grad: Any, waiting: dict[int, Any], nodes: dict[int, Node], heap: list[int]
) -> None:
    """Put the gradient of one output of a node of several in its place."""
    assert node.extra is not None
    parent = node.extra.parent
    assert parent is not None and parent.extra is not None and parent.extra.outputs is not None
    rank = parent.rank
    if rank not in nodes:
        nodes[rank] = parent
        waiting[rank] = [None] * len(parent.extra.outputs)
        heappush(heap, rank)
    waiting[rank][node.extra.index] = grad


def finish_before(failed: Node, roots: list[tuple[Edge, Any]], arrived: Arrived) -> None:
    """Accumulate into the leaves that were complete when the rule of a node failed."""
    rank = failed.rank
    left = {
        id(edge)
        for node in reachable([edge for edge, _ in roots])
        if node.rank >= rank
        for edge in edges_of(node)
        if edge is not None and not isinstance(edge, Node)
    }
    for leaf, grad in arrived.values():
        if id(leaf) not in left:
            leaves.accumulate(leaf, grad, False)
