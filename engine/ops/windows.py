"""Cut an array into the windows a kernel sees, and add windows back where they came from.

Convolution, pooling, `unfold` and `fold` are all built from these two, for any number of spatial
dims. Arrays are (N, C, *spatial); windows are (N, C, *kernel, *output).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import fail

Array = NDArray[Any]
Ints = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Geometry:
    """How a kernel walks over the spatial dims."""

    kernel: Ints
    stride: Ints
    padding: Ints
    dilation: Ints
    ceil: bool = False

    def output(self, size: Ints) -> Ints:
        """How many windows fit along each spatial dim of `size`."""
        return tuple(self._fit(n, d) for d, n in enumerate(size))

    def _fit(self, n: int, d: int) -> int:
        stride, padding = self.stride[d], self.padding[d]
        room = n + 2 * padding - self.dilation[d] * (self.kernel[d] - 1) - 1
        if not self.ceil:
            return room // stride + 1
        count = -(-room // stride) + 1
        # With ceil_mode a window must start inside the input or its left padding.
        return count - 1 if (count - 1) * stride >= n + padding else count

    def padded(self, size: Ints) -> Ints:
        """Spatial size with padding on both sides, and what ceil_mode reads beyond it."""
        spans = zip(
            size,
            self.output(size),
            self.kernel,
            self.stride,
            self.padding,
            self.dilation,
            strict=True,
        )
        return tuple(max(n + 2 * p, (o - 1) * s + d * (k - 1) + 1) for n, o, k, s, p, d in spans)


def gather_windows(x: Array, geometry: Geometry, fill: float = 0.0) -> Array:
    """All windows of `x` as a read-only view of its padded copy."""
    size = x.shape[2:]
    inside = tuple(slice(p, p + n) for p, n in zip(geometry.padding, size, strict=True))
    padded = geometry.padded(size)
    if padded != size:
        room = np.full(x.shape[:2] + padded, fill, dtype=x.dtype)
        room[(slice(None), slice(None), *inside)] = x
        x = room
    steps = x.strides[2:]
    strides = x.strides[:2]
    strides += tuple(s * d for s, d in zip(steps, geometry.dilation, strict=True))
    strides += tuple(s * d for s, d in zip(steps, geometry.stride, strict=True))
    shape = x.shape[:2] + geometry.kernel + geometry.output(size)
    return np.lib.stride_tricks.as_strided(x, shape, strides, writeable=False)


def scatter_windows(windows: Array, size: Ints, geometry: Geometry) -> Array:
    """Add windows into zeros of spatial `size`, where `gather_windows` took them from."""
    n = len(size)
    output = windows.shape[2 + n :]
    room = np.zeros(windows.shape[:2] + geometry.padded(size), dtype=windows.dtype)
    for offset in product(*(range(k) for k in geometry.kernel)):
        place: Any = tuple(
            slice(i * d, i * d + s * (o - 1) + 1, s)
            for i, d, s, o in zip(offset, geometry.dilation, geometry.stride, output, strict=True)
        )
        if 0 not in output:
            window: Any = (slice(None), slice(None), *offset)
            room[(slice(None), slice(None), *place)] += windows[window]
    inside = tuple(slice(p, p + m) for p, m in zip(geometry.padding, size, strict=True))
    return room[(slice(None), slice(None), *inside)]


def check_1d(name: str, input: Any) -> None:
    """Refuse what has not one spatial dim."""
    if input.ndim not in (2, 3):
        raise fail(
            "pool-dims",
            f"Expected 2 to 3 dimensions, but got {input.ndim}-dimensional tensor for argument #1"
            f" 'self' (while checking arguments for {name})",
        )
