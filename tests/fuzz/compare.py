"""Tell two observations of one program apart, and say how they differ."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from tests.fuzz.observe import Seen

# relative and absolute (times the largest value) slack for a result that took a few operations
SLACK = {
    "torch.float64": (1e-9, 1e-11),
    "torch.float32": (3e-5, 2e-6),
    "torch.float16": (1e-2, 2e-3),
    "torch.bfloat16": (5e-2, 2e-2),
}
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|\.\d+|nan|inf)")
BLANK = re.compile(r"\s+")


@dataclass(frozen=True)
class Difference:
    """The first thing that differs."""

    at: int  # index of the statement; one past the last for the end
    kind: str  # "error", "value", "text", "dtype", "flags.2", …
    want: Any
    got: Any
    name: str = ""

    @property
    def about_numbers(self) -> bool:
        """Whether rounding could explain it."""
        return self.kind not in {"error", "dtype", "type", "missing"}


def first_difference(want: list[Seen], got: list[Seen]) -> Difference | None:
    """The earliest difference of two runs, or None."""
    born: dict[str, tuple[int, int]] = {}
    for at, (a, b) in enumerate(zip(want, got, strict=False)):
        found = differ(a, b, born)
        if found:
            kind, left, right, name = found
            return Difference(at, kind, left, right, name)
    if len(want) != len(got):
        at = min(len(want), len(got))
        return Difference(at, "length", len(want), len(got))
    return None


def differ(a: Seen, b: Seen, born: dict[str, tuple[int, int]]) -> tuple[str, Any, Any, str] | None:
    """How two steps differ: kind, wanted, got, name."""
    if a.error != b.error:
        kind = "missing" if b.error and MISSING.search(b.error) else "error"
        return kind, a.error, b.error, ""
    for name in a.made.keys() | b.made.keys():
        if name not in a.made or name not in b.made:
            return "names", sorted(a.made), sorted(b.made), name
    for name in a.made:
        found = differ_in(a.made[name], b.made[name])
        if found:
            return (*found, name)
    for name, flags in a.flags.items():
        other = b.flags.get(name)
        if other is not None and flags[0] != other[0]:
            new = name in a.made or (name not in born and not name.startswith("v"))
            flags, other = since_birth(name, flags, other, new, born)
        if flags != other:
            labels = ("version", "requires_grad", "is_leaf", "grad_fn")
            pairs = zip(labels, flags, other or (None,) * 4, strict=True)
            return next((f"flags.{w}", x, y, name) for w, x, y in pairs if x != y)
    if a.printed != b.printed and not same_text_loosely(a.printed, b.printed):
        return "printed", a.printed, b.printed, ""
    return None


def since_birth(
    name: str,
    flags: tuple[Any, ...],
    other: tuple[Any, ...],
    made: bool,
    born: dict[str, tuple[int, int]],
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Flags with versions counted from when the tensor was made.

    Some functions of PyTorch write to their results on the way; how often is nobody's business.
    """
    if not (isinstance(flags[0], int) and isinstance(other[0], int)):
        return flags, other
    if made:
        born[name] = (flags[0], other[0])
    start = born.get(name, (0, 0))
    return (flags[0] - start[0], *flags[1:]), (other[0] - start[1], *other[1:])


MISSING = re.compile(r"has no attribute|No module named|not defined|playground")


def differ_in(a: Any, b: Any) -> tuple[str, Any, Any] | None:
    """How two looked-at values differ: (kind, wanted, got)."""
    if isinstance(a, dict) and isinstance(b, dict):
        return differ_in_tensor(a, b)
    if isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            return "length", len(a), len(b)
        return next((f for f in map(differ_in, a, b) if f), None)
    if isinstance(a, float) and isinstance(b, float):
        return None if close(a, b, 1e-5, 1e-7) else ("value", a, b)
    if type(a) is not type(b):
        return "type", a, b
    return None if a == b else ("value", a, b)


def differ_in_tensor(a: dict[str, Any], b: dict[str, Any]) -> tuple[str, Any, Any] | None:
    for key in ("type", "dtype", "shape"):
        if a[key] != b[key]:
            return key, a[key], b[key]
    # the step over a dim of one element, or over none, leads nowhere
    steps = zip(a["shape"], a["stride"], b["stride"], strict=True)
    if 0 not in a["shape"] and any(x != y for size, x, y in steps if size > 1):
        return "stride", a["stride"], b["stride"]
    left, right = a["values"], b["values"]
    exact = True
    if left != right:
        rel, absolute = SLACK.get(a["dtype"], (0.0, 0.0))
        top = max((abs(x) for x in left if math.isfinite(x)), default=0.0)
        for x, y in zip(left, right, strict=True):
            if x != y and not (x != x and y != y):
                exact = False
                if not close(x, y, rel, absolute * top):
                    return "value", left, right
    if any(
        x == 0 and y == 0 and math.copysign(1, x) != math.copysign(1, y)
        for x, y in zip(left, right, strict=True)
    ):
        return "sign of zero", left, right
    shown = a["text"] and b["text"]
    if shown and a["text"] != b["text"] and (exact or not same_text_loosely(a["text"], b["text"])):
        return "text", a["text"], b["text"]
    return None


def close(x: float, y: float, rel: float, absolute: float) -> bool:
    if x != x or y != y:
        return x != x and y != y
    if math.isinf(x) or math.isinf(y):
        return x == y
    return abs(x - y) <= absolute + rel * max(abs(x), abs(y))


def same_text_loosely(a: str, b: str) -> bool:
    """Whether two texts are the same but for the last digits of their numbers."""
    if BLANK.sub("", NUMBER.sub("#", a)) != BLANK.sub("", NUMBER.sub("#", b)):
        return False
    left, right = NUMBER.findall(a), NUMBER.findall(b)
    return all(close(float(x), float(y), 1e-3, 2e-4) for x, y in zip(left, right, strict=True))
