"""Python numbers turned into elements of a type, as PyTorch's checked conversion does."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.dtypes import SCALAR_NAMES, dtype
from engine.errors import fail


def element(value: Any, kind: dtype) -> Any:
    """Return a number as a numpy scalar of a type; refuse what lies outside its range.

    Fractions are cut off; negative numbers wrap around in unsigned types; any number is a bool.
    """
    if kind.category == 0:
        return np.bool_(value != 0)
    if kind.category == 2:
        limit = float(np.finfo(kind.np).max)
        if math.isfinite(value) and abs(value) > limit:
            raise overflow(kind)
        return kind.np.type(value)
    limits = np.iinfo(kind.np)
    if isinstance(value, float) and math.isnan(value):
        raise overflow(kind)
    low = -limits.max if limits.min == 0 else limits.min
    if not low <= value <= limits.max:
        raise overflow(kind)
    return np.array(int(value), np.int64).astype(kind.np)[()]


def overflow(kind: dtype) -> Exception:
    """Make the error about a number outside a type's range."""
    names = {
        "long": "int64_t",
        "short": "int16_t",
        "signed char": "int8_t",
        "unsigned char": "uint8_t",
    }
    name = SCALAR_NAMES[kind]
    return fail(
        "value-type",
        f"value cannot be converted to type {names.get(name, name)} without overflow",
        dtype=kind.name,
    )
