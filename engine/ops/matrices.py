"""What linear algebra shares: checks and errors."""

from __future__ import annotations

from typing import Any

from engine.dtypes import LEGACY_NAMES
from engine.errors import fail
from engine.ops.matmul import matmul
from engine.ops.permuting import transpose
from engine.ops.products import product
from engine.ops.samples import T
from engine.tensor import Tensor

SQUARE = T([[2.0, 0.5, -0.3], [0.1, 1.5, 0.4], [-0.2, 0.3, 1.2]])
POSITIVE = T([[2.0, 0.5, -0.3], [0.5, 1.5, 0.4], [-0.3, 0.4, 1.2]])
BATCH = T([[[2.0, 0.5], [0.1, 1.5]], [[1.0, -0.4], [0.3, 0.8]]])


class LinAlgError(RuntimeError):
    """torch.linalg.LinAlgError: what a decomposition cannot do with these numbers."""


LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"
LinAlgError.__module__ = "torch._C"


def turned(x: Any) -> Any:
    """Transpose the last two dims, of an array or a tensor."""
    n = len(x.shape)
    return transpose(x, n - 2, n - 1)


def times(a: Any, b: Any) -> Any:
    """Multiply matrices, arrays or tensors."""
    return matmul(a, b) if isinstance(a, Tensor) else product(a, b)


def check_matrix(name: str, input: Tensor, square: bool = True, letter: str = "A") -> None:
    """Refuse what is no floating matrix, or no square one."""
    if not isinstance(input, Tensor):
        raise TypeError(
            f"linalg_{name}(): argument '{letter}' (position 1) must be Tensor, not"
            f" {type(input).__name__}"
        )
    if input.ndim < 2:
        raise fail(
            "linalg-dims",
            f"linalg.{name}: The input tensor {letter} must have at least 2 dimensions.",
        )
    if square and input.shape[-1] != input.shape[-2]:
        raise fail(
            "linalg-square",
            f"linalg.{name}: {letter} must be batches of square matrices, but they are"
            f" {input.shape[-2]} by {input.shape[-1]} matrices",
        )
    if not input.dtype.is_floating_point:
        raise fail(
            "linalg-dtype",
            f"linalg.{name}: Expected a floating point or complex tensor as input. Got"
            f" {LEGACY_NAMES[input.dtype]}",
        )
