"""Generators of random numbers, and the global one (torch.random)."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import unsupported
from engine.ops.record import bind, function
from engine.stream import STATE_BYTES, Stream
from engine.tensor import Tensor, make


class Generator:
    """A source of random numbers with a state of its own; starts from a fixed seed."""

    def __init__(self, device: Any = "cpu") -> None:
        if str(device).partition(":")[0] != "cpu":
            raise unsupported(f"a generator on device {device}")
        self._stream = Stream()

    @property
    def device(self) -> dtypes.device:
        """Always the CPU."""
        return dtypes.CPU

    def manual_seed(self, seed: int) -> Generator:
        """Start again from `seed`; a negative one counts from 2**64. Return the generator."""
        if not isinstance(seed, int) and not _is_integer_tensor(seed):
            raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
        seed = int(seed)
        if not -(2**63) <= seed < 2**64:
            raise ValueError("Overflow when unpacking long long")
        self._stream.reseed(seed)
        return self

    def initial_seed(self) -> int:
        """Return the seed the generator started from."""
        return self._stream.seed

    def seed(self) -> int:
        """Start again from an unpredictable seed, and return it."""
        self._stream.reseed(secrets.randbits(53))
        return self._stream.seed

    def get_state(self) -> Tensor:
        """Return everything that decides the next draws, as uint8 of shape (5056,)."""
        return make(np.frombuffer(self._stream.pack(), np.uint8).copy())

    def set_state(self, new_state: Tensor) -> Generator:
        """Go on from a state that `get_state` returned."""
        if not isinstance(new_state, Tensor):
            raise TypeError(f"expected a torch.ByteTensor, but got {type(new_state).__name__}")
        if new_state.dtype is not dtypes.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        count = new_state._array.size
        if count != STATE_BYTES:
            raise RuntimeError(
                f"Expected a CPUGeneratorImplState of size {STATE_BYTES} but found the input RNG "
                f"state size to be {count}"
            )
        self._stream.unpack(new_state._array.tobytes())
        return self

    def clone_state(self) -> Generator:
        """Return a new generator in the same state."""
        return Generator().set_state(self.get_state())

    def __repr__(self) -> str:
        return f"<torch._C.Generator object at {id(self):#x}>"


Generator.__module__ = "torch._C"


def _is_integer_tensor(value: Any) -> bool:
    return isinstance(value, Tensor) and not value.dtype.is_floating_point and not value.shape


default_generator = Generator()
default_generator.seed()
bind("torch.Generator", Generator)
bind("torch.default_generator", default_generator)


def stream_of(generator: Generator | None) -> Stream:
    """Return the stream of a generator, or the global one."""
    if restriction is not None:
        restriction.drawn()
    return (default_generator if generator is None else generator)._stream


class Draws:
    """What a function mapped by `vmap` may draw: its `randomness`."""

    def __init__(self, randomness: str) -> None:
        self.randomness = randomness
        self.start: Tensor | None = None

    def row(self) -> None:
        """Begin another row: the same numbers again, where that was asked for."""
        if self.randomness == "same":
            if self.start is None:
                self.start = default_generator.get_state()
            default_generator.set_state(self.start)

    def drawn(self) -> None:
        """Refuse, where nothing was asked for."""
        if self.randomness == "error":
            raise RuntimeError(
                "vmap: called random operation while in randomness error mode. Please either use"
                " the 'same' or 'different' randomness flags on vmap or perform the randomness"
                " operation out of vmap"
            )


restriction: Draws | None = None


@contextlib.contextmanager
def draws(allowed: Draws) -> Iterator[Draws]:
    """Restrict what is drawn inside the block."""
    global restriction
    before, restriction = restriction, allowed
    try:
        yield allowed
    finally:
        restriction = before


@function("torch.manual_seed")
def manual_seed(seed: Any) -> Generator:
    """Seed the global generator (with `int(seed)`) and return it.

    Raises ValueError outside -2**63 … 2**64 - 1.
    """
    return default_generator.manual_seed(int(seed))


@function("torch.seed")
def seed() -> int:
    """Seed the global generator unpredictably and return the seed."""
    return default_generator.seed()


@function("torch.initial_seed")
def initial_seed() -> int:
    """Return the seed of the global generator."""
    return default_generator.initial_seed()


@function("torch.get_rng_state")
def get_rng_state() -> Tensor:
    """Return the state of the global generator."""
    return default_generator.get_state()


@function("torch.set_rng_state")
def set_rng_state(new_state: Tensor) -> None:
    """Put the global generator into a state that `get_rng_state` returned."""
    default_generator.set_state(new_state)


@contextlib.contextmanager
def fork_rng(devices: Any = None, enabled: bool = True, **ignored: Any) -> Iterator[None]:
    """Put the global generator back into its state when the with block ends."""
    state = get_rng_state()
    try:
        yield
    finally:
        if enabled:
            set_rng_state(state)


def thread_safe_generator() -> Generator | None:
    """Return None: there is one thread."""
    return None
