"""The pages about kinds of errors (docs/reference/errors), found by key and language.

In the page they lie beside the locales, in the checkout among the documents.
"""

from __future__ import annotations

from pathlib import Path

from playground.explain.kinds import kind_of

HERE = Path(__file__).parent.parent.parent
PLACES = (HERE / "errors", HERE.parent / "docs" / "reference" / "errors")

# The learner's own exceptions, and a stop by hand: there is nothing general to say.
WITHOUT = frozenset({"error.python", "error.interrupted"})


def page_of(key: str, language: str) -> str | None:
    """The Markdown of the page about a key; None where there is none, or it is not here yet."""
    for place in PLACES:
        path = place / language / f"{kind_of(key)}.md"
        if path.is_file():
            return path.read_text("utf-8")
    return None
