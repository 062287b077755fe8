"""What numbers an element type can hold."""

from __future__ import annotations

import numpy as np

from engine.dtypes import dtype, get_default_dtype


class finfo:
    """Limits of a floating-point type."""

    def __init__(self, type: dtype | None = None) -> None:
        kind = get_default_dtype() if type is None else type
        if not kind.is_floating_point:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle"
                " 'torch.finfo'"
            )
        info = np.finfo(kind.np)
        self.dtype = kind.name
        self.bits = info.bits
        self.eps = float(info.eps)
        self.max = float(info.max)
        self.min = float(info.min)
        self.tiny = self.smallest_normal = float(info.tiny)
        self.resolution = float(info.resolution)

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g},"
            f" eps={self.eps:g}, smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g},"
            f" dtype={self.dtype})"
        )


class iinfo:
    """Limits of an integer type."""

    def __init__(self, type: dtype) -> None:
        if type.category != 1:
            raise TypeError(
                "torch.iinfo() requires an integer input type. Use torch.finfo to handle"
                " 'torch.iinfo'"
            )
        info = np.iinfo(type.np)
        self.dtype = type.name
        self.bits = info.bits
        self.max = int(info.max)
        self.min = int(info.min)

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


finfo.__module__ = iinfo.__module__ = "torch"
