"""Run a program in a world of its own: torch is the engine, output is caught, budgets hold."""

from __future__ import annotations

import builtins
import contextlib
import gc
import io
import sys
import traceback
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from engine import events
from playground.session.alias import engine_as_torch, fresh_engine
from playground.session.budgets import Budgets, Exceeded, Meter
from playground.session.collect import Collector
from playground.session.ending import final_values
from playground.session.failure import describe, syntax_error, told
from playground.session.instrument import AT, ENTER, FILENAME, TICK, Compiled, compile_program
from playground.session.recorder import Stream
from playground.session.surroundings import kept, rare_collections
from playground.trace import Error, Trace


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The value of an expression as the prompt would print it, or why there is none."""

    text: str
    error: str | None


Told = Callable[[int | None], None]


def run(
    source: str, seed: int = 0, budgets: Budgets | None = None, at: Told | None = None
) -> Trace:
    """Run a program and return what happened; whatever it does, there is a trace.

    `at` is told the line of every statement outside of functions, and None after the last.
    """
    try:
        compiled = compile_program(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return Trace(source, seed, (), (), (), (), "", syntax_error(error, source))
    collector = Collector(source, compiled, Meter(budgets or Budgets()))
    collector.scene.told = at
    failed = execute(compiled, collector, seed)
    collector.scene.at(None)
    return Trace(
        source,
        seed,
        collector.drafts.finish(),
        tuple(collector.ops),
        tuple(collector.calls),
        tuple(collector.steps),
        "".join(collector.printed),
        failed,
        tuple(collector.bindings),
        collector.final,
    )


class Halt(BaseException):
    """Ends a program that was run again only up to a step."""


def evaluate(
    source: str,
    seed: int,
    budgets: Budgets | None,
    step: int,
    expression: str,
    at: Told | None = None,
) -> Evaluation:
    """Evaluate an expression in the program's state after `step` steps, by running it again."""
    try:
        code = compile(expression.strip(), "<expression>", "eval")
        compiled = compile_program(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return Evaluation("", f"{type(error).__name__}: {getattr(error, 'msg', None) or error}")
    collector = Collector(source, compiled, Meter(budgets or Budgets()))
    collector.scene.told = at
    probe = _Probe(collector, code, step)
    if step <= 0:
        with world(collector, seed) as module:
            probe.look(module.__dict__, module.__dict__)
    else:
        execute(compiled, collector, seed, probe)
    return probe.result or Evaluation("", None)


class _Probe:
    """Looks at the program as soon as a step was added, and once more before anything follows.

    Between the operation and the next event the result gets its name: `y = x + 2` makes the tensor
    in this step, and binds `y` right after it.
    """

    def __init__(self, collector: Collector, code: types.CodeType, step: int) -> None:
        self.collector = collector
        self.code = code
        self.step = step
        self.result: Evaluation | None = None
        self.armed = False
        collector.after_step = self.added
        collector.before_event = self.stop

    def look(self, globals_: dict[str, Any], locals_: Any) -> None:
        self.collector.muted = True
        try:
            self.result = Evaluation(repr(eval(self.code, globals_, dict(locals_))), None)
        except Exceeded:
            raise
        except Exception as error:
            kind, text = told(error)
            self.result = Evaluation("", kind + (f": {text}" if text else ""))
        finally:
            self.collector.muted = False

    def added(self) -> None:
        if len(self.collector.steps) != self.step or self.armed:
            return
        frame = self.collector.scene.frame
        if frame is None:
            return
        self.armed = True
        self.look(frame.f_globals, frame.f_locals)
        frame.f_trace = self._traced
        sys.settrace(lambda *_: None)

    def _traced(self, frame: types.FrameType, event: str, _: Any) -> Any:
        if event in ("line", "return"):
            self.look(frame.f_globals, frame.f_locals)
            self.stop()
        return self._traced

    def stop(self) -> None:
        if self.armed:
            sys.settrace(None)
            raise Halt


def execute(
    compiled: Compiled, collector: Collector, seed: int, probe: _Probe | None = None
) -> Error | None:
    """Run compiled code to its end, and say how it failed if it did."""
    error: Error | None = None
    with world(collector, seed) as module:
        try:
            exec(compiled.code, module.__dict__)
            collector.scene.visit()
            collector.finish()
        except Halt:
            return None
        except SystemExit as left:
            if isinstance(left.code, str):  # Python prints it
                print(left.code, file=sys.stderr)
            _finish(collector)
        except BaseException as raised:
            if probe is not None and probe.armed:
                return None
            if isinstance(raised, MemoryError):
                _let_go(raised, module)
            _finish(collector)
            error = describe(raised, collector)
        finally:
            sys.settrace(None)
        if probe is None:
            collector.muted = True
            collector.final = final_values(module.__dict__)
        elif not probe.armed:
            probe.look(module.__dict__, module.__dict__)
    return error


def _finish(collector: Collector) -> None:
    with contextlib.suppress(Exceeded, Halt):
        collector.finish()


def _let_go(raised: BaseException, module: types.ModuleType) -> None:
    """Free what filled the memory, so that there is room to say so."""
    traceback.clear_frames(raised.__traceback__)
    module.__dict__.clear()
    gc.collect()


class _Output(io.TextIOBase):
    """A text stream whose text becomes steps."""

    def __init__(self, collector: Collector, stream: Stream) -> None:
        self._collector = collector
        self._stream = stream

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if text and not self._collector.muted:
            self._collector.write(text, self._stream)
        return len(text)

    def writable(self) -> bool:
        return True

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"


class _NoKeyboard(io.TextIOBase):
    """Nobody can type while a program runs."""

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1) -> str:
        raise EOFError("EOF when reading a line")

    def readline(self, size: int = -1) -> str:  # type: ignore[override]
        raise EOFError("EOF when reading a line")


@contextlib.contextmanager
def world(collector: Collector, seed: int) -> Iterator[types.ModuleType]:
    """The surroundings of a run, put back afterwards."""
    with around(), begun(collector, seed) as module:
        yield module


@contextlib.contextmanager
def around() -> Iterator[None]:
    """What several runs can share: torch is the engine, and what a program rebinds is put back."""
    before = sys.argv, sys.getrecursionlimit()
    main = sys.modules.get("__main__")
    with kept(), rare_collections(), engine_as_torch():
        sys.argv = [FILENAME]
        try:
            yield
        finally:
            sys.argv = before[0]
            sys.setrecursionlimit(before[1])
            if main is not None:
                sys.modules["__main__"] = main


@contextlib.contextmanager
def begun(collector: Collector, seed: int) -> Iterator[types.ModuleType]:
    """The variables of one run; inside `around`. Random numbers begin anew, output is caught."""
    module = types.ModuleType("__main__")
    module.__dict__["__builtins__"] = builtins_for(collector)
    before = sys.stdout, sys.stderr, sys.stdin
    out, err = _Output(collector, "stdout"), _Output(collector, "stderr")
    with fresh_engine(seed), warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.showwarning = _shower(err)
        sys.modules["__main__"] = module
        sys.stdout, sys.stderr, sys.stdin = out, err, _NoKeyboard()
        try:
            with events.observe(collector, FILENAME):
                yield module
        finally:
            sys.stdout, sys.stderr, sys.stdin = before


def builtins_for(collector: Collector) -> dict[str, Any]:
    """The builtins of a program, with the calls its instrumented code makes."""
    scene = collector.scene
    return {**vars(builtins), TICK: scene.tick, ENTER: scene.enter, AT: scene.at}


def _shower(stream: io.TextIOBase) -> Callable[..., None]:
    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        stream.write(f"{category.__name__}: {message}")
        stream.write("\n")

    return show
