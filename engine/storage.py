"""Memory that tensors share, and the count of in-place writes to it."""

from __future__ import annotations

import weakref
from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from engine import events

if TYPE_CHECKING:
    from engine.tensor import Tensor

# Nodes and in-place writes draw from one clock, so that "written since this node saved it" is a
# comparison and forward need not save a version. It counts down: the pass wants the newest node
# first, and a heap gives the smallest number. In a list because every recorded operation sets it,
# and setting a module's global takes twice as long.
clock = [0]
last_write = 0  # rank of the last write to any memory: spares nearly every look at what was saved
KEPT = 4096  # writes remembered one by one, for the version a node expects


class Storage:
    """The version counter of a tensor and of everything that shares its memory.

    Made when the first view or the first in-place write needs it; before that the version is 0.
    """

    __slots__ = ("_dropped", "lines", "views", "writes")

    def __init__(self) -> None:
        self.writes: list[int] = []  # when each write happened: minus its rank
        self.lines: list[int | None] = []  # where, while somebody observes
        self.views: list[weakref.ref[Tensor]] = []  # differentiable views of the base
        self._dropped = 0

    @property
    def version(self) -> int:
        """How often the memory was written."""
        return self._dropped + len(self.writes)

    def written_since(self, rank: int) -> bool:
        """Whether there was a write after the node of this rank was made."""
        return bool(self.writes) and self.writes[-1] > -rank

    def version_at(self, rank: int) -> int:
        """Return the version there was when the node of this rank was made."""
        return self._dropped + bisect_right(self.writes, -rank)

    def line_of_last_write(self) -> int | None:
        """Return the learner's line of the last write, when somebody was observing."""
        return self.lines[-1] if self.lines else None

    def wrote(self) -> None:
        """Count a write."""
        global last_write
        clock[0] = last_write = clock[0] - 1
        self.writes.append(-last_write)
        if events.observer is not None:
            self.lines = [events.learner_line()]
        if len(self.writes) > KEPT:
            del self.writes[: KEPT // 2]
            self._dropped += KEPT // 2


def tick() -> int:
    """Return the next rank."""
    clock[0] -= 1
    return clock[0]


class Meta:
    """What most tensors never need, in one object beside the tensor; made at first need.

    The defaults are the class's, which makes an instance as cheap as one attribute.
    """

    grad: Tensor | None = None
    storage: Storage | None = None
    base: Tensor | None = None
    id: tuple[int, int] | None = None  # the observed run, and the tensor's number in it
    hooks: dict[int, Any] | None = None  # of a leaf; a node keeps its own
    post_hooks: dict[int, Any] | None = None
    pass_hooks: Any = None  # of the leaf's AccumulateGrad
    retains = False
    accumulator: Any = None  # weak reference to the AccumulateGrad somebody looked at
    accumulator_rank: int | None = None
    # Of a view that a recorded write may not touch: made in "no_grad" or "inference" mode, or one
    # of "many" made at once.
    view_kind: str | None = None
    inference = False
    name: str | None = None
