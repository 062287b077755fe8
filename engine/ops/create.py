"""Tensors that no operation computes: from data, filled, and in sequences."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.dtypes import dtype
from engine.ops.record import function
from engine.tensor import Tensor, make


@function("torch.tensor")
def tensor(data: Any, *, dtype: dtype | None = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """Copy numbers, nested lists or an array into a new leaf tensor."""
    return make(array_from(data, dtype), requires_grad, "tensor")


def array_from(data: Any, kind: dtype | None) -> Any:
    """Return a fresh array of the numbers in `data`."""
    if isinstance(data, Tensor):
        data = data._array
    array = np.array(data)
    if kind is None:
        if isinstance(data, (np.ndarray, np.generic)):
            kind = dtypes.BY_NUMPY[array.dtype]
        else:
            kind = dtypes.default if array.dtype.kind == "f" or not array.size else dtypes.BY_NUMPY[array.dtype]
    return array.astype(kind.np)


def legacy_tensor(cls: type, *args: Any) -> Tensor:
    """Make what torch.Tensor(...) makes."""
    if len(args) == 1 and not isinstance(args[0], int):
        return make(array_from(args[0], dtypes.float32), how="Tensor")
    return make(np.zeros(args, np.float32), how="Tensor")


def _size(args: Any) -> tuple[int, ...]:
    return tuple(args[0]) if len(args) == 1 and not isinstance(args[0], int) else tuple(args)


@function("torch.zeros")
def zeros(*size: Any, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    """Make a tensor of zeros."""
    return make(np.zeros(_size(size), (dtype or dtypes.default).np), requires_grad, "zeros")


@function("torch.ones")
def ones(*size: Any, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    """Make a tensor of ones."""
    return make(np.ones(_size(size), (dtype or dtypes.default).np), requires_grad, "ones")
