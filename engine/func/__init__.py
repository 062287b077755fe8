"""torch.func: transforms of functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.func.batching import vmap
from engine.func.transforms import (
    grad,
    grad_and_value,
    hessian,
    jacfwd,
    jacrev,
    jvp,
    vjp,
)


def functional_call(
    module: Any,
    parameter_and_buffer_dicts: Any,
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call a module with other parameters and buffers in place of its own, by name."""
    if isinstance(parameter_and_buffer_dicts, Mapping):
        values = dict(parameter_and_buffer_dicts)
    else:
        values = {k: v for part in parameter_and_buffer_dicts for k, v in part.items()}
    given = () if args is None else args if isinstance(args, tuple) else (args,)
    kept: list[tuple[dict[str, Any], str, Any]] = []
    try:
        for name, value in values.items():
            path, _, last = name.rpartition(".")
            owner = module.get_submodule(path)
            store = owner._parameters if last in owner._parameters else owner._buffers
            if last not in store:
                raise KeyError(name)
            kept.append((store, last, store[last]))
            store[last] = value
        return module(*given, **(kwargs or {}))
    finally:
        for store, last, value in reversed(kept):
            store[last] = value


def linearize(func: Any, *primals: Any) -> tuple[Any, Any]:
    """Return `func(*primals)`, and a function from tangents to the derivative along them."""

    def along(*tangents: Any) -> Any:
        return jvp(func, primals, tangents)[1]

    return func(*primals), along


__all__ = [
    "functional_call",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "vjp",
    "vmap",
]
