"""Places in other people's files that must read differently in this page, each with its reason.

A place is a text that occurs exactly once, so that a new version of a package cannot slip past.
"""

_PLACES: dict[str, dict[str, list[tuple[str, str]]]] = {
    "panel": {
        "panel/io/pyodide.py": [
            # Teaches pandas to read from addresses; the page has no pandas and asks no address.
            ("if pyodide_http is None:\n    import pandas\n", "if False:\n    import pandas\n"),
        ],
    },
}


def of(package: str) -> dict[str, list[tuple[str, str]]]:
    """Return a package's rewrites: file to pairs of old and new text."""
    return {file: list(pairs) for file, pairs in _PLACES.get(package, {}).items()}
