"""Run a program text in this process as an interpreter of its own would; return what it printed.

Used to record (with PyTorch as `torch`) and to check (with `engine` as `torch`). Works in Pyodide
too, where there are no child processes.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import io
import re
import sys
import traceback
import types
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ADDRESS = re.compile(r"0x[0-9a-f]+")
PROGRAMS = Path(__file__).parent / "programs"


def normalise(text: str) -> list[str]:
    """The lines of an output without addresses and without trailing blanks."""
    lines = [line.rstrip() for line in ADDRESS.sub("0x0", text).split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def programs(*folders: str) -> list[Path]:
    """The recorded programs of these folders, or of all."""
    roots = [PROGRAMS / folder for folder in folders] or [PROGRAMS]
    return sorted(path for root in roots for path in root.rglob("*.py"))


def play(source: str, path: str) -> str:
    """Run a program as `__main__` and return its output; an exception becomes the last line."""
    main = types.ModuleType("__main__")
    main.__file__ = path
    before, argv = sys.modules["__main__"], sys.argv
    out = io.StringIO()
    sys.modules["__main__"], sys.argv = main, [path]
    try:
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(io.StringIO()),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("default")
            warnings.showwarning = lambda *_args, **_kwargs: None  # stderr is not compared
            ended = run_main(source, path, main)
    finally:
        sys.modules["__main__"], sys.argv = before, argv
        main.__dict__.clear()
    return out.getvalue() + ended


def run_main(source: str, path: str, main: types.ModuleType) -> str:
    """What an interpreter would add at the end: nothing, or `ErrorType: message`."""
    try:
        exec(compile(source, path, "exec"), main.__dict__)
    except SystemExit:
        return ""
    except BaseException as error:
        traceback.print_exc()
        text = str(error)
        return f"{type(error).__name__}: {text}\n" if text else type(error).__name__ + "\n"
    return ""


def reset(torch: Any) -> None:
    """Undo what a program may have set for the whole process."""
    torch.set_grad_enabled(True)
    torch.set_default_dtype(torch.float32)
    torch.set_printoptions(profile="default")
    torch.autograd.set_detect_anomaly(False)


class _Alias(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Makes `import torch.a.b` mean `import engine.a.b`."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != "torch" and not fullname.startswith("torch."):
            return None
        real = "engine" + fullname[len("torch") :]
        if real not in sys.modules:
            try:
                importlib.import_module(real)
            except ModuleNotFoundError as error:
                if error.name and (real + ".").startswith(error.name + "."):
                    return None
                raise
        return importlib.util.spec_from_loader(fullname, self)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return sys.modules["engine" + spec.name[len("torch") :]]

    def exec_module(self, module: types.ModuleType) -> None:
        """The module ran when it was imported under its own name."""


@contextlib.contextmanager
def engine_as_torch() -> Iterator[Any]:
    """Inside the block `import torch` and every `torch.…` mean the engine."""
    engine = importlib.import_module("engine")
    hidden = {n: m for n, m in sys.modules.items() if n == "torch" or n.startswith("torch.")}
    for name in hidden:
        del sys.modules[name]
    specs = {n: m.__spec__ for n, m in sys.modules.items() if n.split(".")[0] == "engine"}
    finder = _Alias()
    sys.meta_path.insert(0, finder)
    try:
        sys.modules["torch"] = engine
        reset(engine)
        yield engine
    finally:
        reset(engine)
        sys.meta_path.remove(finder)
        for name in [n for n in sys.modules if n == "torch" or n.startswith("torch.")]:
            del sys.modules[name]
        sys.modules.update(hidden)
        for name, spec in specs.items():
            sys.modules[name].__spec__ = spec
