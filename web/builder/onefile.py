"""The page as one file: opens by double click, asks nobody for anything, holds every asset."""

import base64
import json
import re

from .places import Failure

NAME = "playground.html"


def html(page: str, manifest: dict[str, object], files: list[tuple[str, bytes, bool]]) -> str:
    """Return the text of the one file.

    `page` is index.html with its policy and without manifest; `files` are name, bytes and whether
    the bytes are to be unpacked before use, with shell.css and shell.js among them. A browser
    reads from the top, so the assets come last: the first frame is there before them.
    """
    texts = {name: data.decode() for name, data, _ in files if name in ("shell.css", "shell.js")}
    others = [file for file in files if file[0] not in texts]
    page = re.sub(r'\s*<link rel="(icon|manifest)"[^>]*>', "", page)
    assets = [asset(name, data, packed) for name, data, packed in others]
    own = f"<script>{script(texts['shell.js'])}</script>"
    data = '<script type="application/json" id="{}">{}</script>'
    manifest_and_opened = [data.format("manifest", as_json(manifest)), data.format("opened", "{}")]
    for old, new in (
        ('<link rel="stylesheet" href="shell.css">', f"<style>{texts['shell.css']}</style>"),
        ('<script defer src="shell.js"></script>', ""),
        (data.format("manifest", "{}"), "\n    ".join(manifest_and_opened)),
        ("</body>", "\n".join([*assets, own, "</body>"])),
    ):
        if page.count(old) != 1:
            raise Failure(f"web/shell/index.html must hold {old} once")
        page = page.replace(old, new)
    return page


def script(text: str) -> str:
    """Return a script's text so that nothing in it ends the element that holds it."""
    return re.sub(r"<(/script|!--)", r"<\\\1", text, flags=re.IGNORECASE)


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def asset(name: str, data: bytes, packed: bool) -> str:
    mark = " data-gzip" if packed else ""
    text = base64.b64encode(data).decode()
    return f'<script type="text/plain" data-asset="{name}"{mark}>{text}</script>'
