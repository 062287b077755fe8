"""The last look at a build: nothing in it may make a browser ask another origin for anything."""

import gzip
import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from .places import Failure
from .rewrites import NOWHERE, SERVERS

# In what the browser itself runs, every absolute address is one of these, none of which is fetched.
NEVER_FETCHED = {
    "www.w3.org": "names of XML vocabularies",
    "python.invalid": "the name under which a worker hands Pyodide its own bytes",
    "github.com": "comments and links in messages",
    "bokeh.org": "the link behind Bokeh's logo",
    "docs.bokeh.org": "the link of Bokeh's help tool",
    "developers.google.com": "a hint in a message",
    "redux.js.org": "a hint in a message",
    "panel.pyviz.org": "a link in a message",
    "foo.com": "the base of relative addresses that are taken apart",
    "fusejs.io": "a licence comment",
    "jquery.com": "a licence comment",
    "jquery.org": "a licence comment",
    "kiro.me": "a licence comment",
    "tabler.io": "a licence comment",
    "threedubmedia.com": "a licence comment",
    "www.apache.org": "a licence comment",
    "www.foretagsplatsen.se": "a licence comment",
}
PAGE = (".html", ".js", ".mjs", ".css", ".svg", ".json", ".webmanifest")
_ADDRESS = re.compile(rb"(?:\b(?:https?|wss?):|[\"'(=]\s*)//([a-z0-9-]+(?:\.[a-z0-9-]+)+)", re.I)
_SERVER = re.compile(rf"://(?![\w.-]*\{NOWHERE})(?:{'|'.join(SERVERS)})".encode())


def same_origin(folder: Path) -> None:
    """Raise Failure naming each place in a built page that another origin could be asked from."""
    found = []
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        name = path.relative_to(folder).as_posix()
        if path.suffix in PAGE:
            found += [f"{name} names {host}" for host in _strange_hosts(path.read_bytes())]
        elif path.suffix == ".bin":
            for entry, data in _entries(path.read_bytes()):
                if match := _SERVER.search(data):
                    found.append(f"{name}, {entry} has {data[match.start() : match.end()]!r}")
    if found:
        raise Failure("\n  ".join(["The page could ask another origin for something:", *found]))


def _strange_hosts(data: bytes) -> Iterator[str]:
    for host in sorted({match[1].decode().lower() for match in _ADDRESS.finditer(data)}):
        if host not in NEVER_FETCHED and not host.endswith(NOWHERE):
            yield host


def _entries(data: bytes) -> Iterator[tuple[str, bytes]]:
    data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            # Compiled libraries hold addresses in their documentation only.
            if not name.endswith(".so"):
                yield name, archive.read(name)
