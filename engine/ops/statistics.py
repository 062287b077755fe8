"""Spread and quantiles: var, std, var_mean, quantile, cov, corrcoef, nanmean."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops.blending import lerp
from engine.ops.clamping import clamp
from engine.ops.compare import where, zero_like
from engine.ops.dims import (
    add_reduce,
    count,
    numpy_names,
    reduced_dims,
    unreduce,
    wrap_dim,
)
from engine.ops.expanding import squeeze, unsqueeze
from engine.ops.gather import gather
from engine.ops.mm import mm
from engine.ops.mutate import squeeze_in_place, transpose_in_place, unsqueeze_in_place
from engine.ops.permuting import matrix_t
from engine.ops.questions import isnan
from engine.ops.record import Array, function, op
from engine.ops.reduce import mean, nansum, sum_dims
from engine.ops.roots import sqrt
from engine.ops.samples import Sample, t
from engine.ops.shape import reshape
from engine.ops.sorting import sort_dim
from engine.tensor import Tensor, make


def _spreads() -> list[Sample]:
    x = t(2, 4)
    ways: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((), {}), ((1,), {}), ((), {"correction": 0}), ((0,), {"keepdim": True}), (((0, 1),), {}),
    ]  # fmt: skip
    return [Sample((x, *a), k) for a, k in ways]


def freedom(n: int, correction: Any) -> float:
    """Return what a sum of squares is divided by."""
    left = n - (1 if correction is None else correction)
    return left if left > 0 else 0


def spread(
    input: Any, dim: Any, correction: Any, keepdim: bool, root: bool = False
) -> tuple[Any, Any]:
    """Return variance, or its root, and mean over dims."""
    if not input.ndim:
        away = input - input  # nan for what is not finite
        total = (away * away / input.dtype.type(freedom(1, correction)))[()]
        return (np.sqrt(total) if root else total), input
    n = count(input.shape, dim)
    if not n:  # whatever the correction
        correction = 0
    exact = input.astype(np.float64)  # as PyTorch accumulates
    middle = add_reduce(exact, dim, None, None, True) / n
    away = exact - middle
    total = np.true_divide(
        add_reduce(away * away, dim, None, None, keepdim), freedom(n, correction)
    )
    result = (np.sqrt(total) if root else total).astype(input.dtype)
    middle = np.asarray(middle, input.dtype)
    return result, middle if keepdim else middle.reshape(result.shape)


def _prepared(name: str, input: Tensor, dim: Any) -> dict[str, Any]:
    if not input.dtype.is_floating_point:
        text = "only support floating point and complex dtypes"
        raise fail("spread-of-integers", f"{name} {text}", dtype=input.dtype.name)
    return {"dim": reduced_dims(dim, input.ndim)}


def variance_rule(grad: Any, input: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    """Return the gradient through a variance."""
    left = freedom(count(input.shape, dim), correction)
    scale = 2.0 / left if left else math.inf
    if not input.shape:
        return grad * scale * (input - input)
    grad = unreduce(grad, input.shape, dim, keepdim)
    return grad * scale * (input - mean(input, dim, True))


@op(
    "var",
    latex=r"\val{result} = \tfrac{1}{n - \val{correction}} \sum (\val{input} -"
    r" \overline{\val{input}})^2",
    grad_fn="VarBackward0",
    samples=_spreads,
)
def var_dims(
    input: Array, dim: Any = None, *, correction: Any = None, keepdim: bool = False
) -> Array:
    """Average the squared distance from the mean, over n - correction.

    >>> torch.var(torch.tensor([1., 2., 3.]))
    tensor(1.)
    """
    return spread(input, dim, correction, keepdim)[0]


@var_dims.prepare
def _(input: Tensor, dim: Any, correction: Any, keepdim: bool) -> dict[str, Any]:
    return _prepared("std and var", input, dim)


@var_dims.vjp(
    "input",
    latex=r"\grad{input} = \tfrac{2}{n - \val{correction}} \grad{result}"
    r" \odot (\val{input} - \overline{\val{input}})",
)
def _(grad: Any, input: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    return variance_rule(grad, input, dim, correction, keepdim)


@op(
    "std",
    latex=r"\val{result} = \sqrt{\tfrac{1}{n - \val{correction}} \sum (\val{input} -"
    r" \overline{\val{input}})^2}",
    grad_fn="StdBackward0",
    samples=_spreads,
)
def std_dims(
    input: Array, dim: Any = None, *, correction: Any = None, keepdim: bool = False
) -> Array:
    """Take the square root of the variance.

    >>> torch.std(torch.tensor([1., 2., 3.]))
    tensor(1.)
    """
    return spread(input, dim, correction, keepdim, True)[0]


@std_dims.prepare
def _(input: Tensor, dim: Any, correction: Any, keepdim: bool) -> dict[str, Any]:
    return _prepared("std and var", input, dim)


def deviation_rule(
    grad: Any, input: Any, result: Any, dim: Any, correction: Any, keepdim: bool
) -> Any:
    """Return the gradient through a standard deviation: nothing where it is zero."""
    slope = where(result == 0, zero_like(grad), grad / (result * 2))
    return variance_rule(slope, input, dim, correction, keepdim)


@std_dims.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot"
    r" \frac{\val{input} - \overline{\val{input}}}{(n - \val{correction})\,\val{result}}",
)
def _(grad: Any, input: Any, result: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    return deviation_rule(grad, input, result, dim, correction, keepdim)


def mean_rule(grad: Any, shape: Any, dim: Any, keepdim: bool) -> Any:
    """Return the gradient through a mean, left to broadcast."""
    if not shape:
        return grad
    return unreduce(grad, shape, dim, keepdim) / count(shape, dim)


@op(
    "var_mean",
    latex=r"\val{var}, \val{mean} = \operatorname{var} \val{input}, \overline{\val{input}}",
    grad_fn="VarMeanBackward0",
    samples=_spreads,
    outputs=("var", "mean"),
)
def var_mean_dims(
    input: Array, dim: Any = None, *, correction: Any = None, keepdim: bool = False
) -> tuple[Array, Array]:
    """Compute variance and mean at once.

    >>> torch.var_mean(torch.tensor([1., 2., 3.]))
    (tensor(1.), tensor(2.))
    """
    return spread(input, dim, correction, keepdim)


@var_mean_dims.prepare
def _(input: Tensor, dim: Any, correction: Any, keepdim: bool) -> dict[str, Any]:
    return _prepared("var_mean", input, dim)


@var_mean_dims.vjp(
    "input",
    latex=r"\grad{input} = \tfrac{2}{n - \val{correction}} \grad{var} \odot"
    r" (\val{input} - \overline{\val{input}}) + \tfrac1n \grad{mean}",
)
def _(grad: Any, input: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    first = variance_rule(grad[0], input, dim, correction, keepdim)
    return first + mean_rule(grad[1], input.shape, dim, keepdim)


@op(
    "std_mean",
    latex=r"\val{std}, \val{mean} = \operatorname{std} \val{input}, \overline{\val{input}}",
    grad_fn="StdMeanBackward0",
    samples=_spreads,
    outputs=("std", "mean"),
)
def std_mean_dims(
    input: Array, dim: Any = None, *, correction: Any = None, keepdim: bool = False
) -> tuple[Array, Array]:
    """Compute standard deviation and mean at once.

    >>> torch.std_mean(torch.tensor([1., 2., 3.]))
    (tensor(1.), tensor(2.))
    """
    return spread(input, dim, correction, keepdim, True)


@std_mean_dims.prepare
def _(input: Tensor, dim: Any, correction: Any, keepdim: bool) -> dict[str, Any]:
    return _prepared("std_mean", input, dim)


@std_mean_dims.vjp(
    "input",
    latex=r"\grad{input} = \grad{std} \odot"
    r" \frac{\val{input} - \overline{\val{input}}}{(n - \val{correction})\,\val{std}}"
    r" + \tfrac1n \grad{mean}",
)
def _(grad: Any, input: Any, std: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    first = deviation_rule(grad[0], input, std, dim, correction, keepdim)
    return first + mean_rule(grad[1], input.shape, dim, keepdim)


def _spread_function(name: str, record: Any) -> Any:
    @numpy_names
    def call(input: Tensor, *args: Any, **kwargs: Any) -> Any:
        names = (
            ("unbiased",) if args and isinstance(args[0], bool) else ("dim", "unbiased", "keepdim")
        )
        rest = dict(zip(names, args, strict=False)) | kwargs
        unbiased = rest.pop("unbiased", None)
        if unbiased is not None:
            rest["correction"] = 1 if unbiased else 0
        return record(input, **rest)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = record.forward.__doc__
    return call


function("torch.var", "Tensor.var")(_spread_function("var", var_dims))
function("torch.std", "Tensor.std")(_spread_function("std", std_dims))
function("torch.var_mean")(_spread_function("var_mean", var_mean_dims))
function("torch.std_mean")(_spread_function("std_mean", std_mean_dims))


@function("torch.nanmean", "Tensor.nanmean")
@numpy_names
def nanmean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Average the elements that are numbers."""
    there = sum_dims(~isnan(input), dim, keepdim)
    result: Tensor = nansum(input, dim, keepdim, dtype=dtype) / there
    return result


def _ranks(q: Tensor, sorted_values: Tensor, skip_nan: bool) -> Any:
    """Return the fractional places of quantiles among sorted values."""
    n = sorted_values.shape[-1]
    values = np.asarray(sorted_values._array)
    numbers = np.asarray(q._array).reshape(-1)
    if skip_nan:
        left = add_reduce(values == values, -1, np.int64, None, True)
        return np.maximum(numbers * (left - 1), 0).astype(values.dtype)
    lost = np.any(values != values, -1, keepdims=True)
    return np.where(lost, n - 1, numbers * (n - 1)).astype(values.dtype)


WAYS = ("linear", "lower", "higher", "midpoint", "nearest")


def _quantile(
    input: Tensor, q: Any, dim: Any, keepdim: bool, interpolation: str, skip_nan: bool
) -> Tensor:
    number = not isinstance(q, Tensor)
    q = _check_quantile(input, q, interpolation)
    at = 0 if dim is None else wrap_dim(dim, input.ndim)
    shape = tuple(input.shape)
    if dim is None:
        flat: Any = sort_dim(reshape(input, (-1,)), 0)[0]
        kept = (1,) * len(shape) if keepdim else ()
    else:
        last = at >= input.ndim - 1
        flat = sort_dim(input if last else unsqueeze(input, -1).transpose(at, -1), -1)[0]
        gone = (1,) if keepdim and shape else ()
        kept = shape[:at] + gone + shape[at + 1 :]
    flat = reshape(flat, (*kept, flat.shape[-1] if flat.ndim else 1))
    result = _between(flat, _ranks(q, flat, skip_nan), interpolation)
    if number or q.ndim == 0:
        return squeeze_in_place(result, -1)  # type: ignore[no-any-return]
    return squeeze_in_place(transpose_in_place(unsqueeze_in_place(result, 0), 0, -1), -1)  # type: ignore[no-any-return]


def _check_quantile(input: Tensor, q: Any, interpolation: str) -> Tensor:
    if not input.shape.numel():
        raise fail("quantile", "quantile() input tensor must be non-empty")
    if input.dtype not in (dtypes.float32, dtypes.float64):
        raise fail("quantile", "quantile() input tensor must be either float or double dtype")
    if interpolation not in WAYS:
        raise fail(
            "quantile",
            "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest,"
            f" but got {interpolation}",
        )
    if not isinstance(q, Tensor):
        if not 0 <= q <= 1:
            raise fail("quantile", f"quantile() q must be in the range [0, 1] but got {q:g}")
        return make(input.dtype.np.type(q))
    if q.ndim > 1:
        raise fail("quantile", "quantile() q must be a scalar or 1D tensor")
    if q.dtype is not input.dtype:
        raise fail("quantile", "quantile() q tensor must be same dtype as the input tensor")
    if np.any((q._array < 0) | (q._array > 1)):
        raise fail("quantile", "quantile() q values must be in the range [0, 1]")
    return q


def _between(flat: Tensor, ranks: Any, interpolation: str) -> Tensor:
    if interpolation == "lower":
        ranks = np.floor(ranks)
    elif interpolation == "higher":
        ranks = np.ceil(ranks)
    elif interpolation == "nearest":
        ranks = np.rint(ranks)
    low = np.floor(ranks)
    ranks = np.broadcast_to(ranks, (*flat.shape[:-1], ranks.shape[-1]))
    low = np.broadcast_to(low, ranks.shape)
    below = gather(flat, -1, make(low.astype(np.int64)))
    if interpolation not in ("linear", "midpoint"):
        result: Tensor = below
        return result
    weight = np.full(ranks.shape, 0.5, ranks.dtype) if interpolation == "midpoint" else ranks - low
    above = gather(flat, -1, make(np.ceil(ranks).astype(np.int64)))
    result = lerp(below, above, make(np.array(weight, ranks.dtype)))
    return result


@function("torch.quantile", "Tensor.quantile")
def quantile(
    input: Tensor,
    q: Any,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",
) -> Tensor:
    """Find values below which given fractions of the elements lie."""
    return _quantile(input, q, dim, keepdim, interpolation, False)


@function("torch.nanquantile", "Tensor.nanquantile")
def nanquantile(
    input: Tensor,
    q: Any,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",
) -> Tensor:
    """Find quantiles of the elements that are numbers."""
    return _quantile(input, q, dim, keepdim, interpolation, True)


@function("torch.cov", "Tensor.cov")
def cov(
    input: Tensor,
    *,
    correction: int = 1,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
) -> Tensor:
    """Estimate the covariance matrix; rows are variables, columns observations."""
    if input.ndim > 2:
        raise fail(
            "cov",
            "cov(): expected input to have two or fewer dimensions but got an input with"
            f" {input.ndim} dimensions",
        )
    wide: Any = input if input.ndim == 2 else reshape(input, (1, -1))
    weights: Any = fweights
    if aweights is not None:
        weights = aweights if weights is None else weights * aweights
    if weights is None:
        total: Any = wide.shape[1]
        middle = unsqueeze(sum_dims(wide, (1,)) / make(np.int64(total)), 1)
        left = max(total - correction, 0)
    else:
        total = sum_dims(weights)
        middle = unsqueeze(sum_dims(wide * weights, (1,)) / total, 1)
        if aweights is None or correction == 0:
            left = total - correction
        else:
            left = total - correction * sum_dims(weights * aweights) / total
    away = wide - middle
    second = away if weights is None else away * weights
    result: Tensor = squeeze(mm(away, matrix_t(second)) / _as_tensor(left))
    return result


def _as_tensor(value: Any) -> Tensor:
    return value if isinstance(value, Tensor) else make(np.int64(value))


@function("torch.corrcoef", "Tensor.corrcoef")
def corrcoef(input: Tensor) -> Tensor:
    """Estimate the matrix of correlation coefficients."""
    if input.ndim > 2:
        raise fail(
            "corrcoef",
            "corrcoef(): expected input to have two or fewer dimensions but got an input with"
            f" {input.ndim} dimensions",
        )
    c: Any = cov(input)
    if c.ndim == 0:
        result: Tensor = c / c
        return result
    d = sqrt(c.diagonal())
    result = clamp(c / reshape(d, (-1, 1)) / reshape(d, (1, -1)), -1, 1)
    return result
