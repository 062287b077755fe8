"""What a program finds around it is the same in every run, whatever the run before did to it."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

import engine
from engine.ops.calls import replaced_by

# Inside of the engine, rebinding a name is how it remembers things: only what programs see is kept.
_PUBLIC = ("", ".nn", ".nn.functional", ".nn.init", ".optim", ".autograd", ".linalg", ".special")
_OTHERS = (
    "builtins", "collections", "copy", "functools", "itertools", "json", "math", "numpy",
    "numpy.random", "operator", "os", "random", "re", "time", "warnings",
)  # fmt: skip

Owner = types.ModuleType | type


@contextlib.contextmanager
def kept() -> Iterator[None]:
    """Undo what a program binds in modules and classes: `torch.tensor = torch.tensor(1)`."""
    before = [(owner, dict(vars(owner))) for owner in _owners()]
    places: list[list[Any]] = [sys.meta_path, sys.path, sys.path_hooks]
    lists = [(place, list(place)) for place in places]
    environ = dict(os.environ)
    try:
        with np.printoptions(), np.errstate():
            yield
    finally:
        for owner, names in before:
            _restore(owner, names)
        for place, items in lists:
            place[:] = items
        if dict(os.environ) != environ:
            os.environ.clear()
            os.environ.update(environ)


@contextlib.contextmanager
def rare_collections() -> Iterator[None]:
    """Have the collector look less often: nearly all that a run makes stays to its end."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, 10, 10)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def _owners() -> list[Owner]:
    names = [*(engine.__name__ + name for name in _PUBLIC), *_OTHERS]
    modules = [sys.modules[name] for name in names if name in sys.modules]
    own = [module for module in modules if module.__name__.startswith(engine.__name__)]
    classes = {
        value: None
        for module in own
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__.startswith((engine.__name__, "torch"))
    }
    return [*modules, *classes]


def _restore(owner: Owner, names: dict[str, Any]) -> None:
    now = vars(owner)
    for name, value in names.items():
        # An operation's binding moves on to a faster form by itself.
        while isinstance(value, types.FunctionType) and value in replaced_by:
            value = replaced_by[value]
        if name not in now or now[name] is not value:
            with contextlib.suppress(AttributeError, TypeError):  # __dict__, __weakref__ …
                setattr(owner, name, value)
    for name in [name for name in now if name not in names]:
        if not isinstance(now[name], types.ModuleType):  # one that was imported meanwhile stays
            delattr(owner, name)
