"""The incomplete gamma functions, regularized."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.explog import log
from engine.ops.maximum import need_tensor
from engine.ops.pointwise import exp
from engine.ops.record import Array, op
from engine.ops.samples import Sample, t
from engine.ops.special_functions import lgamma

STEPS = 20000  # far more than it takes to converge where arguments are below a million
ENOUGH = 2.0**-54
TINY = 1e-300


def _pairs() -> list[Sample]:
    shapes: list[tuple[Any, Any]] = [((), ()), ((3,), (3,)), ((2, 1), (1, 3))]
    return [Sample((t(*a, low=0.3), t(*b, seed=1, low=0.3, high=4.0))) for a, b in shapes]


def _series(a: float, x: float) -> float:
    """Sum x^n / ((a + 1) … (a + n)): what the lower function is, over its first term."""
    total = term = 1.0
    for n in range(1, STEPS):
        term *= x / (a + n)
        total += term
        if term < total * ENOUGH:
            break
    return total


def _fraction(a: float, x: float) -> float:
    """Evaluate the upper function's continued fraction as Lentz (1976) does."""
    b = x + 1 - a
    c, d = 1 / TINY, 1 / b
    value = d
    for n in range(1, STEPS):
        factor = n * (a - n)
        b += 2
        d = 1 / ((factor * d + b) or TINY)
        c = (b + factor / c) or TINY
        value *= c * d
        if abs(c * d - 1) < ENOUGH * 4:
            break
    return value


def _both(a: float, x: float) -> tuple[float, float]:
    """Return the lower and the upper function of two numbers, which add up to 1."""
    if not (a >= 0 and x >= 0) or a == x == 0 or (math.isinf(a) and math.isinf(x)):
        return math.nan, math.nan
    if a == 0 or math.isinf(x):
        return 1.0, 0.0
    if x == 0 or math.isinf(a):
        return 0.0, 1.0
    density = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        lower = density * _series(a, x) / a
        return lower, 1 - lower
    upper = density * _fraction(a, x)
    return 1 - upper, upper


_lower = np.frompyfunc(lambda a, x: _both(float(a), float(x))[0], 2, 1)
_upper = np.frompyfunc(lambda a, x: _both(float(a), float(x))[1], 2, 1)


def _refused(name: str) -> Exception:
    return fail(
        "no-derivative",
        f"the derivative for '{name}: input' is not implemented.",
        NotImplementedError,
    )


@op(
    "igamma",
    latex=r"\val{result} = \tfrac{1}{\Gamma(\val{input})} \int_0^{\val{other}}"
    r" t^{\val{input} - 1} e^{-t}\, dt",
    grad_fn="IgammaBackward0",
    binds=("torch.igamma", "torch.special.gammainc", "Tensor.igamma", "Tensor.igamma_"),
    samples=_pairs,
    promote="arithmetic",
)
def igamma(input: Array, other: Array) -> Array:
    """Take the lower incomplete gamma function, regularized: from 0 up to `other`.

    >>> torch.igamma(torch.tensor([1.]), torch.tensor([2.]))
    tensor([0.8647])
    """
    return np.asarray(_lower(input, other)).astype(input.dtype)[()]


@igamma.prepare
def _(input: Any, other: Any) -> None:
    need_tensor("igamma", other)


@igamma.vjp("input", latex=r"\grad{input} \text{ undefined for } \grad{result}")
def _(grad: Any) -> Any:
    raise _refused("igamma")


@igamma.vjp(
    "other",
    latex=r"\grad{other} = \grad{result} \odot \val{other}^{\val{input} - 1} e^{-\val{other}} /"
    r" \Gamma(\val{input})",
)
def _(grad: Any, input: Any, other: Any) -> Any:
    return grad * exp((input - 1) * log(other) - other - lgamma(input))


@op(
    "igammac",
    latex=r"\val{result} = \tfrac{1}{\Gamma(\val{input})} \int_{\val{other}}^\infty"
    r" t^{\val{input} - 1} e^{-t}\, dt",
    grad_fn="IgammacBackward0",
    binds=("torch.igammac", "torch.special.gammaincc", "Tensor.igammac", "Tensor.igammac_"),
    samples=_pairs,
    promote="arithmetic",
)
def igammac(input: Array, other: Array) -> Array:
    """Take the upper incomplete gamma function, regularized: from `other` up to infinity.

    >>> torch.igammac(torch.tensor([1.]), torch.tensor([2.]))
    tensor([0.1353])
    """
    return np.asarray(_upper(input, other)).astype(input.dtype)[()]


@igammac.prepare
def _(input: Any, other: Any) -> None:
    need_tensor("igammac", other)


@igammac.vjp("input", latex=r"\grad{input} \text{ undefined for } \grad{result}")
def _(grad: Any) -> Any:
    raise _refused("igammac")


@igammac.vjp(
    "other",
    latex=r"\grad{other} = -\grad{result} \odot \val{other}^{\val{input} - 1} e^{-\val{other}} /"
    r" \Gamma(\val{input})",
)
def _(grad: Any, input: Any, other: Any) -> Any:
    return -grad * exp((input - 1) * log(other) - other - lgamma(input))
