"""Switch an argument of a call: requires_grad where a leaf is made, retain_graph of a backward.

The natural text wins (`requires_grad=True` as last argument comes and goes), and whatever else the
learner may have written is switched in a way that leads back to exactly that text:

- a keyword in another place is flipped where it stands;
- a last keyword that already says the default stays, `.requires_grad_()` is put behind the call;
- `x.requires_grad_()` as the learner's own text becomes `x.requires_grad_(requires_grad=False)`.
"""

from __future__ import annotations

import ast
from typing import Any

from playground.edits.targets import FACTORIES, binding_of, called, only_factory, value_of
from playground.edits.text import (
    Block,
    Edit,
    EditError,
    Program,
    Splice,
    first_line,
    has_line,
    last_line,
)

SWITCH = "requires_grad_"


def set_requires_grad(source: str, name: str, line: int, on: bool) -> Edit:
    """Make the leaf `name`, created in `line`, ask for a gradient or not."""
    program = Program(source)
    having = [block for block in program.blocks() if has_line(block.statement, line)]
    if not having:
        raise EditError("edit.no-statement", line=line)
    for block in reversed(having):
        value = value_of(block.statement, name)
        if value is not None:
            break
    else:
        value = only_factory(having, line)
        block = program.statement_at(line)
        if value is None:
            block = binding_of(program, name) or block
    governing = _governing(block, name)
    if governing is not None:
        return _switch_statement(program, governing, name, on)
    if value is not None:
        return _done(program, _switch_value(program, value, on), first_line(block.statement))
    if "." not in name and "[" not in name:
        raise EditError("edit.no-creation", name=name, line=line)
    return _insert_statement(program, block, name, on)


def set_retain_graph(source: str, line: int, on: bool) -> Edit:
    """Give the backward call in `line` retain_graph=True, or take it away."""
    program = Program(source)
    for statement in program.simple_statements_at(line):
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and called(node) in ("backward", "grad"):
                splice = _switch_keyword(program, node, "retain_graph", False, on)
                if splice is not None:
                    return _done(program, [splice], line)
    raise EditError("edit.no-backward", line=line)


def _done(program: Program, splices: list[Splice], line: int) -> Edit:
    return Edit(program.apply(*splices), line, line)


def _governing(made: Block, name: str) -> ast.stmt | None:
    """The last later statement that sets requires_grad of the same tensor."""
    found = None
    after = False
    for statement in made.siblings:
        if after and _rebinds(statement, name):
            break
        if after and _flag_of(statement) == name:
            found = statement
        after = after or statement is made.statement
    return found


def _rebinds(statement: ast.stmt, name: str) -> bool:
    targets = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
    return any(node.id == name and isinstance(node.ctx, ast.Store) for node in targets)


def _flag_of(statement: ast.stmt) -> str | None:
    """The name whose requires_grad this statement sets."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        if isinstance(call.func, ast.Attribute) and call.func.attr == SWITCH:
            return ast.unparse(call.func.value)
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Attribute):
        target = statement.targets[0]
        if target.attr == "requires_grad":
            return ast.unparse(target.value)
    return None


def _switch_statement(program: Program, statement: ast.stmt, name: str, on: bool) -> Edit:
    line = first_line(statement)
    if program.line(line).strip() == f"{name}.{SWITCH}({not on})" and _is_ours(program, line, name):
        return Edit(program.remove_lines(line, line), line - 1, line - 1)
    if isinstance(statement, ast.Assign):
        return _done(program, [_replace(program, statement.value, str(on))], line)
    assert isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
    return _done(program, _flip_switch(program, statement.value, on), line)


def _is_ours(program: Program, line: int, name: str) -> bool:
    """Whether the line is one that `_insert_statement` put there."""
    if "." not in name and "[" not in name:
        return False
    before = line - 1
    return before >= 1 and name.split(".")[0].split("[")[0] in program.line(before)


def _insert_statement(program: Program, block: Block, name: str, on: bool) -> Edit:
    """For a tensor without a text of its own, such as a module's parameter: a line that says it."""
    last = last_line(block.statement)
    text = program.indent(first_line(block.statement)) + f"{name}.{SWITCH}({on})"
    return Edit(program.insert_lines(last + 1, [text]), last + 1, last + 1)


def _switch_value(program: Program, value: ast.expr, on: bool) -> list[Splice]:
    """Switch the expression that makes a leaf."""
    if isinstance(value, ast.Call) and called(value) == SWITCH:
        return _switch_suffix(program, value, on)
    if isinstance(value, ast.Call) and called(value) in FACTORIES:
        default = FACTORIES[called(value)]
        splice = _switch_keyword(program, value, "requires_grad", default, on)
        return _add_suffix(program, value, on) if splice is None else [splice]
    # Anything else asks for no gradient unless it is told to.
    return _add_suffix(program, value, on) if on else []


def _switch_suffix(program: Program, value: ast.Call, on: bool) -> list[Splice]:
    """Switch `inner.requires_grad_(…)`: take it away when switching would put it there."""
    assert isinstance(value.func, ast.Attribute)
    inner = value.func.value
    start, end = _outside(program, inner)
    suffix = program.text[end : program.end(value)]
    wrapped = not on and _needs_parentheses(inner)
    ours = suffix == f".{SWITCH}{'(False)' if on else '()'}"
    if ours and isinstance(inner, ast.Call) and called(inner) in FACTORIES:
        default = FACTORIES[called(inner)]
        ours = _switch_keyword(program, inner, "requires_grad", default, not on) is None
    elif on:
        ours = False
    if not ours and not (wrapped and suffix == f".{SWITCH}(True)"):
        return _flip_switch(program, value, on)
    splices = [Splice(end, program.end(value), "")]
    if wrapped and ours:
        splices += [Splice(start, start + 1, ""), Splice(end - 1, end, "")]
    return splices


def _flip_switch(program: Program, call: ast.Call, on: bool) -> list[Splice]:
    """`()` and `(requires_grad=False)`, or `(True)` and `(False)`."""
    open_at = program.end(call.func)
    inside = Splice(program.text.index("(", open_at) + 1, program.end(call) - 1, "")
    if not call.args and not call.keywords:
        return [] if on else [inside._replace(text="requires_grad=False")]
    if call.keywords:
        plain = program.text[inside.start : inside.end] == "requires_grad=False"
        if on and plain:
            return [inside]
        return [_replace(program, call.keywords[0].value, str(on))]
    return [_replace(program, call.args[0], str(on))]


def _add_suffix(program: Program, value: ast.expr, on: bool) -> list[Splice]:
    """Parentheses of the learner's own are told apart by `(True)`, so that they stay."""
    suffix = f".{SWITCH}()" if on else f".{SWITCH}(False)"
    start, end = _outside(program, value)
    if not _needs_parentheses(value):
        return [Splice(end, end, suffix)]
    if start == program.start(value):
        return [Splice(start, start, "("), Splice(end, end, ")" + suffix)]
    return [Splice(end, end, f".{SWITCH}({on})")]


def _needs_parentheses(value: ast.expr) -> bool:
    return not isinstance(value, (ast.Call, ast.Name, ast.Attribute, ast.Subscript, ast.List))


def _outside(program: Program, node: ast.expr) -> tuple[int, int]:
    """Where an expression begins and ends with the parentheses directly around it."""
    start, end = program.start(node), program.end(node)
    while program.text[start - 1 : start] == "(" and program.text[end : end + 1] == ")":
        before = program.text[start - 2 : start - 1]
        if before.isalnum() or before in ("_", "]", ")"):  # the parentheses of a call
            break
        start, end = start - 1, end + 1
    return start, end


def _replace(program: Program, node: ast.expr, text: str) -> Splice:
    return Splice(program.start(node), program.end(node), text)


def _switch_keyword(
    program: Program, call: ast.Call, keyword: str, default: bool, on: bool
) -> Splice | None:
    """The splice that makes `call` say keyword=on, None when only a suffix leads back."""
    given = next((item for item in call.keywords if item.arg == keyword), None)
    end = program.end(call) - 1
    if given is None:
        if on == default:
            return Splice(end, end, "")
        return _append(program, call, f"{keyword}={on}")
    value: Any = given.value.value if isinstance(given.value, ast.Constant) else None
    if not isinstance(value, bool):
        return None
    if value == on:
        return Splice(end, end, "")
    start = _last_argument(program, call, f"{keyword}={value}")
    if start is None:
        return _replace(program, given.value, str(on))
    return None if value == default else Splice(start, program.end(given.value), "")


def _append(program: Program, call: ast.Call, text: str) -> Splice:
    """Put an argument behind the last one, in front of a trailing comma's white space."""
    end = program.end(call) - 1
    arguments: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    if not arguments:
        return Splice(end, end, text)
    last = max(_argument_end(program, item) for item in arguments)
    return Splice(last, last, ", " + text)


def _argument_end(program: Program, item: ast.expr | ast.keyword) -> int:
    node = item.value if isinstance(item, (ast.keyword, ast.Starred)) else item
    return _outside(program, node)[1]


def _last_argument(program: Program, call: ast.Call, text: str) -> int | None:
    """Where `, text` begins if it is the last argument, written as `_append` writes it."""
    last = call.keywords[-1]
    end = program.end(last.value)
    start = end - len(text)
    rest = program.text[end : program.end(call) - 1].strip()
    if program.text[start:end] != text or rest not in ("", ","):
        return None
    if any(program.start(item) > start for item in call.args):
        return None
    if not call.args and len(call.keywords) == 1:
        return start if program.text[start - 1] == "(" and not rest else None
    return start - 2 if program.text[start - 2 : start] == ", " else None
