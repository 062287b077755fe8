"""Cuts Python for the page by watching it run.

What a boot and a walk through every example open is the core, all else may come after first paint.
"""

import ast
import json
import os
import shutil
import zipfile
from pathlib import Path

from . import archives
from .inputs import Input
from .page import BOTH, Asset, examples
from .places import WORK, digest, say

HERE = Path(__file__).parent
# Packages of which the interface never needs more than it has at the start.
NO_REST = ("xyzservices/",)
# Of the project's own files, what is read only when somebody asks for more.
LATER = "errors/"
# numpy and Bokeh reach these without an import statement of the program.
LAZY = [f"numpy.{name}" for name in ("fft", "linalg", "ma", "polynomial", "random")]
# The engine's, which a first program may need before the archive they lie in is there.
LAZY += ["engine.ops.overwrite", "engine.ops.observe", "engine.ops.plain", "engine.ops.fast"]
LAZY += ["engine.ops.plain_arguments"]
LAZY += [f"engine.autograd.{name}" for name in ("functional", "graph", "grad_mode", "variable")]
LAZY += ["engine.autograd.strictness", "engine.autograd.telling", "engine.autograd.saved_tensor"]
ALWAYS = (
    "pyodide/",
    "_pyodide/",
    "encodings/__init__",
    "encodings/aliases",
    "encodings/utf_8",
    "panel/theme/css/",  # Panel's themes ask whether these exist; nothing opens them
)


def whole(packages: dict[str, Path], own: dict[str, bytes]) -> list[Asset]:
    """Return every archive of Python uncut, for comparison."""
    rooms: dict[str, dict[str, bytes]] = {"stdlib": {}, "numpy": {}, "interface": {}}
    for package, path in packages.items():
        with zipfile.ZipFile(path) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        rooms[package if package in rooms else "interface"] |= files
    return _first({name: archives.stored_zip(files) for name, files in rooms.items()}, own)


def assets(compiled: dict[str, Path], own: dict[str, bytes], pyodide: Input) -> list[Asset]:
    """Return every archive of Python: the core of both workers first, the rest to come later."""
    used = _watched(compiled, own, pyodide)
    core: dict[str, dict[str, bytes]] = {"stdlib": {}, "numpy": {}, "interface": {}}
    rest: dict[str, dict[str, bytes]] = {"both": {}, "interface": {}}
    for package, path in compiled.items():
        room = package if package in ("stdlib", "numpy") else "interface"
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                data = archive.read(name)
                if name in used or name.startswith(ALWAYS):
                    core[room][name] = data
                elif room == "stdlib":
                    rest["both"][name] = data
                elif name.endswith((".pyc", ".so")) and not name.startswith(NO_REST):
                    place = rest["both" if room == "numpy" else "interface"]
                    place[f"site-packages/{name}"] = data
    later = {name: data for name, data in own.items() if name.startswith(LATER)}
    rest["interface"] |= {f"site-packages/{name}": data for name, data in later.items()}
    zips = {name: archives.stored_zip(files) for name, files in core.items()}
    late = {name: archives.stored_zip(files) for name, files in rest.items()}
    only = ("interface",)
    return [
        *_first(zips, {name: data for name, data in own.items() if name not in later}),
        Asset("rest.zip", late["both"], "archive", "rest", BOTH, True, True),
        Asset("rest-interface.zip", late["interface"], "archive", "rest", only, True, True),
    ]


def _first(zips: dict[str, bytes], own: dict[str, bytes]) -> list[Asset]:
    """Return what a start without a snapshot unpacks."""
    own_zip, only = archives.stored_zip(own), ("interface",)
    first = [
        Asset("python_stdlib.zip", zips["stdlib"], "bytes", "python", gzipped=True),
        Asset("numpy.zip", zips["numpy"], "archive", "numpy", BOTH, gzipped=True),
        Asset("own.zip", own_zip, "archive", "interface", BOTH, gzipped=True),
        Asset("interface.zip", zips["interface"], "archive", "interface", only, gzipped=True),
    ]
    for asset in first:
        asset.later_with_snapshot = True
    return first


def _watched(compiled: dict[str, Path], own: dict[str, bytes], pyodide: Input) -> set[str]:
    """Return the archive entries that one full use of both workers needs.

    What is imported can only change when an import statement does, so the answer is kept while
    those stay the same.
    """
    scripts = [(HERE / name).read_bytes() for name in ("trace_job.py", "pyodide.mjs")]
    key = digest(*sorted(p.name for p in compiled.values()), *_imports(), *scripts, *LAZY)
    kept = WORK / "watched" / f"{key[:32]}.json"
    if not kept.exists():
        say("Watching what the two workers import")
        folder = site(compiled, own)
        programs = {row["name"]: row["text"] for row in examples()}
        job = {"mounts": {"/site": str(folder)}, "path": ["/site"]}
        given = {"site": "/site", "programs": programs, "traces": [], "lazy": LAZY}
        runtime = archives.unpacked(pyodide)
        rows = []
        for role in ("runner", "interface"):
            given["role"] = role
            what = f"Trying out the {role} worker"
            stdlib = str(compiled["stdlib"])
            row = archives.run_in_pyodide(
                runtime, "trace_job.py", what, input=given, stdlib=stdlib, **job
            )
            given["traces"] = row.pop("traces")
            rows.append(row)
        kept.parent.mkdir(parents=True, exist_ok=True)
        files = sorted({name for row in rows for name in [*row["modules"], *row["data"]]})
        kept.with_suffix(".part").write_text(json.dumps(files, indent=1))
        os.replace(kept.with_suffix(".part"), kept)
    return set(json.loads(kept.read_text()))


def _imports() -> list[str]:
    """Return every import statement of the project's own modules, as text."""
    found = set()
    for path in archives.own_files().values():
        if path.suffix == ".py" and path.parent.name not in ("examples", "lessons"):
            for node in ast.walk(ast.parse(path.read_bytes())):
                if isinstance(node, (ast.Import, ast.ImportFrom)):
                    found.add(ast.unparse(node))
    return sorted(found)


def site(compiled: dict[str, Path], own: dict[str, bytes]) -> Path:
    """Unpack all packages into one folder, and the project's own files over them."""
    key = digest(*sorted(p.name for p in compiled.values()))[:12]
    folder = WORK / f"site-{key}"
    if not folder.exists():
        part = folder.with_name("site.part")
        shutil.rmtree(part, ignore_errors=True)
        for package, path in compiled.items():
            if package != "stdlib":
                with zipfile.ZipFile(path) as archive:
                    archive.extractall(part)
        os.replace(part, folder)
    for room in {name.split("/", 1)[0] for name in own}:
        shutil.rmtree(folder / room, ignore_errors=True)  # what is gone from the checkout is gone
    for name, data in own.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return folder
