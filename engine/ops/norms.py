"""Lengths of vectors, and what is made of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.dtypes import LEGACY_NAMES
from engine.errors import fail
from engine.ops import order as order_of_sums
from engine.ops.arithmetic import refuse_bool
from engine.ops.dims import (
    add_reduce,
    broadcast_shapes,
    count,
    maximum_reduce,
    minimum_reduce,
    reduced_dims,
    unreduce,
)
from engine.ops.masks import masked_fill
from engine.ops.powers import pow_number
from engine.ops.record import Array, function, op
from engine.ops.reduce import sum_dims
from engine.ops.roots import abs, sgn
from engine.ops.samples import Sample, t
from engine.ops.sharing import how_many
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
    return order_of_sums.root_of_squares(input if input.ndim == 1 else input.ravel())


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
    input: Array, ord: float = 2.0, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Array:
    """Compute the p-norm of all elements, or of those along dims.

    >>> torch.linalg.vector_norm(torch.tensor([3., 4.]))
    tensor(5.)
    """
    if input.ndim == 1 and dim is None:
        return order_of_sums.root_of_squares(input)
    if input.ndim and dim is None:
        return order_of_sums.root_of_squares(input.ravel())
    return length(input, ord, dim, keepdim)


@vector_norm.prepare
def _(input: Tensor, ord: Any, dim: Any, keepdim: bool, dtype: Any) -> dict[str, Any]:
    if dim is None and ord == 2 and not keepdim and dtype is None and input.dtype.is_floating_point:
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
    if not isinstance(input, Tensor):
        raise AttributeError(f"'{type(input).__name__}' object has no attribute 'layout'")
    if p == "fro" or p is None:
        if dim is None and dtype is None and not keepdim:
            return vector_norm.on_tensors(input)  # type: ignore[no-any-return]
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
    refuse_bool(input, other)
    broadcast_shapes(input.shape, other.shape)
