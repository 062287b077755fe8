"""Windows of signal processing: cosines, triangles and Kaiser's, by the number of points."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes
from engine.ops.record import function
from engine.tensor import Tensor, make


def cosines(length: int, periodic: bool, weights: tuple[float, ...], options: Any) -> Tensor:
    """Return a sum of cosines with alternating signs."""

    def shape(n: Any, points: int) -> Any:
        angle = n * n.dtype.type(2 * math.pi / (points - 1))
        return sum(
            np.cos(k * angle) * n.dtype.type((-1) ** k * a)
            for k, a in reversed(list(enumerate(weights)))
        )

    return window(length, periodic, shape, options)


def window(length: int, periodic: bool, shape: Any, options: dict[str, Any]) -> Tensor:
    """Compute a window; a periodic one is a symmetric one of one point more without its last."""
    kind = options.pop("dtype", None) or dtypes.default
    tracked = options.pop("requires_grad", False)
    if length < 0:
        raise RuntimeError(
            f"window requires non-negative window_length, got window_length={length}"
        )
    points = length + periodic
    values = np.ones(length) if length < 2 else shape(np.arange(points, dtype=kind.np), points)
    return make(np.asarray(values)[:length].astype(kind.np), tracked, "window")


@function("torch.hann_window")
def hann_window(window_length: int, periodic: bool = True, **options: Any) -> Tensor:
    """Make half a period of a raised cosine: zero at the ends."""
    return cosines(window_length, periodic, (0.5, 0.5), options)


@function("torch.hamming_window")
def hamming_window(
    window_length: int,
    periodic: bool = True,
    alpha: float = 0.54,
    beta: float = 0.46,
    **options: Any,
) -> Tensor:
    """Make half a period of a raised cosine that does not end at zero."""
    return cosines(window_length, periodic, (alpha, beta), options)


@function("torch.blackman_window")
def blackman_window(window_length: int, periodic: bool = True, **options: Any) -> Tensor:
    """Make a sum of two cosines."""
    return cosines(window_length, periodic, (0.42, 0.5, 0.08), options)


@function("torch.bartlett_window")
def bartlett_window(window_length: int, periodic: bool = True, **options: Any) -> Tensor:
    """Make a triangle."""
    return window(
        window_length, periodic, lambda n, points: 1 - np.abs(2 * n / (points - 1) - 1), options
    )


@function("torch.kaiser_window")
def kaiser_window(
    window_length: int, periodic: bool = True, beta: float = 12.0, **options: Any
) -> Tensor:
    """Make Kaiser's window: a Bessel function of a half circle."""

    def shape(n: Any, points: int) -> Any:
        return np.i0(beta * np.sqrt(1 - (2 * n / (points - 1) - 1) ** 2)) / np.i0(beta)

    return window(window_length, periodic, shape, options)
