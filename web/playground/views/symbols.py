"""The sign on an operation's pill: ( ) for an input, Python scalars as part of the sign."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from playground.trace import Op, Operand

from . import numbers

INPUT = "( )"
SUBSCRIPTS = str.maketrans("0123456789-", "₀₁₂₃₄₅₆₇₈₉₋")
RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")

INFIX = {
    "add": "+",
    "sub": "−",
    "mul": "×",
    "div": "/",
    "true_divide": "/",
    "floor_divide": "//",
    "remainder": "%",
    "matmul": "@",
    "mm": "@",
    "mv": "@",
    "bmm": "@",
    "dot": "·",
    "eq": "=",
    "ne": "≠",
    "lt": "<",
    "le": "≤",
    "gt": ">",
    "ge": "≥",
    "logical_and": "∧",
    "logical_or": "∨",
    "bitwise_and": "&",
    "bitwise_or": "|",
    "bitwise_xor": "^",
    "outer": "⊗",
}
FRAMES = {  # what stands before and after the one input
    "neg": ("−", ""),
    "abs": ("|", "|"),
    "sqrt": ("√", ""),
    "reciprocal": ("1 / ", ""),
    "square": ("", "²"),
    "floor": ("⌊", "⌋"),
    "ceil": ("⌈", "⌉"),
    "t": ("", "ᵀ"),
    "mT": ("", "ᵀ"),
    "adjoint": ("", "ᵀ"),
    "transpose": ("", "ᵀ"),
    "getitem": ("", "[ ]"),
    "index": ("", "[ ]"),
    "select": ("", "[ ]"),
    "slice": ("", "[:]"),
    "logical_not": ("¬", ""),
    "bitwise_not": ("~", ""),
}
PLAIN = {
    "sigmoid": "σ",
    "norm": "‖ ‖",
    "linalg_norm": "‖ ‖",
    "linalg_vector_norm": "‖ ‖",
    "vector_norm": "‖ ‖",
    "prod": "∏",
    "cumsum": "cumsum",
    "masked_fill": "mask",
    "cross_entropy_loss": "cross entropy",
    "binary_cross_entropy_with_logits": "bce logits",
    "binary_cross_entropy": "bce",
    "native_layer_norm": "layer norm",
    "native_batch_norm": "batch norm",
    "scaled_dot_product_attention": "attention",
    "_softmax": "softmax",
    "_log_softmax": "log softmax",
}
COMMUTES = frozenset({"add", "mul"})
LONG = 12


def symbol(op: Op) -> str:
    """What a pill shows in large letters."""
    name = op.op.rstrip("_") if not op.op.startswith("__") else op.op
    if op.inplace:
        return _inplace(op, name)
    if name in INFIX and len(op.operands) >= 2:
        left, right = _operand(op.operands[0]), _operand(op.operands[1])
        if name == "mul" and op.operands[1].tensor is None:
            left, right = right, left
        return f"{left} {INFIX[name]} {right}"
    if name in ("rsub", "rdiv") and len(op.operands) >= 2:
        sign = "−" if name == "rsub" else "/"
        return f"{_operand(op.operands[1])} {sign} {_operand(op.operands[0])}"
    if name == "pow" and len(op.operands) >= 2:
        return _power(op)
    second = op.operands[1].constant if len(op.operands) > 1 else None
    if name == "to_copy":
        return f"→ {str(second).removeprefix('torch.')}"
    if name == "permute" and second in ((1, 0), [1, 0]):
        name = "t"
    if name in FRAMES:
        before, after = FRAMES[name]
        return f"{before}{INPUT}{after}"
    return PLAIN.get(name, name.strip("_").replace("_", " "))


def _inplace(op: Op, name: str) -> str:
    if name in INFIX and len(op.operands) >= 2:
        return f"{INPUT} {INFIX[name]}= {_operand(op.operands[1])}"
    if name in ("copy", "fill") and len(op.operands) >= 2:
        return f"{INPUT} ← {_operand(op.operands[1])}"
    return f"{name.replace('_', ' ')}_"


def _power(op: Op) -> str:
    base, exponent = op.operands[0], op.operands[1]
    if exponent.tensor is not None:
        return f"{_operand(base)}^( )" if base.tensor is None else "( )^( )"
    value = exponent.constant
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return INPUT + str(value).translate(RAISED)
    return f"{INPUT}^{constant(value)}"


def _operand(operand: Operand) -> str:
    return INPUT if operand.tensor is not None else constant(operand.constant)


def constant(value: Any) -> str:
    """A Python constant as short as can be."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return numbers.show(value)
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(constant(item) for item in value) + ")"
    text = str(value)
    return text if len(text) <= LONG else text[: LONG - 1] + "…"


def size(text: str, room: float = 100, grow: float = 1) -> float:
    """The letters of a sign: 20 px, less when it would not fit the pill."""
    usual = 20 if len(text) <= 11 else 16 if len(text) <= 14 else 12.5
    return usual if grow == 1 else min(usual, room / (len(text) * 0.5 * grow))


def subscript(dims: Iterable[int]) -> str:
    """The dims of a sum, small and low."""
    return ",".join(str(dim).translate(SUBSCRIPTS) for dim in dims)
