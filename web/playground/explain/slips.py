"""Errors the line itself explains, and edits where it has one place to mend."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from playground import edits
from playground.explain.plain import facts_of, plain
from playground.explain.remedy import Remedy, remedy
from playground.explain.sentences import Sentence
from playground.trace import Error

Change = Callable[[str, int, str], edits.Edit]  # of a program, a line and a name in it

# Key of the error -> the edit, and what it writes.
SLIPS: Mapping[str, tuple[Change, str]] = {
    "error.numpy-requires-grad": (
        lambda source, line, _: edits.detach_before(source, line, "numpy"),
        ".detach()",
    ),
    "error.not-called": (edits.call_before, "()"),
    "error.requires-grad-of-integers": (
        lambda source, line, _: edits.as_floats(source, line),
        "dtype=torch.float32",
    ),
}


def mended(source: str, error: Error) -> tuple[Sentence | None, list[Remedy]]:
    """The sentence about an error, and the edit its line allows."""
    line, name = error.line or 0, str(error.facts.get("name"))
    similar = error.facts.get("similar")
    if similar:
        facts = {"text": similar, "line": line}
        change = remedy(
            source, "error.write", lambda: edits.rename(source, line, name, similar), facts
        )
        return Sentence(f"{error.key}.similar", facts_of(error)), change
    if error.key == "error.wide-character":
        plainer = remedy(
            source,
            "error.plain-characters",
            lambda: edits.plain_characters(source, line),
            {"line": line},
        )
        return plain(error), plainer
    if error.key in SLIPS:
        make, text = SLIPS[error.key]
        facts = {"text": text, "line": line}
        return plain(error), remedy(source, "error.write", lambda: make(source, line, name), facts)
    return plain(error), []
