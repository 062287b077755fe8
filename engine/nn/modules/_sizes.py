"""Numbers that may be given once for all dims."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def ntuple(value: Any, count: int) -> tuple[Any, ...]:
    """Return `count` values: a number repeated, or what was given as a tuple."""
    if isinstance(value, Iterable) and not isinstance(value, str):
        return tuple(value)
    return (value,) * count
