"""Telling the observer about calls of custom Functions."""

from __future__ import annotations

import inspect
from typing import Any

from engine import events, grad_mode, shown
from engine.graph import Node
from engine.ops.observe import argument
from engine.tensor import Tensor


def tell(call: Any, inputs: tuple[Any, ...], made: list[Any], node: Node | None) -> None:
    """Tell the observer about a call."""
    assert events.observer is not None
    line = events.learner_line()
    if node is not None:
        node.more().where = line
    arguments = tuple(
        (n, argument(v)) for n, v in zip(names_of(call.rule.cls, len(inputs)), inputs, strict=True)
    )
    saved: tuple[events.Saved, ...] = ()
    if node is not None and node.saved:
        saved = tuple(
            events.Saved("saved_tensors", events.identify(v), v._version_now())
            for v in node.saved
            if isinstance(v, Tensor)
        )
    events.observer(
        events.OpApplied(
            line,
            call.rule.cls.__name__,
            arguments,
            tuple(events.facts_of(t) for t in made if isinstance(t, Tensor)),
            None if node is None else node.seq,
            None if node is None else call.rule.name,
            () if node is None else tuple(map(shown.edge_seq, node.edge)),
            saved,
            grad_mode.enabled,
            False,
        )
    )


def names_of(cls: Any, count: int) -> list[str]:
    """Return the names forward gives to its inputs, numbered where it names too few."""
    parameters = list(inspect.signature(cls.forward).parameters.values())
    names = [p.name for p in parameters if p.kind is not p.VAR_POSITIONAL and p.name != "ctx"]
    return (names + [f"input{i}" for i in range(len(names), count)])[:count]
