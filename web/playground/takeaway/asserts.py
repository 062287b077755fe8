"""The numbers of a run as asserts that real PyTorch has to pass."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from playground.trace import Trace, Value

WORDS = {"nan": "torch.nan", "inf": "torch.inf", "-inf": "-torch.inf"}
INFERRED = {"float32", "int64", "bool"}  # what torch.tensor makes of Python's numbers
ROOM = 88  # characters of a line of numbers


def asserts(trace: Trace) -> list[str]:
    """One line per number: every tensor with a name, and every .grad."""
    usual = "set_default_dtype" not in trace.source
    lines: list[str] = []
    for final in trace.final:
        if re.split(r"[.\[]", final.name, maxsplit=1)[0] == "torch":
            continue  # the asserts need that name
        lines.append(close(final.name, final.value, usual))
        if final.grad is not None:
            lines.append(close(f"{final.name}.grad", final.grad, usual))
        elif final.asks:
            lines.append(f"assert {final.name}.grad is None")
    return lines


def close(expression: str, value: Value, usual: bool = True) -> str:
    """An assert that an expression has this value; of a large one only the shape."""
    if value.data is None:
        return f"assert {expression}.shape == {tuple(value.shape)}"
    special = ", equal_nan=True" if "nan" in value.data else ""
    return f"torch.testing.assert_close({expression}, {literal(value, usual)}{special})"


def literal(value: Value, usual: bool = True) -> str:
    """A tensor as PyTorch text: torch.tensor([1.0, torch.nan])."""
    assert value.data is not None
    kind = "" if usual and value.dtype in INFERRED else f", dtype=torch.{value.dtype}"
    if not value.data:
        return f"torch.zeros({tuple(value.shape)}, dtype=torch.{value.dtype})"
    items = [_number(item, value.dtype) for item in value.data]
    return f"torch.tensor({_nested(items, value.shape)}{kind})"


def _number(item: Any, dtype: str) -> str:
    """As few digits as tell it from its neighbours in its own dtype."""
    if isinstance(item, str):
        return WORDS[item]
    if isinstance(item, float) and dtype in ("float32", "float16"):
        return repr(float(str(np.dtype(dtype).type(item))))
    return repr(item)


def _nested(items: list[str], shape: tuple[int, ...]) -> str:
    if not shape:
        return items[0]
    if len(shape) == 1:
        return f"[{_wrapped(items)}]"
    size = len(items) // shape[0]
    rows = [_nested(items[i * size : (i + 1) * size], shape[1:]) for i in range(shape[0])]
    return f"[{_wrapped(rows)}]"


def _wrapped(items: list[str]) -> str:
    """Items in a row, or in several when they are too long for one."""
    row = ", ".join(items)
    if len(row) <= ROOM and "\n" not in row:
        return row
    lines, line = [], ""
    for item in items:
        if line and len(line) + len(item) > ROOM:
            lines.append(line.rstrip())
            line = ""
        line += f"{item}, "
    return "\n    " + "\n    ".join([*lines, line.rstrip()]) + "\n"
