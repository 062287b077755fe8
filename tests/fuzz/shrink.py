"""Make a program that shows a difference as small as it goes, still showing the same difference."""

from __future__ import annotations

import re
from collections.abc import Callable

LITERAL = re.compile(r"torch\.randn\(([^()]*(?:\([^()]*\))?[^()]*)\)")


def shrink(
    program: tuple[str, ...], shows: Callable[[tuple[str, ...]], bool], budget: int = 150
) -> tuple[str, ...]:
    """Drop statements while `shows` stays true; at most `budget` trials."""
    trials = 0
    changed = True
    while changed and trials < budget:
        changed = False
        for at in range(len(program) - 1, -1, -1):
            shorter = program[:at] + program[at + 1 :]
            trials += 1
            if shorter and shows(shorter):
                program, changed = shorter, True
            if trials >= budget:
                return program
    return program
