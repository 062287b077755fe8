"""A program as text and tree at once: where statements lie, and how to splice."""

from __future__ import annotations

import ast
import difflib
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

BREAK = re.compile(r"\r\n|\r|\n")


class EditError(Exception):
    """There is no place for the edit; `key` and `facts` say why."""

    def __init__(self, key: str, **facts: Any) -> None:
        super().__init__(key)
        self.key = key
        self.facts = facts


@dataclass(frozen=True, slots=True)
class Edit:
    """The program after an edit, and the lines (1-based, inclusive) the edit was about."""

    text: str
    first: int
    last: int


class Splice(NamedTuple):
    start: int
    end: int
    text: str


class DiffLine(NamedTuple):
    """A line of a diff; the number counts in the old text for "-", in the new one for "+"."""

    kind: Literal["-", "+"]
    line: int
    text: str


def changed_lines(before: str, after: str) -> list[DiffLine]:
    """The lines an edit removes and adds, without context."""
    old, new = BREAK.split(before), BREAK.split(after)
    out: list[DiffLine] = []
    if len(old) == len(new):  # line by line: a matcher would shift lines that are alike
        for number, (was, now) in enumerate(zip(old, new, strict=True), 1):
            if was != now:
                out += [DiffLine("-", number, was), DiffLine("+", number, now)]
        return out
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            out += [DiffLine("-", number + 1, old[number]) for number in range(a, b)]
            out += [DiffLine("+", number + 1, new[number]) for number in range(c, d)]
    return out


@dataclass(frozen=True, slots=True)
class Block:
    """A statement with the list it stands in and the statement that owns the list."""

    statement: ast.stmt
    siblings: list[ast.stmt]
    owner: ast.AST


class Program:
    """Source text with its tree; columns of the tree (UTF-8 bytes) become offsets in the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        try:
            self.tree = ast.parse(text)
        except (SyntaxError, ValueError) as error:
            raise EditError("edit.syntax", line=getattr(error, "lineno", None)) from None
        self.starts = [0] + [match.end() for match in BREAK.finditer(text)]
        found = BREAK.search(text)
        self.newline = found.group() if found else "\n"

    def line(self, number: int) -> str:
        """The text of a line without its break."""
        return BREAK.sub("", self.text[self.starts[number - 1] : self.line_end(number)])

    def line_end(self, number: int) -> int:
        """The offset after the line's break."""
        return self.starts[number] if number < len(self.starts) else len(self.text)

    def offset(self, line: int, column: int) -> int:
        start = self.starts[line - 1]
        raw = self.text[start : self.line_end(line)].encode()
        return start + len(raw[:column].decode())

    def start(self, node: ast.AST) -> int:
        return self.offset(node.lineno, node.col_offset)  # type: ignore[attr-defined]

    def end(self, node: ast.AST) -> int:
        return self.offset(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]

    def source(self, node: ast.AST) -> str:
        return self.text[self.start(node) : self.end(node)]

    def indent(self, line: int) -> str:
        text = self.line(line)
        return text[: len(text) - len(text.lstrip(" \t\f"))]

    def apply(self, *splices: Splice) -> str:
        text = self.text
        for splice in sorted(splices, reverse=True):
            text = text[: splice.start] + splice.text + text[splice.end :]
        return text

    def blocks(self) -> Iterator[Block]:
        """Every statement, outer ones first."""
        queue: list[ast.AST] = [self.tree]
        while queue:
            owner = queue.pop(0)
            for siblings in statement_lists(owner):
                for statement in siblings:
                    yield Block(statement, siblings, owner)
                    queue.append(statement)

    def statement_at(self, line: int) -> Block:
        """The innermost statement that has the line and begins a line of its own.

        A compound statement counts for its header only; what stands behind a colon on the header's
        line belongs to the header.
        """
        found = None
        for block in self.blocks():
            if has_line(block.statement, line) and (found is None or self.own_lines(block)):
                found = block
        if found is None:
            raise EditError("edit.no-statement", line=line)
        return found

    def own_lines(self, block: Block) -> bool:
        """Whether a statement begins a line: not behind a colon, and not with `elif`."""
        owner, line = block.owner, first_line(block.statement)
        if not isinstance(owner, ast.stmt):
            return True
        chained = isinstance(block.statement, ast.If) and self.line(line).lstrip()[:4] == "elif"
        return line > header_line(owner) and not chained

    def simple_statements_at(self, line: int) -> list[ast.stmt]:
        """All statements that have the line, the innermost of every branch."""
        having = [block.statement for block in self.blocks() if has_line(block.statement, line)]
        inner = [s for s in having if not any(o is not s and encloses(s, o) for o in having)]
        return inner

    def torch(self) -> str:
        """The name the program has for torch."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.name == "torch":
                        return alias.asname or "torch"
        return "torch"

    def unit(self) -> str:
        """One level of indentation as this program writes it."""
        for block in self.blocks():
            line = first_line(block.statement)
            if isinstance(block.owner, ast.stmt) and line > header_line(block.owner):
                outer = self.indent(first_line(block.owner))
                inner = self.indent(line)
                if inner.startswith(outer) and inner != outer:
                    return inner[len(outer) :]
        return "    "

    def string_lines(self) -> set[int]:
        """Lines that begin inside a string, where adding a space would change the program."""
        inside: set[int] = set()
        opened: list[int] = []
        for token in tokenize.generate_tokens(io.StringIO(self.text).readline):
            name = tokenize.tok_name[token.type]
            if name in ("FSTRING_START", "TSTRING_START"):
                opened.append(token.start[0])
            elif name in ("FSTRING_END", "TSTRING_END"):
                inside.update(range(opened.pop() + 1, token.end[0] + 1))
            elif name == "STRING":
                inside.update(range(token.start[0] + 1, token.end[0] + 1))
        return inside

    def insert_lines(self, before: int, lines: list[str]) -> str:
        """The text with whole lines put in front of a line (one past the last: at the end)."""
        added = "".join(line + self.newline for line in lines)
        if before <= len(self.starts):
            at = self.starts[before - 1]
            return self.text[:at] + added + self.text[at:]
        if self.text and not BREAK.search(self.text[-2:]):
            return self.text + self.newline + added[: -len(self.newline)]
        return self.text + added

    def remove_lines(self, first: int, last: int) -> str:
        """The text without whole lines; undoes `insert_lines`."""
        start, end = self.starts[first - 1], self.line_end(last)
        if end == len(self.text) and start and not BREAK.search(self.text[end - 1 : end]):
            start = self.starts[first - 1] - len(self.newline)
        return self.text[:start] + self.text[end:]


def statement_lists(owner: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        found = getattr(owner, name, None)
        if isinstance(found, list) and found and isinstance(found[0], ast.stmt):
            yield found
    for name in ("handlers", "cases"):
        for item in getattr(owner, name, None) or []:
            yield item.body


def first_line(statement: ast.stmt) -> int:
    """The line a statement begins on, decorators included."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", None) or []
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def last_line(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno


def header_line(owner: ast.AST) -> int:
    """The last line of a compound statement's first header (where its colon may be)."""
    line = int(getattr(owner, "lineno", 0))
    for name in ("test", "iter", "target", "args", "returns", "subject"):
        part = getattr(owner, name, None)
        line = max(line, _end(part))
    for item in getattr(owner, "items", None) or []:
        line = max(line, _end(item.context_expr), _end(item.optional_vars))
    return line


def _end(node: object) -> int:
    return int(getattr(node, "end_lineno", 0) or 0)


def has_line(statement: ast.stmt, line: int) -> bool:
    return first_line(statement) <= line <= last_line(statement)


def encloses(outer: ast.stmt, inner: ast.stmt) -> bool:
    return any(node is inner for node in ast.walk(outer))
