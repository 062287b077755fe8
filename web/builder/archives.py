"""Python for the page: compiled once per input by the interpreter that will run it."""

import io
import json
import os
import shutil
import tarfile
import zipfile
from pathlib import Path
from typing import Any

from . import machine, rewrites
from .inputs import Input
from .places import ROOT, WEB, WORK, Failure, digest, say

HERE = Path(__file__).parent
RUNNER = HERE / "pyodide.mjs"
SITE = "/lib/python3.12/site-packages"
STDLIB = "/lib/python312.zip"
# Never of use in a page. What boots is found by watching; this only keeps the later archive small.
USELESS = (
    "panel/tests/",
    "panel/dist/",
    "panel/command/",
    "panel/_interact",
    "bokeh/server/static/",
    "bokeh/sphinxext/",
    "bokeh/command/",
    "bokeh/sampledata/",
    "narwhals/testing",
    "numpy/f2py/",
    "numpy/distutils/",
    "numpy/_pyinstaller/",
    "ensurepip/",
    "idlelib/",
    "lib2to3/",
    "pydoc_data/",
    "turtledemo/",
    "multiprocessing/",
)
USEFUL = ("panel/dist/css/",)
NO_DATA = (".pyi", ".pyx", ".pxd", ".h", ".c", ".a", ".map", ".ts", ".so", "/RECORD", "/WHEEL")


def unpacked(entry: Input) -> Path:
    """Unpack an npm tarball or a wheel once and return its folder."""
    folder = WORK / "unpacked" / f"{entry.name.replace('/', '+')}-{entry.sha256[:12]}"
    if folder.exists():
        return folder
    fresh = folder.with_name(folder.name + ".part")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    if entry.file.endswith(".whl"):
        with zipfile.ZipFile(entry.path) as archive:
            archive.extractall(fresh)
    else:
        with tarfile.open(entry.path) as archive:
            for member in archive.getmembers():
                # npm puts all files below one folder, usually called package.
                member.name = member.name.partition("/")[2]
                if member.isfile() and member.name and ".." not in Path(member.name).parts:
                    archive.extract(member, fresh)
    os.replace(fresh, folder)
    return folder


def write_job(order: Path, pyodide: Path, script: Path, **job: Any) -> None:
    """Write what pyodide.mjs reads."""
    order.write_text(json.dumps({"pyodide": str(pyodide), "script": str(script), **job}))


def run_in_pyodide(pyodide: Path, script: str, what: str, **job: Any) -> Any:
    """Run one of this folder's scripts in Pyodide under Node.js and return its `result`."""
    order = WORK / f"{script}-{os.getpid()}.json"
    answer = order.with_suffix(".answer")
    write_job(order, pyodide=pyodide, script=HERE / script, output=str(answer), **job)
    try:
        machine.run([machine.node(), str(RUNNER), str(order)], what)
        return json.loads(answer.read_text())
    finally:
        order.unlink(missing_ok=True)
        answer.unlink(missing_ok=True)


def packages(entries: list[Input], pyodide: Input, compiled: bool = True) -> dict[str, Path]:
    """Return per package one stored archive of modules and data; the runtime's own is `stdlib`."""
    runtime = unpacked(pyodide)
    recipe = digest((HERE / "compile_job.py").read_bytes(), pyodide.sha256)
    sources = {"stdlib": (runtime / "python_stdlib.zip", pyodide.sha256, STDLIB)}
    sources |= {entry.name: (entry.path, entry.sha256, SITE) for entry in entries}
    done: dict[str, Path] = {}
    choice = repr((USELESS, USEFUL, NO_DATA, compiled))
    mounts = {"/to": str(WORK / "compiled")}
    rows: list[dict[str, Any]] = []
    for name, (path, sha256, inside) in sources.items():
        changed = rewrites.PLACES.get(name, {})
        key = digest(sha256, recipe, json.dumps(changed), rewrites.pattern(), choice)
        done[name] = WORK / "compiled" / f"{name}-{key[:16]}.zip"
        if not done[name].exists():
            inputs = f"/from{len(rows)}"
            row: dict[str, Any] = {"from": f"{inputs}/{path.name}", "name": inside}
            row |= {"optimize": 2 if compiled else None, "rewrites": changed}
            row |= {"to": f"/to/{done[name].name}.part"}
            row |= {"servers": rewrites.pattern(), "nowhere": rewrites.NOWHERE}
            mounts[inputs] = str(path.parent)
            with zipfile.ZipFile(path) as archive:
                row["entries"] = [n for n in archive.namelist() if _wanted(n)]
            rows.append(row)
    (WORK / "compiled").mkdir(parents=True, exist_ok=True)
    if rows:
        say(f"{'Compiling' if compiled else 'Packing'} {len(rows)} packages with Pyodide's Python")
        run_in_pyodide(runtime, "compile_job.py", "Packing", mounts=mounts, input=rows)
        for row in rows:
            part = WORK / "compiled" / Path(row["to"]).name
            os.replace(part, part.with_suffix(""))
    return done


def _wanted(name: str) -> bool:
    if name.endswith("/") or "/tests/" in name or name.startswith("test/"):
        return False
    if name.endswith(".so"):
        return name.startswith("numpy/")
    if name.startswith(USELESS) and not name.startswith(USEFUL):
        return False
    return name.endswith(".py") or not name.endswith(NO_DATA)


def own_files() -> dict[str, Path]:
    """Return the project's own files in the page: name below site-packages to file."""
    found: dict[str, Path] = {}
    for root, base in ((ROOT / "engine", ROOT), (WEB / "playground", WEB)):
        files = (p for p in root.rglob("*") if p.suffix in (".py", ".txt", ".css"))
        found |= {p.relative_to(base).as_posix(): p for p in files}
    for room in ("locales", "examples", "lessons"):
        files = (p for p in (WEB / room).rglob("*") if p.is_file())
        found |= {p.relative_to(WEB).as_posix(): p for p in files}
    errors = ROOT / "docs" / "reference" / "errors"
    found |= {p.relative_to(errors.parent).as_posix(): p for p in errors.glob("*/*.md")}
    return dict(sorted(found.items()))


def own(pyodide: Input, compiled: bool = True) -> dict[str, bytes]:
    """Return the project's own part of the page, compiling only files that changed."""
    if not compiled:
        return {name: path.read_bytes() for name, path in own_files().items()}
    folder = WORK / "own"
    folder.mkdir(parents=True, exist_ok=True)
    recipe = digest((HERE / "compile_job.py").read_bytes(), pyodide.sha256)
    contents: dict[str, bytes] = {}
    waiting: list[tuple[str, Path]] = []
    rows = []
    for name, path in own_files().items():
        data = path.read_bytes()
        if path.suffix != ".py" or name.startswith(("examples/", "lessons/")):
            contents[name] = data
            continue
        kept = folder / digest(recipe, name, data)
        waiting.append((name + "c", kept))
        if not kept.exists():
            _check_syntax(path, data)
            row = {"from": f"/repo/{path.relative_to(ROOT).as_posix()}"}
            row["to"] = f"/own/{kept.name}.part"
            rows.append({**row, "name": f"{SITE}/{name}", "optimize": 0})
    if rows:
        say(f"Compiling {len(rows)} own modules")
        mounts = {"/repo": str(ROOT), "/own": str(folder)}
        job = {"mounts": mounts, "input": rows}
        run_in_pyodide(unpacked(pyodide), "compile_job.py", "Compiling own modules", **job)
    for name, kept in waiting:
        if not kept.exists():
            os.replace(kept.with_name(kept.name + ".part"), kept)
        contents[name] = kept.read_bytes()
    return contents


def _check_syntax(path: Path, data: bytes) -> None:
    try:
        compile(data, str(path), "exec", dont_inherit=True)
    except SyntaxError as error:
        raise Failure(f"{path.relative_to(ROOT)}:{error.lineno}: {error.msg}") from error


def stored_zip(contents: dict[str, bytes]) -> bytes:
    """Pack files uncompressed and with fixed dates, so that equal contents give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(contents):
            archive.writestr(zipfile.ZipInfo(name), contents[name])
    return buffer.getvalue()
