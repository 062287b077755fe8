"""Sizes as arguments: spelt out, inferred, and whether memory can be seen so."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.dims import as_int


def sizes(size: Any, call: str = "") -> tuple[int, ...]:
    """Return sizes given as one tuple or list, or as several integers.

    `call` says whose argument it is, such as `"expand 'size'"`, where that is told.
    """
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        size = size[0]
    if call:
        check_integers(size, *call.split())
    return tuple(as_int(n) for n in size)


def check_integers(size: Any, op: str, name: str) -> None:
    """Refuse what is no integer among sizes."""
    for i, n in enumerate(size, 1):
        if not hasattr(n, "__index__"):
            kind = type(n).__name__
            if len(size) == 1:
                raise TypeError(
                    f"{op}(): argument {name} (position 1) must be tuple of ints, not {kind}"
                )
            raise TypeError(
                f"{op}(): argument {name} failed to unpack the object at pos {i} with error"
                f' "type must be tuple of ints,but got {kind}"'
            )


def infer_size(size: tuple[int, ...], numel: int) -> tuple[int, ...]:
    """Fill in the one -1 of a shape."""
    unknown = [i for i, n in enumerate(size) if n == -1]
    known = math.prod(n for n in size if n != -1)
    if len(unknown) > 1:
        raise fail("several-unknown-sizes", "only one dimension can be inferred")
    for i, n in enumerate(size):
        if n < -1:
            raise fail(
                "negative-size", f"invalid shape dimension {n} at index {i} of shape {list(size)}"
            )
    if not unknown and known == numel:
        return size
    if unknown and known == 0 and numel == 0:
        raise fail(
            "ambiguous-size",
            f"cannot reshape tensor of 0 elements into shape {list(size)} because the unspecified"
            " dimension size -1 can be any value and is ambiguous",
        )
    if not unknown or known == 0 or numel % known:
        raise fail(
            "shape-does-not-fit",
            f"shape '{list(size)}' is invalid for input of size {numel}",
            shape=size,
            numel=numel,
        )
    return tuple(numel // known if n == -1 else n for n in size)


def viewed(array: Any, size: tuple[int, ...]) -> Any:
    """Return the array in another shape without a copy, None where that cannot be."""
    if isinstance(array, np.generic):
        return array.reshape(size)
    seen = array.reshape(size)
    if array.size == 0 or np.may_share_memory(seen, array):
        return seen
    return None
