"""Convolutions over one, two and three dims, and their transposes."""

from __future__ import annotations

import math
from typing import Any

from engine.nn._torch import Tensor, torch

from .. import functional as F
from .. import init
from ..parameter import Parameter
from ._sizes import ntuple
from .linear import reset_bias
from .module import Module


class _ConvNd(Module):
    """Weight (out, in / groups, *kernel), uniform in ±1/sqrt(inputs of one output)."""

    _dims = 0
    transposed = False
    weight: Tensor
    bias: Tensor | None

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        dims = self._dims
        _check_groups(groups, in_channels, out_channels)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = ntuple(kernel_size, dims)
        self.stride = ntuple(stride, dims)
        self.padding = padding if isinstance(padding, str) else ntuple(padding, dims)
        _check_padding(self.padding, self.stride, padding_mode)
        self.dilation = ntuple(dilation, dims)
        self.output_padding = (0,) * dims
        self.groups = groups
        self.padding_mode = padding_mode
        first, second = out_channels, in_channels // groups
        if self.transposed:
            first, second = in_channels, out_channels // groups
        size = (first, second, *self.kernel_size)
        self.weight = Parameter(torch.empty(size, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(torch.empty(out_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weight, then bias."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        reset_bias(self.bias, self.weight)

    @property
    def _pads(self) -> list[int]:
        """Both sides of every dim, last dim first, as F.pad wants them."""
        pads: list[int] = []
        for i in reversed(range(self._dims)):
            if self.padding == "same":
                total = self.dilation[i] * (self.kernel_size[i] - 1)
                pads += [total // 2, total - total // 2]
            else:
                side: Any = 0 if self.padding == "valid" else self.padding[i]
                pads += [side, side]
        return pads

    def forward(self, input: Tensor) -> Tensor:
        convolve = getattr(F, f"conv{self._dims}d")
        padding = self.padding
        if self.padding_mode != "zeros":
            input = F.pad(input, self._pads, mode=self.padding_mode)
            padding = (0,) * self._dims
        result: Tensor = convolve(
            input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups
        )
        return result

    def extra_repr(self) -> str:
        text = (
            f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}"
        )
        for name, usual in (("padding", 0), ("dilation", 1), ("output_padding", 0)):
            value = getattr(self, name)
            if value != (usual,) * self._dims:
                text += f", {name}={value}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        if self.padding_mode != "zeros":
            text += f", padding_mode={self.padding_mode}"
        return text


def _check_groups(groups: int, in_channels: int, out_channels: int) -> None:
    if groups <= 0:
        raise ValueError("groups must be a positive integer")
    if in_channels % groups != 0:
        raise ValueError("in_channels must be divisible by groups")
    if out_channels % groups != 0:
        raise ValueError("out_channels must be divisible by groups")


def _check_padding(padding: Any, stride: tuple[int, ...], mode: str) -> None:
    if isinstance(padding, str):
        if padding not in ("same", "valid"):
            raise ValueError(
                f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}"
            )
        if padding == "same" and any(s != 1 for s in stride):
            raise ValueError("padding='same' is not supported for strided convolutions")
    modes = {"zeros", "reflect", "replicate", "circular"}
    if mode not in modes:
        raise ValueError(f"padding_mode must be one of {modes}, but got padding_mode='{mode}'")


class Conv1d(_ConvNd):
    """Cross-correlation of (N, C, L) or (C, L) with learned kernels."""

    _dims = 1


class Conv2d(_ConvNd):
    """Cross-correlation of (N, C, H, W) or (C, H, W) with learned kernels."""

    _dims = 2


class Conv3d(_ConvNd):
    """Cross-correlation of (N, C, D, H, W) or (C, D, H, W) with learned kernels."""

    _dims = 3


class _ConvTransposeNd(_ConvNd):
    transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )
        self.output_padding = ntuple(output_padding, self._dims)

    def _output_padding(self, input: Tensor, output_size: Any) -> Any:
        """Return the padding that makes the output of a wanted size."""
        if output_size is None:
            return self.output_padding
        dims = self._dims
        fixed = input.dim() - dims
        wanted = list(output_size)
        if len(wanted) == fixed + dims:
            wanted = wanted[fixed:]
        if len(wanted) != dims:
            raise ValueError(
                f"ConvTranspose{dims}D: for {input.dim()}D input, output_size must have {dims} or "
                f"{fixed + dims} elements (got {len(wanted)})"
            )
        least = [
            (input.size(d + fixed) - 1) * self.stride[d]
            - 2 * self.padding[d]
            + self.dilation[d] * (self.kernel_size[d] - 1)
            + 1
            for d in range(dims)
        ]
        most = [least[d] + self.stride[d] - 1 for d in range(dims)]
        if any(not least[d] <= wanted[d] <= most[d] for d in range(dims)):
            raise ValueError(
                f"requested an output size of {wanted}, but valid sizes range from {least} to "
                f"{most} (for an input of {input.size()[2:]})"
            )
        return [wanted[d] - least[d] for d in range(dims)]

    def forward(self, input: Tensor, output_size: Any = None) -> Tensor:
        convolve = getattr(F, f"conv_transpose{self._dims}d")
        result: Tensor = convolve(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            self._output_padding(input, output_size),
            self.groups,
            self.dilation,
        )
        return result


class ConvTranspose1d(_ConvTransposeNd):
    """The transpose of Conv1d: spreads (N, C, L) with learned kernels."""

    _dims = 1


class ConvTranspose2d(_ConvTransposeNd):
    """The transpose of Conv2d: spreads (N, C, H, W) with learned kernels."""

    _dims = 2


class ConvTranspose3d(_ConvTransposeNd):
    """The transpose of Conv3d: spreads (N, C, D, H, W) with learned kernels."""

    _dims = 3
