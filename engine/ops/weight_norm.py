"""A weight as the product of its length and its direction."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.dims import add_reduce
from engine.ops.norms import norm_along, vector_norm
from engine.ops.record import Array, function, op
from engine.ops.reduce import sum_dims
from engine.ops.samples import Sample, t


def others(ndim: int, dim: int) -> tuple[int, ...]:
    """Return all dims but one; all of them for -1."""
    return tuple(d for d in range(ndim) if d != dim)


@op(
    "_weight_norm",
    latex=r"\val{result} = \val{g} \frac{\val{v}}{\|\val{v}\|}",
    grad_fn="WeightNormInterfaceBackward0",
    binds=("torch._weight_norm",),
    samples=lambda: [
        Sample((t(2, 3), t(2, 1, seed=1), 0)),
        Sample((t(2, 3), t(1, 3, seed=1), 1)),
    ],
)
def weight_norm(v: Array, g: Array, dim: int = 0) -> Any:
    """Give vectors along all dims but one a length.

    >>> torch._weight_norm(torch.tensor([[3., 4.]]), torch.tensor([[10.]]))
    tensor([[6., 8.]])
    """
    length = np.sqrt(add_reduce(v * v, others(v.ndim, dim), None, None, True))
    return v * (g / length)


@weight_norm.vjp(
    "v",
    latex=r"\grad{v} = \frac{\val{g}}{\|\val{v}\|}\left(\grad{result}"
    r" - \frac{\val{v} \sum \grad{result} \odot \val{v}}{\|\val{v}\|^2}\right)",
)
def _(grad: Any, v: Any, g: Any, dim: int) -> Any:
    length = vector_norm(v, 2, others(v.ndim, dim), True)
    along = sum_dims(grad * v, others(v.ndim, dim), True)
    return (grad - v * (along / (length * length))) * (g / length)


@weight_norm.vjp("g", latex=r"\grad{g} = \sum \grad{result} \odot \frac{\val{v}}{\|\val{v}\|}")
def _(grad: Any, v: Any, dim: int) -> Any:
    dims = others(v.ndim, dim)
    return sum_dims(grad * v, dims, True) / vector_norm(v, 2, dims, True)


@function("torch.norm_except_dim")
def norm_except_dim(v: Any, pow: int = 2, dim: int = 0) -> Any:
    """Compute the length of each slice of a dim; of the whole for -1."""
    if dim == -1:
        return v.norm(pow)
    return norm_along(v, float(pow), others(v.ndim, dim), True)
