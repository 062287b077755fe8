"""Sampling images at places of a grid (spatial transformers)."""

from __future__ import annotations

import warnings
from typing import Any

from engine.errors import unsupported
from engine.nn._torch import Tensor, torch

_WARNING = (
    "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0."
    " Please specify align_corners=True if the old behavior is desired. See the documentation of"
    " grid_sample for details."
)


def affine_grid(theta: Tensor, size: Any, align_corners: bool | None = None) -> Tensor:
    """Return places (N, H, W, 2) of an affine map (N, 2, 3), in coordinates from -1 to 1."""
    if align_corners is None:
        warnings.warn(_WARNING, stacklevel=2)
    if len(size) != 4:
        raise unsupported("affine_grid of volumes")
    _, _, height, width = size
    rows, columns = (_steps(n, bool(align_corners), theta.dtype) for n in (height, width))
    x = columns.view(1, width).expand(height, width)
    y = rows.view(height, 1).expand(height, width)
    base = torch.stack([x, y, torch.ones_like(x)], -1).view(1, height * width, 3)
    placed = base.expand(theta.size(0), -1, -1).bmm(theta.transpose(1, 2))
    return placed.view(theta.size(0), height, width, 2)


def _steps(count: int, align_corners: bool, dtype: Any) -> Tensor:
    if count <= 1:
        return torch.zeros(count, dtype=dtype)
    steps = torch.linspace(-1, 1, count, dtype=dtype)
    return steps if align_corners else steps * (count - 1) / count


def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """Look (N, C, H, W) up at places (N, h, w, 2), between pixels linearly; to (N, C, h, w)."""
    if mode not in ("bilinear", "nearest", "bicubic"):
        raise ValueError(
            "nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic',"
            f" but got: '{mode}'"
        )
    if padding_mode not in ("zeros", "border", "reflection"):
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or"
            f" 'reflection', but got: '{padding_mode}'"
        )
    if align_corners is None:
        warnings.warn(_WARNING, stacklevel=2)
    if mode == "bicubic" or padding_mode == "reflection" or input.dim() != 4:
        raise unsupported(f"grid_sample with mode={mode!r}, padding_mode={padding_mode!r}")
    height, width = input.shape[2:]
    x, y = (
        _pixels(grid[..., axis], n, bool(align_corners), padding_mode)
        for axis, n in ((0, width), (1, height))
    )
    if mode == "nearest":
        return _pick(input, x.detach().round(), y.detach().round())
    left, top = x.detach().floor(), y.detach().floor()
    total: Any = 0
    for right in (0, 1):
        for down in (0, 1):
            across = x - left if right else left + 1 - x
            along = y - top if down else top + 1 - y
            part = _pick(input, left + right, top + down)
            total = total + part * (across * along).unsqueeze(1)
    return total


def _pixels(place: Tensor, count: int, align_corners: bool, padding_mode: str) -> Tensor:
    at = (place + 1) / 2 * (count - 1) if align_corners else ((place + 1) * count - 1) / 2
    return at.clamp(0, count - 1) if padding_mode == "border" else at


def _pick(input: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Return the pixels at whole places, zeros outside."""
    batch, channels, height, width = input.shape
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    index = y.clamp(0, height - 1) * width + x.clamp(0, width - 1)
    flat = index.long().view(batch, 1, -1).expand(-1, channels, -1)
    found = input.reshape(batch, channels, -1).gather(2, flat)
    found = found.view(batch, channels, *x.shape[1:])
    return found * inside.unsqueeze(1).to(input.dtype)
