"""The sentence about an error that needs no look at the trace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playground.explain.kinds import kind_of
from playground.explain.sentences import Sentence
from playground.trace import Error
from playground.words import LANGUAGES, say, sentences


def facts_of(error: Error, **more: Any) -> dict[str, Any]:
    """An error's facts, as its sentence holds them."""
    known = {name: _text(value) for name, value in error.facts.items()}
    return {**known, "line": error.line if error.line is not None else "?", **more}


def _text(value: Any) -> Any:
    """A fact as a sentence holds it; a row of sizes reads as a shape."""
    return value if isinstance(value, (str, int, float)) else str(value)


def plain(error: Error) -> Sentence | None:
    """The sentence the locale files have for the key, or for its kind, when its facts are there."""
    facts = facts_of(error)
    for key in (f"{error.key}.why", f"error.{kind_of(error.key)}.why"):
        if _is_whole(key, facts):
            return Sentence(key, facts)
    return None


def _is_whole(key: str, facts: Mapping[str, Any]) -> bool:
    if key not in sentences(LANGUAGES[0]):
        return False
    try:
        for language in LANGUAGES:
            say(language, key, **facts)
    except (KeyError, IndexError, ValueError):
        return False
    return True
