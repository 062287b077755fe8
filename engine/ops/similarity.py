"""Vectors of length one, and how alike vectors are."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dtypes import LEGACY_NAMES, result_type
from engine.errors import fail
from engine.ops.clamping import clamp_min
from engine.ops.compare import where, zero_like
from engine.ops.dims import broadcast_shapes, wrap_dim
from engine.ops.expanding import expand
from engine.ops.norms import length, norm_along, norm_rule, vector_norm
from engine.ops.record import Array, function, op
from engine.ops.reduce import sum_dims
from engine.ops.samples import Sample, t
from engine.tensor import Tensor


def _rows(index: Any) -> Tensor:
    from engine.tensor import make

    return make(index.astype(np.int64))


@function("torch.nn.functional.normalize")
def normalize(
    input: Any, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Any = None
) -> Tensor:
    """Divide by the p-norm along a dim."""
    size = expand(clamp_min(input.norm(p, dim, True), eps), tuple(input.shape))
    result: Tensor = input / size
    return result


@function("torch.cosine_similarity", "torch.nn.functional.cosine_similarity")
def cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """Compute the cosine of the angle between vectors along a dim."""
    kind = result_type([x1, x2])
    x1, x2 = (x if x.dtype is kind else x.to(kind) for x in (x1, x2))
    shape = broadcast_shapes(x1.shape, x2.shape)
    a, b = (x if tuple(x.shape) == shape else expand(x, shape) for x in (x1, x2))
    parts = []
    for x in (a, b):
        size = vector_norm(x, 2, (dim,), True).clone()
        guarded = where(size < eps, zero_like(size) + eps, size) if _any_below(size, eps) else size
        parts.append(x / guarded)
    result: Tensor = sum_dims(parts[0] * parts[1], (dim,))
    return result


def _any_below(x: Tensor, bound: float) -> bool:
    return bool(np.any(x._array < bound))


@function("torch.pairwise_distance", "torch.nn.functional.pairwise_distance")
def pairwise_distance(
    x1: Any, x2: Any, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Tensor:
    """Compute the p-norm of differences along the last dim."""
    shape = broadcast_shapes(x1.shape, x2.shape)
    result: Tensor = norm_along(x1 - x2 + eps, p, (len(shape) - 1,), keepdim)
    return result


@op(
    "renorm",
    latex=r"\val{result}_i = \val{input}_i \min(1, \val{maxnorm} / \|\val{input}_i\|_{\val{p}})",
    grad_fn="RenormBackward0",
    binds=("torch.renorm", "Tensor.renorm", "Tensor.renorm_"),
    samples=lambda: [Sample((t(2, 3), 2, 0, 1.0)), Sample((t(2, 3), 1, 1, 1.5))],
)
def renorm(input: Array, p: float, dim: int, maxnorm: float) -> Array:
    """Shrink slices along a dim that are longer than a bound.

    >>> torch.renorm(torch.tensor([[3., 4.]]), 2, 0, 1.)
    tensor([[0.6000, 0.8000]])
    """
    rest = tuple(d for d in range(input.ndim) if d != dim)
    size = length(input, p, rest, True)
    return input * np.where(size > maxnorm, maxnorm / (size + 1e-7), 1.0).astype(input.dtype)


@renorm.prepare
def _(input: Tensor, p: float, dim: int, maxnorm: float) -> dict[str, Any]:
    if input.ndim < 2:
        raise fail(
            "renorm", f"renorm: input needs at least 2 dimensions, got {input.ndim} dimensions"
        )
    at = wrap_dim(dim, input.ndim)
    if not input.dtype.is_floating_point:
        raise fail(
            "not-floating",
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got"
            f" {LEGACY_NAMES[input.dtype]}",
        )
    return {"dim": at}


@renorm.vjp(
    "input",
    latex=r"\grad{input}_i = \text{the gradient through }"
    r" \val{input}_i\,\val{maxnorm} / \|\val{input}_i\|_{\val{p}} \text{ applied to }"
    r" \grad{result}_i",
)
def _(grad: Any, input: Any, p: float, dim: int, maxnorm: float) -> Any:
    rest = tuple(d for d in range(len(input.shape)) if d != dim)
    size = vector_norm(input, p, rest, True)
    along = sum_dims(input * grad, rest, True)
    through = norm_rule(along, input, size, p, rest, True)
    inverse = 1 / (size + 1e-7)
    shrunk = (grad - inverse * through) * inverse * maxnorm
    return where(size > maxnorm, shrunk, grad)
