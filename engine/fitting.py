"""Bringing a gradient to the shape and type of the tensor it is for: broadcasting undone."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.graph import Target
from engine.ops import order
from engine.tensor import Tensor


def stretched(shape: tuple[int, ...], target: tuple[int, ...]) -> tuple[int, ...]:
    """Return the dims that broadcasting added to `target` or stretched, to make `shape`."""
    lead = len(shape) - len(target)
    return tuple(range(lead)) + tuple(
        i + lead for i, n in enumerate(target) if n == 1 and shape[i + lead] != 1
    )


def fit(grad: Any, target: Target) -> Any:
    """Undo broadcasting: sum a gradient to the shape, and bring it to the type, of its tensor."""
    shape, kind = target
    if isinstance(grad, Tensor):
        if grad.shape != shape:
            if not shape:
                grad = grad.sum()  # type: ignore[attr-defined]
            else:
                grad = grad.sum(stretched(grad.shape, shape), keepdim=True)  # type: ignore[attr-defined]
                grad = grad if grad.shape == shape else grad.reshape(shape)
        return grad if grad.dtype is kind else grad.to(kind)
    if grad.shape != shape:
        if len(grad.shape) == 2 and shape == grad.shape[1:] and grad.dtype.kind == "f":
            if grad.size > 128:  # of few elements the last bits may be looked at
                grad = np.dot(ones(len(grad), grad.dtype), grad)  # a bias: 1/4 of the time of a sum
            else:
                grad = order.total(grad, 0)
        elif not shape:
            grad = order.total(grad)
        else:
            dims = stretched(grad.shape, shape)
            keep = len(dims) + len(shape) != len(grad.shape)
            grad = order.total(grad, dims, keepdims=keep)
            if grad.shape != shape:
                grad = grad.reshape(shape)
    return grad if grad.dtype is kind.np or grad.dtype == kind.np else grad.astype(kind.np)


def ones(n: int, kind: np.dtype[Any]) -> Any:
    """Return n ones, the same array each time."""
    found = _ones.get((n, kind))
    if found is None:
        if len(_ones) > 64:
            _ones.clear()
        found = _ones[n, kind] = np.ones(n, kind)
    return found


_ones: dict[tuple[int, np.dtype[Any]], Any] = {}
