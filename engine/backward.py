"""The backward pass: which node runs next, what it passes on, and where that goes.

Newest node first, which is right without counting: a node is always newer than those its gradients
go to. Leaves get theirs as soon as nothing more can arrive. Nothing recurses.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from engine import events, graph, hooks, leaves, shown, storage
from engine.autograd import anomaly_mode
from engine.dtypes import Size, dtype
from engine.fitting import fit, stretched
from engine.graph import FREED, LEAF, Edge, Node, edges_of, targets_of
from engine.saved import check_versions, release
from engine.tensor import Tensor

Root = tuple[
    Edge, Any
]  # where a pass starts, and with what: a tensor when create_graph, or an array


current: Pass | None = None  # the pass whose hooks run now


class Pass:
    """One backward call, as a generator of the nodes it runs.

    With `inputs` (edges) only what leads to them runs; `captured` has what arrived there. Leaves
    get `.grad` unless `accumulate` is off.
    """

    def __init__(
        self,
        roots: list[Root],
        retain: bool,
        create: bool,
        call: int,
        inputs: Iterable[Edge] | None = None,
        accumulate: bool = True,
    ) -> None:
        self.retain = retain
        self.create = create
        self.call = call
        self.accumulate = accumulate
        self.captured: dict[Edge, Any] | None = None if inputs is None else dict.fromkeys(inputs)
        nodes = reachable([edge for edge, _ in roots])
        self.needed = nodes if self.captured is None else leading_to(nodes, set(self.captured))
        if self.captured is not None and accumulate:  # as in PyTorch, these run although nothing
            self.needed |= nodes.intersection(self.captured)  # they lead to is asked for
        # How many more contributions each leaf will get.
        self.missing = Counter(
            edge
            for node in self.needed
            for edge in edges_of(node)
            if edge is not None and not isinstance(edge, Node)
        )
        self.missing.update(edge for edge, _ in roots if not isinstance(edge, Node))
        self.waiting: dict[Edge, Any] = {}
        self.heap: list[int] = []
        self.by_rank: dict[int, Node] = {}
        self.ready: list[Tensor] = []
        for edge, grad in roots:
            self.arrive(edge, grad)

    def steps(self) -> Iterator[Node]:
        """Run node after node until nothing is left."""
        global current
        before, current = current, self
        try:
            self.finish_leaves()
            while self.heap:
                node = self.by_rank.pop(heapq.heappop(self.heap))
                current = self  # somebody else's pass may have run between two steps
                self.run(node, self.waiting.pop(node))
                self.finish_leaves()
                yield node
        finally:
            current = before

    def reaches(self, edge: Edge) -> bool:
        """Whether a gradient arrives at a node or leaf in this pass."""
        return edge in self.needed if isinstance(edge, Node) else edge in self.missing

    def run(self, node: Node, grad: Any) -> None:
        """Run one node on what arrived at it."""
        extra = node.extra
        several = extra is not None and extra.outputs is not None
        if extra is not None and not several and grad is not None:
            grad = self.before(node, extra, grad)
        if self.captured is not None:
            if node in self.captured:
                self.captured[node] = grad
            if node not in self.needed:
                return
        if extra is not None and extra.parent is not None:
            self.deliver(extra.parent, extra.index, grad)
            return
        if anomaly_mode.enabled:
            passed = anomaly_mode.watch(node, self.apply, extra, grad, several)
        else:
            passed = self.apply(node, extra, grad, several)
        each = zip(edges_of(node), passed, targets_of(node), strict=True)
        for at, (edge, got, target) in enumerate(each):
            if edge is not None:
                if got is not None and target is not None:
                    got = self.fit(got, target, node, at)
                self.arrive(edge, got)

    def before(self, node: Node, extra: graph.Extra, grad: Any) -> Any:
        """Run the hooks on the tensor the node made, and keep its gradient if it retains it."""
        tensor = extra.retains() if extra.retains is not None else None
        if extra.hooks:
            number = None if tensor is None else events.identify(tensor)
            grad = hooks.run_tensor_hooks(
                extra.hooks, grad, self.create, self.call, shown.edge_seq(node), number
            )
        if tensor is not None:
            leaves.retain(tensor, grad, self.create, self.call)
        return grad

    def deliver(self, parent: Node, index: int, grad: Any) -> None:
        """Put the gradient of one output of a node of several in its place."""
        assert parent.extra is not None and parent.extra.outputs is not None
        if parent not in self.waiting:
            self.waiting[parent] = [None] * len(parent.extra.outputs)
            heapq.heappush(self.heap, parent.rank)
            self.by_rank[parent.rank] = parent
        self.waiting[parent][index] = grad

    def apply(
        self, node: Node, extra: graph.Extra | None, grad: Any, several: bool
    ) -> tuple[Any, ...]:
        """Run the node's rule between its hooks; return one gradient per edge."""
        if node.saved is FREED:
            raise graph.freed(node)
        if node.saved is not None and storage.last_write < node.rank:
            check_versions(node)
        grads = tuple(grad) if several else (grad,)
        if extra is not None and extra.prehooks:
            grads = hooks.run_prehooks(extra.prehooks, grads, self.create)
        if all(g is None for g in grads):
            passed: Any = (None,) * len(edges_of(node))
        else:
            rule = node.run.rule  # type: ignore[attr-defined]
            given = list(grads) if several else grads[0]
            passed = rule.run_tensors(node, given) if self.create else rule.run_all(node, given)
        if extra is not None and extra.node_hooks:
            places = shown.shown_places(node)
            if places is None:
                passed = hooks.run_node_hooks(extra.node_hooks, passed, grads, self.create)
            else:
                seen = tuple(passed[at] for at in places)
                seen = hooks.run_node_hooks(extra.node_hooks, seen, grads, self.create)
                given = dict(zip(places, seen, strict=True))
                passed = tuple(given.get(at) for at in range(len(passed)))
        if events.observer is not None:
            self.tell(node, grads, passed)
        if not self.retain:
            release(node, self.call)
        return passed  # type: ignore[no-any-return]

    def tell(self, node: Node, grads: tuple[Any, ...], passed: tuple[Any, ...]) -> None:
        """Tell the observer what the rule made of what arrived."""
        incoming = tuple(None if g is None else events.value_of(leaves.array_of(g)) for g in grads)
        out = tuple(
            (at, shown.edge_seq(edge), events.value_of(leaves.array_of(got)))
            for at, (edge, got) in enumerate(zip(edges_of(node), passed, strict=True))
            if edge is not None and got is not None
        )
        events.emit(
            events.VjpApplied(events.learner_line(), self.call, node.seq, incoming, out)  # type: ignore[arg-type]
        )

    def fit(self, grad: Any, target: tuple[Size, dtype], node: Node, at: int) -> Any:
        """Reduce a contribution to its tensor's shape and type, and tell the observer."""
        dims = stretched(grad.shape, target[0])
        fitted = fit(grad, target)
        if dims and events.observer is not None:
            events.emit(
                events.ReducedToShape(
                    events.learner_line(),
                    self.call,
                    node.seq,
                    at,
                    tuple(grad.shape),
                    tuple(target[0]),
                    dims,
                    events.value_of(leaves.array_of(fitted)),
                )
            )
        return fitted

    def arrive(self, edge: Edge, grad: Any) -> None:
        """Add a contribution to what waits at an edge's end."""
        if not isinstance(edge, Node):
            self.missing[edge] -= 1
            if self.missing[edge] == 0:
                self.ready.append(edge)
        elif edge not in self.waiting:
            if self.captured is None or edge in self.needed or edge in self.captured:
                heapq.heappush(self.heap, edge.rank)
                self.by_rank[edge.rank] = edge
            else:
                return
        held = self.waiting.get(edge)
        if held is None:
            self.waiting[edge] = grad
        elif grad is not None:
            self.waiting[edge] = held + grad

    def finish_leaves(self) -> None:
        """Hand their gradients to the leaves nothing more can arrive at."""
        while self.ready:
            leaf = self.ready.pop(0)
            grad = self.waiting.pop(leaf)
            if self.captured is not None and leaf not in self.captured:
                continue
            if grad is None:
                continue
            finish_leaf(leaf, grad, self)


def finish_leaf(leaf: Tensor, grad: Any, run: Pass) -> None:
    """Run a leaf's hooks and accumulate into its `.grad`."""
    meta = leaf._meta
    create, call = run.create, run.call
    if meta is not None and meta.hooks:
        number = events.identify(leaf)
        grad = hooks.run_tensor_hooks(
            meta.hooks, grad, create, call, shown.accumulator_seq(leaf), number
        )
    if not run.accumulate:
        assert run.captured is not None
        run.captured[leaf] = grad
        return
    node_hooks = meta.pass_hooks if meta is not None else None
    if node_hooks:
        (grad,) = hooks.run_prehooks(node_hooks["pre"], (grad,), create)
    leaves.accumulate(leaf, grad, create, call)
    if meta is not None and meta.post_hooks:
        for hook in list(meta.post_hooks.values()):
            hook(leaf)
            if events.observer is not None:
                line, number = events.learner_line(), events.identify(leaf)
                events.emit(
                    events.HookRan(
                        line,
                        call,
                        shown.accumulator_seq(leaf),
                        number,
                        "post_accumulate",
                        None,
                        None,
                    )
                )
    if node_hooks:
        hooks.run_node_hooks(node_hooks["post"], (), (grad,), create)


def reachable(edges: Iterable[Edge]) -> set[Node]:
    """Return every node that gradients starting at these edges can get to."""
    found: set[Node] = set()
    stack = [edge for edge in edges if isinstance(edge, Node)]
    while stack:
        node = stack.pop()
        if node not in found:
            found.add(node)
            stack.extend(e for e in edges_of(node) if isinstance(e, Node))
    return found


def leading_to(nodes: set[Node], goals: set[Edge]) -> set[Node]:
    """Return those nodes from which gradients reach a goal."""
    needed: set[Node] = set()
    for node in sorted(nodes, key=lambda n: -n.rank):  # oldest first: edges lead to older nodes
        if any(e in goals or e in needed for e in edges_of(node)):
            needed.add(node)
    return needed


__all__ = ["LEAF", "Pass", "reachable"]
