"""The ways a loss is reduced to one number."""

from __future__ import annotations

import warnings
from typing import Any


def legacy_reduction(size_average: Any, reduce: Any, reduction: str) -> str:
    """Return `reduction`, unless the old arguments choose another, which warns."""
    if size_average is None and reduce is None:
        return reduction
    if reduce is not None and not reduce:
        chosen = "none"
    else:
        chosen = "mean" if size_average is None or size_average else "sum"
    warnings.warn(
        "size_average and reduce args will be deprecated, "
        f"please use reduction='{chosen}' instead.",
        stacklevel=3,
    )
    return chosen


def check_reduction(reduction: str) -> None:
    """Refuse what is not the name of a reduction."""
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
