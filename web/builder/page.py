"""Puts dist/ together: bundles, assets, the page itself and the manifest its boot reads."""

import base64
import gzip
import hashlib
import html
import json
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from . import archives, budget, machine, notices, onefile
from .inputs import Input
from .places import ROOT, WEB, WORK, Failure, digest, say

SHELL = WEB / "shell"
BUNDLES = {
    "shell.js": ("main.js", "iife"),
    "shell.css": ("style/index.css", "esm"),
    "interface-worker.js": ("workers/interface-worker.js", "iife"),
    "runner-worker.js": ("workers/runner-worker.js", "iife"),
    "embed.js": ("embed/element.js", "iife"),
}
BOTH = ("interface", "runner")


@dataclass
class Asset:
    """One file of the manifest, or (kind "file") one that keeps its name, beside the page.

    `gzipped` ones are stored compressed, as no server may do it. `later` ones are not needed for
    the first picture, nor are `later_with_snapshot` ones where those with `only="snapshot"` are.
    """

    name: str
    data: bytes
    kind: str
    stage: str
    workers: tuple[str, ...] = ()
    gzipped: bool = False
    later: bool = False
    only: str = ""
    later_with_snapshot: bool = False


def node_modules(entries: list[Input]) -> Path:
    """Lay the locked JavaScript packages out where esbuild and editors look for them."""
    folder = ROOT / "node_modules"
    packages = [e for e in entries if e.file.endswith(".tgz") and e.use == "page"]
    stamp = folder / ".made-of"
    wanted = digest(*(e.sha256 for e in packages))
    if not stamp.exists() or stamp.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        for entry in packages:
            shutil.copytree(archives.unpacked(entry), folder / entry.name)
        stamp.write_text(wanted)
    return folder


def tool(entries: list[Input], package: str, program: str) -> str:
    """Return the path of this machine's build of a program from npm."""
    here = machine.platform_name()
    for entry in entries:
        if entry.name == f"{package}-{here}" or entry.name == f"{package}/{here}":
            folder = archives.unpacked(entry)
            found = next((p for p in folder.rglob("*") if p.stem == program and p.is_file()), None)
            if found:
                found.chmod(0o755)
                return str(found)
    raise Failure(f"lock.json has no {package} for {here}; PLATFORMS in relock.py names the known.")


def bundles(esbuild: str) -> dict[str, bytes]:
    """Bundle what the shell is made of."""
    out = WORK / "bundles"
    shutil.rmtree(out, ignore_errors=True)
    found: dict[str, bytes] = {}
    for name, (entry, form) in BUNDLES.items():
        source = SHELL / entry
        options = ["--bundle", "--minify", f"--format={form}", "--target=es2022", "--charset=utf8"]
        target = out / name
        command = [esbuild, str(source), *options, f"--outfile={target}", "--log-level=warning"]
        machine.run([*command, "--loader:.svg=dataurl", "--loader:.py=text"], f"Bundling {name}")
        found[name] = target.read_bytes()
    return found


def compressed(data: bytes) -> bytes:
    """Return gzip's best of the data, remembered between builds."""
    kept = WORK / "gzip" / digest(data)[:32]
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(".part")
        part.write_bytes(gzip.compress(data, 9, mtime=0))
        os.replace(part, kept)
    return kept.read_bytes()


def write(
    assets: list[Asset], target: Path, within_budget: bool = True, base_path: str = ""
) -> None:
    """Write assets under names with a hash, the page with its manifest, the shell's other files.

    With `base_path`, such as "/autograd/", the page finds them there and not beside itself.
    """
    (target / "assets").mkdir(parents=True)
    rows = []
    sent = {}
    inside = []
    for asset in assets:
        if asset.kind == "file":
            (target / asset.name).write_bytes(asset.data)
            (target / f"{asset.name}.gz").write_bytes(compressed(asset.data))
            if asset.name == notices.NAME:
                inside.append((asset.name, compressed(asset.data), True))
            continue
        stem, _, suffix = asset.name.rpartition(".")
        data = compressed(asset.data) if asset.gzipped else asset.data
        ending = "bin" if asset.gzipped else suffix
        url = f"assets/{stem}.{digest(asset.data)[:10]}.{ending}"
        (target / url).write_bytes(data)
        if not asset.gzipped:
            (target / f"{url}.gz").write_bytes(compressed(data))
        least = data if asset.gzipped else compressed(data)
        sent[asset.name] = len(least)
        as_text = asset.name in ("shell.js", "shell.css")
        inside.append((asset.name, data if as_text else least, not asset.gzipped and not as_text))
        row = {"name": asset.name, "url": url, "bytes": len(data)}
        row |= {"stage": asset.stage, "kind": asset.kind}
        row |= {"for": list(asset.workers)} if asset.workers else {}
        row |= {"encoding": "gzip"} if asset.gzipped else {}
        row |= {"later": True} if asset.later else {}
        row |= {"only": asset.only} if asset.only else {}
        rows.append({**row, "laterWith": "snapshot"} if asset.later_with_snapshot else row)
    if within_budget:
        budget.check(rows, sent)
    _copy_shell_files(target)
    scripts = [a.data for a in assets if a.name == "shell.js" or a.kind == "page-script"]
    _write_page(rows, scripts, inside, target, base_path)


def allowed(policy: str, scripts: list[bytes]) -> str:
    """Return a page's text whose policy also lets these scripts in as text, by what they hold.

    A page that may ask nobody (the frame of a stranger's program, one file) has them as text.
    """
    digests = [base64.b64encode(hashlib.sha256(script).digest()).decode() for script in scripts]
    names = " ".join(f"'sha256-{name}'" for name in digests)
    return policy.replace("script-src 'self'", f"script-src 'self' {names}")


def _write_page(
    rows: list[dict[str, object]],
    scripts: list[bytes],
    inside: list[tuple[str, bytes, bool]],
    target: Path,
    base_path: str,
) -> None:
    own = {"shell.js", "shell.css"}
    urls = {str(row["name"]): str(row["url"]) for row in rows}
    manifest: dict[str, object] = {
        "version": digest(json.dumps(rows))[:16],
        "assets": [row for row in rows if row["name"] not in own],
        "examples": examples(),
    }
    text = (SHELL / "index.html").read_text(encoding="utf-8")
    manifest["onefile"] = _write_one_file(text, manifest, scripts, inside, target)
    text = _below(base_path, allowed(text, scripts))
    slot = '<script type="application/json" id="manifest">{}</script>'
    places = [(f'"{base_path}{name}"', f'"{base_path}{urls[name]}"') for name in own]
    data = onefile.as_json(manifest)
    for old, new in [*places, (slot, slot.replace("{}", data))]:
        if text.count(old) != 1:
            raise Failure(f"web/shell/index.html must hold {html.unescape(old)} once")
        text = text.replace(old, new)
    (target / "index.html").write_text(text, encoding="utf-8")
    (target / "index.html.gz").write_bytes(compressed(text.encode()))


def _below(base_path: str, text: str) -> str:
    """Return the page's text with every address in it, and a word to its scripts, below a path."""
    if not base_path:
        return text
    text = re.sub(r'(<(?:link|script)\b[^>]* (?:href|src)=")', rf"\g<1>{base_path}", text)
    return text.replace("<html ", f'<html data-base="{html.escape(base_path)}" ', 1)


def _write_one_file(
    text: str,
    manifest: dict[str, object],
    scripts: list[bytes],
    inside: list[tuple[str, bytes, bool]],
    target: Path,
) -> dict[str, object]:
    """Write the page as one file and return what the manifest says of it.

    It goes without the snapshot: half as many bytes to hand on are worth more than a second.
    """
    rows = cast("list[dict[str, object]]", manifest["assets"])
    rows = [row for row in rows if row.get("only") != "snapshot"]
    names = {"shell.js", "shell.css", notices.NAME, *(row["name"] for row in rows)}
    inside = [file for file in inside if file[0] in names]
    told = {"url": onefile.NAME, "bytes": sum(len(data) for _, data, _ in inside) * 4 // 3}
    shell = next(data for name, data, _ in inside if name == "shell.js")
    policy = allowed(text, [*scripts, onefile.script(shell.decode()).encode()])
    whole = onefile.html(policy, {**manifest, "assets": rows, "onefile": told}, inside).encode()
    (target / onefile.NAME).write_bytes(whole)
    return {**told, "bytes": len(whole)}


def _copy_shell_files(target: Path) -> None:
    for path in sorted(SHELL.rglob("*")):
        if path.is_file() and path.suffix not in (".js", ".css", ".html", ".py", ".md"):
            place = target / path.relative_to(SHELL)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)


def examples() -> list[dict[str, str]]:
    """Return the examples menu in order: files are called NN-name.py."""
    found = []
    for path in sorted((WEB / "examples").glob("*.py")):
        name = re.sub(r"^\d+-", "", path.stem)
        found.append({"name": name, "text": path.read_text(encoding="utf-8")})
    return found


def swap(fresh: Path, dist: Path) -> None:
    """Put a finished build in the old one's place; an interruption leaves one of the two whole."""
    old = fresh.with_name(fresh.name + ".old")
    shutil.rmtree(old, ignore_errors=True)
    if dist.exists():
        os.replace(dist, old)
    os.replace(fresh, dist)
    shutil.rmtree(old, ignore_errors=True)
    say(f"Built {dist.relative_to(ROOT) if dist.is_relative_to(ROOT) else dist}")
