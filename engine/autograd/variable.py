"""torch.autograd.Variable: the name tensors had in old programs."""

from __future__ import annotations

from typing import Any

from engine.tensor import Tensor


class _VariableMeta(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Tensor)


class Variable(metaclass=_VariableMeta):
    """Wraps data as a tensor: a view of it without history."""

    def __new__(cls, data: Any = None, requires_grad: bool = False, volatile: Any = None) -> Any:
        """Return a tensor that shares its memory with `data`."""
        if not isinstance(data, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        made = data.detach()  # type: ignore[attr-defined]
        return made.requires_grad_() if requires_grad else made
