"""Resizing grids, one dim after the other: each new point is a weighted sum of a few old ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.ops.record import Array, op
from engine.ops.samples import Sample, t

NAMES = {
    "nearest": "Nearest", "nearest-exact": "NearestExact", "linear": "Linear",
    "bilinear": "Bilinear", "trilinear": "Trilinear", "bicubic": "Bicubic",
}  # fmt: skip
Tap = tuple[Any, Any]  # for each new point an old one, and what it is multiplied by, None for 1


def _samples() -> list[Sample]:
    return [
        Sample((t(1, 2, 3), (5,), (None,), "nearest", False)),
        Sample((t(1, 2, 3, 2), (4, 5), (None, 2.5), "nearest-exact", False)),
        Sample((t(1, 1, 4), (6,), (1.5,), "linear", False)),
        Sample((t(1, 2, 3, 2), (5, 4), (None, None), "bilinear", True)),
        Sample((t(1, 1, 2, 2, 3), (3, 2, 2), (None, None, None), "trilinear", False)),
        Sample((t(1, 1, 3, 3), (5, 2), (None, None), "bicubic", False)),
        Sample((t(1, 1, 3, 3), (5, 5), (None, None), "bicubic", True)),
    ]


def _name(output_size: Any, mode: str) -> str:
    return f"Upsample{NAMES[mode]}{len(output_size)}DBackward0"


def _places(length: int, wanted: int, scale: float | None, corners: bool) -> list[float]:
    """Return where the new points lie among the old ones."""
    if corners:
        ratio = (length - 1) / (wanted - 1) if wanted > 1 else 0.0
        return [i * ratio for i in range(wanted)]
    ratio = _ratio(length, wanted, scale)
    return [(i + 0.5) * ratio - 0.5 for i in range(wanted)]


def _ratio(length: int, wanted: int, scale: float | None) -> float:
    return length / wanted if scale is None else 1.0 / float(scale)


def taps(length: int, wanted: int, scale: float | None, mode: str, corners: bool) -> list[Tap]:
    """Return what each new point of a dim is made of."""
    last = length - 1
    if mode.startswith("nearest"):
        offset, ratio = (0.5 if mode == "nearest-exact" else 0.0), _ratio(length, wanted, scale)
        return [([min(int((i + offset) * ratio), last) for i in range(wanted)], None)]
    places = _places(length, wanted, scale, corners)
    if mode == "bicubic":
        starts = [math.floor(p) for p in places]
        parts = [p - i for p, i in zip(places, starts, strict=True)]
        return [
            ([min(max(i + k, 0), last) for i in starts], [_keys(abs(p - k)) for p in parts])
            for k in (-1, 0, 1, 2)
        ]
    places = [max(p, 0.0) for p in places]
    left = [min(int(p), last) for p in places]
    right = [min(i + 1, last) for i in left]
    part = np.array([p - i for p, i in zip(places, left, strict=True)])
    return [(left, 1 - part), (right, part)]


def _keys(x: float) -> float:
    """Weigh a neighbour at a distance by the cubic of Keys (1981), with a = -3/4."""
    a = -0.75
    if x <= 1:
        return ((a + 2) * x - (a + 3)) * x * x + 1
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a


def _order(count: int, mode: str) -> range:
    """Return the dims in the order in which PyTorch adds up: of a cubic, rows first."""
    return range(count - 1, -1, -1) if mode == "bicubic" else range(count)


def _scaled(x: Any, weights: Any, dim: int) -> Any:
    if weights is None:
        return x
    shape = [1] * x.ndim
    shape[dim] = len(weights)
    return x * np.asarray(weights, x.dtype).reshape(shape)


@op(
    "upsample",
    latex=r"\val{result} = \text{the } \val{mode} \text{ interpolation of } \val{input}",
    grad_fn=lambda output_size, mode, **_: _name(output_size, mode),
    samples=_samples,
)
def upsample(
    input: Array, output_size: Any, scales: Any, mode: str, align_corners: bool = False
) -> Array:
    """Resize the last dims to a size."""
    for d in _order(len(output_size), mode):
        dim = d + 2
        found = taps(input.shape[dim], output_size[d], scales[d], mode, align_corners)
        parts = [_scaled(np.take(input, at, dim), weights, dim) for at, weights in found]
        input = sum(parts[1:], parts[0])
    return input


@upsample.vjp(
    "input", latex=r"\grad{input} = \grad{result} \text{ added up where it was taken from}"
)
def _(
    grad: Any, input_shape: Any, output_size: Any, scales: Any, mode: Any, align_corners: Any
) -> Any:
    size = tuple(input_shape[-len(output_size) :])
    return upsample_backward(grad, size, scales, mode, align_corners)


@op(
    "upsample_backward",
    latex=r"\val{result} = \val{grad_output} \text{ added up where it was taken from}",
    grad_fn=lambda size, mode, **_: _name(size, mode).replace("0", "Backward0"),
    samples=lambda: [
        Sample((t(1, 2, 5), (3,), (None,), "nearest", False)),
        Sample((t(1, 1, 4, 5), (3, 2), (None, None), "bicubic", False)),
    ],
)
def upsample_backward(
    grad_output: Array, size: Any, scales: Any, mode: str, align_corners: bool = False
) -> Array:
    """Add gradients up where the values were taken from."""
    for d in reversed(_order(len(size), mode)):
        dim = d + 2
        shape = list(grad_output.shape)
        found = taps(size[d], shape[dim], scales[d], mode, align_corners)
        shape[dim] = size[d]
        total = np.zeros(shape, grad_output.dtype)
        for at, weights in found:
            part = _scaled(grad_output, weights, dim)
            np.add.at(np.moveaxis(total, dim, 0), at, np.moveaxis(part, dim, 0))
        grad_output = total
    return grad_output


@upsample_backward.vjp(
    "grad_output", latex=r"\grad{grad_output} = \text{the interpolation of } \grad{result}"
)
def _(
    grad: Any, grad_output_shape: Any, size: Any, scales: Any, mode: Any, align_corners: Any
) -> Any:
    return upsample(grad, tuple(grad_output_shape[-len(size) :]), scales, mode, align_corners)
