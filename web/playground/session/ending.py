"""What the program's tensors hold when it has ended: the numbers a learner can check elsewhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from engine import events
from engine.tensor import Tensor
from playground.session import convert
from playground.session.names import tensors_in
from playground.trace import Final

LIMIT = 200  # names
INDEX = re.compile(r"\.(\d+)(?=\.|$)(?=[^'\"]*$)")  # net.0.weight is net[0].weight


def final_values(variables: Mapping[str, Any]) -> tuple[Final, ...]:
    """The tensors outside of functions, by name, as they are now."""
    found = []
    for name, tensor in tensors_in(variables, {}):
        expression = INDEX.sub(r"[\1]", name)
        if _is_expression(expression):
            found.append(_final(expression, tensor))
        if len(found) == LIMIT:
            break
    return tuple(found)


def _is_expression(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError):
        return False
    return True


def _final(name: str, tensor: Tensor) -> Final:
    value = convert.value_of(events.value_of(tensor._array))
    # Not tensor.grad, which warns where there is nothing to ask for.
    kept = tensor._meta.grad if tensor._meta is not None else None
    grad = None if kept is None else convert.value_of(events.value_of(kept._array))
    return Final(name, value, grad, _is_leaf(tensor) and tensor.requires_grad)


def _is_leaf(tensor: Tensor) -> bool:
    """PyTorch refuses to say it of a view that may no longer be used; that is no leaf."""
    try:
        return tensor.is_leaf
    except RuntimeError:
        return False
