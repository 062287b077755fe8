"""Where a tensor is made: the expression an assignment gives to its name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from playground.edits.text import Block, Program

# Factories that take requires_grad, with what they do when it is not given.
FACTORIES = {
    **dict.fromkeys(("tensor", "zeros", "ones", "full", "empty", "eye", "Variable"), False),
    **dict.fromkeys(("rand", "randn", "randint", "randperm", "normal"), False),
    **dict.fromkeys(("arange", "linspace", "logspace"), False),
    **dict.fromkeys(("zeros_like", "ones_like", "full_like", "empty_like"), False),
    **dict.fromkeys(("rand_like", "randn_like", "randint_like"), False),
    "Parameter": True,
}


def called(call: ast.Call) -> str:
    """The last part of the called name: "tensor" for torch.tensor(…)."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def value_of(statement: ast.stmt, name: str) -> ast.expr | None:
    """The expression a statement gives to the name, also inside tuples and lists."""
    pairs: list[tuple[ast.expr, ast.expr]] = []
    if isinstance(statement, ast.Assign):
        pairs = [(target, statement.value) for target in statement.targets]
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        pairs = [(statement.target, statement.value)]
    for node in own_expressions(statement):
        if isinstance(node, ast.NamedExpr):
            pairs.append((node.target, node.value))
    for target, value in pairs:
        match = _match(target, value, name)
        if match is not None:
            return match
    return None


def own_expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement without those of the statements in it."""
    for node in ast.iter_child_nodes(statement):
        if isinstance(node, ast.expr):
            yield from ast.walk(node)


def _match(target: ast.expr, value: ast.expr, name: str) -> ast.expr | None:
    text = ast.unparse(target)
    if text == name or (isinstance(target, ast.Attribute) and name.endswith("." + target.attr)):
        return value
    if not isinstance(value, (ast.Tuple, ast.List)):
        return None
    if isinstance(target, (ast.Tuple, ast.List)) and len(target.elts) == len(value.elts):
        for part, made in zip(target.elts, value.elts, strict=True):
            found = _match(part, made, name)
            if found is not None:
                return found
    for position, made in enumerate(value.elts):
        if f"{text}[{position}]" == name:
            return made
    return None


def only_factory(having: list[Block], line: int) -> ast.Call | None:
    """The one call in a line that makes a leaf, for leaves that get their name elsewhere."""
    found = {
        (node.lineno, node.col_offset): node
        for block in having
        for node in own_expressions(block.statement)
        if isinstance(node, ast.Call) and node.lineno == line and called(node) in FACTORIES
    }
    return next(iter(found.values())) if len(found) == 1 else None


def binding_of(program: Program, name: str) -> Block | None:
    """The statement that gives `net` of `net.fc.weight` its name, for a line behind it."""
    root = name.partition(".")[0].partition("[")[0]
    for block in program.blocks():
        targets = block.statement.targets if isinstance(block.statement, ast.Assign) else []
        if any(isinstance(target, ast.Name) and target.id == root for target in targets):
            return block
    return None
