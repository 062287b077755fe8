"""Let `import torch` find the engine, and start each run with the engine as new."""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import pkgutil
import random
import sys
import types
from collections.abc import Iterator, Sequence
from typing import Any

import engine
from engine import dtypes, events, grad_mode, views
from engine.nn.modules import _hooks

torch: Any = engine  # its names are made by the registry
NAME = "torch"


class _Finder:
    """Import hook: `import torch.a.b` becomes `import engine.a.b`."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != NAME and not fullname.startswith(NAME + "."):
            return None
        real = engine.__name__ + fullname[len(NAME) :]
        try:
            module = importlib.import_module(real)
        except ModuleNotFoundError as error:
            if error.name is not None and (real + ".").startswith(error.name + "."):
                owner, _, name = real.rpartition(".")
                getattr(sys.modules.get(owner), name, None)  # what is left out says so
                return None
            raise
        return importlib.util.spec_from_loader(fullname, _Existing(module))


class _Existing(importlib.abc.Loader):
    """A loader that hands out a module that is there already, and leaves it as it is."""

    def __init__(self, module: types.ModuleType) -> None:
        self._module = module
        self._spec = module.__spec__

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return self._module

    def exec_module(self, module: types.ModuleType) -> None:
        module.__spec__ = self._spec


def _load_all() -> None:
    """Import the engine's public modules, so that `torch.nn.functional` is there unasked."""
    for package in ("nn", "optim", "autograd", "func", "linalg", "special", "random", "utils"):
        with contextlib.suppress(ModuleNotFoundError):
            module = importlib.import_module(f"{engine.__name__}.{package}")
            for item in pkgutil.iter_modules(getattr(module, "__path__", ())):
                if not item.name.startswith("_"):
                    importlib.import_module(f"{module.__name__}.{item.name}")


@contextlib.contextmanager
def engine_as_torch() -> Iterator[None]:
    """Make the engine importable as torch, whatever torch there may be otherwise."""
    _load_all()
    before = {name: module for name, module in sys.modules.items() if _is_torch(name)}
    for name in before:
        del sys.modules[name]
    for name, module in list(sys.modules.items()):
        if name == engine.__name__ or name.startswith(engine.__name__ + "."):
            sys.modules[NAME + name[len(engine.__name__) :]] = module
    finder = _Finder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):  # a program may have removed it
            sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if _is_torch(name)]:
            del sys.modules[name]
        sys.modules.update(before)


def _is_torch(name: str) -> bool:
    return name == NAME or name.startswith(NAME + ".")


@contextlib.contextmanager
def fresh_engine(seed: int) -> Iterator[None]:
    """Seed every generator, and undo what a program may have set for the whole engine."""
    random.seed(seed)
    sys.modules["numpy"].random.seed(seed % 2**32)
    torch.manual_seed(seed)
    reset_engine()
    try:
        yield
    finally:
        reset_engine()


def reset_engine() -> None:
    dtypes.set_default_dtype(dtypes.float32)
    grad_mode.enabled, grad_mode.inference = True, False
    torch.set_printoptions(profile="default")
    torch.set_anomaly_enabled(False)
    events.be_careful(views.STALE, False)
    _hooks.clear_global()
