"""Put lines under no_grad, or take them out.

Plain lines are wrapped in a block; taking them out removes the block. Where that would not lead
back to the same text, or where only a part of a block is meant, the lines go under `enable_grad`,
which is undone by the same rule: inside no_grad a block of enable_grad is dissolved.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from playground.edits.text import (
    Block,
    Edit,
    EditError,
    Program,
    Splice,
    first_line,
    last_line,
    statement_lists,
)

MODES = ("no_grad", "enable_grad", "inference_mode", "set_grad_enabled")


def set_no_grad(source: str, first: int, last: int, on: bool) -> Edit:
    """Put the statements of lines `first` to `last` under no_grad, or take them out of it."""
    program = Program(source)
    chosen = _select(program, min(first, last), max(first, last))
    around = _modes_around(program, chosen)
    under = bool(around) and around[-1].mode == "no_grad"
    if under == on:
        return Edit(source, chosen.first, chosen.last)
    if around and around[-1].mode in ("inference_mode", "set_grad_enabled"):
        raise EditError("edit.other-mode", mode=around[-1].mode, line=around[-1].line)
    wanted, other = ("no_grad", "enable_grad") if on else ("enable_grad", "no_grad")
    whole = around[-1] if around and around[-1].covers(chosen) else None
    outer = around[-2].mode == "no_grad" if len(around) > 1 else False
    if whole is not None and whole.block is not None and outer == on:
        edit = _dissolve(program, whole.block, chosen)
        if edit is not None:
            return edit
    if whole is not None:
        return _rename(program, whole, other, wanted, chosen)
    return _wrap(program, chosen, wanted)


@dataclass(frozen=True, slots=True)
class _Chosen:
    """Neighbouring statements that fill whole lines."""

    statements: tuple[ast.stmt, ...]
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class _Mode:
    """A place that sets the grad mode: a with block or a decorated function."""

    mode: str
    line: int
    call: ast.expr
    body: list[ast.stmt]
    block: ast.With | None  # None for a decorator

    def covers(self, chosen: _Chosen) -> bool:
        if self.block is None:
            return False
        if chosen.statements == (self.block,):
            return True
        return chosen.statements == tuple(self.body)


def _select(program: Program, first: int, last: int) -> _Chosen:
    """The smallest run of whole-line statements of one block that has all the lines."""
    best: _Chosen | None = None
    for block in program.blocks():
        if block.siblings[0] is not block.statement or not program.own_lines(block):
            continue
        inside = [s for s in block.siblings if first_line(s) <= last and last_line(s) >= first]
        if inside and _holds(block, first, last):
            found = _whole_lines(block.siblings, inside)
            best = found
    if best is None:
        raise EditError("edit.no-statement", line=first)
    return best


def _holds(block: Block, first: int, last: int) -> bool:
    """Whether the lines that hold code all lie in this list of statements."""
    if isinstance(block.owner, ast.Module):
        return True
    return first_line(block.siblings[0]) <= first and last <= last_line(block.siblings[-1])


def _whole_lines(siblings: list[ast.stmt], inside: list[ast.stmt]) -> _Chosen:
    """Take in neighbours that share a line, as in `a = 1; b = 2`."""
    start, end = siblings.index(inside[0]), siblings.index(inside[-1])
    while start and last_line(siblings[start - 1]) >= first_line(siblings[start]):
        start -= 1
    while end + 1 < len(siblings) and first_line(siblings[end + 1]) <= last_line(siblings[end]):
        end += 1
    chosen = tuple(siblings[start : end + 1])
    return _Chosen(chosen, first_line(chosen[0]), last_line(chosen[-1]))


def _modes_around(program: Program, chosen: _Chosen) -> list[_Mode]:
    """The grad modes that hold for the chosen statements, outermost first."""
    found: list[_Mode] = []
    for block in program.blocks():
        statement = block.statement
        inner = any(_within(statement, item) for item in chosen.statements)
        if isinstance(statement, ast.With) and (inner or chosen.statements == (statement,)):
            found += _modes_of_with(statement)
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) and inner:
            # What a function was called under is not in the text: start afresh.
            found = [
                _Mode(mode, decorator.lineno, decorator, statement.body, None)
                for decorator in statement.decorator_list
                if (mode := _mode_of(decorator)) is not None
            ]
    return found


def _within(outer: ast.stmt, inner: ast.stmt) -> bool:
    return outer is not inner and any(
        item is inner or _within(item, inner) for body in statement_lists(outer) for item in body
    )


def _modes_of_with(statement: ast.With) -> list[_Mode]:
    return [
        _Mode(mode, statement.lineno, item.context_expr, statement.body, statement)
        for item in statement.items
        if (mode := _mode_of(item.context_expr)) is not None
    ]


def _mode_of(node: ast.expr) -> str | None:
    function = node.func if isinstance(node, ast.Call) else node
    name = (
        function.attr
        if isinstance(function, ast.Attribute)
        else function.id
        if isinstance(function, ast.Name)
        else ""
    )
    return name if name in MODES else None


def _wrap(program: Program, chosen: _Chosen, mode: str) -> Edit:
    indent = program.indent(chosen.first)
    header = f"{indent}with {program.torch()}.{mode}():{program.newline}"
    unit = program.unit()
    splices = [Splice(program.starts[chosen.first - 1], program.starts[chosen.first - 1], header)]
    strings = program.string_lines()
    for line in range(chosen.first, chosen.last + 1):
        if line not in strings and program.line(line).strip():
            at = program.starts[line - 1]
            splices.append(Splice(at, at, unit))
    # The header has to come in front of its line's unit, and splices sort by text at one place.
    splices[0] = splices[0]._replace(text=header + unit)
    del splices[1]
    return Edit(program.apply(*splices), chosen.first, chosen.last + 1)


def _dissolve(program: Program, block: ast.With, chosen: _Chosen) -> Edit | None:
    """The text without the block's header; None when wrapping again would not restore it."""
    header = first_line(block)
    start, end = first_line(block.body[0]), last_line(block.body[-1])
    if start != header + 1 or len(block.items) != 1:
        return None
    indent = program.indent(header)
    unit = program.indent(start)[len(indent) :]
    splices = [Splice(program.starts[header - 1], program.starts[header], "")]
    strings = program.string_lines()
    for line in range(start, end + 1):
        at = program.starts[line - 1] + len(indent)
        if line not in strings and program.text.startswith(indent + unit, program.starts[line - 1]):
            splices.append(Splice(at, at + len(unit), ""))
    text = program.apply(*splices)
    mode = _mode_of(block.items[0].context_expr)
    try:
        again = Program(text)
        restored = _wrap(again, _select(again, header, end - 1), mode or "")
    except EditError:
        return None
    return Edit(text, header, end - 1) if restored.text == program.text else None


def _rename(program: Program, place: _Mode, other: str, wanted: str, chosen: _Chosen) -> Edit:
    function = place.call.func if isinstance(place.call, ast.Call) else place.call
    end = program.end(function)
    splice = Splice(end - len(other), end, wanted)
    return Edit(program.apply(splice), chosen.first, chosen.last)
