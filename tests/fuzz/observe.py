"""Run a program, statement by statement, on one implementation of torch and note what can be seen.

A program is a tuple of statements. Each runs in the same namespace; an exception ends the
statement, not the program. What a statement printed, raised and did to every tensor with a name is
kept as plain data, so that two implementations can be compared without either knowing the other.
"""

from __future__ import annotations

import io
import re
import signal
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

Facts = dict[str, Any]
ADDRESS = re.compile(r"0x[0-9a-f]+")


class TooSlow(BaseException):
    """The program used up its time; no `except Exception` may swallow it."""


@dataclass
class Seen:
    """What one statement did."""

    printed: str = ""
    error: str | None = None
    made: Facts = field(default_factory=dict)  # full facts of the names assigned
    flags: dict[str, tuple[Any, ...]] = field(default_factory=dict)  # of every tensor with a name


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Raise TooSlow when the block takes longer; only in the main thread of a Unix process."""

    def late(_signal: int, _frame: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def reset(torch: Any) -> None:
    """Put the global state a program may have changed back to what an interpreter starts with."""
    torch.set_grad_enabled(True)
    torch.set_default_dtype(torch.float32)
    torch.set_printoptions(profile="default")
    torch.autograd.set_detect_anomaly(False)


class Machine:
    """One implementation with one namespace; `step` runs the next statement."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.names: dict[str, Any] = {"torch": torch}
        self.names["F"] = getattr(torch.nn, "functional", None)

    def tensors(self) -> dict[str, Any]:
        kind = self.torch.Tensor
        return {n: v for n, v in self.names.items() if isinstance(v, kind)}

    def step(self, statement: str) -> Seen:
        """Run one statement and look at what changed."""
        seen = Seen()
        out = io.StringIO()
        before = {n: id(v) for n, v in self.names.items()}
        with warnings.catch_warnings(), redirect_stdout(out):
            warnings.simplefilter("ignore")
            try:
                exec(compile(statement, "<program>", "exec"), self.names)
            except Exception as error:
                seen.error = said(error)
            for name, value in list(self.names.items()):
                if name.startswith("v") and before.get(name) != id(value):
                    seen.made[name] = self.look(value)
            for name, tensor in self.tensors().items():
                seen.flags[name] = self.flags(tensor)
        seen.printed = ADDRESS.sub("0x0", out.getvalue())
        return seen

    def finish(self) -> Seen:
        """Look at everything that has a name once more, gradients included."""
        seen = Seen()
        with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            self.torch.set_grad_enabled(True)
            for name, tensor in self.tensors().items():
                seen.made[name] = self.look(tensor, text=self.flags(tensor)[0] != 0)
                seen.made[name + ".grad"] = self.gradient(tensor)
                seen.flags[name] = self.flags(tensor)
        return seen

    def flags(self, tensor: Any) -> tuple[Any, ...]:
        """What changes behind a tensor's back, cheap enough to ask after each statement."""
        try:
            node = tensor.grad_fn
            version = None if tensor.is_inference() else tensor._version
            return version, tensor.requires_grad, tensor.is_leaf, node and node.name()
        except Exception as error:
            return said(error), None, None, None

    def gradient(self, tensor: Any) -> Any:
        try:
            shown = tensor.is_leaf or tensor.retains_grad
            return self.look(tensor.grad) if shown else None
        except Exception as error:
            return said(error)

    def look(self, value: Any, text: bool = True) -> Any:
        """Plain data that says all there is to say about `value`."""
        torch = self.torch
        if isinstance(value, torch.Tensor):
            try:
                return self.look_at_tensor(value, text)
            except Exception as error:
                return said(error)
        if isinstance(value, list | tuple) and type(value).__name__ != "Size":
            return [type(value).__name__, *map(self.look, value)]
        if isinstance(value, bool | int | float | str) or value is None:
            return value
        return ADDRESS.sub("0x0", repr(value))

    def look_at_tensor(self, tensor: Any, printed: bool) -> Facts:
        try:
            text = repr(tensor) if printed else ""
        except Exception as error:
            text = said(error)
        return {
            "type": type(tensor).__name__,
            "dtype": str(tensor.dtype),
            "shape": tuple(tensor.shape),
            "stride": tuple(tensor.stride()),
            "values": flat(numbers(tensor)),
            "text": text,
        }


def numbers(tensor: Any) -> Any:
    """The nested numbers; of zeros that were never put into memory a copy has them."""
    unwritten = getattr(tensor, "_is_zerotensor", bool)()
    return tensor.detach().clone().tolist() if unwritten else tensor.tolist()


def said(error: Exception) -> str:
    """Type and text of an error."""
    return ADDRESS.sub("0x0", f"{type(error).__name__}: {error}")


def flat(nested: Any) -> list[Any]:
    """The numbers of a nested list in order."""
    if not isinstance(nested, list):
        return [nested]
    out: list[Any] = []
    for item in nested:
        out.extend(flat(item))
    return out


def run(torch: Any, program: tuple[str, ...], seconds: float = 5.0) -> list[Seen]:
    """Everything seen of a program, one entry a statement and one for the end."""
    reset(torch)
    machine = Machine(torch)
    seen: list[Seen] = []
    try:
        with limit(seconds):
            for statement in program:
                seen.append(machine.step(statement))
            seen.append(machine.finish())
    except TooSlow:
        seen.append(Seen(error="TooSlow"))
    finally:
        reset(torch)
    return seen
