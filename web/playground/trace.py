"""A run of a learner's program, as immutable data.

Everything on screen is a function of `(trace, cursor, language)`. The cursor is the number of steps
already done: 0 is before the first, `len(trace.steps)` after the last; step `cursor - 1` is the one
shown as current. Stepping back is a smaller cursor.

`tensors[i].id`, `ops[i].index` and `calls[i].number - 1` are all `i`. `Trace.from_json` believes
nothing: a stranger's program may have written the text.
"""

from __future__ import annotations

import gc
import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from playground.codec import SchemaError, decode, encode, refuse_deep

FORMAT = 1
TEXT_LIMIT = 128 * 1024 * 1024

Kind = Literal[
    "leaf",  # a tensor was created
    "op",  # an operation was applied
    "inplace",  # an operation wrote into a tensor
    "call",  # backward() or grad() began
    "rule",  # a node's gradient rule ran
    "reduce",  # a contribution was summed to its input's shape
    "hook",  # a hook saw or changed a gradient
    "write",  # .grad got a value
    "zero",  # .grad was filled with zeros
    "none",  # .grad became None
    "freed",  # a node's saved tensors were freed (shown at step size "message" only)
    "flag",  # requires_grad of a tensor changed
    "output",  # the program printed
    "error",  # the program raised, always the last step
]


@dataclass(frozen=True, slots=True)
class Value:
    """A bounded copy of an array; non-finite numbers are the strings "nan", "inf", "-inf"."""

    shape: tuple[int, ...]
    dtype: str
    data: tuple[float | int | bool | str, ...] | None  # row-major, None above the bound
    stats: tuple[float | str, ...] | None = None  # min, max, mean, norm; above the bound only
    sample: tuple[float | str, ...] | None = None  # evenly spaced elements; above the bound only
    text: str | None = None  # as PyTorch prints it; of a .grad above the bound, while there is room

    def __post_init__(self) -> None:
        if self.shape and min(self.shape) < 0:
            raise SchemaError("negative size", "shape")
        if self.data is not None and len(self.data) != math.prod(self.shape):
            raise SchemaError(f"{len(self.data)} elements do not fill {self.shape}", "data")
        if self.data is None and (self.stats is None or len(self.stats) != 4):
            raise SchemaError("expected min, max, mean and norm", "stats")


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor of the program. What changes over time is in the steps."""

    id: int
    name: str | None  # the learner's name for it, when it ever had one
    expression: str  # its name, else the source text that made it: "2 * x"
    shape: tuple[int, ...]
    dtype: str
    line: int | None
    requires_grad: bool  # when it was made
    is_leaf: bool  # when it was made
    op: int | None  # index into Trace.ops of the operation that made it
    base: int | None  # tensor id it is a view of
    value: Value  # when it was made
    grad_of: int | None = None  # tensor id whose .grad it is or was


@dataclass(frozen=True, slots=True)
class Operand:
    """One argument of an operation: a tensor at a version, or a constant."""

    name: str  # the op's own name for it: "input", "other", "dim"
    tensor: int | None
    version: int | None
    constant: Any  # JSON value; None when `tensor` is given
    target: (
        tuple[Literal["op", "tensor"], int] | None
    )  # where its gradient goes: op, or leaf tensor


@dataclass(frozen=True, slots=True)
class SavedTensor:
    name: str
    tensor: int | None
    version: int


@dataclass(frozen=True, slots=True)
class Op:
    """One operation applied: a pill in the graph, with its results."""

    index: int
    op: str  # record name, key into formulas and words
    grad_fn: str | None  # None when nothing was recorded
    line: int | None
    operands: tuple[Operand, ...]
    outputs: tuple[int, ...]  # tensor ids
    saved: tuple[SavedTensor, ...]
    inplace: bool
    mode: str | None  # "no_grad" / "inference_mode" when that kept it from being recorded
    # Path for folding, outermost first: "loop:7:1" (first run of the loop headed in line 7),
    # "pass:3" (its third pass), "module:Linear:12" (twelfth call of any module).
    group: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """A gradient on its way along one edge, from an op to one of its operands."""

    source: int  # op index
    operand: int  # index into Op.operands of the source
    target: tuple[Literal["op", "tensor"], int]
    value: Value


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of the time line. Which fields are set depends on the kind."""

    index: int  # 1, 2, …; equal to the cursor at which it is the current one
    kind: Kind
    line: int | None  # the learner's line being executed
    call: int | None = None  # number of the backward call it belongs to
    op: int | None = None  # op concerned
    tensor: int | None = None  # tensor concerned (leaf of a write, tensor written in place …)
    value: Value | None = None  # new value: of the tensor (leaf, inplace), of .grad (write, zero)
    before: Value | None = None  # .grad before a write; None means it was None
    incoming: Value | None = None  # what arrived (rule: at the op's output; write: at the leaf)
    messages: tuple[Message, ...] = ()  # rule, call, reduce: what is sent
    dims: tuple[int, ...] = ()  # reduce: dims summed
    version: int | None = None  # inplace: version afterwards
    saved: tuple[str, ...] = ()  # freed: names; rule: names used
    # output: what was printed; hook: kind; flag: "True"/"False"; error: "Type: message";
    # write: "set" (.grad was None), "add", "assign" (by the program), "retain" (retain_grad)
    text: str = ""
    execution: int = 0  # steps in a row with the same number belong to one run of one line
    shared: tuple[tuple[int, Value], ...] = ()  # inplace: new values of others on that memory
    stream: Literal["stdout", "stderr"] = "stdout"  # output: warnings go to stderr


@dataclass(frozen=True, slots=True)
class Call:
    """A call of backward() or autograd.grad()."""

    number: int
    kind: Literal["backward", "grad"]
    line: int | None
    roots: tuple[int, ...]  # tensor ids
    gradients: tuple[Value, ...]
    retain_graph: bool
    create_graph: bool


@dataclass(frozen=True, slots=True)
class Binding:
    """From cursor `step` on, the learner's `name` means this tensor (None: no tensor any more)."""

    step: int
    name: str
    tensor: int | None


@dataclass(frozen=True, slots=True)
class Final:
    """What a tensor with a name holds when the program has ended."""

    name: str  # as the program can write it: "x", "net[0].weight"
    value: Value
    grad: Value | None = None
    asks: bool = False  # a leaf that requires grad


@dataclass(frozen=True, slots=True)
class Error:
    type: str  # "RuntimeError", "SyntaxError"
    message: str  # PyTorch's or Python's text
    line: int | None
    key: str  # "error.backward-twice", "error.python" …
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Trace:
    source: str
    seed: int
    tensors: tuple[Tensor, ...]
    ops: tuple[Op, ...]
    calls: tuple[Call, ...]
    steps: tuple[Step, ...]
    stdout: str
    error: Error | None
    bindings: tuple[Binding, ...] = ()
    final: tuple[Final, ...] = ()  # of the names outside of functions
    format: int = FORMAT

    def to_json(self) -> str:
        """The trace as text; fields equal to their default are left out."""
        with collector_paused():
            data = encode(self)
            return json.dumps(data, allow_nan=False, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Trace:
        """The trace `text` holds; SchemaError when it holds anything else."""
        if len(text) > TEXT_LIMIT:
            raise SchemaError("the trace is too large")
        refuse_deep(text)
        with collector_paused():
            return cls._decoded(text)

    @classmethod
    def _decoded(cls, text: str) -> Trace:
        try:
            data = json.loads(text, parse_constant=_refuse)
        except SchemaError:
            raise
        except (ValueError, RecursionError) as error:
            raise SchemaError(f"not JSON: {error}") from None
        if isinstance(data, dict) and data.get("format", FORMAT) != FORMAT:
            raise SchemaError(f"format {data['format']!r} is not supported", "format")
        from playground.references import check_references

        trace = decode(cls, data)
        check_references(trace)
        return trace


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keep the garbage collector from looking through thousands of new objects in vain."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _refuse(constant: str) -> float:
    raise SchemaError(f"{constant} is not JSON")
