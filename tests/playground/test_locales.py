"""Every sentence in every language, with the same facts, and none twice."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from string import Formatter

import pytest

from playground.words import LANGUAGES, LOCALES

FILES = sorted(path.name for path in (LOCALES / "en").glob("*.json"))
PYTHON = sorted((LOCALES.parent / "playground").rglob("*.py"))


def load(language: str, name: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((LOCALES / language / name).read_text("utf-8"))
    return found


def facts(text: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_every_language_has_the_same_files() -> None:
    for language in LANGUAGES:
        assert sorted(path.name for path in (LOCALES / language).glob("*.json")) == FILES


@pytest.mark.parametrize("name", FILES)
def test_every_language_has_the_same_keys_and_facts(name: str) -> None:
    english = load("en", name)
    for language in LANGUAGES:
        other = load(language, name)
        assert other.keys() == english.keys()
        for key, text in english.items():
            assert facts(other[key]) == facts(text), key


def test_no_key_stands_in_two_files() -> None:
    counts = Counter(key for name in FILES for key in load("en", name))
    assert [key for key, count in counts.items() if count > 1] == []


def keys_named_in(path: Path) -> set[str]:
    """Texts in the source that look like keys of explain.json."""
    pattern = r'"((?:say|none|inspector|ledger|error)\.[a-z._-]+[a-z])"'
    return set(re.findall(pattern, path.read_text("utf-8")))


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: path.stem)
def test_keys_named_in_the_source_exist(path: Path) -> None:
    known = {key for name in FILES for key in load("en", name)}
    prefixes = {key.rsplit(".", 1)[0] for key in known}
    assert keys_named_in(path) - known - prefixes - ERROR_KEYS == set()


# Kinds of error by which remedies and causes are chosen; those without a sentence show the text.
ERROR_KEYS = {"error.python", "error.division", "error.interrupted", "error.leaf-view-in-place"}
