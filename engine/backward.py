"""The backward pass."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine import dtypes, events, grad_mode, graph
from engine.dtypes import Size
from engine.errors import fail
from engine.graph import LEAF, MANY, Node
from engine.ops import rules
from engine.tensor import Tensor, make


def backward(
    tensors: Tensor | Sequence[Tensor],
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Add the gradients of `tensors` to the `.grad` of the leaves they were computed from."""
    roots = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    given = [grad_tensors] if grad_tensors is None or isinstance(grad_tensors, Tensor) else list(grad_tensors)
    if len(given) == 1 and len(roots) > 1 and given[0] is None:
        given = [None] * len(roots)
    retain = create_graph if retain_graph is None else retain_graph
    grads = [root_gradient(t, g) for t, g in zip(roots, given, strict=True)]
    run(roots, grads, retain, create_graph)


def root_gradient(t: Tensor, given: Any) -> Any:
    """Return the gradient a root starts from."""
    if t._fn is None:
        raise fail(
            "no-graph",
            "element 0 of tensors does not require grad and does not have a grad_fn",
        )
    if given is None:
        if t.shape.numel() != 1:
            raise fail(
                "backward-of-a-vector", "grad can be implicitly created only for scalar outputs"
            )
        one = np.ones(t.shape, t.dtype.np)
        return make(one if t.shape else one[()])
    return given


def run(roots: list[Tensor], grads: list[Tensor], retain: bool, create: bool) -> None:
    """Drain the pass."""
    was = grad_mode.enabled
    grad_mode.enabled = create
    try:
        for _ in steps(roots, grads, retain, create):
            pass
    finally:
        grad_mode.enabled = was


def steps(roots: list[Tensor], grads: list[Tensor], retain: bool, create: bool) -> Iterator[Any]:
    """Run the pass, one node at a time."""
    waiting: dict[Any, Any] = {}
    heap: list[tuple[int, Any]] = []
    leaves: dict[Tensor, Any] = {}

    def arrive(edge: Any, g: Any, target: Any = None) -> None:
        if edge is None or g is None:
            return
        if target is not None:
            g = fit(g, target)
        if not isinstance(edge, Node):
            leaves[edge] = leaves[edge] + g if edge in leaves else g
            return
        if edge in waiting:
            waiting[edge] = waiting[edge] + g
        else:
            waiting[edge] = g
            heapq.heappush(heap, (-edge.seq, edge))

    parts: dict[Node, list[Any]] = {}
    for t, g in zip(roots, grads, strict=True):
        arrive(t if t._fn is LEAF else t._fn, g if create else g._array)
    while heap:
        _, node = heapq.heappop(heap)
        g = waiting.pop(node, None)
        extra = node.extra
        if extra is not None and extra.parent is not None:
            parent = extra.parent
            outs = parent.more().outputs
            assert outs is not None
            if parent not in parts:
                parts[parent] = [None] * len(outs)
                heapq.heappush(heap, (-parent.seq, parent))
            parts[parent][extra.index] = g
            continue
        if node in parts:
            g = parts.pop(node)
        passed = node.run.rule.run_tensors(node, g) if create else node.run(node, g)
        if not retain:
            node.run.rule.release(node)
        if node.edge2 is MANY:
            for edge, got, target in zip(node.edge, passed, node.saved2, strict=True):
                arrive(edge, got, target)
        yield node
    for leaf, g in leaves.items():
        accumulate(leaf, g, create)


def accumulate(leaf: Tensor, g: Any, create: bool) -> None:
    """Add to a leaf's `.grad`."""
    meta = leaf._more()
    if create:
        meta.grad = g if meta.grad is None else meta.grad + g
    elif meta.grad is None:
        meta.grad = make(g.copy())
    else:
        from engine.ops.inplace import write

        write(meta.grad, meta.grad._array + g)


def fit(g: Any, target: tuple[Size, dtypes.dtype]) -> Any:
    """Undo broadcasting: sum a gradient to the shape of what it belongs to."""
    shape, kind = target
    if g.shape != shape:
        lead = len(g.shape) - len(shape)
        dims = tuple(range(lead)) + tuple(
            i + lead for i, n in enumerate(shape) if n == 1 and g.shape[i + lead] != 1
        )
        g = g.sum(dims, keepdims=True) if not isinstance(g, Tensor) else g.sum(dims, keepdim=True)
        if lead:
            g = g.reshape(shape)
    if isinstance(g, Tensor):
        return g if g.dtype is kind else g.to(kind)
    return g if g.dtype == kind.np else g.astype(kind.np)


__all__ = ["backward", "events", "graph", "rules", "run", "steps"]
