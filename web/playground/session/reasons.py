"""What kind of error it was, where nothing was raised with a key: by type, text and owner."""

from __future__ import annotations

import difflib
import re
import types
from typing import Any

import engine
from engine.tensor import Tensor

Found = tuple[str, dict[str, Any]]

# Keys for errors by type; anything else is "error.python".
KEYS = {
    "NameError": "error.name",
    "UnboundLocalError": "error.name",
    "ModuleNotFoundError": "error.no-module",
    "EOFError": "error.input",
    "RecursionError": "error.recursion",
    "MemoryError": "error.memory",
    "ZeroDivisionError": "error.division",
    "KeyboardInterrupt": "error.interrupted",
    "FileNotFoundError": "error.no-file",
    "KeyError": "error.no-entry",
    "AssertionError": "error.assertion",
    "URLError": "error.outside",
    "gaierror": "error.outside",
}
# And by what they say, which goes first; groups of the pattern become facts.
TEXTS = [
    (kind, re.compile(pattern), f"error.{key}")
    for kind, pattern, key in (
        ("TypeError", r"unsupported operand type\(s\) for .*'NoneType'", "none-operand"),
        ("TypeError", r"'(?P<type>.+)' object is not callable", "not-callable"),
        ("TypeError", r"unsupported format string passed to Tensor", "format"),
        ("TypeError", r".* (positional argument|keyword argument|required keyword-only)", "call"),
        ("UnboundLocalError", r".*variable '(?P<name>[^']+)'", "name"),
        ("ValueError", r"optimizer got an empty parameter list", "no-parameters"),
        ("ValueError", r"only one element tensors can be converted", "item-of-many"),
        ("ValueError", r"(too many|not enough) values to unpack", "unpack"),
        ("ValueError", r"array is too big|iterator is too large|Maximum allowed ", "memory"),
        ("AttributeError", r"cannot assign .* before Module.__init__\(\) call", "super-init"),
        ("NotImplementedError", r"Module \[(?P<name>.*)\] is missing .*forward", "no-forward"),
        ("AssertionError", r"Torch not compiled with CUDA", "no-gpu"),
        ("IndexError", r"(list|tuple|string) .*index out of range", "list-index"),
        ("RuntimeError", r"can't start new thread", "outside"),
        ("OSError", r".*does not support processes|.*Host is unreachable", "outside"),
    )
]


def reason(raised: BaseException, message: str) -> Found:
    """Key and facts of an exception."""
    key, facts = getattr(raised, "key", None), getattr(raised, "facts", None)
    if isinstance(key, str) and key.startswith("error.") and isinstance(facts, dict):
        return key, facts
    for kind, pattern, found in TEXTS:
        match = pattern.match(message) if type(raised).__name__ == kind else None
        if match:
            return found, match.groupdict()
    name = getattr(raised, "name", None)
    if isinstance(raised, AttributeError) and isinstance(name, str):
        return _attribute(getattr(raised, "obj", None), name)
    if type(raised) is ImportError and (wanted := _not_in_torch(message)):
        return _attribute(wanted[0], wanted[1])
    facts = {"name": name} if isinstance(name, str) else {}
    if isinstance(raised, KeyError) and raised.args:
        facts["name"] = repr(raised.args[0])[:60]
    return KEYS.get(type(raised).__name__, "error.python"), facts


def as_torch(message: str) -> str:
    """A text of Python's about the engine, with the names the program knows."""
    text = message.replace(f"module '{engine.__name__}", "module 'torch")
    if _IMPORT.match(text):
        text = re.sub(r" from 'engine([\w.]*)' \(.*\)$", r" from 'torch\1'", text)
    return text


_IMPORT = re.compile(r"cannot import name '(\w+)' from '(?:engine|torch)([\w.]*)'")


def _not_in_torch(message: str) -> tuple[Any, str] | None:
    """The module of `from torch.nn import Linaer`, and what it lacks."""
    import sys

    match = _IMPORT.match(message)
    module = sys.modules.get(engine.__name__ + match[2]) if match else None
    return (module, match[1]) if match and module is not None else None


def similar(owner: Any, name: str) -> str | None:
    """The attribute that was meant, most likely."""
    try:
        names = [known for known in dir(owner) if known[0] != "_"]
        alike = [known for known in names if known.lower() == name.lower()]
        close = alike or difflib.get_close_matches(name, names, 1)
        return close[0] if close else None
    except Exception:  # a program's own object may fail here
        return None


def _attribute(owner: Any, name: str) -> Found:
    """An attribute that is not there: of torch, a tensor, None, a number, a function."""
    facts: dict[str, Any] = {"name": name, "similar": similar(owner, name)}
    module = getattr(owner, "__name__", None)
    if isinstance(owner, types.ModuleType) and isinstance(module, str):
        if module == engine.__name__ or module.startswith((engine.__name__ + ".", "torch")):
            facts["owner"] = "torch" + module.removeprefix(engine.__name__).removeprefix("torch")
            return "error.unknown-torch", facts
    elif isinstance(owner, Tensor):
        return "error.unknown-tensor", facts
    elif owner is None:
        return "error.none-attribute", facts
    elif callable(owner) and not isinstance(owner, type) and hasattr(Tensor, name):
        return "error.not-called", facts
    elif isinstance(owner, (int, float)) and hasattr(Tensor, name):
        return "error.number-attribute", facts
    return "error.attribute", facts
