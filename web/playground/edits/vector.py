"""The vector a backward pass starts from: put in, or put in place of another."""

from __future__ import annotations

import ast

from playground.edits.targets import called
from playground.edits.text import Edit, EditError, Program, Splice


def set_vector(source: str, line: int, expression: str) -> Edit:
    """Write `y.backward(expression)`, whatever gradient the call in `line` was given before."""
    text = expression.strip()
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError):
        raise EditError("edit.no-expression", text=text) from None
    program = Program(source)
    call = _call(program, line)
    if call is None:
        raise EditError("edit.no-backward", line=line)
    given = given_vector(call)
    if given is not None:
        splice = Splice(program.start(given), program.end(given), text)
    else:
        at = program.text.index("(", program.end(call.func)) + 1
        rest = ", " if call.keywords else ""
        splice = Splice(at, at, text + rest)
    return Edit(program.apply(splice), line, line)


def vector_of(source: str, line: int) -> str | None:
    """The text of the gradient the backward call in `line` is given; None without such a call."""
    try:
        program = Program(source)
    except EditError:
        return None
    call = _call(program, line)
    if call is None:
        return None
    given = given_vector(call)
    return program.text[program.start(given) : program.end(given)] if given is not None else ""


def given_vector(call: ast.Call) -> ast.expr | None:
    if call.args:
        return call.args[0]
    named = (keyword.value for keyword in call.keywords if keyword.arg == "gradient")
    return next(named, None)


def _call(program: Program, line: int) -> ast.Call | None:
    """The backward() of a tensor in a line; torch.autograd.backward takes other arguments."""
    for statement in program.simple_statements_at(line):
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and called(node) == "backward":
                owner = node.func.value if isinstance(node.func, ast.Attribute) else None
                if owner is not None and not ast.unparse(owner).endswith("autograd"):
                    return node
    return None
