"""Lengths and distances: norm, vector_norm, dist, cdist, normalize, cosine_similarity, renorm."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.dtypes import LEGACY_NAMES
from engine.errors import fail
from engine.ops import order as order_of_sums
from engine.ops.clamping import clamp_min
from engine.ops.compare import where, zero_like
from engine.ops.dims import (
    add_reduce,
    broadcast_shapes,
    count,
    maximum_reduce,
    minimum_reduce,
    reduced_dims,
    unreduce,
    wrap_dim,
)
from engine.ops.extremes import how_many
from engine.ops.masks import masked_fill
from engine.ops.powers import abs, pow_number, sgn
from engine.ops.record import Array, function, op
from engine.ops.reduce import sum_dims
from engine.ops.samples import Sample, t
from engine.ops.shape import expand, unsqueeze
from engine.tensor import Tensor

ORDERS = (2, 1, 3, 0.5, 1.5, math.inf, -math.inf, 0)


def _lengths() -> list[Sample]:
    x = t(2, 3, low=0.3)
    some = [Sample((x, p)) for p in ORDERS]
    return [*some, Sample((x, 2, 1)), Sample((x, 3, (0, 1), True)), Sample((t(), 2))]


def length(input: Any, order: float, dim: Any, keepdim: bool) -> Any:
    """Return the p-norm over dims, computed in the array's own type."""
    if not input.ndim:
        return np.abs(input) if order else (input != 0).astype(input.dtype)
    if dim is None:
        return length_of_all(input)
    size = np.abs(input)
    if order == math.inf:
        return maximum_reduce(size, dim, None, None, keepdim)
    if order == -math.inf:
        return minimum_reduce(size, dim, None, None, keepdim)
    if order == 0:
        return add_reduce(input != 0, dim, input.dtype, None, keepdim)
    if order == 1:
        return add_reduce(size, dim, None, None, keepdim)
    if order == 2:
        return np.sqrt(order_of_sums.squares(input, dim, keepdim))
    return add_reduce(size**order, dim, None, None, keepdim) ** (1 / order)


def length_of_all(input: Any) -> Any:
    """Return the 2-norm of all elements."""
    flat = input if input.ndim == 1 else input.ravel()
    return np.sqrt(order_of_sums.line_of_squares(flat))


def norm_rule(grad: Any, input: Any, result: Any, order: float, dim: Any, keepdim: bool) -> Any:
    """Return the gradient through a p-norm; at the origin it is zero."""
    if order == 0:
        return None
    if input.shape and dim is not None:
        grad, result = (unreduce(x, input.shape, dim, keepdim) for x in (grad, result))
    if order == 1:
        return sgn(input) * grad
    if order == 2:
        return grad * masked_fill(input / result, result == 0, 0)
    if abs_of(order) == math.inf:
        return _shared_among_largest(grad, input, result, dim)
    if order < 1:
        scaled = masked_fill(sgn(input) * pow_number(abs(input), order - 1), input == 0, 0)
        return scaled * grad * pow_number(result, 1 - order)
    if order < 2:
        scaled = sgn(input) * pow_number(abs(input), order - 1)
    else:
        scaled = input * pow_number(abs(input), order - 2)
    return scaled * masked_fill(grad / pow_number(result, order - 1), result == 0, 0)


def abs_of(x: float) -> float:
    """Return a number's absolute value; `abs` is an op here."""
    return math.fabs(x)


def _shared_among_largest(grad: Any, input: Any, result: Any, dim: Any) -> Any:
    largest = abs(input) == result
    if not input.shape or len(dim) == len(input.shape):
        number: Any = how_many(largest) or 1
    else:
        number = sum_dims(largest * 1.0, dim, True)
    return sgn(input) * (grad / number * largest)


@op(
    "linalg_vector_norm",
    latex=r"\val{result} = \left(\sum |\val{input}|^{\val{ord}}\right)^{1/\val{ord}}",
    grad_fn="LinalgVectorNormBackward0",
    samples=_lengths,
)
def vector_norm(
    input: Array, ord: float = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Array:
    """Compute the p-norm of all elements, or of those along dims.

    >>> torch.linalg.vector_norm(torch.tensor([3., 4.]))
    tensor(5.)
    """
    if input.ndim and dim is None:
        return length_of_all(input)
    return length(input, ord, dim, keepdim)


@vector_norm.prepare
def _(input: Tensor, ord: Any, dim: Any, keepdim: bool, dtype: Any) -> dict[str, Any]:
    if dim is None and ord == 2 and not keepdim and dtype is None and input.dtype.numbers:
        return {}  # over everything, without dims to give back
    kind = input.dtype if dtype is None else dtype
    if not kind.is_floating_point:
        raise fail(
            "norm-of-integers",
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got"
            f" {LEGACY_NAMES[kind]}",
            dtype=kind.name,
        )
    dims = reduced_dims(dim, input.ndim)
    if input.shape.numel() == 0 and (ord < 0 or ord == math.inf) and count(input.shape, dims) == 0:
        raise fail(
            "norm-of-nothing",
            f"linalg.vector_norm cannot compute the {_shown(ord)} norm on an empty tensor because"
            " the operation does not have an identity",
        )
    changed: dict[str, Any] = {"dim": dims}
    if kind is not input.dtype:
        changed["input"] = input.to(kind)  # type: ignore[attr-defined]
    return changed


def _shown(order: float) -> str:
    return f"{order:g}"


@vector_norm.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot \operatorname{sgn}(\val{input})"
    r" \left(|\val{input}| / \val{result}\right)^{\val{ord} - 1}",
)
def _(grad: Any, input: Any, result: Any, ord: Any, dim: Any, keepdim: bool) -> Any:
    return norm_rule(grad, input, result, ord, dim, keepdim)


@function("torch.linalg.vector_norm")
def vector_norm_of(
    x: Any = None,
    ord: float = 2,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
    input: Any = None,
) -> Tensor:
    """Compute the p-norm of a tensor seen as one vector, or along dims."""
    result: Tensor = vector_norm(x if input is None else input, ord, dim, keepdim, dtype=dtype)
    return result


@function("torch.norm", "Tensor.norm")
def norm(
    input: Tensor,
    p: Any = "fro",
    dim: Any = None,
    keepdim: bool = False,
    out: Any = None,
    dtype: Any = None,
) -> Tensor:
    """Compute a p-norm over dims, or a matrix norm by name."""
    if p == "fro" or p is None:
        p = 2.0
    if dtype is None and p.__class__ is float:
        return vector_norm.on_tensors(input, p, dim, keepdim)  # type: ignore[no-any-return]
    if isinstance(p, str):
        from engine.ops.matrix_norms import matrix_norm

        dims = (-2, -1) if dim is None else dim
        return matrix_norm(input, p, dims, keepdim, dtype=dtype)  # type: ignore[no-any-return]
    result: Tensor = vector_norm(input, p, dim, keepdim, dtype=dtype)
    return result


@op(
    "norm",
    latex=r"\val{result} = \left(\sum |\val{input}|^{\val{p}}\right)^{1/\val{p}}",
    grad_fn="NormBackward1",
    samples=lambda: [Sample((t(2, 3), 2.0, (1,), False))],
)
def norm_along(input: Array, p: float, dim: Any, keepdim: bool) -> Array:
    """Compute the p-norm along dims, as pairwise_distance does."""
    return length(input, p, dim, keepdim)


@norm_along.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot \operatorname{sgn}(\val{input})"
    r" \left(|\val{input}| / \val{result}\right)^{\val{p} - 1}",
)
def _(grad: Any, input: Any, result: Any, p: float, dim: Any, keepdim: bool) -> Any:
    return norm_rule(grad, input, result, p, dim, keepdim)


@op(
    "dist",
    latex=r"\val{result} = \|\val{input} - \val{other}\|_{\val{p}}",
    grad_fn="DistBackward0",
    binds=("torch.dist", "Tensor.dist"),
    samples=lambda: [Sample((t(3), t(3, seed=1), p)) for p in (2, 1, 3, math.inf)],
    promote="float",
    same_shape=False,
)
def dist(input: Array, other: Array, p: float = 2) -> Array:
    """Compute the p-norm of a difference.

    >>> torch.dist(torch.tensor([1., 1.]), torch.tensor([4., 5.]))
    tensor(5.)
    """
    away = np.asarray(input - other)
    return length(away, p, tuple(range(away.ndim)), False)


@dist.prepare
def _(input: Tensor, other: Tensor, p: float) -> None:
    broadcast_shapes(input.shape, other.shape)


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
    return {"dim": wrap_dim(dim, input.ndim)}


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


# At the end, because these files need each other.
from engine.ops.cumulative import fresh_zeros  # noqa: E402
from engine.ops.gather import index_add, index_select  # noqa: E402
