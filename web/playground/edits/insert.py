"""Edits that add a line or change one expression: the remedies' tools."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from playground.edits.targets import called
from playground.edits.text import (
    Edit,
    EditError,
    Program,
    Splice,
    first_line,
    last_line,
    statement_lists,
)


def insert_before(source: str, line: int, statement: str) -> Edit:
    """A new line with the indentation of the statement it stands in front of."""
    program = Program(source)
    first = first_line(program.statement_at(line).statement)
    return Edit(program.insert_lines(first, [program.indent(first) + statement]), first, first)


def insert_after(source: str, line: int, statement: str) -> Edit:
    """A new line behind the statement of a line."""
    program = Program(source)
    found = program.statement_at(line).statement
    if next(statement_lists(found), None) is not None:
        raise EditError("edit.no-place", line=line)
    last = last_line(found)
    text = program.indent(first_line(found)) + statement
    return Edit(program.insert_lines(last + 1, [text]), last + 1, last + 1)


def insert_retain_grad(source: str, name: str, line: int) -> Edit:
    return insert_after(source, line, f"{name}.retain_grad()")


def insert_clear(source: str, name: str, line: int) -> Edit:
    """Clear a gradient before a backward call; by None in a loop, whose first pass has no .grad."""
    return insert_before(
        source, line, f"{name}.grad = None" if in_loop(source, line) else f"{name}.grad.zero_()"
    )


def in_loop(source: str, line: int) -> bool:
    return any(
        isinstance(block.statement, (ast.For, ast.While))
        and first_line(block.statement) <= line <= last_line(block.statement)
        for block in Program(source).blocks()
    )


def set_detach(source: str, line: int, name: str, on: bool, occurrence: int | None = None) -> Edit:
    """Write `name.detach()` where `name` is used in a line, or the other way round.

    Without `occurrence` every use is meant, except those that say the wanted thing already.
    """
    program = Program(source)
    splices: list[Splice] = []
    for number, (node, call) in enumerate(_uses(program, line, name)):
        if occurrence is not None and number != occurrence:
            continue
        if on and call is None:
            end = program.end(node)
            splices.append(Splice(end, end, ".detach()"))
        elif not on and call is not None:
            splices.append(Splice(program.end(node), program.end(call), ""))
    if not splices:
        raise EditError("edit.no-use", name=name, line=line)
    return Edit(program.apply(*splices), line, line)


def _uses(program: Program, line: int, name: str) -> list[tuple[ast.expr, ast.Call | None]]:
    """Uses of a name in the statements of a line, each with its `.detach()` call if it has one."""
    found: list[tuple[ast.expr, ast.Call | None]] = []
    for statement in program.simple_statements_at(line):
        detached: dict[int, ast.Call] = {}
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and called(node) == "detach" and not node.args:
                assert isinstance(node.func, ast.Attribute | ast.Name)
                if isinstance(node.func, ast.Attribute):
                    detached[id(node.func.value)] = node
        for node in ast.walk(statement):
            if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
                loads = isinstance(node.ctx, ast.Load)
                if loads and ast.unparse(node) == name and line in _lines(node):
                    found.append((node, detached.get(id(node))))
    return sorted(found, key=lambda use: (use[0].lineno, use[0].col_offset))


def _lines(node: ast.expr) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def sum_before_backward(source: str, line: int) -> Edit:
    """Write `y.sum().backward()` for `y.backward()`."""
    program = Program(source)
    for statement in program.simple_statements_at(line):
        for node in ast.walk(statement):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "backward"
            ):
                end = program.end(node.func) - len("backward")
                at = program.text.rindex(".", 0, end)
                return Edit(program.apply(Splice(at, at, ".sum()")), line, line)
    raise EditError("edit.no-backward", line=line)


OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
    ast.MatMult: "@",
}


def make_out_of_place(source: str, line: int) -> Edit:
    """`a += b` becomes `a = a + b`, and `a.mul_(b)` becomes `a = a.mul(b)`."""
    program = Program(source)
    for statement in program.simple_statements_at(line):
        if isinstance(statement, ast.AugAssign) and type(statement.op) in OPERATORS:
            target = program.source(statement.target)
            right = program.source(statement.value)
            if not isinstance(statement.value, (ast.Call, ast.Name, ast.Constant, ast.Attribute)):
                right = f"({right})"
            text = f"{target} = {target} {OPERATORS[type(statement.op)]} {right}"
            return _replaced(program, statement, text, line)
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            function = statement.value.func
            if isinstance(function, ast.Attribute) and _is_inplace(function.attr):
                target = program.source(function.value)
                name_end = program.end(function)
                rest = program.text[name_end : program.end(statement)]
                text = f"{target} = {target}.{function.attr[:-1]}{rest}"
                return _replaced(program, statement, text, line)
    raise EditError("edit.no-inplace", line=line)


def _is_inplace(name: str) -> bool:
    return name.endswith("_") and not name.endswith("__") and name != "requires_grad_"


def _replaced(program: Program, statement: ast.stmt, text: str, line: int) -> Edit:
    splice = Splice(program.start(statement), program.end(statement), text)
    return Edit(program.apply(splice), line, line)


def recompute(source: str, lines: Sequence[int], before: int) -> Edit:
    """Copy the statements of `lines` in front of another line, with that line's indentation."""
    program = Program(source)
    first = first_line(program.statement_at(before).statement)
    indent = program.indent(first)
    added: list[str] = []
    done: set[int] = set()
    for line in sorted(lines):
        statement = program.statement_at(line).statement
        start, end = first_line(statement), last_line(statement)
        if start in done or next(statement_lists(statement), None) is not None:
            continue
        done.add(start)
        cut = len(program.indent(start))
        added += [indent + program.line(start)[cut:]]
        added += [program.line(number) for number in range(start + 1, end + 1)]
    if not added:
        raise EditError("edit.no-place", line=before)
    return Edit(program.insert_lines(first, added), first, first + len(added) - 1)
