"""Traces made by hand, for tests that need no engine.

The helper keeps ids and indexes; the numbers are given by whoever writes the trace.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from playground.trace import (
    Binding,
    Call,
    Error,
    Kind,
    Message,
    Op,
    Operand,
    SavedTensor,
    Step,
    Tensor,
    Trace,
    Value,
)


def value(numbers: Any, dtype: str = "float32") -> Value:
    """A Value from nested lists; a bare number has the shape ()."""
    shape: list[int] = []
    level = numbers
    while isinstance(level, (list, tuple)):
        shape.append(len(level))
        level = level[0] if level else None
    flat: list[Any] = [numbers]
    for _ in shape:
        flat = [item for row in flat for item in row]
    return Value(tuple(shape), dtype, tuple(_plain(item) for item in flat))


def _plain(number: float) -> float | str:
    if isinstance(number, float) and not math.isfinite(number):
        return "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"
    return number


class TraceBuilder:
    """Adds to a trace in the order of the program; every method returns what it made."""

    def __init__(self, source: str, seed: int = 0) -> None:
        self.source = source
        self.seed = seed
        self.tensors: list[Tensor] = []
        self.ops: list[Op] = []
        self.calls: list[Call] = []
        self.steps: list[Step] = []
        self.stdout = ""
        self.error: Error | None = None
        self.bindings: list[Binding] = []
        self.versions: dict[int, int] = {}

    def step(self, kind: Kind, line: int | None, **fields: Any) -> Step:
        made = Step(len(self.steps) + 1, kind, line, **fields)
        self.steps.append(made)
        return made

    def leaf(
        self, name: str, line: int, numbers: Any, requires_grad: bool = True, dtype: str = "float32"
    ) -> int:
        made = value(numbers, dtype)
        index = self._tensor(name, name, line, made, requires_grad, True, None, None)
        self.step("leaf", line, tensor=index, value=made)
        self.bind(name, index)
        return index

    def bind(self, name: str, tensor: int | None) -> None:
        self.bindings.append(Binding(len(self.steps), name, tensor))

    def gradient(self, leaf: int, line: int, numbers: Any) -> int:
        """The tensor that `.grad` of a leaf is, for a program that computes with it."""
        expression = f"{self.tensors[leaf].expression}.grad"
        index = self._tensor(None, expression, line, value(numbers), False, True, None, None)
        self.tensors[index] = replace(self.tensors[index], grad_of=leaf)
        return index

    def op(
        self,
        op: str,
        grad_fn: str | None,
        line: int,
        operands: Sequence[tuple[str, Any]],
        numbers: Any,
        *,
        name: str | None = None,
        expression: str = "",
        saved: Sequence[tuple[str, int | None]] = (),
        mode: str | None = None,
        base: int | None = None,
        group: tuple[str, ...] = (),
    ) -> int:
        """Apply an op; an operand is (name, ("t", tensor id)) or (name, constant)."""
        made = value(numbers)
        index = len(self.ops)
        result = self._tensor(
            name, name or expression, line, made, grad_fn is not None, grad_fn is None, index, base
        )
        self.ops.append(
            Op(
                index,
                op,
                grad_fn,
                line,
                tuple(self._operand(*item) for item in operands),
                (result,),
                tuple(SavedTensor(n, t, self.versions.get(t or 0, 0)) for n, t in saved),
                False,
                mode,
                group,
            )
        )
        self.step("op", line, op=index, tensor=result)
        if name is not None:
            self.bind(name, result)
        return result

    def inplace(
        self,
        op: str,
        line: int,
        target: int,
        operands: Sequence[tuple[str, Any]],
        numbers: Any,
        *,
        mode: str | None = "no_grad",
    ) -> int:
        index = len(self.ops)
        before = self._operand("input", ("t", target))
        rest = tuple(self._operand(*item) for item in operands)
        self.ops.append(Op(index, op, None, line, (before, *rest), (target,), (), True, mode, ()))
        self.versions[target] += 1
        version = self.versions[target]
        self.step("inplace", line, op=index, tensor=target, value=value(numbers), version=version)
        return index

    def call(
        self,
        line: int,
        root: int,
        gradient: Any = 1.0,
        *,
        retain_graph: bool = False,
        kind: Any = "backward",
    ) -> int:
        number = len(self.calls) + 1
        start = value(gradient)
        self.calls.append(Call(number, kind, line, (root,), (start,), retain_graph, False))
        self.step("call", line, call=number, tensor=root, op=self.tensors[root].op)
        return number

    def rule(
        self, op: int, line: int, incoming: Any, passed: Sequence[tuple[int, Any]], **fields: Any
    ) -> Step:
        """A gradient rule; `passed` lists (operand index, numbers)."""
        messages = tuple(self._message(op, operand, numbers) for operand, numbers in passed)
        saved = tuple(item.name for item in self.ops[op].saved)
        number = len(self.calls)
        return self.step(
            "rule",
            line,
            call=number,
            op=op,
            incoming=value(incoming),
            messages=messages,
            saved=saved,
            **fields,
        )

    def reduce(
        self, op: int, line: int, operand: int, incoming: Any, numbers: Any, dims: tuple[int, ...]
    ) -> Step:
        return self.step(
            "reduce",
            line,
            call=len(self.calls),
            op=op,
            incoming=value(incoming),
            messages=(self._message(op, operand, numbers),),
            dims=dims,
        )

    def freed(self, op: int, line: int) -> Step:
        saved = tuple(item.name for item in self.ops[op].saved)
        return self.step("freed", line, call=len(self.calls), op=op, saved=saved)

    def write(self, leaf: int, line: int, incoming: Any, total: Any, before: Any = None) -> Step:
        return self.step(
            "write",
            line,
            call=len(self.calls),
            tensor=leaf,
            value=value(total),
            before=None if before is None else value(before),
            incoming=value(incoming),
            text="set" if before is None else "add",
        )

    def zero(self, leaf: int, line: int, numbers: Any) -> Step:
        return self.step("zero", line, tensor=leaf, value=value(numbers))

    def none(self, leaf: int, line: int) -> Step:
        return self.step("none", line, tensor=leaf)

    def output(self, line: int, text: str) -> Step:
        self.stdout += text
        return self.step("output", line, text=text)

    def fail(
        self,
        kind: str,
        message: str,
        line: int | None,
        key: str,
        op: int | None = None,
        **facts: Any,
    ) -> Step:
        self.error = Error(kind, message, line, key, facts)
        call = len(self.calls) or None
        return self.step("error", line, op=op, call=call, text=f"{kind}: {message}")

    def build(self) -> Trace:
        return Trace(
            self.source,
            self.seed,
            tuple(self.tensors),
            tuple(self.ops),
            tuple(self.calls),
            tuple(self.steps),
            self.stdout,
            self.error,
            tuple(self.bindings),
        )

    def _tensor(
        self,
        name: str | None,
        expression: str,
        line: int,
        made: Value,
        requires_grad: bool,
        is_leaf: bool,
        op: int | None,
        base: int | None,
    ) -> int:
        index = len(self.tensors)
        self.tensors.append(
            Tensor(
                index,
                name,
                expression,
                made.shape,
                made.dtype,
                line,
                requires_grad,
                is_leaf,
                op,
                base,
                made,
            )
        )
        self.versions[index] = 0
        return index

    def _operand(self, name: str, given: Any) -> Operand:
        if not (isinstance(given, tuple) and len(given) == 2 and given[0] == "t"):
            return Operand(name, None, None, given, None)
        tensor = self.tensors[given[1]]
        target: Any = None
        if tensor.requires_grad:
            target = ("tensor", tensor.id) if tensor.is_leaf else ("op", tensor.op)
        return Operand(name, tensor.id, self.versions[tensor.id], None, target)

    def _message(self, op: int, operand: int, numbers: Any) -> Message:
        target = self.ops[op].operands[operand].target
        assert target is not None, "a message needs an operand that takes a gradient"
        return Message(op, operand, target, value(numbers))
