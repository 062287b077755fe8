"""What the learner calls things: variables that hold tensors, and the text that made them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import CodeType, FrameType
from typing import Any

from engine.tensor import Tensor
from playground.session.instrument import FILENAME

TEXT_LIMIT = 60
CONTAINER_LIMIT = 64
NAMES_LIMIT = 400
BREAK = re.compile(r"\r\n|\r|\n")


class Texts:
    """Source text of the expression an instruction computes."""

    def __init__(self, source: str) -> None:
        self._lines = [line.encode() for line in BREAK.split(source)]
        self._positions: dict[CodeType, list[Any]] = {}
        self._known: dict[tuple[CodeType, int], str | None] = {}

    def at(self, code: CodeType, instruction: int) -> str | None:
        """The text, None where this Python does not know positions (before 3.11)."""
        key = code, instruction
        if key not in self._known:
            self._known[key] = self._find(code, instruction)
        return self._known[key]

    def _find(self, code: CodeType, instruction: int) -> str | None:
        if not hasattr(code, "co_positions"):
            return None
        if code not in self._positions:
            self._positions[code] = list(code.co_positions())
        line, last, start, end = self._positions[code][instruction // 2]
        if line is None or last is None or start is None or end is None:
            return None
        if last > len(self._lines):
            return None
        if line == last:
            raw = self._lines[line - 1][start:end]
        else:
            middle = self._lines[line : last - 1]
            raw = b" ".join([self._lines[line - 1][start:], *middle, self._lines[last - 1][:end]])
        return shorten(" ".join(raw.decode(errors="replace").split()))


def shorten(text: str) -> str:
    return text if len(text) <= TEXT_LIMIT else text[: TEXT_LIMIT - 1] + "…"


def learner_frame() -> FrameType | None:
    """The innermost frame of the learner's program."""
    import sys

    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename != FILENAME:
        frame = frame.f_back
    return frame


def tensors_in(variables: Mapping[str, Any], seen: dict[str, int]) -> Iterator[tuple[str, Tensor]]:
    """Names of tensors among variables, also `model.weight` and `params[0]`.

    `seen` remembers containers by identity and size, which are looked into once.
    """
    for count, (name, value) in enumerate(list(variables.items())):
        if count > NAMES_LIMIT:
            return
        if isinstance(value, Tensor):
            yield name, value
        elif not name.startswith("__") and isinstance(value, (list, tuple, dict)):
            mark = id(value) * 1024 + len(value)
            if value and len(value) <= CONTAINER_LIMIT and seen.get(name) != mark:
                seen[name] = mark
                yield from _in_container(name, value)
        elif hasattr(type(value), "named_parameters") and seen.get(name) != id(value):
            seen[name] = id(value)
            yield from _in_module(name, value)


def modules_in(variables: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """(`net.body.0`, module) of the modules among variables and inside of them."""
    for name, value in list(variables.items())[:NAMES_LIMIT]:
        if hasattr(type(value), "named_modules") and not name.startswith("__"):
            try:
                found = list(value.named_modules())
            except Exception:  # half-built modules, in the middle of their __init__
                continue
            for path, module in found:
                yield f"{name}.{path}" if path else name, module


def _in_container(name: str, value: Any) -> Iterator[tuple[str, Tensor]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in list(items):
        if isinstance(item, Tensor):
            yield f"{name}[{key!r}]", item
        elif hasattr(type(item), "named_parameters"):
            yield from _in_module(f"{name}[{key!r}]", item)


def _in_module(name: str, module: Any) -> Iterator[tuple[str, Tensor]]:
    try:
        for path, parameter in list(module.named_parameters()):
            yield f"{name}.{path}", parameter
    except Exception:  # half-built modules, in the middle of their __init__
        return
