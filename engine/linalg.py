"""torch.linalg: matrix decompositions, norms and solvers, bound by their declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.ops.matrices import LinAlgError
from engine.ops.record import public_names as _public_names

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...


globals().update(_public_names("torch.linalg"))

__all__ = ["LinAlgError"]
