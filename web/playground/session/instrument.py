"""Compile a program so that its loops and functions report to the run.

A call is put at the start of every loop body and function, and one in front of every loop. That
stops `while True: pass`, numbers the passes of loops for folding, and costs less than the
interpreter's own tracing hooks. One more in front of every statement outside of functions says
where the program is, for a page that may have to end it. Lines and columns stay those of the
learner's text.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from types import CodeType

FILENAME = "program.py"
TICK, ENTER, AT = "__playground_tick__", "__playground_enter__", "__playground_at__"


@dataclass(frozen=True, slots=True)
class Loop:
    number: int
    line: int
    first: int  # lines of the body
    last: int


@dataclass(frozen=True, slots=True)
class Compiled:
    code: CodeType
    loops: tuple[Loop, ...]
    loops_at: dict[int, tuple[Loop, ...]]  # line -> loops around it, outermost first


def compile_program(source: str) -> Compiled:
    """Compile with ticks; raises SyntaxError as `compile` does."""
    tree = ast.parse(source.removeprefix("\ufeff"), FILENAME)  # a file's mark is no text
    compile(tree, FILENAME, "exec")  # errors that only the compiler finds, before anything moves
    return compile_tree(tree)


def compile_tree(tree: ast.Module) -> Compiled:
    """The same for a program that was parsed already; the tree is changed."""
    tree.body = _announced(tree.body)
    rewriter = _Rewriter()
    rewriter.visit(tree)
    code = compile(ast.fix_missing_locations(tree), FILENAME, "exec")
    loops = tuple(rewriter.loops)
    around: dict[int, tuple[Loop, ...]] = {}
    for loop in loops:  # outer loops have smaller numbers
        for line in range(loop.first, loop.last + 1):
            around[line] = (*around.get(line, ()), loop)
    return Compiled(code, loops, around)


class _Rewriter(ast.NodeTransformer):
    def __init__(self) -> None:
        self.loops: list[Loop] = []

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> list[ast.stmt]:
        number = len(self.loops)
        last = node.body[-1].end_lineno or node.lineno
        # The condition of a while loop is computed once per pass, so it belongs to the passes.
        first = node.lineno if isinstance(node, ast.While) else node.body[0].lineno
        self.loops.append(Loop(number, node.lineno, first, last))
        count = len(node.body)
        self.generic_visit(node)
        node.body.insert(0, report(TICK, node, count, number))
        return [report(ENTER, node, number), node]

    visit_For = _loop
    visit_AsyncFor = _loop
    visit_While = _loop

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
        count = len(node.body)
        self.generic_visit(node)
        at = 1 if ast.get_docstring(node, clean=False) is not None else 0
        place = node.body[at] if at < len(node.body) else node
        node.body.insert(at, report(TICK, place, count, -1))
        return node

    visit_FunctionDef = _function
    visit_AsyncFunctionDef = _function


def _announced(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements, each with a call in front; loops and functions count their own."""
    announced: list[ast.stmt] = []
    for node in body:
        if isinstance(node, (ast.If, ast.With, ast.Try)):
            node.body = _announced(node.body)
        future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not future and not text:  # these may have to stand first
            announced.append(report(AT, node, node.lineno))
        announced.append(node)
    return announced


def report(name: str, place: ast.stmt, *arguments: int) -> ast.stmt:
    """A statement that calls `name`, with the line and column of another one."""
    call = ast.Call(
        ast.Name(name, ast.Load()), [ast.Constant(argument) for argument in arguments], []
    )
    made = ast.copy_location(ast.Expr(call), place)
    made.end_lineno, made.end_col_offset = place.lineno, place.col_offset
    for node in ast.walk(call):
        ast.copy_location(node, made)
    return made
