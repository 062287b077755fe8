"""Spread: var, std, and both with the mean; nanmean."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.dtypes import LEGACY_NAMES
from engine.errors import fail
from engine.ops.compare import where, zero_like
from engine.ops.dims import (
    add_reduce,
    count,
    numpy_names,
    reduced_dims,
    unreduce,
)
from engine.ops.questions import isnan
from engine.ops.record import Array, function, op
from engine.ops.reduce import mean, nansum, sum_dims
from engine.ops.samples import Sample, t
from engine.tensor import Tensor


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
    if not input.dtype.is_floating_point:
        raise fail(
            "not-floating",
            "nanmean(): expected input to have floating point or complex dtype but got"
            f" {LEGACY_NAMES[input.dtype]}",
        )
    there = sum_dims(~isnan(input), dim, keepdim)
    result: Tensor = nansum(input, dim, keepdim, dtype=dtype) / there
    return result
