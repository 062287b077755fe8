"""Arguments of the specialised forms of plain.py: their names, and the call handed on as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine.ops.signature import ALIASES, Param

if TYPE_CHECKING:
    from engine.ops.record import Op


def positional(op: Op) -> list[Param]:
    """Return the attributes that PyTorch takes without their names."""
    found = []
    forms = op.forms.known.forms if op.forms.known else []
    names = {p.name for form in forms for p in form.parameters if not p.keyword_only}
    for p in op.params[len(op.tensors) :]:
        if p.keyword_only or (forms and p.name not in names):
            break
        found.append(p)
    return found


def spelt_with(defaults: tuple[Any, ...]) -> Callable[..., tuple[Any, ...]]:
    """Return what gives a call's attributes back as they were, without defaults at the end."""

    def spelt(values: tuple[Any, ...], rest: tuple[Any, ...] = ()) -> tuple[Any, ...]:
        count = len(values)
        while not rest and count and values[count - 1] is defaults[count - 1]:
            count -= 1
        return values[:count] + rest

    return spelt


def unless_none(op: Op, name: str, source: str, otherwise: str = "None") -> str:
    """Return source about an input, with a test in front where the input is optional."""
    if any(p.name == name and p.kind == "optional" for p in op.params):
        return f"({otherwise} if {name} is None else {source})"
    return source


def aliases(op: Op) -> list[str]:
    """Return numpy's names for the op's attributes, which PyTorch takes too."""
    attributes = {p.name for p in op.params if not p.is_tensor}
    return [alias for alias, name in ALIASES.items() if name in attributes]


def signature(op: Op) -> str:
    """Return the parameters: all may be missing, so that the general way makes the error."""
    positional = [p for p in op.params if not p.keyword_only]
    rest = [p for p in op.params if p.keyword_only]
    parts = [f"{p.name}={p.name}_default" for p in positional]
    parts += ["*rest", *(f"{p.name}={p.name}_default" for p in rest), "out=None"]
    parts += [*(f"{alias}=MISSING" for alias in aliases(op)), "**unknown"]
    return ", ".join(parts)
