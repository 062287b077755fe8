"""What is true at a cursor: values, gradients, messages, freed nodes.

A `State` is the index of a trace (index.py) and a cursor: it looks the last change of a thing up.
So stepping costs the same at step 10 and at step 10,000.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from playground.index import Entry, Index, Sent, Span, index, magnitude
from playground.trace import Step, Tensor, Trace, Value

__all__ = ["Entry", "Index", "Sent", "Span", "State", "index", "magnitude", "state_at", "stops"]


@dataclass(frozen=True, slots=True)
class State:
    """The program as it is after `cursor` steps."""

    index: Index
    cursor: int

    @property
    def trace(self) -> Trace:
        return self.index.trace

    @property
    def step(self) -> Step | None:
        """The step shown as current."""
        return self.trace.steps[self.cursor - 1] if self.cursor else None

    def exists(self, tensor: int) -> bool:
        return self.index.born.get(tensor, len(self.trace.steps) + 1) <= self.cursor

    def applied(self, op: int) -> bool:
        return self.index.done.get(op, len(self.trace.steps) + 1) <= self.cursor

    def value(self, tensor: int) -> Value:
        """The tensor's value now; the one it was made with when it has no steps of its own."""
        found = self.index.values[tensor].at(self.cursor) if tensor in self.index.values else None
        return found[0] if found else self.trace.tensors[tensor].value

    def version(self, tensor: int) -> int:
        found = self.index.values[tensor].at(self.cursor) if tensor in self.index.values else None
        return found[1] if found else 0

    def writer(self, tensor: int) -> int | None:
        """The op that last wrote into the tensor in place."""
        history = self.index.writers.get(tensor)
        return history.at(self.cursor) if history else None

    def recorder(self, tensor: int) -> int | None:
        """The op that computed the tensor's present value with a gradient: its grad_fn."""
        history = self.index.writers.get(tensor)
        for op in reversed(history.until(self.cursor) if history else []):
            if self.trace.ops[op].grad_fn is not None:
                return op
        made_by = self.trace.tensors[tensor].op
        return made_by if made_by is not None and self.trace.ops[made_by].grad_fn else None

    def is_leaf(self, tensor: int) -> bool:
        return self.recorder(tensor) is None

    def requires_grad(self, tensor: int) -> bool:
        if not self.is_leaf(tensor):
            return True
        history = self.index.flags.get(tensor)
        found = history.at(self.cursor) if history else None
        return self.trace.tensors[tensor].requires_grad if found is None else found

    def ledger(self, tensor: int) -> list[Entry]:
        """What happened to the tensor's .grad so far."""
        history = self.index.ledger.get(tensor)
        return history.until(self.cursor) if history else []

    def grad(self, tensor: int) -> Value | None:
        history = self.index.ledger.get(tensor)
        entry = history.at(self.cursor) if history else None
        return entry.total if entry else None

    def row(self, tensor: int) -> tuple[int, ...]:
        """The tensor and those its name was bound to before and after it; see succession.py."""
        return self.index.chains.get(tensor, (tensor,))

    def next_write(self, tensor: int) -> int | None:
        """The step of the tensor's next ledger entry, if one is to come."""
        history = self.index.ledger.get(tensor)
        if history is None:
            return None
        found = bisect_right(history.steps, self.cursor)
        return history.steps[found] if found < len(history.steps) else None

    def message(self, op: int, operand: int) -> Sent | None:
        """The last message that left `op` for this operand, before any reduction."""
        history = self.index.messages.get((op, operand))
        return history.at(self.cursor) if history else None

    def reduction(self, op: int, operand: int) -> Sent | None:
        history = self.index.reductions.get((op, operand))
        return history.at(self.cursor) if history else None

    def arrival(self, op: int) -> Step | None:
        """The last rule step of the op."""
        history = self.index.arrivals.get(op)
        return history.at(self.cursor) if history else None

    def freed(self, op: int) -> bool:
        """Whether the op's saved tensors are gone."""
        history = self.index.freed.get(op)
        return history is not None and history.at(self.cursor) is not None

    def kept(self, op: int) -> bool:
        """Whether a call used the saved tensors and left them (retain_graph)."""
        used = self.arrival(op)
        if used is None or used.call is None or self.freed(op):
            return False
        return self.trace.calls[used.call - 1].retain_graph

    @property
    def call(self) -> int | None:
        """The backward call the current step belongs to."""
        return self.step.call if self.step else None

    def calls_done(self) -> list[int]:
        return [n for n, span in self.index.calls.items() if span.last <= self.cursor]

    def calls_begun(self) -> list[int]:
        return [n for n, span in self.index.calls.items() if span.first <= self.cursor]

    def tensor_named(self, name: str) -> Tensor | None:
        """The tensor the learner's name means now."""
        history = self.index.names.get(name)
        found = history.at(self.cursor) if history else None
        return self.trace.tensors[found] if found is not None else None

    def names(self) -> dict[str, int]:
        """Every name bound to a tensor now."""
        found = {name: history.at(self.cursor) for name, history in self.index.names.items()}
        return {name: tensor for name, tensor in found.items() if tensor is not None}

    def leaves(self) -> list[Tensor]:
        """The named leaves that exist, newest of each name, in the order of the program."""
        named = {tensor.name: tensor for tensor in self.trace.tensors if self._is_leaf(tensor)}
        return sorted(named.values(), key=lambda tensor: tensor.id)

    def _is_leaf(self, tensor: Tensor) -> bool:
        return (
            tensor.name is not None
            and tensor.grad_of is None
            and self.exists(tensor.id)
            and self.is_leaf(tensor.id)
            and (tensor.op is None or self.requires_grad(tensor.id))
        )

    def stdout(self) -> str:
        """What the program printed so far."""
        return "".join(text for stream, text in self.output() if stream == "stdout")

    def output(self) -> list[tuple[str, str]]:
        """(stream, text) of everything shown in the console so far."""
        return self.index.output.until(self.cursor)


def state_at(trace: Trace, cursor: int) -> State:
    """The state after `cursor` steps, clamped to the trace."""
    return State(index(trace), max(0, min(cursor, len(trace.steps))))


def stops(trace: Trace) -> dict[str, list[int]]:
    """The cursors at which each step size stops: line, operation, message."""
    message = list(range(len(trace.steps) + 1))
    operation = [0] + [step.index for step in trace.steps if step.kind != "freed"]
    line = [0]
    for step, following in zip(trace.steps, (*trace.steps[1:], None), strict=False):
        if following is None or _place(following) != _place(step):
            line.append(step.index)
    if trace.steps and operation[-1] != len(trace.steps):
        operation.append(len(trace.steps))
    return {"line": line, "operation": operation, "message": message}


def _place(step: Step) -> tuple[int | None, int]:
    return step.line, step.execution
