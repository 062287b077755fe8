"""Random shapes, and whether shapes fit each other."""

from __future__ import annotations

import random
from typing import Any


def random_shape(rng: random.Random) -> tuple[int, ...]:
    """Small shapes, with sizes 1 and 0 now and then."""
    rank = rng.choices((0, 1, 2, 3, 4), (3, 6, 7, 3, 0.4))[0]
    return tuple(rng.choices((0, 1, 2, 3, 4, 5), (0.35, 2, 4, 4, 1, 0.3))[0] for _ in range(rank))


def factors(rng: random.Random, count: int) -> list[int]:
    """Random sizes whose product is `count`."""
    if count == 0:
        return [0, rng.choice((1, 2, 3))]
    sizes: list[int] = []
    while count > 1:
        size = rng.choice([d for d in range(2, count + 1) if count % d == 0])
        sizes.append(size)
        count //= size
    if not sizes or rng.random() < 0.2:
        sizes.insert(rng.randint(0, len(sizes)), 1)
    return sizes


def broadcasts(a: Any, b: Any) -> bool:
    return all(x in (1, y) or y == 1 for x, y in zip(reversed(a), reversed(b), strict=False))


def expands(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return len(a) <= len(b) and all(x in (1, y) for x, y in zip(a[::-1], b[::-1], strict=False))
