"""The bytes that enter the page: named in lock.json, fetched, checked, and kept by their hash.

A file's sources are tried in order. A source is
- `npm:NAME@VERSION` or `pypi:NAME==VERSION`: brought by the machine's own npm or pip, from wherever
  its settings say;
- `pypi:NAME==VERSION#PATH`: one member of that wheel, read out of the remote archive;
- `https://…`: a release's own address.
"""

import errno
import io
import json
import os
import shutil
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from . import machine
from .places import LOCK, Failure, cache, file_digest, say

SECONDS = 30
# Wheels with compiled parts are taken for one platform: only their Python files are used.
_WHEELS = "--only-binary :all: --no-deps --implementation cp --python-version 3.12 --abi cp312"
_PLATFORMS = "--platform manylinux2014_x86_64 --platform manylinux_2_28_x86_64 --platform any"
PIP_DOWNLOAD = ["download", "--quiet", *_WHEELS.split(), "--abi", "none", *_PLATFORMS.split()]


@dataclass(frozen=True)
class Input:
    """One locked file; `platform` is set for tools of which each machine needs only its own."""

    name: str
    version: str
    file: str
    sha256: str
    size: int
    sources: list[str] = field(hash=False)
    use: str = "page"
    platform: str = ""

    @property
    def path(self) -> Path:
        return cache() / self.sha256

    @property
    def title(self) -> str:
        return f"{self.name} {self.version}"


class Unavailable(Exception):
    """One source did not give the bytes; its text says why."""


def locked(lock: Path = LOCK) -> list[Input]:
    """Read the lock file."""
    try:
        data = json.loads(lock.read_text(encoding="utf-8"))
        return [Input(**row) for row in data["files"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Failure(f"{lock.name} cannot be read ({error}); `build.py lock` renews it") from error


def fetch(inputs: Iterable[Input]) -> None:
    """Bring every input that the cache lacks; raise Failure naming each source that was tried."""
    missing = [entry for entry in inputs if not _kept(entry)]
    if not missing:
        return
    try:
        cache().mkdir(parents=True, exist_ok=True)
        _fetch_groups(missing)
        failures = [text for entry in missing if not _kept(entry) for text in _fetch_one(entry)]
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise Failure(f"The disk with {cache()} is full; make room and start again.") from error
        raise Failure(f"The download cache {cache()} cannot be written: {error}") from error
    if failures:
        raise Failure("\n  ".join(["These inputs could not be had:", *failures]))


def _kept(entry: Input) -> bool:
    """Say whether the cache has the very bytes: it may have come from elsewhere, or be damaged."""
    return entry.path.exists() and file_digest(entry.path) == entry.sha256


def _fetch_groups(missing: list[Input]) -> None:
    """Ask npm and pip once for all they are the first source of; what fails is tried singly."""
    for kind, client in (("npm:", _npm), ("pypi:", _pypi)):
        group = [e for e in missing if e.sources[0].startswith(kind) and "#" not in e.sources[0]]
        if len(group) < 2:
            continue
        say(f"Fetching {len(group)} packages with {'npm' if kind == 'npm:' else 'pip'}")
        with tempfile.TemporaryDirectory(dir=cache()) as folder:
            try:
                client([e.sources[0].removeprefix(kind) for e in group], Path(folder))
            except Failure:
                continue
            by_hash = {file_digest(path): path for path in Path(folder).iterdir()}
            for entry in group:
                if entry.sha256 in by_hash:
                    os.replace(by_hash[entry.sha256], entry.path)


def _fetch_one(entry: Input) -> list[str]:
    """Try the sources in order; return nothing on success, else one line per source."""
    tried = []
    for source in entry.sources:
        say(f"Fetching {entry.title} from {source}")
        with tempfile.TemporaryDirectory(dir=cache()) as folder:
            try:
                path = bring(source, Path(folder))
                got = file_digest(path)
                if got != entry.sha256:
                    raise Unavailable(f"wrong bytes: sha256 {got}, lock.json says {entry.sha256}")
                os.replace(path, entry.path)
                return []
            except Unavailable as error:
                tried.append(f"{entry.title} from {source}: {error}")
    return tried


def bring(source: str, folder: Path) -> Path:
    """Download what a source names into an empty folder and return the file."""
    kind, _, rest = source.partition(":")
    try:
        if kind == "npm":
            _npm([rest], folder)
        elif kind == "pypi" and "#" in rest:
            requirement, _, member = rest.partition("#")
            _member(wheel_address(requirement), member, folder)
        elif kind == "pypi":
            _pypi([rest], folder)
        elif kind in ("http", "https"):
            _download(source, folder / "download")
        else:
            raise Unavailable("this kind of source is not known")
    except (Failure, urllib.error.URLError, TimeoutError, ConnectionError) as error:
        raise Unavailable(" ".join(str(error).split())[:300]) from error
    files = list(folder.iterdir())
    if len(files) != 1:
        raise Unavailable(f"{len(files)} files came instead of one")
    return files[0]


def _npm(specs: list[str], folder: Path) -> None:
    patience = ["--fetch-timeout", str(1000 * SECONDS), "--fetch-retries", "1"]
    where = ["--pack-destination", str(folder)]
    machine.npm(["pack", "--loglevel=error", *patience, *where, *specs], "npm", folder)


def _pypi(requirements: list[str], folder: Path) -> None:
    machine.pip([*PIP_DOWNLOAD, "--dest", str(folder), *requirements], "pip")


def wheel_address(requirement: str) -> str:
    """Return the address pip would take a wheel from, asking pip itself."""
    common = ["install", "--dry-run", "--ignore-installed", "--no-deps", "--only-binary", ":all:"]
    text = machine.pip([*common, "--quiet", "--report", "-", requirement], "pip")
    return str(json.loads(text)["install"][0]["download_info"]["url"])


def _download(url: str, target: Path) -> None:
    with urllib.request.urlopen(url, timeout=SECONDS) as answer, target.open("wb") as file:
        shutil.copyfileobj(answer, file, 1 << 20)


def _member(url: str, member: str, folder: Path) -> None:
    with zipfile.ZipFile(io.BufferedReader(RemoteFile(url), 1 << 18)) as archive:
        try:
            data = archive.read(member)
        except (KeyError, zipfile.BadZipFile) as error:
            raise Unavailable(f"the archive does not give {member}: {error}") from error
    (folder / Path(member).name).write_bytes(data)


class RemoteFile(io.RawIOBase):
    """A file on a server, read by ranges."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.position = 0
        request = urllib.request.Request(url, method="HEAD")
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            self.size = int(answer.headers["Content-Length"])

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self.position, io.SEEK_END: self.size}[whence]
        self.position = start + offset
        return self.position

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        end = min(self.position + len(buffer), self.size)
        if end <= self.position:
            return 0
        headers = {"Range": f"bytes={self.position}-{end - 1}"}
        request = urllib.request.Request(self.url, headers=headers)
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            if answer.status != 206:
                raise Unavailable("the server does not serve parts of files")
            data = answer.read()
        buffer[: len(data)] = data
        self.position += len(data)
        return len(data)
