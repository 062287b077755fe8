"""How extremes share a gradient between equal elements, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.dims import wrap_dim
from engine.ops.samples import Sample, T, t
from engine.ops.scatter import scatter_src
from engine.ops.zeros import fresh_zeros
from engine.tensor import Tensor

TIES = T([[1.0, 3.0, 3.0], [2.0, 0.5, 3.0]])


def _wholes() -> list[Sample]:
    return [Sample((t(2, 3),)), Sample((TIES,)), Sample((t(),))]


def _alongs() -> list[Sample]:
    return [Sample((t(2, 3), 0)), Sample((t(2, 3), -1, True)), Sample((TIES, 1)), Sample((t(), 0))]


def how_many(mask: Any) -> int:
    """Count a mask's true elements."""
    return int(np.count_nonzero(mask._array if isinstance(mask, Tensor) else mask))


def evenly(grad: Any, input: Any, result: Any) -> Any:
    """Share a gradient among all elements equal to the result."""
    equal = (input == result) | ((input != input) & (result != result))
    return equal * (grad / max_int(how_many(equal), 1))


def max_int(a: int, b: int) -> int:
    """Return the larger of two integers; `max` is an op here."""
    return a if a > b else b


def need_elements(name: str, input: Tensor) -> None:
    """Refuse to look for an extreme of nothing."""
    if input.shape.numel() == 0:
        raise fail(
            "extreme-of-nothing",
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the"
            " reduction dim with the 'dim' argument.",
        )


def dim_with_elements(name: str, input: Tensor, dim: Any, counted: bool = True) -> int:
    """Return a dim counted from the front, refused when empty (so it is said, or as given)."""
    at = wrap_dim(dim, input.ndim)
    if input.ndim and input.shape[at] == 0:
        raise fail(
            "extreme-of-nothing",
            f"{name}(): Expected reduction dim {at if counted else dim} to have non-zero size.",
            IndexError,
        )
    return at


def put_back(grad: Any, indices: Any, shape: Any, dim: int, keepdim: bool) -> Any:
    """Put gradients where the values were taken from, among zeros."""
    if not shape:
        return grad
    if not keepdim:
        kept = tuple(1 if i == dim else n for i, n in enumerate(shape))
        grad, indices = grad.reshape(kept), indices.reshape(kept)
    return scatter_src(fresh_zeros(grad, shape), dim, indices, grad)
