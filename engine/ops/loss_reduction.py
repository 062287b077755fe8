"""How losses are reduced, and what their families share."""

from __future__ import annotations

import math
from typing import Any

from engine.ops.arithmetic import div_number
from engine.ops.dims import add_reduce, broadcast_shapes
from engine.ops.samples import Sample, t

REDUCTIONS = ("mean", "sum", "none")


def reduced(loss: Any, reduction: str) -> Any:
    """Reduce an array of losses as the name says."""
    if reduction == "none":
        return loss
    total = add_reduce(loss, None)
    return total if reduction == "sum" else total / loss.dtype.type(loss.size)


def share(grad: Any, n: int, reduction: str) -> Any:
    """Return what of the gradient falls to each element."""
    return div_number(grad, n) if reduction == "mean" else grad


def size_of(*shapes: Any) -> int:
    """Return the number of elements of shapes that broadcast."""
    return math.prod(broadcast_shapes(*shapes))


def _pairs() -> list[Sample]:
    pair = (t(2, 3), t(2, 3, seed=1))
    return [Sample(pair, {"reduction": r}) for r in REDUCTIONS] + [Sample((t(), t(seed=1)))]


def _backs(*rest: Any) -> list[Sample]:
    trio = (t(seed=2), t(2, 3), t(2, 3, seed=1))
    wide = (t(2, 3, seed=2), t(2, 3), t(2, 3, seed=1))
    return [
        Sample((*trio, "mean", *rest)),
        Sample((*trio, "sum", *rest)),
        Sample((*wide, "none", *rest)),
    ]


def _check(input: Any, target: Any) -> None:
    if input.shape != target.shape:
        broadcast_shapes(input.shape, target.shape)
