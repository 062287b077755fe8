"""Edits of what stands after a dot, offered where a line has one place for them."""

from __future__ import annotations

import ast

from playground.edits.targets import called
from playground.edits.text import Edit, EditError, Program, Splice


def rename(source: str, line: int, name: str, similar: str) -> Edit:
    """Write `.similar` for `.name`."""
    program = Program(source)
    end = program.end(_only(program, line, name))
    return Edit(program.apply(Splice(end - len(name), end, similar)), line, line)


def detach_before(source: str, line: int, method: str) -> Edit:
    """Write `y.detach().numpy()` for `y.numpy()`."""
    program = Program(source)
    dot = _dot(program, _only(program, line, method))
    return Edit(program.apply(Splice(dot, dot, ".detach()")), line, line)


def call_before(source: str, line: int, name: str) -> Edit:
    """Write `x.sum().backward()` for `x.sum.backward()`: what stands before the name is called."""
    program = Program(source)
    inner = _only(program, line, name).value
    plain = isinstance(inner, ast.Attribute) and isinstance(inner.value, (ast.Name, ast.Attribute))
    if not plain or program.source(inner.value) == program.torch():  # type: ignore[attr-defined]
        raise EditError("edit.no-place", line=line)
    end = program.end(inner)
    return Edit(program.apply(Splice(end, end, "()")), line, line)


def as_floats(source: str, line: int) -> Edit:
    """Write `torch.tensor([1, 2], dtype=torch.float32, …)` for `torch.tensor([1, 2], …)`."""
    program = Program(source)
    calls = [
        node
        for node in ast.walk(program.tree)
        if isinstance(node, ast.Call) and line in _lines(node) and called(node) == "tensor"
    ]
    names = {keyword.arg for call in calls for keyword in call.keywords}
    if len(calls) != 1 or "dtype" in names or "requires_grad" not in names or not calls[0].args:
        raise EditError("edit.no-place", line=line)
    function, first = calls[0].func, calls[0].args[0]
    if not isinstance(function, ast.Attribute):
        raise EditError("edit.no-place", line=line)
    end = program.end(first)
    text = f", dtype={program.source(function.value)}.float32"
    return Edit(program.apply(Splice(end, end, text)), line, line)


def _only(program: Program, line: int, name: str) -> ast.Attribute:
    """The one `….name` of a line."""
    found = [
        node
        for node in ast.walk(program.tree)
        if isinstance(node, ast.Attribute) and node.attr == name and line in _lines(node)
    ]
    if len(found) != 1:
        raise EditError("edit.no-place", line=line)
    return found[0]


def _dot(program: Program, node: ast.Attribute) -> int:
    return program.text.rindex(".", 0, program.end(node) - len(node.attr))


def _lines(node: ast.expr | ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)
