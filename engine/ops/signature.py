"""From a forward's signature to parameters, and from a call to their values."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

REQUIRED = inspect.Parameter.empty
ALIASES = {"axis": "dim", "x": "input", "x1": "input", "x2": "other", "keepdims": "keepdim"}
KINDS = {"Array": "array", "Array | None": "optional", "Arrays": "list"}


# Where PyTorch has several forms of one op, it lists them instead of what is missing.
OVERLOADED = {
    name: "(Tensor input, Tensor other, *, Number alpha = 1, Tensor out = None)"
    for name in ("add", "sub")
}


class Param:
    """One parameter of an op: a tensor, an optional one, a list of them, or an attribute."""

    __slots__ = ("default", "is_tensor", "keyword_only", "kind", "name", "variadic")

    def __init__(self, p: inspect.Parameter, variadic: bool) -> None:
        self.name = p.name
        self.kind = KINDS.get(str(p.annotation), "attribute")
        self.is_tensor = self.kind != "attribute"
        self.default = p.default
        self.keyword_only = p.kind is inspect.Parameter.KEYWORD_ONLY
        self.variadic = variadic


def read_parameters(forward: Callable[..., Any], variadic: str | None) -> tuple[Param, ...]:
    """Read the parameters of a forward; annotations `Array` and `Arrays` mark tensors.

    `variadic` names the parameter that may also be spelt as several positional arguments.
    """
    found = inspect.signature(forward).parameters.values()
    return tuple(Param(p, p.name == variadic) for p in found)


def bind_arguments(
    name: str, params: tuple[Param, ...], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> list[Any]:
    """Return one value per parameter, or raise a TypeError as PyTorch does."""
    args = _gather_variadic(params, args)
    positional = [p for p in params if not p.keyword_only]
    if len(args) > len(positional):
        takes, were = len(positional), len(args)
        raise TypeError(
            f"{name}() takes {takes} positional argument{'s' * (takes != 1)} but {were} were given"
        )
    values = list(args)
    left = dict(kwargs)
    for spelt in list(left):
        meant = ALIASES.get(spelt)
        if meant is not None and any(p.name == meant for p in params):
            left[meant] = left.pop(spelt)
    for p in params[: len(args)]:
        if p.name in left:
            raise TypeError(f"{name}() got multiple values for argument '{p.name}'")
    missing = []
    for p in params[len(args) :]:
        if p.name in left:
            values.append(left.pop(p.name))
        elif p.default is not REQUIRED:
            values.append(p.default)
        else:
            missing.append(p.name)
    if missing and name in OVERLOADED:
        got = ", ".join(type(a).__name__ for a in args)
        raise TypeError(
            f"{name}() received an invalid combination of arguments - got ({got}), but expected"
            f" {OVERLOADED[name]}"
        )
    if missing:
        raise TypeError(
            f"{name}() missing {len(missing)} required positional arguments: "
            + ", ".join(f'"{m}"' for m in missing)
        )
    for spelt in left:
        raise TypeError(f"{name}() got an unexpected keyword argument '{spelt}'")
    return values


def _gather_variadic(params: tuple[Param, ...], args: tuple[Any, ...]) -> tuple[Any, ...]:
    for i, p in enumerate(params):
        if p.variadic:
            rest = args[i:]
            if rest and not isinstance(rest[0], (tuple, list)) and rest[0] is not None:
                return (*args[:i], tuple(rest))
    return args
