"""Every refusal of the engine: PyTorch's text, a key that names it, and the facts behind it.

The exceptions are of Python's own types, as in PyTorch, with two attributes more: `key` and `facts`
feed the page's explanation.
"""

from __future__ import annotations

from typing import Any

from engine import events


def fail(key: str, text: str, kind: type[Exception] = RuntimeError, **facts: Any) -> Exception:
    """Make an exception that says PyTorch's `text` and carries the facts; the caller raises it."""
    error = kind(text)
    error.key = f"error.{key}"  # type: ignore[attr-defined]
    error.facts = facts  # type: ignore[attr-defined]
    if events.observer is not None:
        line = events.learner_line()
        events.observer(events.Raised(line, f"error.{key}", tuple(facts.items())))
    return error


def unsupported(feature: str) -> Exception:
    """Refuse what this engine leaves out, by name."""
    return fail(
        "unsupported",
        f"{feature}: this feature of PyTorch is not part of the playground",
        NotImplementedError,
        feature=feature,
    )
