"""Numbers as the graph and the ledger write them: three digits, a true minus sign."""

from __future__ import annotations

import math
from collections.abc import Sequence

from playground.trace import Value

Number = float | int | bool | str


def show(number: Number) -> str:
    """Three significant digits, no trailing zeros."""
    if isinstance(number, (bool, str)) or not math.isfinite(number):
        return str(number).replace("-", "−")
    size = abs(number)
    if isinstance(number, int) and size < 1_000_000:
        text = str(number)
    elif size == 0:
        text = "0"
    elif size >= 1_000_000 or size < 0.0001:
        mantissa, exponent = f"{number:.2e}".split("e")
        text = f"{float(mantissa):g}e{int(exponent)}"
    elif size >= 100:
        text = f"{number:.0f}"
    else:
        text = f"{number:.3g}"
    return text.replace("-", "−")


def row(numbers: Sequence[Number], room: int | None = None) -> str | None:
    """The numbers side by side, two spaces apart, one if need be; None when they do not fit."""
    texts = [show(number) for number in numbers]
    for gap in ("  ", " "):
        line = gap.join(texts)
        if room is None or len(line) <= room:
            return line
    return None


def flat(value: Value) -> tuple[float, ...]:
    """Every number known of a value, as floats ("nan" and "inf" included)."""
    known = value.data if value.data is not None else (value.sample or ())
    return tuple(float(number) for number in known)


def sign(value: Value) -> str:
    """One of "pos", "neg", "zero", "mixed", or "nan" for anything that is not finite."""
    numbers = flat(value)
    if value.data is None and value.stats:
        numbers += tuple(float(number) for number in value.stats[:2])
    if any(not math.isfinite(number) for number in numbers):
        return "nan"
    above, below = any(n > 0 for n in numbers), any(n < 0 for n in numbers)
    if above and below:
        return "mixed"
    return "pos" if above else "neg" if below else "zero"


def size(value: Value) -> float:
    """Mean of |g| over the finite numbers known."""
    numbers = [abs(number) for number in flat(value) if math.isfinite(number)]
    return sum(numbers) / len(numbers) if numbers else 0.0


def shape(dims: Sequence[int]) -> str:
    """A shape as PyTorch's tuples print: (), (3,), (2, 3)."""
    inside = ", ".join(str(dim) for dim in dims)
    return f"({inside},)" if len(dims) == 1 else f"({inside})"
