"""torch.func: transforms of functions."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
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
from engine.ops.record import PUBLIC


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
            if last not in store and not strict:
                continue  # PyTorch lets it pass
            kept.append((store, last, store[last]))
            store[last] = value
        return module(*given, **(kwargs or {}))
    finally:
        for store, last, value in reversed(kept):
            store[last] = value


def stack_module_state(models: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Stack parameters and buffers of models of one class: what `vmap` maps over an ensemble."""
    models = list(models)
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({m.training for m in models}) > 1:
        raise RuntimeError(
            "stack_module_state: Expected all models to have the same training/eval mode."
        )
    if len({type(m) for m in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    params, buffers = (
        {
            name: _stacked([dict(named(m)())[name] for m in models], name)
            for name, _ in named(models[0])()
        }
        for named in (attrgetter("named_parameters"), attrgetter("named_buffers"))
    )
    return params, buffers


def _stacked(tensors: list[Any], name: str) -> Any:
    if len({t.requires_grad for t in tensors}) > 1:
        raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
    result = PUBLIC["torch.stack"](tensors)
    return result.detach().requires_grad_() if tensors[0].requires_grad else result


def functionalize(func: Any, *, remove: str = "mutations") -> Any:
    """Return the function: what it computes is the same; there is no tracer to see its writes."""
    return func


def linearize(func: Any, *primals: Any) -> tuple[Any, Any]:
    """Return `func(*primals)`, and a function from tangents to the derivative along them."""

    def along(*tangents: Any) -> Any:
        return jvp(func, primals, tangents)[1]

    return func(*primals), along


__all__ = [
    "functional_call",
    "functionalize",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "stack_module_state",
    "vjp",
    "vmap",
]
