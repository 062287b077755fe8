"""Pooling: one number for each window."""

from __future__ import annotations

from typing import Any

from engine.nn._torch import Tensor

from .. import functional as F
from ._sizes import ntuple
from .module import Module


class _PoolNd(Module):
    _shown: tuple[str, ...] = ()

    def extra_repr(self) -> str:
        return ", ".join(f"{name}={getattr(self, name)}" for name in self._shown)


class _MaxPoolNd(_PoolNd):
    _shown = ("kernel_size", "stride", "padding", "dilation", "ceil_mode")
    _dims = 0

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Any:
        return getattr(F, f"max_pool{self._dims}d")(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            ceil_mode=self.ceil_mode,
            return_indices=self.return_indices,
        )


class MaxPool1d(_MaxPoolNd):
    """The largest number of each window of (N, C, L) or (C, L)."""

    _dims = 1


class MaxPool2d(_MaxPoolNd):
    """The largest number of each window of (N, C, H, W) or (C, H, W)."""

    _dims = 2


class MaxPool3d(_MaxPoolNd):
    """The largest number of each window of (N, C, D, H, W) or (C, D, H, W)."""

    _dims = 3


class AvgPool1d(_PoolNd):
    """The mean of each window of (N, C, L) or (C, L)."""

    _shown = ("kernel_size", "stride", "padding")

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__()
        self.kernel_size = ntuple(kernel_size, 1)
        self.stride = ntuple(kernel_size if stride is None else stride, 1)
        self.padding = ntuple(padding, 1)
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool1d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
        )


class _AvgPoolNd(_PoolNd):
    _shown = ("kernel_size", "stride", "padding")
    _dims = 0

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def forward(self, input: Tensor) -> Tensor:
        pooled: Tensor = getattr(F, f"avg_pool{self._dims}d")(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )
        return pooled


class AvgPool2d(_AvgPoolNd):
    """The mean of each window of (N, C, H, W) or (C, H, W)."""

    _dims = 2


class AvgPool3d(_AvgPoolNd):
    """The mean of each window of (N, C, D, H, W) or (C, D, H, W)."""

    _dims = 3


class _LPPoolNd(_PoolNd):
    _shown = ("norm_type", "kernel_size", "stride", "ceil_mode")
    _dims = 0

    def __init__(
        self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Tensor:
        pooled: Tensor = getattr(F, f"lp_pool{self._dims}d")(
            input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode
        )
        return pooled


class LPPool1d(_LPPoolNd):
    """The p-norm of each window of (N, C, L)."""

    _dims = 1


class LPPool2d(_LPPoolNd):
    """The p-norm of each window of (N, C, H, W)."""

    _dims = 2


class LPPool3d(_LPPoolNd):
    """The p-norm of each window of (N, C, D, H, W) or (C, D, H, W)."""

    _dims = 3


class _MaxUnpoolNd(_PoolNd):
    _shown = ("kernel_size", "stride", "padding")
    _dims = 0

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        self.kernel_size = ntuple(kernel_size, self._dims)
        self.stride = self.kernel_size if stride is None else ntuple(stride, self._dims)
        self.padding = ntuple(padding, self._dims)

    def forward(self, input: Tensor, indices: Tensor, output_size: Any = None) -> Tensor:
        unpool = getattr(F, f"max_unpool{self._dims}d")
        return unpool(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool1d(_MaxUnpoolNd):
    """Put the largest numbers back where MaxPool1d found them, zeros elsewhere."""

    _dims = 1


class MaxUnpool2d(_MaxUnpoolNd):
    """Put the largest numbers back where MaxPool2d found them, zeros elsewhere."""

    _dims = 2


class MaxUnpool3d(_MaxUnpoolNd):
    """Put the largest numbers back where MaxPool3d found them, zeros elsewhere."""

    _dims = 3


class _AdaptivePoolNd(_PoolNd):
    _shown = ("output_size",)
    _function = ""

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def forward(self, input: Tensor) -> Any:
        return getattr(F, self._function)(input, self.output_size)


class AdaptiveAvgPool1d(_AdaptivePoolNd):
    """Means over as many windows as `output_size` says, of (N, C, L)."""

    _function = "adaptive_avg_pool1d"


class AdaptiveAvgPool2d(_AdaptivePoolNd):
    """Means over as many windows as `output_size` says, of (N, C, H, W)."""

    _function = "adaptive_avg_pool2d"


class AdaptiveAvgPool3d(_AdaptivePoolNd):
    """Means over as many windows as `output_size` says, of (N, C, D, H, W)."""

    _function = "adaptive_avg_pool3d"


class _AdaptiveMaxPoolNd(_AdaptivePoolNd):
    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__(output_size)
        self.return_indices = return_indices

    def forward(self, input: Tensor) -> Any:
        return getattr(F, self._function)(input, self.output_size, self.return_indices)


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    """Largest numbers of as many windows as `output_size` says, of (N, C, L)."""

    _function = "adaptive_max_pool1d"


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    """Largest numbers of as many windows as `output_size` says, of (N, C, H, W)."""

    _function = "adaptive_max_pool2d"


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    """The largest numbers of (N, C, D, H, W) in as many windows as asked for."""

    _dims = 3
