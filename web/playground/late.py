"""A worker's start from kept memory, and modules that reach it after its start."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import random
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

LIBRARY = "/lib/python3.12"


class Remainder:
    """Finds the rest of standard packages whose first part came in the interpreter's archive."""

    def __init__(self, library: str) -> None:
        self.library = library

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Look a submodule up in the folder of the remainder that has its package's name."""
        if path is None:
            return None
        folder = "/".join([self.library, *name.split(".")[:-1]])
        return PathFinder.find_spec(name, [folder], target)


# Packages that only the interface worker has when both start without a snapshot.
OF_THE_INTERFACE = ("bokeh", "jinja2", "panel", "param", "playground.app", "playground.views")


def woken(role: str) -> None:
    """Make an interpreter that was restored from a snapshot one of its own, for one worker.

    All who open the page start from the same memory, so random numbers are drawn anew. The snapshot
    serves both workers: the one that runs programs forgets the interface.
    """
    random.seed()
    if "numpy.random" in sys.modules:
        sys.modules["numpy.random"].seed()
    if role == "runner":
        for name in list(sys.modules):
            if any(name == p or name.startswith(f"{p}.") for p in OF_THE_INTERFACE):
                del sys.modules[name]


def arrived(library: str = LIBRARY) -> None:
    """Let imports find what was just unpacked."""
    importlib.invalidate_caches()
    if not any(isinstance(finder, Remainder) for finder in sys.meta_path):
        sys.meta_path.append(Remainder(library))


def missing(source: str) -> list[str]:
    """Return the imported modules that are not here, torch's aside; none if it is no program."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return sorted(name for name in _imported(tree) if not _here(name))


def _imported(tree: ast.AST) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
    return {name for name in names if name.partition(".")[0] != "torch"}


def _here(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False
