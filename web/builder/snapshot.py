"""The memory of an interpreter that has everything imported: both workers can start from it."""

import io
import json
import os
import shutil
import zipfile
from pathlib import Path

from . import archives
from .cut import LAZY
from .inputs import Input
from .page import BOTH, Asset, examples
from .places import WORK, digest, say

HERE = Path(__file__).parent
SCRIPTS = (HERE / "pyodide.mjs", HERE / "warm_job.py", HERE / "archives.py")
ARCHIVES = ("numpy.zip", "own.zip", "interface.zip")


def assets(python: list[Asset], pyodide: Input) -> list[Asset]:
    """Return the snapshot's assets, taken from the very archives that the plain start unpacks."""
    parts = {asset.name: asset.data for asset in python if not asset.later}
    programs = {row["name"]: row["text"] for row in examples()}
    scripts = [path.read_bytes() for path in SCRIPTS]
    contents = [parts[name] for name in sorted(parts)]
    key = digest(*contents, *scripts, json.dumps([programs, LAZY]), pyodide.sha256)
    folder = WORK / "snapshots" / key[:20]
    if not folder.exists():
        say("Taking a snapshot of the started interpreter")
        _take(folder, parts, programs, pyodide)
    libraries = json.loads((folder / "libraries.json").read_text())
    memory = (folder / "memory.bin").read_bytes()
    found = [
        Asset("memory.bin", memory, "bytes", "python", gzipped=True),
        Asset("libraries.json", json.dumps(libraries).encode(), "bytes", "python"),
        Asset("data.zip", _data(parts["own.zip"]), "archive", "python", BOTH, True),
        Asset("look.zip", _data(parts["interface.zip"]), "archive", "python", ("interface",), True),
    ]
    for row in libraries:
        found.append(Asset(row["file"], (folder / row["file"]).read_bytes(), "wasm", "numpy"))
    for asset in found:
        asset.only = "snapshot"
    return found


def _take(folder: Path, parts: dict[str, bytes], programs: dict[str, str], pyodide: Input) -> None:
    fresh = folder.with_suffix(".part")
    # Each is large and of use to one state of the sources only.
    shutil.rmtree(folder.parent, ignore_errors=True)
    fresh.mkdir(parents=True)
    for name, data in parts.items():
        (fresh / name).write_bytes(data)
    archives.run_in_pyodide(
        archives.unpacked(pyodide),
        "warm_job.py",
        "Taking the snapshot",
        stdlib=str(fresh / "python_stdlib.zip"),
        archives=[str(fresh / name) for name in ARCHIVES],
        snapshot=str(fresh),
        input={"programs": programs, "lazy": LAZY},
    )
    for name in parts:
        (fresh / name).unlink()
    os.replace(fresh, folder)


def _data(archive: bytes) -> bytes:
    """Return an archive's files that are no modules: Python's memory lacks them."""
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        names = [name for name in files.namelist() if not name.endswith((".pyc", ".so"))]
        return archives.stored_zip({name: files.read(name) for name in names})
