"""The licences of everything that is in the page, as whoever hands it on must pass them on."""

import email
import json
import re
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import PurePosixPath

from .inputs import Input
from .places import Failure

NAME = "licenses.txt"
_FILE = re.compile(r"(licen[sc]es?|copying|notice)([-.].*)?", re.IGNORECASE)
# A font in a wheel is not in the page; the licence texts of such parts would only hide the others.
_NOT_OURS = ("/bundled/", "/tests/", "/node_modules/")
# Packages that hold others' work and say so nowhere in a file.
_WITH = {"pyodide": "with CPython 3.12 and its standard library, PSF-2.0"}
HEAD = """\
The Autograd Playground contains the following software, each under its own licence.

"""


def text(entries: list[Input]) -> bytes:
    """Return one text: name, version and licence of each input, the same wording only once."""
    said: dict[str, list[str]] = {}
    for entry in entries:
        stated, wordings = _licence(entry)
        if not stated and not wordings:
            raise Failure(f"{entry.title} says nothing of its licence; see web/builder/notices.py")
        title = ", ".join(filter(None, [entry.title, stated, _WITH.get(entry.name)]))
        said.setdefault("\n\n".join(wordings), []).append(title)
    parts = ["\n".join([*titles, "", wording]).strip() for wording, titles in said.items()]
    return (HEAD + f"\n\n\n{'-' * 72}\n\n".join(parts) + "\n").encode()


def _licence(entry: Input) -> tuple[str, list[str]]:
    """Return what a package states in a word or two, and the wordings it carries."""
    stated, wordings = "", []
    for path, data in _members(entry):
        content = data.decode("utf-8", "replace").replace("\r\n", "\n")
        if path.name == "package.json" and len(path.parts) == 2:
            stated = str(json.loads(content).get("license", ""))
        elif path.name == "METADATA":
            stated = _of_metadata(content)
        elif (wording := content.strip()) not in wordings:
            wordings.append(wording)
    return stated, wordings


def _of_metadata(content: str) -> str:
    """Return a wheel's licence: the expression, else the classifiers, else a short free text."""
    headers = email.message_from_string(content)
    if expression := headers.get("License-Expression"):
        return expression
    classifiers = headers.get_all("Classifier", [])
    named = [c.rpartition(" :: ")[2] for c in classifiers if c.startswith("License :: ")]
    return ", ".join(named) or headers.get("License", "").partition("\n")[0]


def _members(entry: Input) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield a package's licence files and the file with its metadata."""
    if entry.file.endswith(".whl"):
        with zipfile.ZipFile(entry.path) as wheel:
            for name in wheel.namelist():
                if _wanted(name):
                    yield PurePosixPath(name), wheel.read(name)
        return
    with tarfile.open(entry.path) as tarball:
        for member in tarball.getmembers():
            if member.isfile() and _wanted(member.name) and (file := tarball.extractfile(member)):
                yield PurePosixPath(member.name), file.read()


def _wanted(name: str) -> bool:
    path = PurePosixPath(name)
    if name.endswith("/") or any(part in f"/{name}" for part in _NOT_OURS):
        return False
    if path.name == "METADATA":
        return path.parent.name.endswith(".dist-info")
    is_licence = _FILE.fullmatch(path.name) is not None and path.suffix != ".py"
    return is_licence or path.name == "package.json"
