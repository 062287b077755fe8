"""What the engine tells an observer: small immutable facts about each thing that happens.

With no observer, recording costs one check of a module global (`observer is None`). With one, the
engine calls it synchronously with frozen dataclasses; none of them holds a tensor or an array that
may change later, so an observer may keep them for ever and turn them into JSON at leisure.

Identity: a tensor is known by `identify(tensor)`, a small integer given at first sight and never
used again; a graph node by its sequence number `Node.seq`. Backward calls are numbered from 1.

Lines: `learner_line()` is the line of the innermost frame of the file being observed, so that an
operation inside a function the learner wrote is shown where the learner wrote it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.dtypes import BY_NUMPY

if TYPE_CHECKING:
    from engine.tensor import Tensor

Shape = tuple[int, ...]
BOUND = 64  # elements an event copies; above it a value is summarised
SAMPLE = 16


@dataclass(frozen=True, slots=True)
class Value:
    """A bounded copy of an array.

    `data` holds every element in row-major order while there are at most `BOUND` of them, else
    None; `stats` and `sample` (evenly spaced elements) are there only above the bound.
    """

    shape: Shape
    dtype: str  # "float32", "int64", "bool", …
    data: tuple[float | int | bool, ...] | None
    stats: tuple[float, float, float, float] | None = None  # min, max, mean, norm
    sample: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class TensorFacts:
    """A tensor as it is at the moment of the event."""

    id: int
    shape: Shape
    dtype: str
    requires_grad: bool
    is_leaf: bool
    version: int
    node: int | None  # seq of grad_fn; None for a leaf
    base: int | None  # id of the tensor this one is a view of
    value: Value


@dataclass(frozen=True, slots=True)
class Saved:
    """A tensor a node keeps for its gradient rule."""

    name: str  # the name the rule uses: "input", "other", "result"
    tensor: int | None  # id; None for something that is no tensor of the program
    version: int


Argument = TensorFacts | int | float | bool | str | None | tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, at a line of the learner's program."""

    line: int | None


@dataclass(frozen=True, slots=True)
class TensorCreated(Event):
    """A tensor that no operation computed: torch.tensor, zeros, randn, a Parameter."""

    tensor: TensorFacts
    how: str  # the factory's public name: "tensor", "ones", "randn", "Parameter"


@dataclass(frozen=True, slots=True)
class OpApplied(Event):
    """One operation. In place when `inplace`: then the one output is the tensor written to."""

    op: str  # name of the record: "mul"
    arguments: tuple[tuple[str, Argument], ...]  # in the order of the op's signature
    outputs: tuple[TensorFacts, ...]
    node: int | None  # seq of the node recorded; None when nothing was recorded
    grad_fn: str | None  # "MulBackward0"
    edges: tuple[int | None, ...]  # per tensor argument: seq of the node its gradient goes to
    saved: tuple[Saved, ...]
    grad_enabled: bool
    inplace: bool


@dataclass(frozen=True, slots=True)
class RequiresGradChanged(Event):
    """A tensor began or ceased to require grad."""

    tensor: TensorFacts


@dataclass(frozen=True, slots=True)
class GradModeChanged(Event):
    """Recording was switched, or a block that had switched it ended."""

    mode: str  # "no_grad", "enable_grad", "set_grad_enabled", "inference_mode"
    enabled: bool
    entered: bool  # False when the block is left


@dataclass(frozen=True, slots=True)
class BackwardStarted(Event):
    """A backward pass begins."""

    call: int
    kind: str  # "backward" accumulates into .grad, "grad" returns
    roots: tuple[tuple[int, int], ...]  # (seq of node, id of tensor)
    gradients: tuple[Value, ...]  # what each root starts from
    retain_graph: bool
    create_graph: bool


@dataclass(frozen=True, slots=True)
class VjpApplied(Event):
    """A node turned what arrived into what it passes on, before any reduction to shape."""

    call: int
    node: int
    incoming: tuple[Value | None, ...]  # per output of the node
    passed: tuple[tuple[int, int, Value], ...]  # (edge index, seq of the receiving node, value)


@dataclass(frozen=True, slots=True)
class ReducedToShape(Event):
    """The pass summed a contribution over the dims that broadcasting had added or stretched."""

    call: int
    node: int
    edge: int
    before: Shape
    after: Shape
    dims: tuple[int, ...]
    value: Value


@dataclass(frozen=True, slots=True)
class HookRan(Event):
    """A hook saw a gradient, and may have replaced it."""

    call: int
    node: int | None
    tensor: int | None
    kind: str  # "tensor", "node", "post_accumulate"
    before: Value | None
    after: Value | None


@dataclass(frozen=True, slots=True)
class GradWritten(Event):
    """`.grad` of a tensor got a new value."""

    leaf: int
    how: str  # "set" (was None), "add", "assign" (by the program), "retain" (retain_grad)
    call: int | None
    node: int | None  # AccumulateGrad, or the node of the tensor that retains its grad
    contribution: Value  # what arrived
    before: Value | None
    grad: TensorFacts  # what .grad is now; its id is the grad tensor's own


@dataclass(frozen=True, slots=True)
class GradCleared(Event):
    """`.grad` was set to None, by the program or by zero_grad(); zeroing is an in-place op."""

    leaf: int


@dataclass(frozen=True, slots=True)
class SavedFreed(Event):
    """A node let go of what it had saved."""

    call: int
    node: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BackwardFinished(Event):
    """A backward pass ended without an error."""

    call: int


@dataclass(frozen=True, slots=True)
class ModuleCalled(Event):
    """An nn.Module's forward begins (`entered`) or ends."""

    name: str  # class name
    module: int
    entered: bool
    tensors: tuple[int, ...] = ()  # given by position; at the end, what it returned


@dataclass(frozen=True, slots=True)
class OptimizerCalled(Event):
    """An optimizer's step or zero_grad begins (`entered`) or ends."""

    name: str  # class name
    method: str
    entered: bool


@dataclass(frozen=True, slots=True)
class Raised(Event):
    """The engine refused something; `str` of the exception is PyTorch's text."""

    key: str  # "error.backward-twice"
    facts: tuple[tuple[str, Any], ...]


Observer = Callable[[Event], object]
observer: Observer | None = None
# Whether operations must go the general way: somebody observes, or inference mode, anomaly mode or
# hooks on what is saved are on. The one thing a specialised operation looks at.
careful = False
_careful_for: set[str] = set()
_filename = ""
_calls = 0
_ids = 0
_run = (
    0  # numbers given before an `observe` are forgotten by it, so that two runs give equal events
)
origin = 0  # the clock when the run began: nodes are numbered from there


@contextmanager
def observe(callback: Observer, filename: str) -> Iterator[None]:
    """Send every event to `callback`; lines are those of the file named `filename`.

    The callback may raise, to end a program that runs too long: what it raises passes through the
    operation that was being told, and leaves the engine usable.
    """
    from engine import storage

    global observer, _filename, _calls, _ids, _run, origin
    before = observer, _filename, _calls, _ids, origin
    observer, _filename, _calls, _ids, origin = callback, filename, 0, 0, storage.clock[0]
    _run += 1
    be_careful("observer", True)
    try:
        yield
    finally:
        observer, _filename, _calls, _ids, origin = before
        be_careful("observer", observer is not None)


def be_careful(reason: str, on: bool) -> None:
    """Send operations the general way for a reason, or no longer."""
    global careful
    (_careful_for.add if on else _careful_for.discard)(reason)
    careful = bool(_careful_for)


def emit(event: Event) -> None:
    """Tell the observer, if there is one."""
    if observer is not None:
        observer(event)


def next_call() -> int:
    """Return the number of a new backward call."""
    global _calls
    _calls += 1
    return _calls


def learner_line() -> int | None:
    """Return the line being run in the innermost frame of the observed file."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename == _filename:
            return frame.f_lineno
        frame = frame.f_back  # type: ignore[assignment]
    return None


def identify(tensor: Tensor) -> int:
    """Return the number of a tensor, given at first sight and never used again."""
    global _ids
    meta = tensor._more()
    if meta.id is None or meta.id[0] != _run:
        _ids += 1
        meta.id = (_run, _ids)
    return meta.id[1]


def renew(tensor: Tensor) -> None:
    """Let a tensor count as another one from now on."""
    tensor._more().id = None


def current_run() -> int:
    """Return the number of the last observation begun; identities are counted anew in each."""
    return _run


_values: dict[tuple[bytes, Shape, int], Value] = {}


def value_of(array: Any) -> Value:
    """Copy an array up to `BOUND` elements, and summarise it above."""
    kind = array.dtype
    if array.size <= BOUND:
        # The same numbers are told again and again: as result, as argument, on their way back.
        key = array.tobytes(), array.shape, kind.num
        value = _values.get(key)
        if value is None:
            if len(_values) > 4096:
                _values.clear()
            value = Value(array.shape, BY_NUMPY[kind].name, tuple(array.ravel().tolist()))
            _values[key] = value
        return value
    name = BY_NUMPY[kind].name
    flat = array.ravel().astype(np.float64)
    stats = (flat.min(), flat.max(), flat.mean(), np.sqrt(flat.dot(flat)))
    picks = np.linspace(0, flat.size - 1, SAMPLE).astype(np.int64)
    low, high, mean, norm = map(float, stats)
    return Value(array.shape, name, None, (low, high, mean, norm), tuple(flat[picks].tolist()))


def facts_of(tensor: Tensor) -> TensorFacts:
    """Describe a tensor as it is now."""
    meta = tensor._meta
    base = meta.base if meta is not None else None
    node = tensor._node()
    return TensorFacts(
        identify(tensor),
        tuple(tensor.shape),
        tensor.dtype.name,
        tensor.requires_grad,
        node is None,
        tensor._version_now(),
        None if node is None else node.seq,
        None if base is None else identify(base),
        value_of(tensor._array),
    )
