"""What differs between two runs: a pinned one, and the one that is shown."""

from __future__ import annotations

import math
from dataclasses import dataclass

from playground.state import State
from playground.trace import Value

CLOSE = 1e-6


@dataclass(frozen=True, slots=True)
class Change:
    """Something of a name is not what it was; None where one of the two runs has nothing."""

    name: str
    grad: bool  # its .grad, else its value
    before: Value | None
    now: Value | None
    tensor: int | None  # in the run that is shown


def changes(now: State, before: State) -> tuple[Change, ...]:
    """Names in the order of the program that is shown, those that are gone at the end."""
    known, were = now.names(), before.names()
    found: list[Change] = []
    for name in [*known, *(name for name in were if name not in known)]:
        here, there = known.get(name), were.get(name)
        value = now.value(here) if here is not None else None
        was = before.value(there) if there is not None else None
        if not same(value, was):
            found.append(Change(name, False, was, value, here))
        grad = now.grad(here) if here is not None else None
        had = before.grad(there) if there is not None else None
        if not same(grad, had):
            found.append(Change(name, True, had, grad, here))
    return tuple(found)


def same(a: Value | None, b: Value | None) -> bool:
    """Equal up to rounding; NaN is the same as NaN."""
    if a is None or b is None:
        return a is b
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.data is None or b.data is None:
        return a.data is b.data and a.stats == b.stats and a.sample == b.sample
    return all(
        x == y or (type(x) is float and type(y) is float and math.isclose(x, y, rel_tol=CLOSE))
        for x, y in zip(a.data, b.data, strict=True)
    )
