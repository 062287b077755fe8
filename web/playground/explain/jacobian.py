"""One operation looked at closely: its Jacobian, and its gradient found in three ways.

Reverse: what the run sent. Forward: every column of the Jacobian from a forward-mode derivative of
the operation alone, in float64, times what arrived. Finite: differences of the forward. See
Note [A check is a courtesy] in check.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from playground.explain.check import array, finite_difference, to_value
from playground.explain.formula import record_of, value_of
from playground.state import State
from playground.trace import Message, Op, Step, Value

LIMIT = 8  # elements of input and result
FEW = 4  # numbers that stand beside two others in a line


@dataclass(frozen=True, slots=True)
class Closer:
    """The Jacobian (a row per element of the result), and the gradient in three ways."""

    jacobian: Value | None
    reverse: Value
    forward: Value | None
    finite: Value | None


def closer(state: State, op: Op, step: Step, operand: int) -> Closer | None:
    """The close look at one operand of an operation whose rule ran in `step`."""
    sent = next((m.value for m in step.messages if m.operand == operand), None)
    if sent is None:
        return None
    matrix = _jacobian(state, op, operand)
    forward = _along(state, op, step, operand, matrix) if matrix is not None else None
    # What was sent has the result's shape as long as the broadcast is not summed.
    forward = forward if forward is None or forward.shape == sent.shape else None
    finite = finite_difference(state, op, step, operand)
    found = to_value(matrix) if matrix is not None else None
    return Closer(found, sent, forward, finite) if found or finite else None


def forward_mode(state: State, op: Op, step: Step, message: Message) -> Value | None:
    """A message again, from forward mode; None for all but a few numbers."""
    if not 0 < len(message.value.data or ()) <= FEW:
        return None
    matrix = _jacobian(state, op, message.operand)
    found = _along(state, op, step, message.operand, matrix) if matrix is not None else None
    return found if found is not None and found.shape == message.value.shape else None


def _along(state: State, op: Op, step: Step, operand: int, matrix: Any) -> Value | None:
    """What arrived, times the Jacobian."""
    incoming = array(step.incoming) if step.incoming is not None else None
    if incoming is None or incoming.size != matrix.shape[0]:
        return None
    along = incoming.astype(np.float64).ravel() @ matrix
    return to_value(along.reshape(_shape(state, op, operand)))


def _shape(state: State, op: Op, operand: int) -> tuple[int, ...]:
    tensor = op.operands[operand].tensor
    return state.trace.tensors[tensor].shape if tensor is not None else ()


def _jacobian(state: State, op: Op, operand: int) -> Any:
    """Rows by the result's elements, columns by the operand's; None when it cannot be had."""
    if not op.outputs or op.inplace:
        return None
    try:
        from engine.func import jvp  # comes after the first picture

        apply, point = _applied(state, op, operand)
        if point is None or not 0 < point.numel() <= LIMIT:
            return None
        columns = []
        for i in range(point.numel()):
            along = np.zeros(point.numel())
            along[i] = 1.0
            tangent = _tensor(along.reshape(tuple(point.shape)))
            _, derivative = jvp(apply, (point,), (tangent,))
            columns.append(np.asarray(derivative.detach().numpy(), dtype=np.float64).ravel())
            if columns[-1].size > LIMIT:
                return None
        return np.stack(columns, axis=1)
    except Exception:  # see Note [A check is a courtesy]
        return None


def _applied(state: State, op: Op, operand: int) -> tuple[Callable[[Any], Any], Any]:
    """The operation as a function of one operand, and where it was applied, in float64."""
    record: Any = record_of(op)
    name = op.operands[operand].name
    point = value_of(state, op, name)
    known = array(point) if point is not None else None
    random = op.op.startswith(("bernoulli", "dropout", "rand"))
    if record is None or record.hidden or known is None or known.dtype.kind != "f" or random:
        return (lambda x: x), None
    given = {item.name: item for item in op.operands}
    plain: list[Any] = []
    named: dict[str, Any] = {}
    for param in record.params:
        value = value_of(state, op, param.name)
        found = array(value) if value is not None else None
        if value is not None and found is None:
            return (lambda x: x), None
        made = given[param.name].constant if found is None else _tensor(found)
        if param.keyword_only:
            named[param.name] = made
        else:
            plain.append(made)
    place = next(i for i, param in enumerate(record.params) if param.name == name)

    def apply(x: Any) -> Any:
        result = record(*plain[:place], x, *plain[place + 1 :], **named)
        return result[0] if isinstance(result, tuple) else result

    return apply, _tensor(known)


def _tensor(found: Any) -> Any:
    import engine

    torch: Any = engine  # which also has a module of that name
    if found.dtype.kind == "f":
        found = found.astype(np.float64)
    return torch.tensor(found.tolist(), dtype=getattr(torch, found.dtype.name))
