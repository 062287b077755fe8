"""Telling the observer about an op that was applied."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import dtypes, events, grad_mode, graph, shown
from engine.graph import Node
from engine.tensor import Tensor

if TYPE_CHECKING:
    from engine.ops.record import Op


def tell(
    op: Op,
    values: list[Any],
    outputs: list[Tensor],
    node: Node | None,
    before: events.TensorFacts | None = None,
    in_place: bool = True,
) -> None:
    """Tell the observer about an op, its arguments and what became of it.

    `before` is what the first argument was, for an op that wrote into it; not `in_place` where
    that is how the op is done, and not what the program asked for.
    """
    assert events.observer is not None
    line = events.learner_line()
    if node is not None:
        node.more().where = line
    told = [argument(v) for v in values]
    if before is not None:
        told[0] = before
    arguments = tuple(zip((p.name for p in op.params), told, strict=True))
    events.observer(
        events.OpApplied(
            line,
            op.name,
            arguments,
            tuple(events.facts_of(t) for t in outputs),
            None if node is None else node.seq,
            None if node is None else shown_name(node),
            () if node is None else tuple(map(shown.edge_seq, graph.edges_of(node))),
            () if node is None else saved_by(node, outputs),
            grad_mode.enabled,
            in_place and before is not None,
        )
    )


def tell_fill(target: Tensor, name: str) -> None:
    """Tell the observer that a tensor was overwritten by something that is no op."""
    assert events.observer is not None
    line = events.learner_line()
    facts = events.facts_of(target)
    node = target._node()
    grad_fn = None if node is None else shown_name(node)
    arguments = (("input", facts),)
    number = None if node is None else node.seq
    events.observer(
        events.OpApplied(
            line,
            name.rstrip("_"),
            arguments,
            (facts,),
            number,
            grad_fn,
            (),
            (),
            grad_mode.enabled,
            True,
        )
    )


def shown_name(node: Node) -> str:
    """Return a node's name as tensors print it."""
    return node.name().rpartition("::")[2]


def tell_view_again(view: Tensor) -> None:
    """Tell the observer that a view of a base that was written has a new node."""
    from engine.copy_slices import geometry
    from engine.ops.strided import as_strided

    base, node = view._base, view._fn
    assert base is not None and node is not None
    tell(as_strided, [base, *geometry(view, base)], [view], node)


def argument(value: Any) -> Any:
    """Return an argument as an event may keep it."""
    if isinstance(value, Tensor):
        return events.facts_of(value)
    if isinstance(value, (list, tuple)):
        return tuple(argument(v) for v in value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, dtypes.dtype):
        return str(value)
    return repr(value)


def saved_by(node: Node, outputs: list[Tensor]) -> tuple[events.Saved, ...]:
    """Say which tensors a node saved."""
    rule = node.run.rule  # type: ignore[attr-defined]
    found = []
    for name, value in rule.saved_items(node):
        for v in value if isinstance(value, list) else [value]:
            owner = v if isinstance(v, Tensor) else None
            if owner is None and name in rule.op.outputs:
                owner = outputs[rule.op.outputs.index(name)]
            if owner is None:
                found.append(events.Saved(name, None, 0))
            else:
                found.append(events.Saved(name, events.identify(owner), owner._version_now()))
    return tuple(found)
