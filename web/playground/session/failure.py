"""How a program failed, as an Error of the trace."""

from __future__ import annotations

import math
import re
from types import TracebackType
from typing import Any

import engine
from playground.session.budgets import Exceeded
from playground.session.collect import Collector
from playground.session.instrument import FILENAME
from playground.session.reasons import as_torch, reason
from playground.trace import Error

# PyTorch's texts for a tensor that is too large, for which numpy has its own.
NO_ROOM = (
    "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: "
    "you tried to allocate {} bytes. Error code 12 (Cannot allocate memory)"
)
WIDE = re.compile("invalid (?:non-printable )?character (?:'(.)' )?")
NO_NUMBER = "Storage size calculation overflowed"


def syntax_error(error: BaseException, source: str) -> Error:
    """The error of a program that does not compile."""
    if isinstance(error, SyntaxError):
        facts: dict[str, Any] = {}
        if error.offset is not None:
            facts["column"] = error.offset
        line = error.lineno
        if "null bytes" in (error.msg or ""):
            line = source[: source.index("\0")].count("\n") + 1
        key = "error.syntax"
        wide = WIDE.match(error.msg or "")
        if wide and wide[1]:
            key, facts["character"] = "error.wide-character", wide[1]
        return Error(type(error).__name__, error.msg or "", line, key, facts)
    return Error(type(error).__name__, str(error), None, "error.too-nested", {})


def describe(raised: BaseException, collector: Collector) -> Error:
    """The error a program ended with, and its step at the end of the trace."""
    line = line_of(raised.__traceback__)
    if isinstance(raised, Exceeded):
        error = Error("Stopped", "", line, f"error.budget-{raised.what}", {"limit": raised.limit})
        collector.fail(line, error.type, None)
        return error
    kind, message = told(raised)
    key, facts = reason(raised, _message(raised))
    op = collector.number_of_op(facts.get("node", facts.get("seq")))
    facts = {name: collector.fact(name, value) for name, value in facts.items()}
    collector.fail(line, f"{kind}: {message}" if message else kind, op)
    return Error(kind, message, line, key, facts)


def line_of(trace: TracebackType | None) -> int | None:
    """The learner's line an exception passed through last."""
    line = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILENAME:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def told(raised: BaseException) -> tuple[str, str]:
    """The type and text of what was raised; what numpy says of a tensor too large, as PyTorch."""
    kind, message = type(raised).__name__, _message(raised)
    if not _of_the_engine(raised.__traceback__):
        return kind, message
    shape, dtype = getattr(raised, "shape", None), getattr(raised, "dtype", None)
    if isinstance(raised, MemoryError) and isinstance(shape, tuple) and dtype is not None:
        return "RuntimeError", NO_ROOM.format(math.prod(shape) * dtype.itemsize)
    if isinstance(raised, ValueError) and reason(raised, message)[0] == "error.memory":
        return "RuntimeError", NO_NUMBER
    return kind, message


def _of_the_engine(trace: TracebackType | None) -> bool:
    """Whether an exception comes out of the engine, and not of the program's own use of numpy."""
    found = False
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILENAME:
            found = False
        elif str(trace.tb_frame.f_globals.get("__name__")).split(".")[0] == engine.__name__:
            found = True
        trace = trace.tb_next
    return found


def _message(raised: BaseException) -> str:
    try:
        text = str(raised)
    except Exception:  # a program's own exception class may fail here
        text = ""
    return as_torch(text)[:20_000]
