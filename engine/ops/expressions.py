"""The one expression a forward or a rule returns, rewritten as source for a specialised function.

Calling a Python function costs as much as adding two numbers, so specialised forms (fast.py)
contain the expressions themselves. The declarations stay the only source of them.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections import Counter
from collections.abc import Callable
from types import ModuleType
from typing import Any

WHOLE = "<the whole function>"  # in place of an expression for what follows the leading conditions


def returned_expression(f: Callable[..., Any]) -> ast.expr | None:
    """Return what a function returns, when that can be said in one expression; else None.

    `if a: return x` in front becomes `x if a else ...`; what follows, if it is more than a return,
    becomes a call of the function itself. So the common case of a long function costs no call.
    """
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(f)))
    except (OSError, TypeError, SyntaxError):  # the source isn't there: callers make a call instead
        return None
    body = tree.body[0].body  # type: ignore[attr-defined]
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    return as_expression(body)


def as_expression(body: list[ast.stmt]) -> ast.expr | None:
    """Return statements as one expression, None when the first is no return and no condition."""
    if not body:
        return ast.Constant(None)
    first, rest = body[0], body[1:]
    if isinstance(first, ast.Return):
        return first.value or ast.Constant(None)
    if isinstance(first, ast.If) and isinstance(first.body[0], ast.Return) and not first.orelse:
        value = first.body[0].value or ast.Constant(None)
        return ast.IfExp(first.test, value, as_expression(rest) or ast.Name(WHOLE, ast.Load()))
    return None


class Inliner(ast.NodeTransformer):
    """Puts expressions for the names of a function and decides conditions that became constant.

    What the function finds in its module goes into `scope` under aliases; a record it calls is
    replaced by the record's own forward.
    """

    def __init__(
        self,
        f: Callable[..., Any],
        values: dict[str, ast.expr],
        scope: dict[str, Any],
        whole: Callable[..., Any],
    ) -> None:
        self.f = f
        self.whole = whole
        self.globals = f.__globals__
        self.values = values
        self.scope = scope

    def _alias(self, name: str, value: Any) -> ast.expr:
        alias = f"{name}_{id(value):x}"
        self.scope[alias] = value
        return ast.Name(alias, ast.Load())

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace a parameter or a global name."""
        if node.id == WHOLE:
            return self._call_whole()
        if node.id in self.values:
            return self.values[node.id]
        if node.id in self.globals:
            value = self.globals[node.id]
            return self._alias(node.id, getattr(value, "forward", value))
        # A form has its op's name, which may be a builtin's: slice, sum.
        return self._alias(node.id, getattr(builtins, node.id))

    def _call_whole(self) -> ast.expr:
        alone = [p.name for p in parameters_of(self.f) if p.kind is p.KEYWORD_ONLY]
        given = [value for name, value in self.values.items() if name not in alone]
        keywords = [ast.keyword(name, self.values[name]) for name in alone]
        return ast.Call(self._alias(self.whole.__name__, self.whole), given, keywords)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Look `np.exp` and `relu.forward` up now instead of at each call."""
        if isinstance(node.value, ast.Name) and node.value.id not in self.values:
            owner: Any = self.globals.get(node.value.id)
            if isinstance(owner, ModuleType):
                return self._alias(node.attr, getattr(owner, node.attr))
            if hasattr(owner, "forward"):  # a record: its forward, or what else it has, as it is
                if node.attr == "forward":
                    return self._alias(node.value.id, owner.forward)
                return ast.Attribute(self._alias(node.value.id, owner), node.attr, node.ctx)
        self.generic_visit(node)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """Keep only the branch that is taken when the condition is constant."""
        test = self.visit(node.test)
        if any(isinstance(n, (ast.Name, ast.Call)) for n in ast.walk(test)):
            return ast.IfExp(test, self.visit(node.body), self.visit(node.orelse))
        return self.visit(node.body if value_of(test) else node.orelse)  # type: ignore[no-any-return]

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """Leave out the parts of a condition that became constant."""
        ends = isinstance(node.op, ast.Or)  # the constant that decides the whole
        left: list[ast.expr] = []
        for part in map(self.visit, node.values):
            if any(isinstance(n, (ast.Name, ast.Call)) for n in ast.walk(part)):
                left.append(part)
            elif bool(value_of(part)) is ends:
                left.append(ast.Constant(ends))
                break
        if len(left) < 2:
            return left[0] if left else ast.Constant(not ends)
        return ast.BoolOp(node.op, left)

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


def value_of(constant: ast.expr) -> Any:
    """Return the value of an expression without names."""
    made = ast.fix_missing_locations(ast.Expression(constant))
    return eval(compile(made, "<condition>", "eval"))


def parameters_of(f: Callable[..., Any]) -> list[inspect.Parameter]:
    """Return the parameters of a function."""
    return list(inspect.signature(f).parameters.values())


def inlined(
    f: Callable[..., Any],
    arguments: list[ast.expr],
    scope: dict[str, Any],
    whole: Callable[..., Any] | None = None,
    keywords: dict[str, ast.expr] | None = None,
) -> ast.expr | None:
    """Return the expression of `f` on arguments, the rest at defaults; None if it can't be.

    `whole` is what to call where the function itself has to be called.
    """
    expression = returned_expression(f)
    parameters = parameters_of(f)
    if (
        expression is None
        or f.__code__.co_freevars
        or any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters)
        or any(isinstance(n, (ast.Lambda, ast.comprehension)) for n in ast.walk(expression))
    ):
        return None
    values: dict[str, ast.expr] = {}
    for i, p in enumerate(parameters):
        if i < len(arguments) and p.kind is not p.KEYWORD_ONLY:
            values[p.name] = arguments[i]
        elif keywords is not None and p.name in keywords:
            values[p.name] = keywords[p.name]
        elif isinstance(p.default, (int, float, type(None), str)):
            values[p.name] = ast.Constant(p.default)
        else:
            return None
    used = Counter(n.id for n in ast.walk(expression) if isinstance(n, ast.Name))
    for name, value in values.items():
        if used[name] + used[WHOLE] > 1 and not is_simple(value):
            return None
    return Inliner(f, values, scope, whole or f).visit(expression)  # type: ignore[no-any-return]


def is_simple(value: ast.expr) -> bool:
    """Whether evaluating an expression twice costs nothing to speak of."""
    return all(
        isinstance(n, (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Load))
        for n in ast.walk(value)
    )


def source_of(
    f: Callable[..., Any],
    arguments: list[str],
    scope: dict[str, Any],
    whole: Callable[..., Any] | None = None,
    keywords: tuple[str, ...] = (),
) -> str:
    """Return source that computes `f` on arguments given as source: its expression, or a call.

    `whole` is what to call instead of `f` then; `keywords` are names that are passed as themselves.
    """
    whole = whole or f
    given = [ast.parse(a, mode="eval").body for a in arguments]
    named: dict[str, ast.expr] = {name: ast.Name(name, ast.Load()) for name in keywords}
    done = inlined(f, given, scope, whole, named)
    if done is not None:
        return ast.unparse(ast.fix_missing_locations(done))
    alias = f"{whole.__name__}_{id(whole):x}"
    scope[alias] = whole
    return f"{alias}({', '.join([*arguments, *(f'{name}={name}' for name in keywords)])})"
