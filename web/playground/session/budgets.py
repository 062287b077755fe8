"""Limits of a run, and the counter that keeps them.

Loops and functions of the program count (see `Scene.tick`), and so does every step.
What they raise is a BaseException that no `except Exception` swallows, and raises again at the next
tick for programs that swallow everything.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, fields
from typing import Any, NoReturn

CLOCK_EVERY = 256  # ticks between two looks at the clock
SIZE_EVERY = 16  # looks at the clock between two looks at the memory
MEMORY_EVERY = 16 * 1024 * 1024  # bytes of new tensors between two looks at the memory


@dataclass(frozen=True, slots=True)
class Budgets:
    """What a run may use before it ends in an explained error."""

    lines: int = 1_000_000  # passes of loops and calls of functions, counted by their statements
    steps: int = 20_000  # entries of the time line
    seconds: float = 20
    megabytes: int = 768  # more than it started with; the page's runner has 1024 in all
    characters: int = 1_000_000  # printed

    @classmethod
    def from_data(cls, data: Any) -> Budgets:
        """Budgets from a message's JSON; fields it lacks keep their default."""
        if not isinstance(data, dict):
            return cls()
        known = {item.name for item in fields(cls)}
        given: dict[str, Any] = {
            name: value
            for name, value in data.items()
            if name in known and isinstance(value, (int, float)) and value > 0
        }
        return cls(**given)


class Exceeded(BaseException):
    """A budget is used up."""

    def __init__(self, what: str, limit: float) -> None:
        super().__init__(what)
        self.what = what
        self.limit = limit


class Meter:
    """Counts what a run uses."""

    def __init__(self, budgets: Budgets) -> None:
        self.budgets = budgets
        self.lines = 0
        self.limit = budgets.lines
        self.ticks = 0
        self.bytes = 0
        self.deadline = time.monotonic() + budgets.seconds
        self.ended: Exceeded | None = None
        self._base = memory_used()

    def look(self) -> None:
        """Raise when too many lines were run, or for too long."""
        if self.lines > self.limit:
            self.fail("lines", self.budgets.lines)
        self.check_clock()
        if not self.ticks % (CLOCK_EVERY * SIZE_EVERY):
            self.check_size()

    def check_clock(self) -> None:
        if time.monotonic() > self.deadline:
            self.fail("seconds", self.budgets.seconds)

    def allocate(self, count: int) -> None:
        """Count the bytes of a new tensor; the process is asked only now and then."""
        self.bytes += count
        if self.bytes >= MEMORY_EVERY:
            self.bytes = 0
            self.check_size()

    def check_size(self) -> None:
        if memory_used() - self._base > self.budgets.megabytes * 1024 * 1024:
            self.fail("megabytes", self.budgets.megabytes)

    def fail(self, what: str, limit: float) -> NoReturn:
        if self.ended is None:
            self.ended = Exceeded(what, limit)
            self.lines = sys.maxsize  # so that every tick from here on raises again
        raise self.ended


def memory_used() -> int:
    """The memory of this interpreter at its highest, in bytes."""
    if sys.platform == "emscripten":
        import pyodide_js  # type: ignore[import-not-found]

        return int(pyodide_js._module.HEAPU8.length)
    try:
        import resource
    except ImportError:  # Windows: no such measure without another library
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
