"""Characters of a Chinese keyboard or a word processor where Python wants plain ones."""

from __future__ import annotations

import re

from playground.edits.text import BREAK, Edit, EditError

PLAIN = str.maketrans(
    "（）【】［］｛｝，．。：；＝＋－＊／＜＞！％＿“”‘’\u3000\u00a0",
    "()[][]{},..:;=+-*/<>!%_\"\"''  ",
)
KEPT = re.compile(r"""('[^']*'|"[^"]*"|#.*)""")


def plain_characters(source: str, line: int) -> Edit:
    """Write a line with plain characters; its strings and comments stay."""
    lines = BREAK.split(source)
    if not 1 <= line <= len(lines):
        raise EditError("edit.no-statement", line=line)
    parts = KEPT.split(lines[line - 1])
    parts[::2] = [part.translate(PLAIN) for part in parts[::2]]
    start = _start(source, line)
    return Edit(
        source[:start] + "".join(parts) + source[start + len(lines[line - 1]) :], line, line
    )


def _start(source: str, line: int) -> int:
    """Where a line begins in the text."""
    breaks = [match.end() for match in BREAK.finditer(source)]
    return 0 if line == 1 else breaks[line - 2]
