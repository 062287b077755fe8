"""How a program failed, as an Error of the trace."""

from __future__ import annotations

import difflib
from types import TracebackType
from typing import Any

import engine
from engine.tensor import Tensor
from playground.session.budgets import Exceeded
from playground.session.collect import Collector
from playground.session.instrument import FILENAME
from playground.trace import Error

# Keys for errors of Python's own, by type; anything else is "error.python".
KEYS = {
    "NameError": "error.name",
    "UnboundLocalError": "error.name",
    "ModuleNotFoundError": "error.no-module",
    "EOFError": "error.input",
    "RecursionError": "error.recursion",
    "MemoryError": "error.memory",
    "ZeroDivisionError": "error.division",
    "KeyboardInterrupt": "error.interrupted",
}
# How numpy begins to refuse an array there can be no memory for.
TOO_LARGE = ("array is too big", "iterator is too large", "Maximum allowed ")


def syntax_error(error: BaseException) -> Error:
    """The error of a program that does not compile."""
    if isinstance(error, SyntaxError):
        facts: dict[str, Any] = {}
        if error.offset is not None:
            facts["column"] = error.offset
        kind = type(error).__name__
        return Error(kind, error.msg or "", error.lineno, "error.syntax", facts)
    return Error(type(error).__name__, str(error), None, "error.syntax", {})


def describe(raised: BaseException, collector: Collector) -> Error:
    """The error a program ended with, and its step at the end of the trace."""
    line = line_of(raised.__traceback__)
    if isinstance(raised, Exceeded):
        error = Error("Stopped", "", line, f"error.budget-{raised.what}", {"limit": raised.limit})
        collector.fail(line, error.type, None)
        return error
    kind = type(raised).__name__
    message = _message(raised)
    key, facts = _key_and_facts(raised, message)
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


def _message(raised: BaseException) -> str:
    try:
        text = str(raised)
    except Exception:  # a program's own exception class may fail here
        text = ""
    return text.replace(f"module '{engine.__name__}", "module 'torch")[:20_000]


def _key_and_facts(raised: BaseException, message: str) -> tuple[str, dict[str, Any]]:
    key = getattr(raised, "key", None)
    facts = getattr(raised, "facts", None)
    if isinstance(key, str) and key.startswith("error.") and isinstance(facts, dict):
        return key, facts
    if isinstance(raised, ValueError) and message.startswith(TOO_LARGE):
        return "error.memory", {}
    name = getattr(raised, "name", None)
    if isinstance(raised, AttributeError) and isinstance(name, str):
        owner = getattr(raised, "obj", None)
        return _attribute(owner, name)
    found = KEYS.get(type(raised).__name__, "error.python")
    return found, {"name": name} if isinstance(name, str) else {}


def _attribute(owner: Any, name: str) -> tuple[str, dict[str, Any]]:
    """An attribute that is not there: of torch, of a tensor, of None."""
    try:
        close = difflib.get_close_matches(name, [n for n in dir(owner) if n[0] != "_"], 1)
    except Exception:
        close = []
    facts: dict[str, Any] = {"name": name, "similar": close[0] if close else None}
    module = getattr(owner, "__name__", None)
    if type(owner).__name__ == "module" and isinstance(module, str):
        if module == engine.__name__ or module.startswith((engine.__name__ + ".", "torch")):
            facts["owner"] = "torch" + module.removeprefix(engine.__name__).removeprefix("torch")
            return "error.unknown-torch", facts
    elif isinstance(owner, Tensor):
        return "error.unknown-tensor", facts
    elif owner is None:
        return "error.none-attribute", facts
    return "error.attribute", facts
