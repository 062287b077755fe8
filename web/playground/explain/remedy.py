"""Edits offered to the learner, computed so that their diff can be shown first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from playground.edits import Edit, EditError, changed_lines
from playground.edits.text import DiffLine
from playground.explain.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Remedy:
    """One edit: what it is called, what comes of it, and the program after it."""

    title: Sentence
    note: Sentence | None
    edit: Edit
    diff: tuple[DiffLine, ...]


def remedy(
    source: str,
    key: str,
    make: Callable[[], Edit],
    facts: Mapping[str, Any] | None = None,
    note: Sentence | None = None,
) -> list[Remedy]:
    """A list of one remedy, or of none when the program has no place for the edit."""
    try:
        edit = make()
    except EditError:
        return []
    if edit.text == source:
        return []
    diff = tuple(changed_lines(source, edit.text))
    return [Remedy(Sentence(key, facts or {}), note, edit, diff)]
