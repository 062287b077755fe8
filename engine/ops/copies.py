"""Copies and overwriting."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.record import Array, op
from engine.ops.samples import Sample, any_shape, t
from engine.tensor import Tensor, make


@op(
    "clone",
    latex=r"\val{result} = \val{input}",
    grad_fn="CloneBackward0",
    binds=("torch.clone", "Tensor.clone"),
    samples=any_shape,
)
def clone(input: Array, *, memory_format: Any = None) -> Array:
    """Copy a tensor; gradients pass through.

    >>> torch.clone(torch.tensor([1., 2.]))
    tensor([1., 2.])
    """
    return input.copy(order="K") if isinstance(input, np.ndarray) else input


@clone.vjp("input", latex=r"\grad{input} = \grad{result}")
def _(grad: Any) -> Any:
    return grad


def _pairs() -> list[Sample]:
    return [Sample((t(2, 3), t(2, 3, seed=1))), Sample((t(2, 3), t(3, seed=1)))]


@op(
    "copy",
    latex=r"\val{result} = \val{src}",
    grad_fn="CopyBackwards",
    binds=("Tensor.copy_",),
    numbers=("src",),
    samples=_pairs,
)
def copy(input: Array, src: Array, non_blocking: bool = False) -> Array:
    """Overwrite a tensor with another of a shape that broadcasts to its own.

    >>> torch.zeros(2).copy_(torch.tensor([1., 2.]))
    tensor([1., 2.])
    """
    return np.broadcast_to(src, input.shape).astype(input.dtype)


@copy.prepare
def _(input: Tensor, src: Any, non_blocking: bool) -> dict[str, Any] | None:
    if not isinstance(src, Tensor):
        return {"src": make(np.asarray(src, input.dtype.np))}
    try:
        fits = np.broadcast_shapes(src.shape, input.shape) == input.shape
    except ValueError:
        fits = False
    if not fits:
        a, b = list(input.shape), list(src.shape)
        at = _first_misfit(input.shape, src.shape)
        if at is None:
            raise fail(
                "copy-shape",
                f"output with shape {a} doesn't match the broadcast shape"
                f" {list(np.broadcast_shapes(src.shape, input.shape))}",
            )
        raise fail(
            "copy-shape",
            f"The size of tensor a ({at[0]}) must match the size of tensor b ({at[1]}) at"
            f" non-singleton dimension {at[2]}",
            shape=a,
            other=b,
        )
    return None


def _first_misfit(a: Any, b: Any) -> tuple[int, int, int] | None:
    n = max(len(a), len(b))
    for at in range(n - 1, -1, -1):
        x = a[at - n + len(a)] if at - n + len(a) >= 0 else 1
        y = b[at - n + len(b)] if at - n + len(b) >= 0 else 1
        if x != y and x != 1 and y != 1:
            return x, y, at
    return None


@copy.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")
def _(grad: Any) -> Any:
    return grad * 0


@copy.vjp("src", latex=r"\grad{src} = \grad{result}")
def _(grad: Any) -> Any:
    return grad


@op(
    "zero",
    latex=r"\val{result} = 0",
    grad_fn="ZeroBackward0",
    binds=("torch.zero_", "Tensor.zero_"),
)
def zero(input: Array) -> Array:
    """Overwrite a tensor with zeros.

    >>> torch.ones(2).zero_()
    tensor([0., 0.])
    """
    return np.zeros(input.shape, input.dtype)


@zero.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")
def _(grad: Any) -> Any:
    return grad * 0


@op(
    "fill",
    latex=r"\val{result} = \val{value}",
    grad_fn=lambda input, value: f"FillBackward{2 + isinstance(value, Tensor)}",
    binds=("torch.fill", "torch.fill_", "Tensor.fill_"),
    samples=lambda: [Sample((t(2, 3), 1.5)), Sample((t(2), t(seed=1)))],
    numbers=("value",),
)
def fill(input: Array, value: Array) -> Array:
    """Overwrite a tensor with one number.

    >>> torch.zeros(2).fill_(3)
    tensor([3., 3.])
    """
    return np.full(input.shape, value, input.dtype)


@fill.prepare
def _(input: Tensor, value: Any) -> None:
    if isinstance(value, Tensor) and value.shape:
        raise fail(
            "fill-shape",
            "fill_ only supports 0-dimension value tensor but got tensor with"
            f" {len(value.shape)} dimensions.",
        )


@fill.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")
def _(grad: Any) -> Any:
    return grad * 0


@fill.vjp("value", latex=r"\grad{value} = \sum \grad{result}")
def _(grad: Any) -> Any:
    return grad
