"""Hooks on what nodes save: while some are on, saved tensors are kept as `Packed`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import events
from engine.errors import fail
from engine.tensor import Tensor

WRITES = (
    "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack"
    " hook cannot be modified by in-place operations as this can lead to unexpected side-effects."
    " Please open an issue if you need to perform in-place operations on the input to a pack hook."
)
stack: list[tuple[Callable[[Tensor], Any], Callable[[Any], Tensor]]] = []
refused: str | None = None  # the text of an error, where hooks are forbidden


class Packed:
    """What a pack hook made of a tensor, and the hook that makes it one again."""

    __slots__ = ("unpack_hook", "value")

    def __init__(self, value: Any, unpack_hook: Callable[[Any], Tensor]) -> None:
        self.value = value
        self.unpack_hook = unpack_hook

    def unpack(self) -> Tensor:
        """Return the tensor."""
        got = self.unpack_hook(self.value)
        if not isinstance(got, Tensor):
            raise TypeError(
                f"Output of saved tensor unpack_hook expected to be a Tensor but got result of type"
                f" {type(got).__name__}"
            )
        return got


def push(pack: Callable[[Tensor], Any], unpack: Callable[[Any], Tensor]) -> None:
    """Switch a pair of hooks on."""
    if refused is not None:
        raise RuntimeError(refused)
    stack.append((pack, unpack))
    events.be_careful("saved tensor hooks", True)


def pop() -> None:
    """Switch the newest pair off."""
    stack.pop()
    events.be_careful("saved tensor hooks", bool(stack))


def refuse(text: str) -> None:
    """Forbid hooks; refuse at once when some are on."""
    global refused
    if stack:
        raise RuntimeError(text)
    refused = text


def pack(value: Any) -> Any:
    """Return what a node keeps of something it saves: a tensor, an array, a list of them."""
    from engine import grad_mode
    from engine.tensor import make

    if isinstance(value, list):
        return [pack(v) for v in value]
    if not isinstance(value, Tensor):
        if not isinstance(value, np.ndarray | np.generic):
            return value
        value = make(value)
    hook, unpack_hook = stack[-1]
    version = value._version_now()
    with grad_mode.no_grad():
        packed = Packed(hook(value), unpack_hook)
    if value._version_now() != version:
        raise fail("hook-packs-in-place", WRITES)
    return packed


def unpack(value: Any) -> Any:
    """Return a kept value as it was saved."""
    return value.unpack() if isinstance(value, Packed) else value
