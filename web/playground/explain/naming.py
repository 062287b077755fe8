"""What things are called in a sentence: tensors, and local derivatives short enough to be read."""

from __future__ import annotations

from playground.explain.formula import MACRO, fill, operand_of, tensor_of
from playground.trace import Op, Trace
from playground.words import number


def title(trace: Trace, tensor: int) -> str:
    found = trace.tensors[tensor]
    return found.name or found.expression


def bracketed(expression: str) -> str:
    """An expression as one factor: in brackets when a sum or product of others."""
    depth = 0
    for i, char in enumerate(expression):
        depth += (char in "([{") - (char in ")]}")
        if depth == 0 and char in "+-*/@%<>=& " and i:
            return f"({expression})"
    return f"({expression})" if expression.startswith(("-", "~")) else expression


def local_text(trace: Trace, op: Op, latex: str) -> str | None:
    r"""A local derivative short enough to be read in a sentence: `3`, `2·y`, `cos x`; else None."""

    def put(kind: str, name: str) -> str:
        tensor = tensor_of(op, name)
        if tensor is not None:
            found = trace.tensors[tensor]
            return found.name or bracketed(found.expression)
        given = operand_of(op, name)
        if given is not None and isinstance(given.constant, (int, float)):
            return number(given.constant)
        return "\\?"

    text = fill(latex, put) if MACRO.search(latex) else latex
    for command, sign in (
        (r"\odot", "·"),
        (r"\cdot", "·"),
        (r"\,", "·"),
        (r"\left", ""),
        (r"\right", ""),
    ):
        text = text.replace(command, sign)
    for name in ("cos", "sin", "ln", "cosh", "sinh"):
        text = text.replace("\\" + name, name)
    for plain, sign in (("^{2}", "²"), ("^{3}", "³"), ("^2", "²"), ("^3", "³")):
        text = text.replace(plain, sign)
    text = " ".join(text.split()).replace(" · ", "·")
    return None if any(mark in text for mark in "\\{}^_") or len(text) > 24 else text
