"""The engine as the type checker sees it from here.

Operations bind themselves to the namespace and to Tensor when they are imported, so nothing static
knows them: what is annotated `Tensor` is unchecked, and `TensorClass` is the class itself.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import engine
from engine.tensor import Tensor as _Tensor

Tensor: TypeAlias = Any
TensorClass: Any = _Tensor
torch: Any = engine

__all__ = ["Tensor", "TensorClass", "torch"]
