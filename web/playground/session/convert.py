"""From the engine's facts to the trace's data."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from engine import events
from playground.trace import Value

ADDRESS = re.compile(r" at 0x[0-9a-f]+>")  # differs from run to run
INT_LIMIT = 2**63
DEPTH_LIMIT = 4
LENGTH_LIMIT = 64


def number(value: Any) -> Any:
    """A number as JSON has it; what is not finite becomes a word."""
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value


def numbers(values: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
    if values is None:
        return None
    if all(type(value) is not float or math.isfinite(value) for value in values):
        return values
    return tuple(number(value) for value in values)


_known: dict[int, tuple[events.Value, Value]] = {}  # by identity: the engine repeats its values


def value_of(value: events.Value) -> Value:
    known = _known.get(id(value))
    if known is None:
        if len(_known) > 4096:
            _known.clear()
        known = _known[id(value)] = value, _converted(value)
    return known[1]


def _converted(value: events.Value) -> Value:
    return Value(
        tuple(map(int, value.shape)),
        value.dtype,
        numbers(value.data),
        numbers(value.stats),
        numbers(value.sample),
    )


def optional(value: events.Value | None) -> Value | None:
    return None if value is None else value_of(value)


def constant(value: Any, tensor: Callable[[int], int] = int, depth: int = 0) -> Any:
    """Any argument or fact as bounded JSON data."""
    if value is None or isinstance(value, (bool, str)):
        return value if not isinstance(value, str) else value[:1000]
    if isinstance(value, int):
        return int(value) if -INT_LIMIT < value < INT_LIMIT else str(value)[:1000]
    if isinstance(value, float):
        return number(float(value))
    if isinstance(value, events.TensorFacts):
        return tensor(value.id)
    if isinstance(value, (tuple, list)) and depth < DEPTH_LIMIT:
        return tuple(constant(item, tensor, depth + 1) for item in value[:LENGTH_LIMIT])
    if isinstance(value, dict) and depth < DEPTH_LIMIT:
        return {str(key): constant(item, tensor, depth + 1) for key, item in value.items()}
    return ADDRESS.sub(">", str(value))[:200]


def size_in_bytes(facts: events.TensorFacts) -> int:
    digits = "".join(character for character in facts.dtype if character.isdigit())
    return math.prod(facts.shape) * max(1, int(digits or 8) // 8)
