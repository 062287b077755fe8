"""A page of text in a pane: as much of Markdown as our own pages use."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .html import text

CODE = re.compile(r"`([^`]+)`")
FENCE = "```"


def html(markdown: str) -> str:
    """Headings, paragraphs, lists and blocks of code, everything else as it is."""
    return "".join(_blocks(markdown.splitlines()))


def inline(said: str) -> str:
    return CODE.sub(r"<code>\1</code>", text(said))


def _blocks(lines: list[str]) -> Iterator[str]:
    at = 0
    while at < len(lines):
        line, end = lines[at], at + 1
        if line.startswith(FENCE):
            end = lines.index(FENCE, at + 1)
            code = text("\n".join(lines[at + 1 : end]))
            yield f'<pre class="torch example">{code}</pre>'
            end += 1
        elif line.startswith("# "):
            yield f"<h2>{inline(line[2:])}</h2>"
        elif line.startswith("## "):
            yield f"<h3>{inline(line[3:])}</h3>"
        elif line.startswith("- "):
            while end < len(lines) and lines[end].startswith("- "):
                end += 1
            items = "".join(f"<li>{inline(item[2:])}</li>" for item in lines[at:end])
            yield f"<ul>{items}</ul>"
        elif line:
            yield f"<p>{inline(line)}</p>"
        at = end
