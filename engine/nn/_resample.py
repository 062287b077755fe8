"""Changing the size of images: nearest and linear interpolation, pixel shuffling."""

from __future__ import annotations

import math
import warnings
from typing import Any

from engine.errors import unsupported
from engine.nn._torch import Tensor, torch

from ._bound import bound
from .modules._sizes import ntuple

_LINEAR = {"linear": 1, "bilinear": 2, "trilinear": 3}


def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """Resize the last dims of (N, C, …) to `size`, or by `scale_factor`."""
    dims = input.dim() - 2
    if (size is None) == (scale_factor is None):
        text = "either size or scale_factor should be defined"
        both = "only one of size or scale_factor should be defined"
        raise ValueError(text if size is None else both)
    if mode == "nearest" and align_corners is not None:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: linear | bilinear "
            "| bicubic | trilinear"
        )
    if antialias or mode not in ("nearest", "nearest-exact", "area", "bicubic", *_LINEAR):
        raise unsupported(f"interpolation with mode={mode!r}, antialias={antialias}")
    factors: tuple[float | None, ...] = (None,) * dims
    if size is not None:
        wanted = ntuple(size, dims)
    else:
        scales = ntuple(scale_factor, dims)
        places = input.shape[2:]
        wanted = tuple(math.floor(n * float(s)) for n, s in zip(places, scales, strict=True))
        factors = (None,) * dims if recompute_scale_factor else scales
    if mode == "area":
        return getattr(bound, f"adaptive_avg_pool{dims}d")(input, wanted)
    if mode == "bicubic":
        corners = bool(align_corners)
        return _bicubic(input, wanted, factors, corners)
    for d in range(dims):
        if mode in _LINEAR:
            input = _linear(input, d + 2, wanted[d], factors[d], bool(align_corners))
        else:
            input = _nearest(input, d + 2, wanted[d], factors[d], mode == "nearest-exact")
    return input


def _ratio(length: int, wanted: int, factor: float | None) -> float:
    return length / wanted if factor is None else 1.0 / float(factor)


def _nearest(input: Tensor, dim: int, wanted: int, factor: float | None, exact: bool) -> Tensor:
    length = input.size(dim)
    ratio = _ratio(length, wanted, factor)
    offset = 0.5 if exact else 0.0
    picks = [min(int((i + offset) * ratio), length - 1) for i in range(wanted)]
    return input.index_select(dim, torch.tensor(picks))


def _linear(input: Tensor, dim: int, wanted: int, factor: float | None, corners: bool) -> Tensor:
    length = input.size(dim)
    if corners:
        ratio = (length - 1) / (wanted - 1) if wanted > 1 else 0.0
        places = [i * ratio for i in range(wanted)]
    else:
        ratio = _ratio(length, wanted, factor)
        places = [max((i + 0.5) * ratio - 0.5, 0.0) for i in range(wanted)]
    left = [min(int(p), length - 1) for p in places]
    right = [min(i + 1, length - 1) for i in left]
    shape = [1] * input.dim()
    shape[dim] = wanted
    part = torch.tensor([p - i for p, i in zip(places, left, strict=True)], dtype=input.dtype)
    part = part.view(shape)
    low = input.index_select(dim, torch.tensor(left))
    high = input.index_select(dim, torch.tensor(right))
    return low * (1 - part) + high * part


def _bicubic(input: Tensor, wanted: Any, factors: Any, corners: bool) -> Tensor:
    for d in (1, 0):  # along rows first, as PyTorch adds up
        input = _cubic(input, d + 2, wanted[d], factors[d], corners)
    return input


def _cubic(input: Tensor, dim: int, wanted: int, factor: float | None, corners: bool) -> Tensor:
    """Interpolate along a dim with Keys' cubic of four neighbours (1981), a = -3/4."""
    length = input.size(dim)
    if corners:
        ratio = (length - 1) / (wanted - 1) if wanted > 1 else 0.0
        places = [i * ratio for i in range(wanted)]
    else:
        ratio = _ratio(length, wanted, factor)
        places = [(i + 0.5) * ratio - 0.5 for i in range(wanted)]
    starts = [math.floor(p) for p in places]
    parts = [p - i for p, i in zip(places, starts, strict=True)]
    shape = [1] * input.dim()
    shape[dim] = wanted
    total: Any = 0
    for offset in (-1, 0, 1, 2):
        picks = [min(max(i + offset, 0), length - 1) for i in starts]
        weights = torch.tensor([_keys(abs(p - offset)) for p in parts], dtype=input.dtype)
        total = total + input.index_select(dim, torch.tensor(picks)) * weights.view(shape)
    return total


def _keys(x: float) -> float:
    a = -0.75
    if x <= 1:
        return ((a + 2) * x - (a + 3)) * x * x + 1
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a


def upsample(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """Do what `interpolate` does, under its old name."""
    warnings.warn(
        "`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead.",
        stacklevel=2,
    )
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """Repeat the nearest pixel, under its old name."""
    warnings.warn(
        "`nn.functional.upsample_nearest` is deprecated. Use `nn.functional.interpolate` instead.",
        stacklevel=2,
    )
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """Interpolate linearly with aligned corners, under its old name."""
    warnings.warn(
        "`nn.functional.upsample_bilinear` is deprecated. Use `nn.functional.interpolate` instead.",
        stacklevel=2,
    )
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)
