"""The pages about kinds of errors (docs/reference/errors), found by key and language.

In the page they lie beside the locales, in the checkout among the documents.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

HERE = Path(__file__).parent.parent.parent
PLACES = (HERE / "errors", HERE.parent / "docs" / "reference" / "errors")


def page_name(key: str) -> str:
    """The page of a key; all budgets have one in common."""
    name = key.removeprefix("error.")
    return "budget" if name.startswith("budget-") else name


@cache
def page_of(key: str, language: str) -> str | None:
    """The Markdown of the page about a key; None where there is none."""
    for place in PLACES:
        path = place / language / f"{page_name(key)}.md"
        if path.is_file():
            return path.read_text("utf-8")
    return None
