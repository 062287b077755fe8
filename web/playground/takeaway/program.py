"""The program as a file for real PyTorch: its own text, then what was recorded, as asserts."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from playground.takeaway.asserts import asserts
from playground.trace import Trace
from playground.views.frame import Say

OURS = (
    "error.budget-",
    "error.unsupported",
    "error.unknown-torch",
    "error.unknown-tensor",
    "error.memory",
    "error.no-module",
)
RANDOM = re.compile(
    r"rand|normal|nn\.|dropout|bernoulli|multinomial|poisson|init|uniform|exponential"
)


@dataclass(frozen=True, slots=True)
class Parts:
    """A program cut where it raised; both later parts are empty when it did not."""

    before: str
    raising: str
    after: str


def script(trace: Trace, say: Say) -> str:
    """The `.py`: program and asserts; a statement that raised is expected to raise again."""
    parts = cut(trace)
    text = f"# {say('take.head')}\n{ended(seeded(parts.before, trace.seed))}"
    if parts.raising:
        text += expecting(trace, parts.raising)
    lines = checks(trace)
    if lines:
        text += f"\n# {say('take.checks')}\n" + "\n".join(lines) + "\n"
    if trace.error is not None and not parts.raising:
        text += f"\n# {say('take.raised', error=_said(trace))}\n"
    if parts.after.strip():
        text += f"\n# {say('take.after')}\n{commented(parts.after)}"
    return text


def checks(trace: Trace) -> list[str]:
    """The asserts for the end of a run; none when the playground itself ended it."""
    if trace.error is not None and trace.error.key.startswith(OURS):
        return []
    lines = asserts(trace)
    here = re.search(r"^import torch\b(?!\.)(?! as)", trace.source, re.MULTILINE)
    return lines if here or not lines else ["import torch", "", *lines]


def seeded(source: str, seed: int) -> str:
    """The program with the playground's seed set, where it draws random numbers.

    After its own `import torch`, else in front; imports from __future__ have to stay first.
    """
    if "manual_seed" in source or not RANDOM.search(source):
        return source
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError):
        return source
    line = f"torch.manual_seed({seed})\n"
    lines = source.splitlines(keepends=True)
    at = next((node.end_lineno or 0 for node in body if _imports_torch(node)), None)
    if at is None:
        line, at = f"import torch\n\n{line}\n", 0
        for node in body:
            future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
            if not future and not (isinstance(node, ast.Expr) and not at and _is_text(node)):
                break
            at = node.end_lineno or at
    return ended("".join(lines[:at])) + line + "".join(lines[at:])


def _imports_torch(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import) and any(
        alias.name == "torch" and alias.asname is None for alias in node.names
    )


def _is_text(node: ast.Expr) -> bool:
    return isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def cut(trace: Trace) -> Parts:
    """The program around the statement that raised, if PyTorch or Python would raise there too."""
    source, error = trace.source, trace.error
    whole = Parts(source, "", "")
    if error is None or error.line is None or error.key.startswith((*OURS, "error.syntax")):
        return whole
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError):
        return whole
    lines = source.splitlines(keepends=True)
    for node in body:
        first, last = node.lineno, node.end_lineno or node.lineno
        first = min([first, *(d.lineno for d in getattr(node, "decorator_list", []))])
        if first <= error.line <= last:
            middle = lines[first - 1 : last]
            # Moved to the right a text of several lines would change; two statements in one line
            # cannot be cut apart by lines.
            if "".join(middle).count('"""') or "".join(middle).count("'''"):
                return whole
            if sum(n.lineno <= last and (n.end_lineno or 0) >= first for n in body) > 1:
                return whole
            return Parts("".join(lines[: first - 1]), "".join(middle), "".join(lines[last:]))
    return whole  # inside a function: the line of the call is not known


def expecting(trace: Trace, raising: str) -> str:
    """A statement that has to raise the recorded type of error."""
    error = trace.error
    assert error is not None
    lines = ended(raising).splitlines(keepends=True)
    inside = "".join(f"    {line}" if line.strip() else line for line in lines)
    said = "".join(f"# {line}\n" for line in _said(trace).splitlines())
    return (
        f"{said}try:\n{inside}except {error.type}:\n    pass\n"
        f'else:\n    raise AssertionError("expected {error.type}")\n'
    )


def _said(trace: Trace) -> str:
    error = trace.error
    assert error is not None
    return f"{error.type}: {error.message}" if error.message else error.type


def commented(text: str) -> str:
    return "".join(f"# {line}".rstrip() + "\n" for line in text.strip("\n").splitlines())


def ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"
