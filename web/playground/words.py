"""Sentences a person reads, looked up in web/locales by language and key."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

LOCALES = Path(__file__).parent.parent / "locales"
LANGUAGES = ("en", "zh")


@cache
def sentences(language: str) -> dict[str, str]:
    """Every sentence of a language; the files of its folder share one name space."""
    found: dict[str, str] = {}
    for path in sorted((LOCALES / language).glob("*.json")):
        found.update(json.loads(path.read_text("utf-8")))
    return found


def say(language: str, key: str, **facts: Any) -> str:
    """The sentence with its facts put in; a key nobody wrote a sentence for stands for itself."""
    text = sentences(language).get(key)
    return key if text is None else text.format(**facts)


def speaker(language: str) -> Callable[..., str]:
    """`say` in one language."""

    def speak(key: str, **facts: Any) -> str:
        return say(language, key, **facts)

    return speak
