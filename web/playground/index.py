"""A trace read once: for every thing that changes, the list of its changes.

`index(trace)` is remembered, so that a `State` (state.py) only has to look the last change up.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from playground.succession import successions
from playground.trace import Message, Step, Trace, Value

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
    reached: defaultdict[tuple[str, int], list[int]] = field(
        default_factory=lambda: defaultdict(list)
    )  # what a message goes to -> steps
    output: History[tuple[str, str]] = field(default_factory=History)
    calls: dict[int, Span] = field(default_factory=dict)
    chains: dict[int, tuple[int, ...]] = field(default_factory=dict)  # see succession.py
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
    made.chains.update(successions(trace))
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
        made.reached[message.target].append(step.index)


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


def magnitude(value: Value) -> float:
    """The mean of |g|, the measure of an edge's width; non-finite elements do not count."""
    if value.data is None:
        sample = value.sample or ()
        numbers = [abs(item) for item in sample if not isinstance(item, str)]
    else:
        numbers = [abs(item) for item in value.data if not isinstance(item, str)]
    return sum(numbers) / len(numbers) if numbers else 0.0
