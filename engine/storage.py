"""Memory that tensors share, and the count of in-place writes to it."""

from __future__ import annotations

import weakref
from bisect import bisect_right
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.tensor import Tensor

# Nodes and in-place writes draw from one counter, so that "written since this node saved it" is
# `write > node.seq`, and forward need not save a version. Plain globals: read in every operation.
clock = 0
last_write = 0  # of any memory at all: spares nearly every backward the look at what it saved
KEPT = 4096  # writes remembered one by one, for the version a node expects


class Storage:
    """The version counter of a tensor and of everything that shares its memory.

    Made when the first view or the first in-place write needs it; before that the version is 0.
    """

    __slots__ = ("_dropped", "lines", "views", "writes")

    def __init__(self) -> None:
        self.writes: list[int] = []  # when each write happened, by the clock
        self.lines: list[int | None] = []  # where, while somebody observes
        self.views: list[weakref.ref[Tensor]] = []  # tensors whose node a write replaces
        self._dropped = 0

    @property
    def version(self) -> int:
        """How often the memory was written."""
        return self._dropped + len(self.writes)

    @property
    def last_write(self) -> int:
        """The clock at the last write, 0 before the first."""
        return self.writes[-1] if self.writes else 0

    def version_at(self, time: int) -> int:
        """Return the version there was at a time of the clock."""
        return self._dropped + bisect_right(self.writes, time)

    def wrote(self) -> None:
        """Count a write."""
        global clock, last_write
        clock += 1
        last_write = clock
        self.writes.append(clock)
        if len(self.writes) > KEPT:
            del self.writes[: KEPT // 2]
            self._dropped += KEPT // 2


def tick() -> int:
    """Return the next number of the clock."""
    global clock
    clock += 1
    return clock


class Meta:
    """What most tensors never need, in one object beside the tensor."""

    __slots__ = (
        "accumulator", "accumulator_seq", "base", "grad", "hooks", "id", "inference", "made_in_no_grad",
        "multi_view", "name", "pass_hooks", "post_hooks", "retains", "storage",
    )  # fmt: skip

    def __init__(self) -> None:
        self.grad: Tensor | None = None
        self.storage: Storage | None = None
        self.base: Tensor | None = None
        self.id: int | None = None
        self.hooks: dict[int, Any] | None = None  # of a leaf; a node keeps its own
        self.post_hooks: dict[int, Any] | None = None
        self.pass_hooks: Any = None
        self.retains = False
        self.accumulator: Any = None  # weak reference to the AccumulateGrad somebody looked at
        self.accumulator_seq: int | None = None
        self.made_in_no_grad = False
        self.multi_view: str | None = None  # the op that made several views at once
        self.inference = False
        self.name: str | None = None
