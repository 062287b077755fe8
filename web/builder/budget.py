"""How much the page may weigh: the build fails when an asset or a start outgrows its share."""

from .places import Failure

MB = 1_000_000
# Compressed bytes before the first picture.
PLAIN = 12 * MB
SNAPSHOT = 24 * MB
# Compressed, per asset; what is not named may have SMALL.
ASSETS = {
    "memory.bin": 18.0,
    "pyodide.asm.wasm": 3.2,
    "numpy.zip": 2.8,
    "interface.zip": 2.2,
    "rest-interface.zip": 2.2,
    "rest.zip": 1.8,
    "python_stdlib.zip": 1.7,
    "own.zip": 1.8,
    "numpy._core._multiarray_umath.wasm": 0.7,
    "numpy.linalg._umath_linalg.wasm": 0.5,
    "figures.js": 0.4,
}
SMALL = 0.3


def check(rows: list[dict[str, object]], sent: dict[str, int]) -> None:
    """Raise Failure with the list of what is too big; `sent` has each asset's compressed bytes."""
    grown = [
        f"{name} is {size / MB:.2f} MB compressed, its share is {share} MB"
        for name, size in sent.items()
        if size > (share := ASSETS.get(name, SMALL)) * MB
    ]
    for start, limit in (("plain", PLAIN), ("snapshot", SNAPSHOT)):
        total = sum(sent[str(row["name"])] for row in rows if _first(row, start))
        if total > limit:
            most = f"{limit / MB:.0f} MB may be sent"
            grown.append(f"a {start} start is {total / MB:.2f} MB compressed, {most}")
    if grown:
        raise Failure("\n  ".join(["The page has outgrown web/builder/budget.py:", *grown]))


def _first(row: dict[str, object], start: str) -> bool:
    """Say whether an asset is sent before the first picture."""
    if row.get("later"):
        return False
    return row.get("laterWith" if start == "snapshot" else "only") != "snapshot"
