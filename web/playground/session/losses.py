"""What a backward call starts from, for other numbers in the leaves.

Note [Losses by running again]: the program itself is run up to the call, once for every point.
After each line that gives the leaves their values the numbers are put in, as soon as the calls
before are over. So control flow, modules and random numbers are the program's own, and no gradient
rule takes part. Two runs come first: one as the program is, and one with the numbers it had then.
They have to agree, or what follows would be the loss of something else.
"""

from __future__ import annotations

import ast
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any

from engine import events
from engine.tensor import Tensor
from playground.session.budgets import Budgets, Exceeded, Meter
from playground.session.collect import Collector
from playground.session.ending import INDEX
from playground.session.instrument import Compiled, compile_tree, report
from playground.session.run import Halt, around, begun

PLACE = "__playground_place__"
CLOSE = 1e-5
Place = tuple[str, int]  # a leaf's name, and which of its elements


@dataclass(frozen=True, slots=True)
class Losses:
    """A loss for each point, None where the program failed; `error` is the key of a sentence."""

    values: tuple[float | None, ...]
    error: str | None = None


def losses(
    source: str,
    seed: int,
    budgets: Budgets | None,
    call: int,
    lines: Iterable[int],
    places: Sequence[Place],
    points: Iterable[Sequence[float]],
) -> Losses:
    """What the `call`-th backward pass starts from, with a point's numbers at the places.

    `lines` are those that give the leaves their values. See Note [Losses by running again].
    """
    try:
        compiled = _compiled(source, frozenset(lines), places)
        codes = [compile(INDEX.sub(r"[\1]", name), "<place>", "eval") for name, _ in places]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Losses((), "losses.nowhere")
    meter = Meter(budgets or Budgets())
    where = tuple(zip(codes, (element for _, element in places), strict=True))

    def at(point: Sequence[float] | None) -> _Replay:
        replay = _Replay(source, compiled, meter, call, where, point)
        replay.run(seed)
        return replay

    try:
        with around():
            there = at(None)
            if there.loss is None or len(there.held) < len(where):
                return Losses((), "losses.nowhere")
            again = at(there.numbers())
            if again.loss is None or not math.isclose(again.loss, there.loss, rel_tol=CLOSE):
                return Losses((), "losses.other")
            return Losses(tuple(at(point).loss for point in points))
    except Exceeded:
        return Losses((), "losses.slow")


class _Replay(Collector):
    """One run up to the call; of the events only what the loss is made of is looked at."""

    def __init__(
        self,
        source: str,
        compiled: Compiled,
        meter: Meter,
        call: int,
        where: tuple[tuple[CodeType, int], ...],
        point: Sequence[float] | None,
    ) -> None:
        super().__init__(source, compiled, meter)
        self.muted = True
        self.compiled, self.call, self.where, self.point = compiled, call, where, point
        self.known: dict[int, events.Value] = {}
        self.held: dict[int, Tensor] = {}
        self.begun = self.over = 0
        self.loss: float | None = None

    def run(self, seed: int) -> None:
        """Run the program, inside `around`; whatever else it raises, there is no loss."""
        with begun(self, seed) as module:
            module.__dict__["__builtins__"][PLACE] = self.place
            try:
                exec(self.compiled.code, module.__dict__)
            except (Exceeded, KeyboardInterrupt):
                raise
            except BaseException:  # Halt and SystemExit, or an error of the program
                return

    def __call__(self, event: events.Event) -> None:
        if isinstance(event, events.OpApplied):
            for facts in event.outputs:
                self.known[facts.id] = facts.value
        elif isinstance(event, events.TensorCreated):
            self.known[event.tensor.id] = event.tensor.value
        elif isinstance(event, events.BackwardFinished):
            self.over += 1
        elif isinstance(event, events.BackwardStarted):
            self.meter.check_clock()
            self.begun += 1
            if self.begun == self.call:
                self.loss = self._start(event)
                raise Halt

    def place(self) -> None:
        """Called by the program after each line that gives one of the leaves its values."""
        if self.over != self.call - 1:
            return
        frame = sys._getframe(1)
        for i, (code, element) in enumerate(self.where):
            try:
                tensor = eval(code, frame.f_globals, frame.f_locals)
                array = tensor.data._array
                array.flat[element] = array.flat[element] if self.point is None else self.point[i]
                self.held[i] = tensor
            except Exception:  # not there yet, or no tensor at all
                continue

    def numbers(self) -> list[float]:
        """What the places hold."""
        return [
            float(self.held[i]._array.flat[element]) for i, (_, element) in enumerate(self.where)
        ]

    def _start(self, event: events.BackwardStarted) -> float | None:
        """The sum of the roots, each times the gradient it starts with; None when unknown."""
        if self.point is not None and not self._stayed():
            return None
        total = 0.0
        for (_, tensor), gradient in zip(event.roots, event.gradients, strict=True):
            root = self.known.get(tensor)
            if root is None or root.data is None or gradient.data is None:
                return None
            pairs = zip(root.data, gradient.data, strict=True)
            total += math.fsum(float(y) * float(v) for y, v in pairs)
        return total if math.isfinite(total) else None

    def _stayed(self) -> bool:
        """Whether the numbers are still there: the program may have written over them."""
        assert self.point is not None
        return len(self.held) == len(self.where) and all(
            math.isclose(now, put, rel_tol=1e-3, abs_tol=1e-30)
            for now, put in zip(self.numbers(), self.point, strict=True)
        )


def _compiled(source: str, lines: frozenset[int], places: Sequence[Place]) -> Compiled:
    tree = ast.parse(source)
    roots = {name.partition(".")[0].partition("[")[0] for name, _ in places}
    _After(lines, roots).visit(tree)
    return compile_tree(tree)


class _After(ast.NodeTransformer):
    """Puts a call behind simple statements in some lines, and behind those that bind some names."""

    def __init__(self, lines: frozenset[int], names: set[str]) -> None:
        self.lines, self.names = lines, names

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                setattr(node, field, [item for each in block for item in self._behind(each)])
        return node

    def _behind(self, statement: ast.stmt) -> Iterator[ast.stmt]:
        yield statement
        if not hasattr(statement, "body") and self._gives(statement):
            yield report(PLACE, statement)

    def _gives(self, statement: ast.stmt) -> bool:
        last = statement.end_lineno or statement.lineno
        if any(statement.lineno <= line <= last for line in self.lines):
            return True
        stored: Any = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
        return any(isinstance(n.ctx, ast.Store) and n.id in self.names for n in stored)
