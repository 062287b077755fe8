"""`build.py build`: from locked inputs and the checkout to a finished dist/."""

import errno
import json
import re
import shutil
from pathlib import Path

from . import (
    archives,
    check,
    cut,
    figures,
    inputs,
    machine,
    notices,
    offline,
    page,
    rewrites,
    snapshot,
)
from .inputs import Input
from .page import Asset
from .places import DIST, WORK, Failure

# What a page can be made of. "snapshot" is the product; "cut" lacks the snapshot, so is quicker to
# make and slower to open; the last two are what one would build without this project's build.
KINDS = ("snapshot", "cut", "bytecode", "source")
BOKEH_SCRIPTS = ("bokeh", "bokeh-widgets", "bokeh-tables")


def build(dist: Path = DIST, kind: str = "snapshot", base_path: str = "") -> None:
    """Build into a folder of its own and put that in dist's place when it is whole."""
    base_path = _path(base_path)
    entries = inputs.locked()
    here = machine.platform_name()
    needed = [e for e in entries if e.use == "page" or (e.platform == here and "esbuild" in e.name)]
    fresh = WORK / "dist"
    try:
        WORK.mkdir(exist_ok=True)
        inputs.fetch(needed)
        shutil.rmtree(fresh, ignore_errors=True)
        page.write(_assets(needed, kind), fresh, kind in ("snapshot", "cut"), base_path)
        offline.write(fresh)
        check.same_origin(fresh)
        page.swap(fresh, dist)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise Failure(f"The disk with {WORK} is full; dist/ is as it was.") from error
        raise


def _path(given: str) -> str:
    """Return the path of a site, with both slashes, or nothing for nothing."""
    if not given:
        return ""
    if not re.fullmatch(r"/([\w.~-]+/?)*", given, re.ASCII) or ".." in given:
        raise Failure(f"--base-path is the path of a site, such as /autograd/, and not {given}")
    return given if given.endswith("/") else given + "/"


def _assets(entries: list[Input], kind: str) -> list[Asset]:
    named = {entry.name: entry for entry in entries}
    pyodide = named["pyodide"]
    page.node_modules(entries)
    bundles = page.bundles(page.tool(entries, "@esbuild", "esbuild"))
    wheels = [e for e in entries if e.file.endswith(".whl")]
    compiled = kind != "source"
    packages = archives.packages(wheels, pyodide, compiled)
    own = archives.own(pyodide, compiled)
    runtime = archives.unpacked(pyodide)
    if kind in ("snapshot", "cut"):
        python = cut.assets(packages, own, pyodide)
    else:
        python = cut.whole(packages, own)
    pyodide_js = (runtime / "pyodide.js").read_text(encoding="utf-8")

    def file(name: str, kind: str, stage: str = "python") -> Asset:
        return Asset(name, (runtime / name).read_bytes(), kind, stage)

    workers = ("interface-worker.js", "runner-worker.js")
    kept = snapshot.assets(python, pyodide) if kind == "snapshot" else []
    return [
        *kept[:1],  # by far the largest: it has to be on its way before all others
        *(Asset(n, bundles[n], "own", "page") for n in ("shell.js", "shell.css")),
        *(Asset(n, bundles[n], "script", "page") for n in workers),
        Asset("embed.js", bundles["embed.js"], "file", "page"),
        Asset(notices.NAME, notices.text([e for e in entries if e.use == "page"]), "file", "page"),
        Asset("pyodide.js", rewrites.away(pyodide_js).encode(), "script", "python"),
        file("pyodide.asm.js", "script"),
        file("pyodide.asm.wasm", "wasm"),
        Asset("pyodide-lock.json", _lock_of_pyodide(runtime), "bytes", "python"),
        *python,
        *kept[1:],
        *_page_scripts(named, whole=kind in ("bytecode", "source")),
    ]


def _lock_of_pyodide(runtime: Path) -> bytes:
    """Return the runtime's own list of packages without any: the page loads none from elsewhere."""
    data = json.loads((runtime / "pyodide-lock.json").read_text(encoding="utf-8"))
    return json.dumps({**data, "packages": {}}).encode()


def _page_scripts(named: dict[str, Input], whole: bool) -> list[Asset]:
    """Return the browser's half of Bokeh and Panel, from the very wheels of the other half."""
    bokeh = archives.unpacked(named["bokeh"]) / "bokeh/server/static/js"
    panel = archives.unpacked(named["panel"]) / "panel/dist/panel.min.js"
    paths = [*(bokeh / f"{name}.min.js" for name in BOKEH_SCRIPTS), panel]
    texts = {path.name: rewrites.away(path.read_text(encoding="utf-8")) for path in paths}
    if not whole:
        texts = {"figures.js": figures.script(*texts.values())}
    return [Asset(n, text.encode(), "page-script", "interface") for n, text in texts.items()]
