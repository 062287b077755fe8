"""Arithmetic that rounds once, and float32 logarithm, sine and cosine built from it.

PyTorch's vectorised CPU kernels use fused multiply-adds, which numpy does not offer. Emulating
them makes seeded random numbers equal PyTorch's in the last bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
F32, F64 = np.float32, np.float64
_SPLIT = 134217729.0  # 2**27 + 1 cuts a float64 into two halves that multiply exactly


def fma(a: Any, b: Any, c: Any) -> Array:
    """Return a * b + c, rounded once to the dtype of `a`."""
    dtype = np.asarray(a).dtype
    if dtype == F64:
        return _fma64(np.asarray(a, F64), np.asarray(b, F64), np.asarray(c, F64))
    return _fma32(a, b, c).astype(dtype)


def _fma32(a: Any, b: Any, c: Any) -> Array:
    # The product of two float32 is exact in float64, so one rounding to odd makes the second safe.
    product = np.asarray(a, F32).astype(F64) * np.asarray(b, F32).astype(F64)
    return _add_to_odd(product, np.asarray(c, F32).astype(F64)).astype(F32)


def _fma64(a: Array, b: Array, c: Array) -> Array:
    """Boldo and Melquiond, "Emulation of FMA and correctly rounded sums" (2008)."""
    high, low = _two_product(a, b)
    inner, rest = _two_sum(c, low)
    total, tail = _two_sum(high, inner)
    result: Array = total + _add_to_odd(rest, tail)
    return result


def _two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _two_product(a: Array, b: Array) -> tuple[Array, Array]:
    product = a * b
    a_high = _SPLIT * a - (_SPLIT * a - a)
    b_high = _SPLIT * b - (_SPLIT * b - b)
    a_low, b_low = a - a_high, b - b_high
    error = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)
    return product, error


def _add_to_odd(a: Array, b: Array) -> Array:
    """Add in float64, rounded to the neighbour with an odd last bit when inexact."""
    total, error = _two_sum(a, b)
    total = np.asarray(total)
    bits = np.atleast_1d(total).view(np.int64)
    error = np.atleast_1d(error)
    away = np.where((error > 0) == (total > 0), 1, -1)
    odd: Array = np.where((error != 0) & (bits % 2 == 0), bits + away, bits).view(F64)
    return odd.reshape(total.shape)


def log32(x: Array) -> Array:
    """Return the natural logarithm of positive float32 (Cephes' polynomial, fused steps)."""
    mantissa, exponent = np.frexp(x)
    small = mantissa < F32(0.707106781186547524)
    x = np.where(small, (mantissa - F32(1)) + mantissa, mantissa - F32(1))
    e = (exponent - small).astype(F32)
    square = x * x
    y: Any = F32(7.0376836292e-2)
    for factor in _LOG_FACTORS:
        y = _fma32(y, x, factor)
    y = fma(y * x, square, e * F32(-2.12194440e-4)) - square * F32(0.5)
    return fma(e, F32(0.693359375), x + y)


def sincos32(x: Array) -> tuple[Array, Array]:
    """Return sine and cosine of small positive float32 (Cephes' polynomials, fused steps)."""
    octant = ((x * F32(1.27323954473516)).astype(np.int32) + 1) & ~1
    y = octant.astype(F32)
    for part in (F32(-0.78515625), F32(-2.4187564849853515625e-4), F32(-3.77489497744594108e-8)):
        x = fma(y, part, x)
    z = x * x
    cosine = _fma32(F32(2.443315711809948e-5), z, F32(-1.388731625493765e-3))
    cosine = fma(cosine, z, F32(4.166664568298827e-2)) * z
    cosine = fma(cosine, z, -(z * F32(0.5))) + F32(1)
    sine = _fma32(F32(-1.9515295891e-4), z, F32(8.3321608736e-3))
    sine = fma(sine, z, F32(-1.6666654611e-1)) * z
    sine = fma(sine, x, x)
    plain = (octant & 2) == 0
    first, second = np.where(plain, sine, cosine), np.where(plain, cosine, sine)
    sines = np.where(octant & 4, -first, first)
    cosines = np.where(~(octant - 2) & 4, -second, second)
    return sines, cosines


_LOG_FACTORS = tuple(
    F32(v)
    for v in (
        -1.1514610310e-1,
        1.1676998740e-1,
        -1.2420140846e-1,
        1.4249322787e-1,
        -1.6668057665e-1,
        2.0000714765e-1,
        -2.4999993993e-1,
        3.3333331174e-1,
    )
)
