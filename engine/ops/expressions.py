"""The one expression a forward or a rule returns, rewritten as source for a specialised function.

Calling a Python function costs as much as adding two numbers, so specialised forms (fast.py)
contain the expressions themselves. The declarations stay the only source of them.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections import Counter
from collections.abc import Callable
from types import ModuleType
from typing import Any


def returned_expression(f: Callable[..., Any]) -> ast.expr | None:
    """Return what a function of one return statement returns; None when it does more."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(f)))
    except (OSError, TypeError, SyntaxError):  # the source isn't there: callers make a call instead
        return None
    body = tree.body[0].body  # type: ignore[attr-defined]
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    if len(body) != 1 or not isinstance(body[0], ast.Return):
        return None
    return body[0].value


class Inliner(ast.NodeTransformer):
    """Puts expressions for the names of a function and decides conditions that became constant.

    What the function finds in its module goes into `scope` under aliases; a record it calls is
    replaced by the record's own forward.
    """

    def __init__(
        self, f: Callable[..., Any], values: dict[str, ast.expr], scope: dict[str, Any]
    ) -> None:
        self.globals = f.__globals__
        self.values = values
        self.scope = scope

    def _alias(self, name: str, value: Any) -> ast.expr:
        alias = f"{name}_{id(value):x}"
        self.scope[alias] = value
        return ast.Name(alias, ast.Load())

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace a parameter or a global name."""
        if node.id in self.values:
            return self.values[node.id]
        if node.id in self.globals:
            value = self.globals[node.id]
            return self._alias(node.id, getattr(value, "forward", value))
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Look `np.exp` up now instead of at each call."""
        if isinstance(node.value, ast.Name) and node.value.id not in self.values:
            module = self.globals.get(node.value.id)
            if isinstance(module, ModuleType):
                return self._alias(node.attr, getattr(module, node.attr))
        self.generic_visit(node)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """Keep only the branch that is taken when the condition is constant."""
        test = self.visit(node.test)
        if any(isinstance(n, (ast.Name, ast.Call)) for n in ast.walk(test)):
            return ast.IfExp(test, self.visit(node.body), self.visit(node.orelse))
        test = ast.fix_missing_locations(ast.Expression(test))
        taken = node.body if eval(compile(test, "<condition>", "eval")) else node.orelse
        return self.visit(taken)  # type: ignore[no-any-return]

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Put the expression of a record that is called, where nothing is computed twice by it."""
        callee = self.globals.get(node.func.id) if isinstance(node.func, ast.Name) else None
        self_made = [self.visit(a) for a in node.args]
        forward = getattr(callee, "forward", None)
        if forward is not None and not node.keywords:
            done = inlined(forward, self_made, self.scope)
            if done is not None:
                return done
        keywords = [ast.keyword(k.arg, self.visit(k.value)) for k in node.keywords]
        return ast.Call(self.visit(node.func), self_made, keywords)


def inlined(
    f: Callable[..., Any], arguments: list[ast.expr], scope: dict[str, Any]
) -> ast.expr | None:
    """Return the expression of `f` on arguments, the rest at defaults; None if it can't be."""
    expression = returned_expression(f)
    parameters = list(inspect.signature(f).parameters.values())
    if expression is None or any(
        isinstance(n, (ast.Lambda, ast.comprehension)) for n in ast.walk(expression)
    ):
        return None
    values: dict[str, ast.expr] = {}
    for i, p in enumerate(parameters):
        if i < len(arguments) and p.kind is not p.KEYWORD_ONLY:
            values[p.name] = arguments[i]
        elif isinstance(p.default, (int, float, type(None), str)):
            values[p.name] = ast.Constant(p.default)
        else:
            return None
    used = Counter(n.id for n in ast.walk(expression) if isinstance(n, ast.Name))
    for name, value in values.items():
        if used[name] > 1 and not is_simple(value):
            return None
    return Inliner(f, values, scope).visit(expression)  # type: ignore[no-any-return]


def is_simple(value: ast.expr) -> bool:
    """Whether evaluating an expression twice costs nothing to speak of."""
    return all(
        isinstance(n, (ast.Name, ast.Attribute, ast.Constant, ast.Load)) for n in ast.walk(value)
    )


def source_of(f: Callable[..., Any], arguments: list[str], scope: dict[str, Any]) -> str:
    """Return source that computes `f` on arguments given as source: its expression, or a call."""
    done = inlined(f, [ast.parse(a, mode="eval").body for a in arguments], scope)
    if done is not None:
        return ast.unparse(done)
    alias = f"{f.__name__}_{id(f):x}"
    scope[alias] = f
    return f"{alias}({', '.join(arguments)})"
