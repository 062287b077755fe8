"""Parameter groups with names, and state that was saved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.nn._torch import Tensor, TensorClass


def split_names(group: dict[str, Any], params: list[Any]) -> None:
    """Take the names out of pairs, into `param_names`."""
    names = [item[0] for item in params if isinstance(item, tuple)]
    group["params"] = [item[1] if isinstance(item, tuple) else item for item in params]
    if names:
        if len(names) != len(params):
            raise ValueError(
                "all optimizer params should be with/without names. Some param names are missing"
            )
        group["param_names"] = names


def cast_state(parameter: Tensor, value: Any, key: Any = None) -> Any:
    """Bring loaded state to the parameter's dtype."""
    if isinstance(value, TensorClass):
        if key == "step" or not parameter.is_floating_point():
            return value
        return value.to(dtype=parameter.dtype)
    if isinstance(value, dict):
        return {k: cast_state(parameter, v, k) for k, v in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return type(value)(cast_state(parameter, v) for v in value)  # type: ignore[call-arg]
    return value
