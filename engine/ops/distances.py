"""Distances between the rows of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dtypes import LEGACY_NAMES
from engine.errors import fail
from engine.ops.compare import zero_like
from engine.ops.dims import broadcast_shapes
from engine.ops.expanding import unsqueeze
from engine.ops.norms import dist, length, norm_rule
from engine.ops.record import Array, function, op
from engine.ops.reduce import sum_dims
from engine.ops.samples import Sample, t
from engine.ops.similarity import _rows
from engine.ops.slices import index_add, index_select
from engine.ops.zeros import fresh_zeros
from engine.tensor import Tensor


def _dist_rule(grad: Any, input: Any, other: Any, result: Any, p: float) -> Any:
    away = input - other
    return norm_rule(grad, away, result, p, tuple(range(len(away.shape))), False)


@dist.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot \operatorname{sgn}(\val{input} - \val{other})"
    r" \left(|\val{input} - \val{other}| / \val{result}\right)^{\val{p} - 1}",
)
def _(grad: Any, input: Any, other: Any, result: Any, p: float) -> Any:
    return _dist_rule(grad, input, other, result, p)


@dist.vjp(
    "other",
    latex=r"\grad{other} = -\grad{result} \odot \operatorname{sgn}(\val{input} - \val{other})"
    r" \left(|\val{input} - \val{other}| / \val{result}\right)^{\val{p} - 1}",
)
def _(grad: Any, input: Any, other: Any, result: Any, p: float) -> Any:
    slope = _dist_rule(grad, input, other, result, p)
    return None if slope is None else -slope


def _clouds() -> list[Sample]:
    pair = (t(2, 3), t(4, 3, seed=1))
    return [
        *(Sample((*pair, p)) for p in (2.0, 1.0, 3.0)),
        Sample((t(2, 2, 3), t(2, 1, 3, seed=1), 2.0)),
    ]


@op(
    "cdist",
    latex=r"\val{result}_{ij} = \|\val{x1}_i - \val{x2}_j\|_{\val{p}}",
    grad_fn="CdistBackward0",
    samples=_clouds,
)
def cdist(x1: Array, x2: Array, p: float = 2.0) -> Array:
    """Compute the distance of each point of one set to each of another.

    >>> torch.cdist(torch.zeros(1, 2), torch.tensor([[3., 4.]]))
    tensor([[5.]])
    """
    away = x1[..., :, None, :] - x2[..., None, :, :]
    return length(away, p, (-1,), False)


@cdist.prepare
def _(x1: Tensor, x2: Tensor, p: float) -> None:
    for name, x in (("X1", x1), ("X2", x2)):
        if x.ndim < 2:
            raise fail("cdist", f"cdist only supports at least 2D tensors, {name} got: {x.ndim}D")
    if x1.shape[-1] != x2.shape[-1]:
        raise fail(
            "cdist",
            f"X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2:"
            f" {x2.shape[-1]}",
        )
    if x1.dtype is not x2.dtype:
        a, b = (LEGACY_NAMES[x.dtype] for x in (x1, x2))
        raise fail("dtypes-differ", f"expected scalar type {a} but found {b}")
    if p < 0:
        raise fail("cdist", "cdist only supports non-negative p values")
    broadcast_shapes(x1.shape[:-2], x2.shape[:-2])


def _cdist_slopes(grad: Any, x1: Any, x2: Any, result: Any, p: float) -> Any:
    """Return the gradient for each pair of points."""
    away = unsqueeze(x1, len(x1.shape) - 1) - unsqueeze(x2, len(x2.shape) - 2)
    slope = norm_rule(grad, away, result, p, (len(away.shape) - 1,), False)
    return zero_like(grad) * away if slope is None else slope


@cdist.vjp(
    "x1",
    latex=r"\grad{x1}_i = \sum_j \grad{result}_{ij}\, \operatorname{sgn}(\val{x1}_i - \val{x2}_j)"
    r" \left(|\val{x1}_i - \val{x2}_j| / \val{result}_{ij}\right)^{\val{p} - 1}",
)
def _(grad: Any, x1: Any, x2: Any, result: Any, p: float) -> Any:
    slopes = _cdist_slopes(grad, x1, x2, result, p)
    return sum_dims(slopes, (len(slopes.shape) - 2,))


@cdist.vjp(
    "x2",
    latex=r"\grad{x2}_j = -\sum_i \grad{result}_{ij}\, \operatorname{sgn}(\val{x1}_i - \val{x2}_j)"
    r" \left(|\val{x1}_i - \val{x2}_j| / \val{result}_{ij}\right)^{\val{p} - 1}",
)
def _(grad: Any, x1: Any, x2: Any, result: Any, p: float) -> Any:
    slopes = _cdist_slopes(grad, x1, x2, result, p)
    return -sum_dims(slopes, (len(slopes.shape) - 3,))


@function("torch.cdist")
def cdist_of(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: Any = None) -> Tensor:
    """Compute the distance of each point of one set to each of another."""
    result: Tensor = cdist(x1, x2, float(p))
    return result


@op(
    "pdist",
    latex=r"\val{result}_{ij} = \|\val{input}_i - \val{input}_j\|_{\val{p}},\ i < j",
    grad_fn="PdistBackward0",
    binds=("torch.pdist", "torch.nn.functional.pdist"),
    samples=lambda: [Sample((t(3, 2), p)) for p in (2.0, 1.0, 3.0)],
)
def pdist(input: Array, p: float = 2.0) -> Array:
    """Compute the distance of each pair of rows.

    >>> torch.pdist(torch.tensor([[0., 0.], [3., 4.]]))
    tensor([5.])
    """
    first, second = np.triu_indices(input.shape[0], 1)
    return length(input[first] - input[second], p, (-1,), False)


@pdist.prepare
def _(input: Tensor, p: float) -> None:
    if input.ndim != 2:
        raise fail("pdist", f"pdist only supports 2D tensors, got: {input.ndim}D")


@pdist.vjp(
    "input",
    latex=r"\grad{input}_i = \sum_j \grad{result}_{ij}\,"
    r" \operatorname{sgn}(\val{input}_i - \val{input}_j)"
    r" \left(|\val{input}_i - \val{input}_j| / \val{result}_{ij}\right)^{\val{p} - 1}",
)
def _(grad: Any, input: Any, result: Any, p: float) -> Any:
    first, second = (_rows(i) for i in np.triu_indices(input.shape[0], 1))
    if not isinstance(input, Tensor):
        first, second = first._array, second._array
    away = index_select(input, 0, first) - index_select(input, 0, second)
    slope = norm_rule(grad, away, result, p, (1,), False)
    if slope is None:
        return None
    whole = fresh_zeros(grad, input.shape)
    return index_add(index_add(whole, 0, first, slope), 0, second, -slope)
