"""What is true at a cursor: values, gradients, messages, freed nodes.

`index(trace)` reads a trace once and keeps, for every thing that changes, the list of its changes;
a `State` is the index and a cursor and looks the last change up. So stepping costs the same at
step 10 and at step 10,000.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from playground.trace import Message, Step, Tensor, Trace, Value

T = TypeVar("T")
Edge = tuple[int, int]  # op index, operand index
How = Literal["set", "add", "assign", "retain", "changed", "zero", "none"]
HOWS: dict[str, How] = {"set": "set", "add": "add", "assign": "assign", "retain": "retain"}


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that passed along an edge at a step of a backward call."""

    step: int
    call: int
    message: Message


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the ledger: something happened to a tensor's .grad."""

    step: int
    tensor: int
    how: How
    line: int | None
    call: int | None
    before: Value | None
    added: Value | None  # what arrived; None unless a backward call wrote
    total: Value | None  # .grad afterwards


@dataclass(frozen=True, slots=True)
class Span:
    """The steps of one backward call."""

    first: int
    last: int


class History(Generic[T]):
    """Changes in the order of steps; `at(cursor)` is the last one done by then."""

    __slots__ = ("steps", "values")

    def __init__(self) -> None:
        self.steps: list[int] = []
        self.values: list[T] = []

    def add(self, step: int, value: T) -> None:
        self.steps.append(step)
        self.values.append(value)

    def at(self, cursor: int) -> T | None:
        found = bisect_right(self.steps, cursor)
        return self.values[found - 1] if found else None

    def until(self, cursor: int) -> list[T]:
        return self.values[: bisect_right(self.steps, cursor)]


@dataclass(frozen=True, slots=True)
class Index:
    """Everything `State` looks up; built once per trace."""

    trace: Trace
    born: dict[int, int] = field(default_factory=dict)  # tensor -> step that made it
    done: dict[int, int] = field(default_factory=dict)  # op -> step that applied it
    values: defaultdict[int, History[tuple[Value, int]]] = field(
        default_factory=lambda: defaultdict(History)
    )
    writers: defaultdict[int, History[int]] = field(default_factory=lambda: defaultdict(History))
    flags: defaultdict[int, History[bool]] = field(default_factory=lambda: defaultdict(History))
    ledger: defaultdict[int, History[Entry]] = field(default_factory=lambda: defaultdict(History))
    messages: defaultdict[Edge, History[Sent]] = field(default_factory=lambda: defaultdict(History))
    reductions: defaultdict[Edge, History[Sent]] = field(
        default_factory=lambda: defaultdict(History)
    )
    arrivals: defaultdict[int, History[Step]] = field(default_factory=lambda: defaultdict(History))
    freed: defaultdict[int, History[int]] = field(default_factory=lambda: defaultdict(History))
    names: defaultdict[str, History[int | None]] = field(
        default_factory=lambda: defaultdict(History)
    )
    output: History[tuple[str, str]] = field(default_factory=History)
    calls: dict[int, Span] = field(default_factory=dict)
    largest: float = 0.0  # largest mean |g| of a message, the measure of edge widths


REMEMBERED = 4
_recent: list[Index] = []


def index(trace: Trace) -> Index:
    """The index of a trace, remembered for the last few traces."""
    for known in _recent:
        if known.trace is trace:
            return known
    made = _build(trace)
    _recent.append(made)
    del _recent[:-REMEMBERED]
    return made


def _build(trace: Trace) -> Index:
    made = Index(trace)
    for step in trace.steps:
        _add(made, step)
    for binding in trace.bindings:
        made.names[binding.name].add(binding.step, binding.tensor)
    largest = max(
        (magnitude(sent.message.value) for sent in _all_sent(made)),
        default=0.0,
    )
    object.__setattr__(made, "largest", largest)
    return made


def _all_sent(made: Index) -> Iterator[Sent]:
    for histories in (made.messages, made.reductions):
        for history in histories.values():
            yield from history.values


def _add(made: Index, step: Step) -> None:
    number, tensor, op = step.index, step.tensor, step.op
    if step.call is not None:
        span = made.calls.get(step.call)
        made.calls[step.call] = Span(span.first if span else number, number)
    if step.kind == "leaf" and tensor is not None and step.value is not None:
        made.born.setdefault(tensor, number)
        made.values[tensor].add(number, (step.value, 0))
    elif step.kind == "op" and op is not None:
        made.done[op] = number
        for output in made.trace.ops[op].outputs:
            made.born.setdefault(output, number)
            made.values[output].add(number, (made.trace.tensors[output].value, 0))
    elif step.kind == "inplace":
        _add_inplace(made, step)
    elif step.kind in ("rule", "call", "reduce"):
        _add_messages(made, step)
    elif step.kind in ("write", "zero", "none"):
        _add_entry(made, step)
    elif step.kind == "freed" and op is not None:
        made.freed[op].add(number, number)
    elif step.kind == "flag" and tensor is not None:
        made.flags[tensor].add(number, step.text == "True")
    elif step.kind == "output":
        made.output.add(number, (step.stream, step.text))


def _add_inplace(made: Index, step: Step) -> None:
    assert step.tensor is not None and step.op is not None and step.value is not None
    made.done[step.op] = step.index
    made.values[step.tensor].add(step.index, (step.value, step.version or 0))
    made.writers[step.tensor].add(step.index, step.op)
    for other, value in step.shared:
        last = made.values[other].at(step.index)
        made.values[other].add(step.index, (value, (last[1] if last else 0) + 1))
    for changed, value in ((step.tensor, step.value), *step.shared):
        owner = made.trace.tensors[changed].grad_of
        if owner is not None:
            before = made.ledger[owner].at(step.index)
            entry = Entry(
                step.index,
                owner,
                "changed",
                step.line,
                step.call,
                before.total if before else None,
                None,
                value,
            )
            made.ledger[owner].add(step.index, entry)


def _add_messages(made: Index, step: Step) -> None:
    if step.kind == "rule" and step.op is not None:
        made.arrivals[step.op].add(step.index, step)
    histories = made.reductions if step.kind == "reduce" else made.messages
    for message in step.messages:
        edge = (message.source, message.operand)
        histories[edge].add(step.index, Sent(step.index, step.call or 0, message))


def _add_entry(made: Index, step: Step) -> None:
    assert step.tensor is not None
    ledger = made.ledger[step.tensor]
    last = ledger.at(step.index)
    how: How
    if step.kind == "write":
        how, before = HOWS.get(step.text, "add" if step.before else "set"), step.before
    else:
        how, before = ("zero" if step.kind == "zero" else "none"), last.total if last else None
    added = step.incoming if step.kind == "write" else None
    entry = Entry(step.index, step.tensor, how, step.line, step.call, before, added, step.value)
    ledger.add(step.index, entry)


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


def magnitude(value: Value) -> float:
    """The mean of |g|, the measure of an edge's width; non-finite elements do not count."""
    if value.data is None:
        sample = value.sample or ()
        numbers = [abs(item) for item in sample if not isinstance(item, str)]
    else:
        numbers = [abs(item) for item in value.data if not isinstance(item, str)]
    return sum(numbers) / len(numbers) if numbers else 0.0


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
