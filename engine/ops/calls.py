"""The callables an op is bound as: function, method, operator, in-place form."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import events
from engine.ops import arguments
from engine.ops.out import has_out, into
from engine.ops.signature import bind_arguments
from engine.tensor import Tensor, make

if TYPE_CHECKING:
    from engine.ops.record import Op

Function = Callable[..., Any]
# What was bound at first, and the faster form that took its place in all its names.
replaced_by: dict[Function, Function] = {}
ARITHMETIC = [
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "matmul",
    "and",
    "or",
    "xor",
    "lshift",
    "rshift",
]
OPERATORS = {f"__{p}{name}__" for name in ARITHMETIC for p in ("", "r", "i")} | {
    f"__{name}__" for name in ["lt", "le", "gt", "ge", "eq", "ne"]
}


def is_operator(name: str) -> bool:
    """Whether a method is what `x + y` and the like call."""
    return name in OPERATORS


def is_reflected(name: str) -> bool:
    """Whether a method is called for `y + x` when `y` declines: `__radd__`."""
    return name.startswith("__r") and name[3:-2] in ARITHMETIC


def is_in_place(name: str) -> bool:
    """Whether a spelling writes into its first argument: `mul_`, `__imul__`."""
    if name.startswith("__"):
        return name in OPERATORS and name.startswith("__i") and name[3:-2] in ARITHMETIC
    return name.endswith("_")


def on_arrays(args: tuple[Any, ...]) -> bool:
    """Whether a record was called by a rule on plain arrays."""
    for a in args:
        if isinstance(a, Tensor):
            return False
        if isinstance(a, (np.ndarray, np.generic)):
            return True
        if isinstance(a, (list, tuple)) and a:
            return on_arrays(tuple(a))
    return False


class Forms:
    """The callables of one op. The second unobserved call replaces them by specialised ones."""

    def __init__(self, op: Op) -> None:
        self.op = op
        self.calls = 0
        self.writes = 0
        self.known = self._known(False) or self._known(True)
        self.general = {
            "function": self._general(False, self._known(False)),
            "method": self._general(True, self._known(True)),
            "operator": operator(self._general(True)),
            "reflected": operator(self._general(True), reflected=True),
        }
        self.bound = {kind: self._trampoline(kind) for kind in self.general}
        write = self._in_place()
        # `x *= y` asks the other operand too before it refuses; `x.mul_(y)` does not.
        self.general_writes = {"method": write, "operator": operator(write)}
        self.writes_bound = {kind: self._write_trampoline(kind) for kind in self.general_writes}

    @property
    def in_place(self) -> Function:
        """What is bound under `Tensor.mul_` and its like."""
        return self.writes_bound["method"]

    @property
    def function(self) -> Function:
        """What is bound under "torch."."""
        return self.bound["function"]

    def for_spelling(self, spelling: str) -> Function:
        """Return the form for a public spelling."""
        where, _, name = spelling.rpartition(".")
        if is_operator(name) and is_in_place(name):
            return self.writes_bound["operator"]
        if is_operator(name):
            return self.bound["reflected" if is_reflected(name) else "operator"]
        known = self._known(where == "Tensor", is_in_place(name))
        if known is not None and arguments.name_of(spelling) not in (None, known.name):
            return self._alias(spelling)
        if is_in_place(name):
            return self.in_place
        return self.bound["method" if where == "Tensor" else "function"]

    def _alias(self, spelling: str) -> Function:
        """Return the form for a second name, under which it refuses what it refuses."""
        where, _, name = spelling.rpartition(".")
        kind = "method" if where == "Tensor" else "function"

        def call(*args: Any, **kwargs: Any) -> Any:
            form = self.in_place if is_in_place(name) else self.bound[kind]
            try:
                return form(*args, **kwargs)
            except TypeError:
                known = arguments.signature(spelling)
                assert known is not None
                known.check(args, kwargs)
                raise

        return self._named(call, name)

    def _known(self, method: bool, in_place: bool = False) -> arguments.Signature | None:
        """Return what PyTorch's parser knows of the op's first spelling of a kind."""
        for spelling in self.op.binds:
            where, _, name = spelling.rpartition(".")
            if (where == "Tensor") is method and is_in_place(name) is in_place:
                known = None if is_operator(name) else arguments.signature(spelling)
                if known is not None:
                    return known
        return None

    def _general(self, method: bool, known: arguments.Signature | None = None) -> Function:
        from engine.ops.apply import apply

        op = self.op

        def call(*args: Any, **kwargs: Any) -> Any:
            if known is not None:
                known.check(args, kwargs)
            if kwargs.get("out") is not None:
                return into(kwargs.pop("out"), call, args, kwargs)
            kwargs.pop("out", None)
            return apply(op, bind_arguments(op.name, op.params, args, kwargs), method)

        return self._named(call, op.name)

    def _trampoline(self, kind: str) -> Function:
        general = self.general[kind]

        def call(*args: Any, **kwargs: Any) -> Any:
            if not events.careful:
                self.calls += 1
                if self.calls == 2:
                    self.specialise()
            return general(*args, **kwargs)

        return self._named(call, self.op.name)

    def _in_place(self) -> Function:
        from engine.ops.inplace import apply_in_place

        op, name, known = self.op, self.op.name + "_", self._known(True, in_place=True)

        def call(*args: Any, **kwargs: Any) -> Any:
            if known is not None:
                known.check(args, kwargs)
            return apply_in_place(op, bind_arguments(name, op.params, args, kwargs))

        self._named(call, name).__doc__ = f"Do what `{op.name}` does, in place."
        return call

    def _write_trampoline(self, kind: str) -> Function:
        general = self.general_writes[kind]

        def call(*args: Any, **kwargs: Any) -> Any:
            if not events.careful:
                self.writes += 1
                if self.writes == 2:
                    self.specialise_write()
            return general(*args, **kwargs)

        return self._named(call, self.op.name + "_")

    def specialise_write(self) -> None:
        """Put the specialised in-place form wherever the general one is bound."""
        from engine.ops import overwrite

        for kind, general in self.general_writes.items():
            made, old = overwrite.build(self.op, general), self.writes_bound[kind]
            if made is not None:
                self.writes_bound[kind] = made
                self._rebind({made: old})

    def _named(self, f: Function, name: str) -> Function:
        f.__name__ = f.__qualname__ = name
        f.__doc__ = self.op.forward.__doc__
        return f

    def specialise(self) -> None:
        """Put specialised forms wherever the general ones are bound."""
        from engine.ops import fast, plain

        made = fast.build(self.op, self.general) or plain.build(self.op, self.general)
        replaced = {form: self.bound[kind] for kind, form in made.items()}
        self.bound.update(made)
        self.op.on_tensors, self.op.on_two = self.function, self.bound["operator"]
        self._rebind(replaced)

    def _rebind(self, replaced: dict[Function, Function]) -> None:
        replaced_by.update({old: new for new, old in replaced.items()})
        for spelling in self.op.binds:
            where, _, name = spelling.rpartition(".")
            owner: Any = Tensor if where == "Tensor" else sys.modules.get("engine" + where[5:])
            for new, old in replaced.items():
                if owner is not None and owner.__dict__.get(name) is old:
                    setattr(owner, name, new)


def checked(spelling: str, function: Function) -> Function:
    """Wrap a plain function so that it refuses the calls that PyTorch's parser refuses."""
    known = arguments.signature(spelling)
    if known is None or not callable(function):
        return function
    check = known.check
    if known.takes_out and not has_out(function):

        @functools.wraps(function)
        def call_into(*args: Any, **kwargs: Any) -> Any:
            check(args, kwargs)
            if "out" in kwargs:
                out = kwargs.pop("out")
                return (
                    function(*args, **kwargs) if out is None else into(out, function, args, kwargs)
                )
            return function(*args, **kwargs)

        return call_into

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        check(args, kwargs)
        return function(*args, **kwargs)

    @functools.wraps(function)
    def alone(*args: Any, **kwargs: Any) -> Any:
        if kwargs or len(args) != 1:
            check(args, kwargs)
        return function(*args, **kwargs)

    return alone if known.alone else call


def operator(function: Function, reflected: bool = False) -> Function:
    """Wrap for use between `x` and `y`: Python tries the other operand when this one declines."""

    def call(self: Any, other: Any) -> Any:
        if isinstance(other, (Tensor, int, float)):
            return function(self, other)
        if isinstance(other, np.generic):
            return function(self, other.item())
        if isinstance(other, np.ndarray) and not reflected:
            return function(self, make(other))
        return NotImplemented

    return call
