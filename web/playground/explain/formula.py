r"""Formulas of operations at three levels: symbols, the learner's names, numbers.

The engine's records write `\val{input}` and `\grad{result}`; each level puts something else there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from engine.ops.record import REGISTRY
from playground.explain.mathml import mathml
from playground.state import State
from playground.trace import Op, Operand, Value
from playground.words import number

if TYPE_CHECKING:
    from engine.ops.record import Op as Record

MACRO = re.compile(r"\\(val|grad)\{([^{}]*)\}")
LETTERS = "abcdefghk"
ATTRIBUTES = {"exponent": "n", "dim": "d", "number": "c", "value": "c"} | {
    "alpha": r"\alpha",
    "beta": r"\beta",
    "delta": r"\delta",
    "eps": r"\epsilon",
    "lambd": r"\lambda",
}
CELLS = 8


@dataclass(frozen=True, slots=True)
class Level:
    """One way of writing a formula."""

    key: str  # "inspector.symbols", "inspector.names", "inspector.numbers"
    latex: str

    @property
    def mathml(self) -> str:
        return mathml(self.latex)


@cache
def _registry() -> dict[str, Record]:
    """The engine's records, imported when the first formula is asked for."""
    import engine  # noqa: F401 its import fills the registry

    return REGISTRY


def record_of(op: Op) -> Record | None:
    return _registry().get(op.op)


def rule_levels(state: State, op: Op, operand: int) -> tuple[Level, ...]:
    """The gradient rule for one operand; empty when the engine has no formula for it."""
    latex = rule_latex(op, operand)
    return _levels(state, op, latex, operand) if latex else ()


def forward_levels(state: State, op: Op) -> tuple[Level, ...]:
    record = record_of(op)
    return _levels(state, op, record.latex, None) if record is not None else ()


def rule_latex(op: Op, operand: int) -> str | None:
    record = record_of(op)
    rule = record.vjps.get(base_name(op.operands[operand].name)) if record is not None else None
    return rule.latex if rule is not None else None


def local_latex(op: Op, operand: int) -> str | None:
    r"""What the rule multiplies the incoming gradient by; "" when it passes it on as it is."""
    latex = rule_latex(op, operand)
    if latex is None or "=" not in latex:
        return None
    right = latex.split("=", 1)[1].strip()
    if right == r"\grad{result}":
        return ""
    match = re.fullmatch(r"\\grad\{result\} \\(?:odot|cdot) (.+)", right)
    if match is not None and r"\grad" not in match[1]:
        return match[1]
    match = re.fullmatch(r"\\grad\{result\} / (.+)", right)
    if match is not None and r"\grad" not in match[1]:
        return rf"1 / {match[1]}"
    return "-1" if right == r"-\grad{result}" else None


def base_name(name: str) -> str:
    """An operand's parameter: "tensors" for "tensors[2]"."""
    return name.partition("[")[0]


def _levels(state: State, op: Op, latex: str, operand: int | None) -> tuple[Level, ...]:
    symbols = fill(latex, lambda kind, name: symbol(op, kind, name))
    names = fill(latex, lambda kind, name: learners(state, op, kind, name, operand))
    names = re.sub(r"^\((\\code\{[^}]*\})\) =", r"\1 =", names)  # nothing to keep together there
    figures = fill(latex, lambda kind, name: figure(state, op, kind, name, operand))
    found = [Level("inspector.symbols", symbols), Level("inspector.names", names)]
    if figures is not None and r"\val" not in figures:
        found.append(Level("inspector.numbers", figures))
    return tuple(found)


def fill(latex: str, put: Callable[[str, str], str]) -> str:
    """The formula with its macros replaced, and small arithmetic in exponents done."""
    text = MACRO.sub(lambda match: put(match[1], match[2]), latex)
    text = re.sub(r"\{([0-9]+) - 1\}", lambda match: f"{{{int(match[1]) - 1}}}", text)
    return re.sub(r"\^\{1\}", "", text)


# --- symbols -------------------------------------------------------------------------------------


def symbol(op: Op, kind: str, name: str) -> str:
    letter = _letter(op, name)
    return rf"\frac{{\partial L}}{{\partial {letter}}}" if kind == "grad" else letter


def _letter(op: Op, name: str) -> str:
    record = record_of(op)
    if record is not None and name in record.outputs:
        return "r" if name == "result" else rf"\mathit{{{name}}}"
    tensors = [param.name for param in record.tensors] if record is not None else []
    if name in ATTRIBUTES and name not in tensors:
        return ATTRIBUTES[name]
    if name in tensors and tensors.index(name) < len(LETTERS):
        return LETTERS[tensors.index(name)]
    return rf"\mathit{{{_plain(name)}}}"


# --- the learner's names -------------------------------------------------------------------------


def learners(state: State, op: Op, kind: str, name: str, operand: int | None) -> str:
    if kind == "grad":
        return rf"\frac{{\partial {root_name(state, op)}}}{{\partial {_named(state, op, name)}}}"
    return _named(state, op, name)


def _named(state: State, op: Op, name: str) -> str:
    tensor = tensor_of(op, name)
    if tensor is not None:
        found = state.trace.tensors[tensor]
        return name_latex(found.name or found.expression, found.name is not None)
    given = operand_of(op, name)
    if given is None:
        return _letter(op, name)
    return constant_latex(given.constant) or _letter(op, name)


def root_name(state: State, op: Op) -> str:
    """What the gradient is of: the root of the call that reached this operation, else L."""
    step = state.arrival(op.index)
    call = step.call if step is not None else state.call
    if call is None:
        return "L"
    roots = state.trace.calls[call - 1].roots
    if not roots:
        return "L"
    root = state.trace.tensors[roots[0]]
    return name_latex(root.name, True) if root.name else "L"


def name_latex(text: str, is_name: bool = True) -> str:
    r"""A name as a formula has it: one letter in italics, anything else as source text."""
    if is_name and len(text) == 1 and text.isalpha():
        return text
    if is_name and re.fullmatch(r"[A-Za-z][0-9]", text):
        return rf"{text[0]}_{text[1]}"
    if is_name:
        return rf"\mathit{{{_plain(text)}}}"
    return rf"(\code{{{_plain(text)}}})"


def _plain(text: str) -> str:
    return re.sub(r"([{}\\_^&%$#])", r"\\\1", text)


def constant_latex(value: Any) -> str:
    if isinstance(value, bool):
        return rf"\mathrm{{{value}}}"
    if isinstance(value, (int, float)):
        text = number(value).replace("−", "-")
        mantissa, mark, exponent = text.partition("e")
        return rf"{mantissa} \cdot 10^{{{exponent}}}" if mark else text
    if isinstance(value, tuple) and all(isinstance(item, int) for item in value):
        return "(" + ", ".join(str(item) for item in value) + ")"
    return ""


# --- numbers -------------------------------------------------------------------------------------


def figure(state: State, op: Op, kind: str, name: str, operand: int | None) -> str:
    if kind == "grad":
        value = _gradient(state, op, name, operand)
        return value_latex(value) if value is not None else symbol(op, kind, name)
    value = value_of(state, op, name)
    if value is not None:
        return value_latex(value)
    given = operand_of(op, name)
    return (constant_latex(given.constant) if given is not None else "") or _letter(op, name)


def _gradient(state: State, op: Op, name: str, operand: int | None) -> Value | None:
    if operand is not None and base_name(op.operands[operand].name) == name:
        sent = state.message(op.index, operand)
        return sent.message.value if sent is not None else None
    step = state.arrival(op.index)
    return step.incoming if step is not None else None


def value_latex(value: Value) -> str:
    r"""A value as a row or matrix; its shape when it is too large to write."""
    if value.data is None or len(value.data) > CELLS or not value.data:
        return rf"\code{{{tuple(value.shape)}}}"
    cells = [constant_latex(item) or _special(item) for item in value.data]
    if not value.shape:
        return cells[0] if not cells[0].startswith("-") else f"({cells[0]})"
    width = value.shape[-1]
    rows = [" & ".join(cells[i : i + width]) for i in range(0, len(cells), width)]
    return r"\begin{bmatrix}" + r" \\ ".join(rows) + r"\end{bmatrix}"


def _special(item: Any) -> str:
    return {"nan": r"\mathrm{NaN}", "inf": r"\infty", "-inf": r"-\infty"}.get(str(item), str(item))


# --- looking operands up -------------------------------------------------------------------------


def operand_of(op: Op, name: str) -> Operand | None:
    return next((item for item in op.operands if item.name == name), None)


def tensor_of(op: Op, name: str) -> int | None:
    """The tensor an operation knows by a name, its results included."""
    record = record_of(op)
    if record is not None and name in record.outputs:
        position = record.outputs.index(name)
        return op.outputs[position] if position < len(op.outputs) else None
    given = operand_of(op, name)
    return given.tensor if given is not None else None


def value_of(state: State, op: Op, name: str) -> Value | None:
    """The value a tensor had for the operation: at the version it was used."""
    given = operand_of(op, name)
    if given is not None and given.tensor is not None and given.version is not None:
        return at_version(state, given.tensor, given.version)
    tensor = tensor_of(op, name)
    return (
        state.trace.tensors[tensor].value
        if tensor is not None and not op.inplace
        else (state.value(tensor) if tensor is not None else None)
    )


def at_version(state: State, tensor: int, version: int) -> Value:
    history = state.index.values.get(tensor)
    for value, number_of in reversed(history.values if history else []):
        if number_of == version:
            return value
    return state.trace.tensors[tensor].value
