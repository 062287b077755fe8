"""The words inside of formulas, such as "where", in every language."""

from __future__ import annotations

import json
import re

import pytest

import engine  # noqa: F401 its import fills the registry
from engine.ops.record import REGISTRY
from playground.words import LANGUAGES, LOCALES

WORDS = {
    found.strip()
    for record in REGISTRY.values()
    for latex in (record.latex, *(rule.latex for rule in record.vjps.values()))
    for found in re.findall(r"\\text\{([^{}]*)\}", latex or "")
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_a_formula_is_there_and_no_other(language: str) -> None:
    known = json.loads((LOCALES / language / "formulas.json").read_text("utf-8"))
    assert {key.removeprefix("formula.") for key in known} == WORDS
    if language == "en":
        assert all(key == f"formula.{word}" for key, word in known.items())
    else:
        assert not [word for word in known.values() if re.search(r"[a-z]{4}", word)]
