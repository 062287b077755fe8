"""Which values PyTorch's argument parser takes for a type, and what it calls a value's type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import dtypes
from engine.tensor import Tensor

NUMBERS = (int, float, complex, np.number, np.bool_)
DTYPES = (float, int, bool, complex)


def contents(value: Any) -> str:
    """Return the type of a value, with those of a list's elements."""
    if not isinstance(value, (tuple, list)):
        return type_name(value)
    inner = ", ".join(map(type_name, value))
    if isinstance(value, list):
        return f"{type_name(value)} of [{inner}]"
    return f"{type_name(value)} of ({inner}{',' * (len(value) == 1)})"


def type_name(value: Any) -> str:
    """Return a type's name as C has it: with its module unless that is Python's own."""
    kind = type(value)
    if kind is type and issubclass(value, Tensor):
        return "torch._C._TensorMeta"
    if isinstance(value, Tensor):
        return kind.__name__
    if kind.__module__ == "numpy":
        return f"numpy.{kind.__name__}"
    return f"torch.{kind.__name__}" if kind.__module__ == "engine.dtypes" else kind.__name__


def kind_of(value: Any) -> Any:
    """Return what a call's value must have in common with one that was found good."""
    kind = value.__class__
    if (kind is tuple or kind is list) and value:
        return kind, value[0].__class__
    if kind is Tensor:
        return kind if value.shape else (kind, value.dtype)
    return kind


def is_tensor(value: Any) -> bool:
    """Whether a value is a tensor."""
    return isinstance(value, Tensor)


def is_tensor_or_number(value: Any) -> bool:
    """Whether a value is a tensor or a number."""
    return isinstance(value, (Tensor, *NUMBERS))


def is_tensors(value: Any) -> bool:
    """Whether a value is a list; what its elements are is told apart."""
    return isinstance(value, (tuple, list))


def is_float(value: Any) -> bool:
    """Whether a value is a real number, or a tensor that holds one and needs no gradient."""
    if isinstance(value, Tensor):
        return not value.shape and not value.requires_grad
    return isinstance(value, (int, float, np.number, np.bool_))


def is_number(value: Any) -> bool:
    """Whether a value is a number."""
    return isinstance(value, complex) or is_float(value)


def is_index(value: Any) -> bool:
    """Whether a value is an integer, or a tensor that holds one."""
    if isinstance(value, Tensor):
        return value.shape.numel() == 1 and not value.dtype.is_floating_point
    return hasattr(value, "__index__") and not isinstance(value, (bool, np.bool_, np.ndarray))


def is_ints(value: Any) -> bool:
    """Whether a value is a list that begins with an integer."""
    return isinstance(value, (tuple, list)) and (not value or is_index(value[0]))


def is_floats(value: Any) -> bool:
    """Whether a value is a list of numbers."""
    return isinstance(value, (tuple, list)) and all(map(is_number, value))


def instance_of(*kinds: Any) -> Callable[[Any], bool]:
    """Return a check for instances of these types."""
    return lambda value: isinstance(value, kinds)


def is_dtype(value: Any) -> bool:
    """Whether a value is a dtype or one of Python's types that stands for one."""
    return isinstance(value, dtypes.dtype) or value in DTYPES


def is_generator(value: Any) -> bool:
    """Whether a value is a random generator."""
    return type(value).__name__ == "Generator"


def anything(value: Any) -> bool:
    """Take whatever it is."""
    return True


CHECKS: dict[str, Callable[[Any], bool]] = {
    "Tensor": is_tensor,
    "tuple of Tensors": is_tensors,
    "Number": is_number,
    "float": is_float,
    "int": is_index,
    "tuple of ints": is_ints,
    "tuple of floats": is_floats,
    "tuple of Scalars": is_floats,
    "bool": instance_of(bool),
    "str": instance_of(str),
    "torch.dtype": is_dtype,
    "torch.layout": instance_of(dtypes.layout),
    "torch.device": instance_of(dtypes.device, str, int),
    "torch.memory_format": instance_of(dtypes.memory_format),
    "torch.Generator": is_generator,
}  # a type that is not here takes anything
