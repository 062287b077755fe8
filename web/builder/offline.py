"""The service worker of one release: the list of its files, and a version that stands for them."""

import json
from pathlib import Path

from . import onefile
from .places import WEB, digest, file_digest

NAME = "service-worker.js"
# The one file is for handing on: whoever wants it has a network, or has it already.
NOT_KEPT = (NAME, onefile.NAME)


def write(folder: Path) -> None:
    """Write the service worker beside the page; everything else must be there already."""
    paths = sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix != ".gz")
    files = {p.relative_to(folder).as_posix(): p for p in paths if p.name not in NOT_KEPT}
    version = digest(*(f"{name} {file_digest(path)}" for name, path in files.items()))[:16]
    release = json.dumps({"version": version, "files": list(files)})
    text = (WEB / "shell" / NAME).read_text(encoding="utf-8")
    (folder / NAME).write_text(f"self.RELEASE = {release};\n{text}", encoding="utf-8")
