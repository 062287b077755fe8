"""Write a random program, running it on PyTorch as it grows so that what comes next can fit.

A statement that raised is kept now and then (errors are behaviour too); otherwise another is
tried. The same seed and number give the same program as long as
catalogue and PyTorch stay the same.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from tests.fuzz.catalog import LINES, WEIGHTS
from tests.fuzz.holes import Filler, Unfillable
from tests.fuzz.observe import Machine, Seen, TooSlow, limit, reset
from tests.fuzz.shapes import random_shape

LARGEST = 600  # elements; a tensor above this ends the statement that made it


@dataclass(frozen=True)
class Written:
    """A program, the catalogue line each statement came from, and what PyTorch did."""

    program: tuple[str, ...]
    lines: tuple[str, ...]
    seen: tuple[Seen, ...]


def write(torch: Any, seed: str, families: tuple[str, ...] = ()) -> Written:
    """The program of this seed, with what PyTorch did in it."""
    writer = Writer(torch, random.Random(seed), families)
    reset(torch)
    try:
        with limit(10.0):
            writer.write()
    except TooSlow:
        return Written((), (), ())
    finally:
        reset(torch)
    return Written(tuple(writer.program), tuple(writer.lines), tuple(writer.seen))


class Writer:
    """Grows one program."""

    def __init__(self, torch: Any, rng: random.Random, families: tuple[str, ...]) -> None:
        self.rng = rng
        self.machine = Machine(torch)
        self.program: list[str] = []
        self.lines: list[str] = []
        self.seen: list[Seen] = []
        self.count = 0
        wanted = families or tuple(LINES)
        # a program leans to some families, so that unusual combinations meet
        self.families = list(wanted)
        self.weights = [WEIGHTS[f] * rng.choice((0.2, 1.0, 1.0, 3.0)) for f in wanted]
        self.keep_errors = rng.choice((0.05, 0.25, 0.5))

    def write(self) -> None:
        self.run(f"torch.manual_seed({self.rng.randint(0, 99)})", "manual_seed")
        for _ in range(self.rng.choice((1, 2, 2, 3))):
            self.create()
        for _ in range(self.rng.randint(3, 15)):
            self.extend()
        self.seen.append(self.machine.finish())

    def create(self) -> None:
        filler = Filler(self.rng, {})
        shape = random_shape(self.rng)
        kind = self.rng.random()
        if kind < 0.7:
            dtype = "torch.float32" if self.rng.random() < 0.75 else "torch.float64"
            source = filler.literal(shape, dtype)
            if self.rng.random() < 0.7:
                source += ".requires_grad_()"
        else:
            source = filler.literal(shape, filler.h_dt())
        self.run(f"{self.new_name()} = {source}", "create")

    def new_name(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def extend(self) -> None:
        """Add one statement, trying a few until one is fit to keep."""
        for _ in range(8):
            family = self.rng.choices(self.families, self.weights)[0]
            line = self.rng.choice(LINES[family])
            filler = Filler(self.rng, self.small())
            try:
                text = filler.fill(line)
            except (Unfillable, IndexError, ValueError, RuntimeError):
                continue
            if self.offer(text, line):
                return

    def small(self) -> dict[str, Any]:
        return {n: t for n, t in self.machine.tensors().items() if n.startswith("v")}

    def offer(self, text: str, line: str) -> bool:
        """Run a filled line; whether it was kept."""
        if text.startswith("!"):
            return self.run(self.moded(text[1:]), line)
        name = self.new_name()
        kept = self.run(self.moded(f"{name} = {text}"), line)
        value = self.machine.names.get(name)
        kinds: Any = tuple | list
        if kept and isinstance(value, kinds) and value:
            at = self.rng.randrange(len(value))
            self.run(f"{self.new_name()} = {name}[{at}]", line)
        return kept

    def moded(self, statement: str) -> str:
        """The statement, now and then inside a grad mode's block."""
        roll = self.rng.random()
        if roll < 0.06:
            return f"with torch.no_grad(): {statement}"
        if roll < 0.075:
            return f"with torch.enable_grad(): {statement}"
        if roll < 0.085 and "torch.autograd" not in statement and "torch.func" not in statement:
            return f"with torch.inference_mode(): {statement}"
        if roll < 0.095:
            return f"with torch.autograd.detect_anomaly(): {statement}"
        return statement

    def run(self, statement: str, line: str) -> bool:
        try:
            compile(statement, "<program>", "exec")
        except SyntaxError:
            return False
        random_state = self.machine.torch.get_rng_state()
        seen = self.machine.step(statement)
        if seen.error and self.rng.random() > self.keep_errors and not touches(statement):
            self.machine.torch.set_rng_state(random_state)
            return False
        self.program.append(statement)
        self.lines.append(line)
        self.seen.append(seen)
        names = self.machine.names
        for name, tensor in self.machine.tensors().items():
            if tensor.numel() > LARGEST:
                del names[name]
                self.program.append(f"del {name}")
                self.lines.append("del")
                self.seen.append(self.machine.step("pass"))
        return True


def touches(statement: str) -> bool:
    """Whether a failing statement may have changed something before it failed."""
    pure = statement.split(" = ", 1)
    return not (len(pure) == 2 and pure[0].isidentifier() and "backward" not in pure[1])
