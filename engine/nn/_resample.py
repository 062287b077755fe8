"""Changing the size of images: nearest and linear interpolation, pixel shuffling."""

from __future__ import annotations

import math
import warnings
from typing import Any

from engine.errors import fail, unsupported
from engine.nn._torch import Tensor, torch
from engine.ops.kernels import refusal
from engine.ops.upsampling import upsample as resized

from ._bound import bound
from .modules._sizes import ntuple

_ALL = (1, 2, 3)
_DIMS: dict[str, tuple[int, ...]] = {
    "nearest": _ALL, "nearest-exact": _ALL, "area": _ALL, "linear": (1,), "bilinear": (2,),
    "bicubic": (2,), "trilinear": (3,),
}  # fmt: skip


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
    if mode in ("nearest", "nearest-exact", "area") and align_corners is not None:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: linear | bilinear "
            "| bicubic | trilinear"
        )
    if (size is None) == (scale_factor is None):
        text = "either size or scale_factor should be defined"
        both = "only one of size or scale_factor should be defined"
        raise ValueError(text if size is None else both)
    if antialias or mode == "lanczos":
        raise unsupported(f"interpolation with mode={mode!r}, antialias={antialias}")
    factors: tuple[float | None, ...] = (None,) * dims
    if size is not None:
        _check_count(size, input, "output", "output size of", "output size in (o1, o2, ...,oK)")
        wanted = ntuple(size, dims)
    else:
        named = "scale_factor of shape"
        _check_count(scale_factor, input, "scale_factor", named, "scale_factor in (s1, s2, ...,sK)")
        scales = ntuple(scale_factor, dims)
        places = input.shape[2:]
        wanted = tuple(math.floor(n * float(s)) for n, s in zip(places, scales, strict=True))
        factors = (None,) * dims if recompute_scale_factor else scales
    _check_mode(mode, dims)
    if mode == "area":
        return getattr(bound, f"adaptive_avg_pool{dims}d")(input, wanted)
    _check_sizes(input, wanted)
    has_kernel = input.dtype.is_floating_point or input.dtype is torch.uint8
    if mode.startswith("nearest") and not has_kernel:
        raise refusal("compute_indices_weights_nearest", input.dtype)
    return resized(input, wanted, factors, mode, bool(align_corners))


def _check_count(given: Any, input: Tensor, what: str, named: str, form: str) -> None:
    if isinstance(given, (list, tuple)) and len(given) != input.dim() - 2:
        raise ValueError(
            f"Input and {what} must have the same number of spatial dimensions, but got input with "
            f"spatial dimensions of {list(input.shape[2:])} and {named} {given}. Please provide "
            f"input tensor in (N, C, d1, d2, ...,dK) format and {form} format."
        )


def _check_mode(mode: str, dims: int) -> None:
    """Refuse a mode that is unknown, or for another number of dims."""
    fitting = _DIMS.get(mode, ())
    if dims in fitting:
        return
    if dims in _ALL and mode in ("linear", "bilinear", "trilinear"):
        raise NotImplementedError(
            f"Got {dims + 2}D input, but {mode} mode needs {fitting[0] + 2}D input"
        )
    raise NotImplementedError(
        f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {dims + 2}D) for the modes: "
        "nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact "
        f"(got {mode})"
    )


def _check_sizes(input: Tensor, wanted: tuple[int, ...]) -> None:
    sizes = tuple(input.shape[2:])
    if min(*sizes, *wanted) <= 0:
        letters = "DHW"[-len(sizes) :]
        there, here = (
            ", ".join(f"{x}: {n}" for x, n in zip(letters, size, strict=True))
            for size in (sizes, wanted)
        )
        between = " and" if len(sizes) == 1 else ""
        raise fail(
            "negative-size",
            "Input and output sizes should be greater than 0, but got input"
            f" ({there}){between} output ({here})",
        )


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
