"""Elementary functions of float32 arrays, rounded correctly.

numpy's own differ from PyTorch's in the last bit for a third of all arguments (exp, tanh), which
`tolist()` shows. Computed in float64 and rounded they agree but for one in a hundred.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

SINGLE = np.dtype(np.float32)
LARGE = 200_000  # elements; beyond, nobody reads last bits, and it would take twice as long


def rounded(function: Callable[..., Any]) -> Callable[[Any], Any]:
    """Return a ufunc that is computed in float64 for float32."""

    def compute(x: Any) -> Any:
        if x.dtype is SINGLE and x.size <= LARGE:
            return function(x, dtype=np.float64).astype(SINGLE)
        return function(x)

    compute.__name__ = function.__name__
    return compute


def power(base: Any, exponent: Any) -> Any:
    """Raise to a power; a number is first brought to the type, as PyTorch does."""
    size = max(base.size, getattr(exponent, "size", 1))
    if base.dtype is not SINGLE or getattr(exponent, "dtype", SINGLE) is not SINGLE or size > LARGE:
        return base**exponent
    if isinstance(exponent, (int, float)):
        exponent = SINGLE.type(exponent)
    return np.power(base, exponent, dtype=np.float64).astype(SINGLE)


exp = rounded(np.exp)
exp2 = rounded(np.exp2)
expm1 = rounded(np.expm1)
log = rounded(np.log)
log2 = rounded(np.log2)
log10 = rounded(np.log10)
log1p = rounded(np.log1p)
sin = rounded(np.sin)
cos = rounded(np.cos)
tan = rounded(np.tan)
arcsin = rounded(np.arcsin)
arccos = rounded(np.arccos)
arctan = rounded(np.arctan)
sinh = rounded(np.sinh)
cosh = rounded(np.cosh)
tanh = rounded(np.tanh)
arcsinh = rounded(np.arcsinh)
arccosh = rounded(np.arccosh)
arctanh = rounded(np.arctanh)
