"""Where things are, and how the build speaks: one line per step, one sentence per failure."""

import hashlib
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
DIST = ROOT / "dist"
WORK = ROOT / ".build"
VENV = ROOT / ".venv"
LOCK = ROOT / "lock.json"
CACHE_VARIABLE = "AUTOGRAD_PLAYGROUND_CACHE"


class Failure(Exception):
    """Something the person at the terminal can act on; its text is all that is printed."""


def cache() -> Path:
    """Return the folder of downloads, which may be carried to a machine without a network."""
    return Path(os.environ.get(CACHE_VARIABLE) or ROOT / ".cache").resolve() / "downloads"


def say(text: str) -> None:
    """Print one line at once, also when the output is a pipe."""
    print(text, flush=True)


def warn(text: str) -> None:
    """Print one line to the error stream."""
    print(text, file=sys.stderr, flush=True)


def digest(*parts: bytes | str) -> str:
    """Return the sha256 of the parts, each preceded by its length so that no two lists collide."""
    sha = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        sha.update(b"%d:" % len(data))
        sha.update(data)
    return sha.hexdigest()


def file_digest(path: Path) -> str:
    """Return the sha256 of a file's bytes, as lock.json writes it."""
    sha = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            sha.update(chunk)
    return sha.hexdigest()
