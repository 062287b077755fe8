"""Random counts: Poisson's and binomial, drawn as PyTorch draws them on a CPU."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.fill_random import refuse_dtype
from engine.ops.record import Array, function, op
from engine.random import stream_of
from engine.tensor import Tensor, make


def _draw(generator: Any) -> Any:
    """Return a function that draws one number between 0 and 1."""
    stream = stream_of(generator)
    return lambda: float(stream.unit(1)[0])


def poisson_count(rate: float, unit: Any) -> float:
    """Draw one count; Hörmann's transformed rejection (1993) for large rates, else Knuth's way."""
    if rate >= 10:
        return _poisson_by_rejection(rate, unit)
    if rate == 0:
        return 0.0
    bound, product, count = math.exp(-rate), 1.0, 0
    while True:
        product *= unit()
        if product <= bound:
            return float(count)
        count += 1


def _poisson_by_rejection(rate: float, unit: Any) -> float:
    root, log_rate = math.sqrt(rate), math.log(rate)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    inverse = 1.1239 + 1.1328 / (b - 3.4)
    right = 0.9277 - 3.6224 / (b - 2)
    while True:
        u, v = unit() - 0.5, unit()
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + rate + 0.43)
        if us >= 0.07 and v <= right:
            return float(k)
        if k < 0 or (us < 0.013 and v > us):
            continue
        left = math.log(v) + math.log(inverse) - math.log(a / (us * us) + b)
        if left <= -rate + k * log_rate - math.lgamma(k + 1):
            return float(k)


@op(
    "poisson",
    latex=r"\val{result} \sim \mathrm{Poisson}(\val{input})",
    grad_fn="PoissonBackward0",
    binds=("torch.poisson",),
)
def poisson(input: Array, generator: Any = None) -> Array:
    """Draw a count for each rate."""
    unit = _draw(generator)
    drawn = [poisson_count(float(rate), unit) for rate in np.ravel(input)]
    return np.array(drawn, input.dtype).reshape(np.shape(input))


@poisson.prepare
def _(input: Any, generator: Any) -> None:
    refuse_dtype("poisson_cpu", input.dtype)
    if not bool(np.all(input._array >= 0)):
        raise fail("poisson-rate", "invalid Poisson rate, expected rate to be non-negative")


@poisson.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")
def _(grad: Any) -> Any:
    return grad * 0


def binomial_count(count: float, p: float, unit: Any) -> float:
    """Draw one number of successes; by geometric gaps, or BTRS for many expected ones."""
    if count <= 0 or p <= 0:
        return 0.0
    if p >= 1:
        return count
    if p > 0.5:
        return count - binomial_count(count, 1 - p, unit)
    if count * p >= 10:
        return _binomial_by_rejection(count, p, unit)
    log_miss, gaps, found = math.log1p(-p), 0.0, 0
    while True:
        gaps += math.ceil(math.log(unit()) / log_miss)
        if gaps > count:
            return float(found)
        found += 1


def _tail(k: float) -> float:
    """Return the error of Stirling's formula."""
    known = (
        0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.0207906721037650,
        0.0166446911898211, 0.0138761288230707, 0.0118967099458917, 0.0104112652619720,
        0.00925546218271273, 0.00833056343336287,
    )  # fmt: skip
    if k <= 9:
        return known[int(k)]
    square = (k + 1) * (k + 1)
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1)


def _binomial_by_rejection(count: float, p: float, unit: Any) -> float:
    """Hörmann, "The generation of binomial random variates" (1993)."""
    spread = math.sqrt(count * p * (1 - p))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * p
    c = count * p + 0.5
    right = 0.92 - 4.2 / b
    odds = p / (1 - p)
    alpha = (2.83 + 5.1 / b) * spread
    m = math.floor((count + 1) * p)
    while True:
        u, v = unit() - 0.5, unit()
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + c)
        if us >= 0.07 and v <= right:
            return float(k)
        if k < 0 or k > count:
            continue
        v = math.log(v * alpha / (a / (us * us) + b))
        bound = (
            (m + 0.5) * math.log((m + 1) / (odds * (count - m + 1)))
            + (count + 1) * math.log((count - m + 1) / (count - k + 1))
            + (k + 0.5) * math.log(odds * (count - k + 1) / (k + 1))
            + _tail(m) + _tail(count - m) - _tail(k) - _tail(count - k)
        )  # fmt: skip
        if v <= bound:
            return float(k)


@function("torch.binomial")
def binomial(count: Any, prob: Any, generator: Any = None) -> Tensor:
    """Draw the number of successes in `count` trials that succeed with `prob`."""
    if count.dtype is not prob.dtype:
        raise fail("binomial-dtype", "Found dtype Float but expected Double")
    unit = _draw(generator)
    counts, chances = np.broadcast_arrays(count._array, prob._array)
    pairs = zip(counts.ravel().tolist(), chances.ravel().tolist(), strict=True)
    drawn = [binomial_count(n, p, unit) for n, p in pairs]
    return make(np.array(drawn, count.dtype.np).reshape(counts.shape))
