"""How PyTorch names the type of a value in its error messages."""

from __future__ import annotations

from typing import Any

from engine.nn._torch import TensorClass


def typename(value: Any) -> str:
    """Return "torch.FloatTensor" for a tensor, else the qualified name of the value's type."""
    if isinstance(value, TensorClass):
        return str(value.type())
    kind = value if hasattr(value, "__qualname__") else type(value)
    module = getattr(kind, "__module__", "")
    name: str = kind.__qualname__
    return name if module in ("builtins", "", None) else f"{module}.{name}"
