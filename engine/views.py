"""Views: tensors that share memory with another, its version counter and its history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.dtypes import BY_NUMPY, Size
from engine.tensor import Tensor, new

if TYPE_CHECKING:
    from engine.ops.record import Op


def wrap_view(array: Any, source: Tensor, op: Op) -> Tensor:
    """Make the tensor of a view of `source`."""
    shared = source._shared()
    t: Tensor = new(Tensor)
    t._array = array if isinstance(array, np.ndarray) else np.asarray(array)
    t.shape = Size(array.shape)
    t.dtype = BY_NUMPY[array.dtype]
    t._fn = None
    t._meta = None
    meta = t._more()
    meta.storage = shared
    base = source._more().base
    meta.base = source if base is None else base
    return t
