"""Samples from given probabilities, and the random masks of dropout."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes
from engine.ops.fill_random import arrange, refuse_dtype
from engine.ops.record import Array, function, op
from engine.random import stream_of
from engine.tensor import Tensor, make

_OUTSIDE = (
    "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be "
    "improved?  If so, please report an enhancement request to PyTorch.)"
)


def _zero(grad: Any) -> Any:
    return grad * 0


def draw_bernoulli(like: Any, p: float, generator: Any) -> Any:
    """Draw ones with probability `p`, for an array; one float64 uniform each."""
    like = np.asarray(like)
    drawn = stream_of(generator).unit(like.size) < p
    return arrange(drawn.astype(like.dtype), like)


def _draw_each(p: Any, like: Any, generator: Any) -> Any:
    """Draw a one with the probability at its own place."""
    p = np.ascontiguousarray(p)
    unit = stream_of(generator).unit(p.size, p.dtype).reshape(np.shape(like))
    return (unit < p.reshape(np.shape(like))).astype(like.dtype)


@op(
    "bernoulli",
    latex=r"\val{result} \sim \mathrm{Bernoulli}(\val{input})",
    grad_fn="BernoulliBackward0",
)
def bernoulli_each(input: Array, generator: Any = None) -> Array:
    """Draw 1 with the probability each element gives, else 0."""
    return _draw_each(input, input, generator)


@bernoulli_each.prepare
def _(input: Any, generator: Any) -> None:
    refuse_dtype("bernoulli_tensor_cpu_p_", input.dtype)
    _check_probabilities(input._array)


bernoulli_each.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")(_zero)


def _check_probabilities(p: Any) -> None:
    if not bool(np.all((p >= 0) & (p <= 1))):
        raise RuntimeError(_OUTSIDE)


@op(
    "bernoulli_fill",
    latex=r"\val{result} \sim \mathrm{Bernoulli}(p)",
    grad_fn="BernoulliBackward2",
)
def bernoulli_fill(input: Array, p: float = 0.5, *, generator: Any = None) -> Array:
    """Set every element to 1 with probability `p`, else to 0."""
    return draw_bernoulli(input, p, generator)


@bernoulli_fill.prepare
def _(input: Any, p: float, generator: Any) -> None:
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")


bernoulli_fill.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")(_zero)


@op(
    "bernoulli_fill_each",
    latex=r"\val{result} \sim \mathrm{Bernoulli}(\val{p})",
    grad_fn="BernoulliBackward1",
)
def bernoulli_fill_each(input: Array, p: Array, *, generator: Any = None) -> Array:
    """Set every element to 1 with the probability `p` gives for it, else to 0."""
    return _draw_each(p, input, generator)


@bernoulli_fill_each.prepare
def _(input: Any, p: Any, generator: Any) -> dict[str, Any]:
    _check_probabilities(p._array)
    return {"p": p.expand(input.shape)}


bernoulli_fill_each.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")(_zero)


@function("torch.bernoulli", "Tensor.bernoulli")
def bernoulli(input: Tensor, p: float | None = None, *, generator: Any = None) -> Tensor:
    """Draw 1 with the probability each element of `input` gives, or with `p` alone, else 0."""
    if p is None:
        return bernoulli_each(input, generator)  # type: ignore[no-any-return]
    like = make(np.empty_like(input._array))
    drawn: Tensor = bernoulli_fill.in_place(like, p, generator=generator)
    return drawn


@function("Tensor.bernoulli_")
def bernoulli_(input: Tensor, p: Any = 0.5, *, generator: Any = None) -> Tensor:
    """Set every element to 1 with probability `p` (a number, or a tensor that expands), else 0."""
    chosen = bernoulli_fill_each if isinstance(p, Tensor) else bernoulli_fill
    filled: Tensor = chosen.in_place(input, p, generator=generator)
    return filled


@function("torch.multinomial", "Tensor.multinomial")
def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None
) -> Tensor:
    """Draw indices with the given weights: from (C) or (N, C) to (num_samples) or (N, num_samples).

    Weights need not sum to 1. Raises RuntimeError for weights that are negative, not finite or all
    zero, and for more samples than weights without `replacement`.
    """
    weights = np.asarray(input._array)
    if weights.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if not input.dtype.is_floating_point:
        raise RuntimeError(
            "multinomial only supports floating-point dtypes for input, got: "
            + dtypes.LEGACY_NAMES[input.dtype]
        )
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > weights.shape[-1]:
        raise RuntimeError(
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
        )
    if not bool(np.all(np.isfinite(weights) & (weights >= 0))):
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if not bool(np.all(weights.sum(-1) > 0)):
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    stream = stream_of(generator)
    if replacement and num_samples > 1:
        return make(_with_replacement(weights, num_samples, stream))
    # The race of exponential clocks: the smallest waiting times win.
    waits = stream.exponential(weights.size, 1.0).astype(weights.dtype).reshape(weights.shape)
    ratio = weights / waits
    order = np.argsort(-ratio, axis=-1, kind="stable")
    return make(order[..., :num_samples].astype(np.int64))


def _with_replacement(weights: Any, count: int, stream: Any) -> Any:
    rows = weights.reshape(-1, weights.shape[-1])
    drawn = np.empty((len(rows), count), np.int64)
    for i, row in enumerate(rows):
        reached = np.cumsum(row, dtype=row.dtype)
        reached /= reached[-1]
        reached[-1] = 1
        drawn[i] = np.searchsorted(reached.astype(np.float64), stream.unit(count))
    return drawn.reshape(*weights.shape[:-1], count)


# -- dropout: masks are drawn here, the product with the input is an ordinary op


def _check_dropout(p: float) -> None:
    if p < 0 or p > 1:
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {p:g}")


def _mask(like: Any, p: float) -> Any:
    like = np.asarray(like)
    if p == 1:
        return np.zeros_like(like)
    return draw_bernoulli(like, 1 - p, None) / like.dtype.type(1 - p)


def _times(input: Any, mask: Any, in_place: bool) -> Any:
    mask = make(mask, how="bernoulli")
    return input.mul_(mask) if in_place else input * mask


def _drop(input: Any, p: float, train: bool, in_place: bool, by_channel: bool) -> Any:
    _check_dropout(p)
    array = np.asarray(input._array)
    if p == 0 or not train or array.size == 0:
        return input
    if not input.dtype.is_floating_point:
        raise RuntimeError(
            "result type Float can't be cast to the desired output type "
            + dtypes.LEGACY_NAMES[input.dtype]
        )
    like = _channels(array) if by_channel else array
    return _times(input, _mask(like, p), in_place)


def _channels(array: Any) -> Any:
    if array.ndim < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    return np.empty(array.shape[:2] + (1,) * (array.ndim - 2), array.dtype)


@function("torch.dropout")
def dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Set elements to zero with probability `p` and divide the rest by 1 - p, when `train`."""
    return _drop(input, p, train, False, False)  # type: ignore[no-any-return]


@function("torch.dropout_")
def dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """Do what `dropout` does, in place."""
    return _drop(input, p, train, True, False)  # type: ignore[no-any-return]


@function("torch.feature_dropout")
def feature_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Drop whole channels (dim 1)."""
    return _drop(input, p, train, False, True)  # type: ignore[no-any-return]


@function("torch.feature_dropout_")
def feature_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """Drop whole channels (dim 1), in place."""
    return _drop(input, p, train, True, True)  # type: ignore[no-any-return]


_SELU_FLOOR = 1.7580993408473766  # minus what SELU tends to at the left


def _alpha_drop(input: Any, p: float, train: bool, by_channel: bool) -> Any:
    _check_dropout(p)
    array = np.asarray(input._array)
    if p == 0 or not train or array.size == 0:
        return input
    kind = array.dtype.type
    if p == 1:
        return input * make(np.zeros_like(array))
    kept = draw_bernoulli(_channels(array) if by_channel else array, 1 - p, None)
    a = 1.0 / math.sqrt((_SELU_FLOOR * _SELU_FLOOR * p + 1) * (1 - p))
    shift = (kept - kind(1)) * kind(_SELU_FLOOR * a) + kind(_SELU_FLOOR * a * p)
    return input * make(kept * kind(a), how="bernoulli") + make(shift)


@function("torch.alpha_dropout")
def alpha_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Drop elements to SELU's floor, keeping mean and variance."""
    return _alpha_drop(input, p, train, False)  # type: ignore[no-any-return]


@function("torch.feature_alpha_dropout")
def feature_alpha_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Drop whole channels to SELU's floor, keeping mean and variance."""
    return _alpha_drop(input, p, train, True)  # type: ignore[no-any-return]


@op(
    "rrelu",
    latex=r"\val{result} = \val{noise} \odot \val{input}",
    grad_fn="RreluWithNoiseBackward0",
    binds=("torch.rrelu", "torch.rrelu_"),
    hidden=("noise",),
)
def rrelu(
    input: Array,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    generator: Any = None,
) -> tuple[Array, Array]:
    """Scale what is not positive, by slopes drawn from [lower, upper) while training."""
    values = np.asarray(input)
    slopes = np.ones_like(values)
    low = values <= 0
    if training:
        units = stream_of(generator).unit(int(low.sum()))
        slopes[low] = units * (upper - lower) + lower
    else:
        slopes[low] = (lower + upper) / 2
    return input * slopes, slopes


@rrelu.vjp("input", latex=r"\grad{input} = \grad{result} \odot \val{noise}")
def _(grad: Any, noise: Any) -> Any:
    return grad * noise
