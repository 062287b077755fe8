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

from dataclasses import dataclass
from typing import Any

Shape = tuple[int, ...]


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
    line: int | None


@dataclass(frozen=True, slots=True)
class TensorCreated(Event):
    """A tensor that no operation computed: torch.tensor, zeros, randn, a Parameter …"""

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
    tensor: TensorFacts


@dataclass(frozen=True, slots=True)
class GradModeChanged(Event):
    mode: str  # "no_grad", "enable_grad", "set_grad_enabled", "inference_mode"
    enabled: bool
    entered: bool  # False when the block is left


@dataclass(frozen=True, slots=True)
class BackwardStarted(Event):
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
    """`.grad` was set to None, by the program or by zero_grad(). (Zeroing is an in-place op.)"""

    leaf: int


@dataclass(frozen=True, slots=True)
class SavedFreed(Event):
    call: int
    node: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BackwardFinished(Event):
    call: int


@dataclass(frozen=True, slots=True)
class ModuleCalled(Event):
    """An nn.Module's forward begins (`entered`) or ends."""

    name: str  # class name
    module: int
    entered: bool


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
