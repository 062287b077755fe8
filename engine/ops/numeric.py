"""Special functions numpy does not have, on arrays, to the last digits of float64.

Each function takes and returns a float64 array; `lifted` wraps one so that it keeps the dtype it is
given. Sources are named where the method is not the standard library's own function.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def lifted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compute in float64 and give the result the first array's dtype."""

    @wraps(function)
    def inner(x: Any, *rest: Any) -> Any:
        x = np.asarray(x)
        result = function(x.astype(np.float64), *rest)
        return np.asarray(result).astype(x.dtype)[()]

    return inner


def _each(function: Callable[[float], float]) -> Callable[[Array], Array]:
    """Apply a function of the standard library to each element."""
    ufunc = np.frompyfunc(function, 1, 1)

    def inner(x: Array) -> Array:
        return np.asarray(ufunc(x), dtype=np.float64)

    return inner


def _lgamma(x: float) -> float:
    if math.isinf(x) or (x <= 0 and x == math.floor(x)):
        return math.inf
    return math.lgamma(x)


erf = lifted(_each(math.erf))
erfc = lifted(_each(math.erfc))
lgamma = lifted(_each(_lgamma))


@lifted
def erfinv(x: Array) -> Array:
    """Invert erf: the estimate of Winitzki (2008), then three Halley steps."""
    with np.errstate(all="ignore"):
        log = np.log1p(-x * x)
        a = 0.147
        first = 2 / (math.pi * a) + log / 2
        y = np.sign(x) * np.sqrt(np.sqrt(first * first - log / a) - first)
        for _ in range(3):
            # Near +-1 the difference to erfc keeps the digits that erf has lost.
            away = np.where(
                np.abs(x) < 0.5, erf(y) - x, np.sign(x) * (1 - np.abs(x) - erfc(np.abs(y)))
            )
            step = away / (2 / math.sqrt(math.pi) * np.exp(-y * y))
            y = y - step / (1 + y * step)
        y = np.where(np.abs(x) == 1, x * np.inf, y)
        result: Array = np.where(x == 0, x, np.where(np.abs(x) > 1, np.nan, y))
    return result


@lifted
def ndtri(p: Array) -> Array:
    """Find the quantile of the normal distribution; Newton steps keep small tails exact."""
    with np.errstate(all="ignore"):
        y = math.sqrt(2) * erfinv(2 * p - 1)
        tiny = p < 0.1
        start = -np.sqrt(-2 * np.log(np.where(tiny, p, 0.5)))
        y = np.where(tiny, start, y)
        for _ in range(6):
            tail = 0.5 * erfc(-y / math.sqrt(2))
            density = np.exp(-y * y / 2) / math.sqrt(2 * math.pi)
            step = (tail - p) / density
            y = np.where(tiny, y - step / (1 + y * step / 2), y)
        y = np.where(p == 0, -np.inf, np.where(p == 1, np.inf, y))
        result: Array = np.where((p < 0) | (p > 1), np.nan, y)
    return result


@lifted
def log_ndtr(x: Array) -> Array:
    """Log of the normal distribution function, by its asymptotic series in the far tail."""
    with np.errstate(all="ignore"):
        near = np.log(0.5 * erfc(-x / math.sqrt(2)))
        right = np.log1p(-0.5 * erfc(x / math.sqrt(2)))
        square = 1 / (x * x)
        series = 1 - square * (1 - 3 * square * (1 - 5 * square * (1 - 7 * square)))
        far = -x * x / 2 - np.log(-x) - 0.5 * math.log(2 * math.pi) + np.log(series)
        result: Array = np.where(x < -20, far, np.where(x > 0, right, near))
    return result


_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)


@lifted
def digamma(x: Array) -> Array:
    """Compute the derivative of lgamma: reflection, recurrence up to 10, asymptotic series."""
    with np.errstate(all="ignore"):
        pole = (x <= 0) & (x == np.floor(x))
        reflected = x < 0
        y = np.where(reflected, 1 - x, x)
        result = np.where(reflected, -math.pi / np.tan(math.pi * np.modf(x)[0]), 0.0)
        for _ in range(10):
            low = y < 10
            result = np.where(low, result - 1 / y, result)
            y = np.where(low, y + 1, y)
        result = result + np.log(y) - 0.5 / y
        for k, number in enumerate(_BERNOULLI, 1):
            result = result - number / (2 * k * y ** (2 * k))
        result = np.where(pole & (x < 0), np.nan, result)
        final: Array = np.where(x == 0, np.copysign(np.inf, -x), result)
    return final


@lifted
def zeta(s: Array, q: Any) -> Array:
    """Hurwitz zeta function by Euler and Maclaurin's formula."""
    q = np.asarray(q, np.float64)
    s, q = np.broadcast_arrays(s, q)
    with np.errstate(all="ignore"):
        total = np.zeros(s.shape)
        terms = 20 + math.ceil(max(0.0, min(1000.0, -float(np.min(q, initial=0.0)))))
        for k in range(terms):
            total = total + (q + k) ** -s
        a = q + terms
        total = total + a ** (1 - s) / (s - 1) + 0.5 * a**-s
        factor = s.copy()
        for k, number in enumerate(_BERNOULLI, 1):
            total = total + number / math.factorial(2 * k) * factor * a ** (-s - 2 * k + 1)
            factor = factor * (s + 2 * k - 1) * (s + 2 * k)
        pole = (q <= 0) & (q == np.floor(q))
        total = np.where(s == 1, np.inf, np.where(pole, np.inf, total))
        result: Array = np.where((s < 1) | ((q < 0) & (s != np.floor(s))), np.nan, total)
    return result


def polygamma(n: int, x: Any) -> Any:
    """n-th derivative of digamma."""
    if n == 0:
        return digamma(x)
    x = np.asarray(x)
    value = (-1.0) ** (n + 1) * math.factorial(n) * zeta(np.full(x.shape, n + 1.0), x)
    if n == 1:
        sine = np.sin(math.pi * x.astype(np.float64))
        mirrored = (math.pi / sine) ** 2 - zeta(np.full(x.shape, 2.0), 1 - np.minimum(x, 0))
        value = np.where(x < 0.5, np.where(x > 0, value, mirrored), value)
    return value.astype(x.dtype)[()]


def _bessel(order: int) -> Callable[[Array], Array]:
    """exp(-|x|) times the modified Bessel function of the first kind, order 0 or 1."""
    mu = 4.0 * order * order

    def inner(x: Array) -> Array:
        size = np.abs(x)
        small = np.minimum(size, 30.0)
        half = small / 2
        term = np.ones_like(half) if order == 0 else half.copy()
        series = term.copy()
        for k in range(1, 90):
            term = term * half * half / (k * (k + order))
            series = series + term
        large = np.maximum(size, 30.0)
        term = np.ones_like(large)
        tail = term.copy()
        for k in range(1, 14):
            term = term * -(mu - (2 * k - 1) ** 2) / (k * 8 * large)
            tail = tail + term
        tail = tail / np.sqrt(2 * math.pi * large)
        scaled = np.where(size <= 30, series * np.exp(-small), tail)
        result: Array = scaled if order == 0 else np.sign(x) * scaled
        return result

    return inner


i0e = lifted(_bessel(0))
i1e = lifted(_bessel(1))


@lifted
def i0(x: Array) -> Array:
    """Compute the modified Bessel function of the first kind, order 0."""
    with np.errstate(all="ignore"):
        result: Array = _bessel(0)(x) * np.exp(np.abs(x))
    return result


@lifted
def i1(x: Array) -> Array:
    """Compute the modified Bessel function of the first kind, order 1."""
    with np.errstate(all="ignore"):
        result: Array = _bessel(1)(x) * np.exp(np.abs(x))
    return result


@lifted
def erfcx(x: Array) -> Array:
    """exp(x*x) * erfc(x), by a continued fraction where erfc underflows."""
    with np.errstate(all="ignore"):
        near = np.exp(x * x) * erfc(x)
        fraction = np.zeros_like(x)
        for k in range(60, 0, -1):
            fraction = (k / 2) / (x + fraction)
        far = 1 / (math.sqrt(math.pi) * (x + fraction))
        result: Array = np.where(x > 5, far, near)
    return result
