"""Everything a view may depend on, in one immutable value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from playground.state import State
from playground.trace import Tensor, Trace

from .theme import LIGHT, Theme

T = TypeVar("T")
Say = Callable[..., str]
"""`say(key, **facts)`: the sentence of that key in the learner's language."""

Size = tuple[float, float]

SIZES: Mapping[str, Size] = {
    "graph": (991, 338),
    "timeline": (991, 120),
    "ledger": (391, 312),
    "inspector": (600, 312),
}


@dataclass(frozen=True, slots=True)
class Selection:
    """What the learner picked, in place of the step's own node."""

    what: Literal["op", "tensor", "message", "write"]
    index: int  # op index, tensor id, or the index of the step of a write or message
    operand: int = 0  # of a message: which of the step's messages


@dataclass(frozen=True, slots=True)
class Frame:
    """A moment of a run as one learner sees it."""

    state: State
    say: Say
    language: str = "en"
    theme: Theme = LIGHT
    layout: str = "desktop"
    sizes: Mapping[str, Size] = field(default_factory=lambda: SIZES)
    selection: Selection | None = None
    leaf: int | None = None  # tensor id of the leaf the ledger shows
    element: int | None = None  # the element its total line follows
    step_size: str = "operation"
    extra: Mapping[str, Any] = field(default_factory=dict)
    found: dict[str, Any] = field(default_factory=dict, compare=False)  # looked up once per frame

    @property
    def trace(self) -> Trace:
        return self.state.trace

    @property
    def cursor(self) -> int:
        return self.state.cursor

    def once(self, key: str, make: Callable[[], T]) -> T:
        """Something that is worked out once for this frame."""
        if key not in self.found:
            self.found[key] = make()
        found: T = self.found[key]
        return found

    @property
    def leaves(self) -> list[Tensor]:
        """The named leaves at the cursor."""
        return self.once("leaves", self.state.leaves)

    def size(self, view: str) -> Size:
        """Width and height of a view's place in the page, in CSS pixels."""
        return self.sizes.get(view) or SIZES[view]
