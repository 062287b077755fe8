"""Numbers beside the engine's own: local derivatives, and finite differences of one operation.

Note [A check is a courtesy]: what an operation was given is known from the trace only as far as
JSON can hold it. Where a record refuses what was put together again, there is no check to show,
and the explanation goes on without it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from playground.explain.formula import base_name, record_of, value_of
from playground.state import State
from playground.trace import Op, Step, Value

LIMIT = 8  # elements of a tensor that is differenced one by one
STEP = 1e-4


def local_derivative(state: State, op: Op, operand: int) -> Value | None:
    """What the rule gives for a gradient of ones: the local derivative of a pointwise operation."""
    record = record_of(op)
    rule = record.vjps.get(base_name(op.operands[operand].name)) if record is not None else None
    if rule is None or not op.outputs:
        return None
    result = array(state.trace.tensors[op.outputs[0]].value)
    if result is None:
        return None
    given: dict[str, Any] = {name: _argument(state, op, name) for name in rule.names}
    if any(value is None for value in given.values()):
        return None
    try:
        found = rule.on_arrays()(np.ones_like(result)[()], *given.values())
    except (TypeError, ValueError, IndexError, ArithmeticError):
        return None
    return (
        to_value(np.asarray(found)) if isinstance(found, (np.ndarray, np.generic, float)) else None
    )


def _argument(state: State, op: Op, name: str) -> Any:
    """What the rule's parameter of this name was given."""
    if name.endswith("_shape"):
        value = value_of(state, op, name.removesuffix("_shape"))
        return value.shape if value is not None else None
    value = value_of(state, op, name)
    if value is not None:
        found = array(value)
        return found[()] if found is not None else None
    operand = next((item for item in op.operands if item.name == name), None)
    return operand.constant if operand is not None else None


def finite_difference(state: State, op: Op, step: Step, operand: int) -> Value | None:
    """The message for one operand again, by central differences of the forward in float64."""
    record = record_of(op)
    name = op.operands[operand].name
    value = value_of(state, op, name)
    if record is None or op.inplace or record.hidden or value is None or step.incoming is None:
        return None
    point, incoming = array(value), array(step.incoming)
    if point is None or incoming is None or not 0 < point.size <= LIMIT:
        return None
    if point.dtype.kind != "f" or op.op.startswith(("bernoulli", "dropout", "rand")):
        return None
    arguments = {item.name: _argument(state, op, item.name) for item in op.operands}
    base = point.astype(np.float64)
    out = np.zeros_like(base)
    try:
        for place in np.ndindex(*base.shape):
            high, low = base.copy(), base.copy()
            high[place] += STEP
            low[place] -= STEP
            rise = _forward(record, arguments, name, high) - _forward(record, arguments, name, low)
            out[place] = float(np.sum(incoming.astype(np.float64) * rise) / (2 * STEP))
    except Exception:  # see Note [A check is a courtesy]
        return None
    wanted = next((m.value.shape for m in step.messages if m.operand == operand), None)
    return to_value(out) if wanted in (None, out.shape) else None


def _forward(record: Any, arguments: dict[str, Any], name: str, value: Any) -> Any:
    """The operation's result with one argument replaced, everything in float64."""
    values = []
    for param in record.params:
        given = value[()] if param.name == name else arguments[param.name]
        if isinstance(given, (np.ndarray, np.generic)) and given.dtype.kind == "f":
            given = given.astype(np.float64)
        values.append(given)
    found = record.compute(values)
    return np.asarray(found[0] if isinstance(found, tuple) else found)


def array(value: Value) -> Any:
    """A value as an array, None when only a summary of it is known."""
    if value.data is None:
        return None
    kind = np.dtype(value.dtype) if value.dtype in KINDS else np.dtype("float32")
    data = [float(item) if isinstance(item, str) else item for item in value.data]
    return np.array(data, dtype=kind).reshape(value.shape)


KINDS = {"bool", "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8"}


def to_value(found: Any) -> Value:
    data = []
    for item in found.ravel().tolist():
        special = isinstance(item, float) and not math.isfinite(item)
        data.append(str(item) if special else item)
    return Value(tuple(found.shape), found.dtype.name, tuple(data))
