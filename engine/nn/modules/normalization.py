"""Normalization within a sample: LayerNorm, GroupNorm, RMSNorm, LocalResponseNorm."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.nn._torch import Tensor, torch

from .. import functional as F
from .. import init
from ..parameter import Parameter
from .module import Module


class _Affine(Module):
    """A weight that starts as ones and a bias that starts as zeros, each there or None."""

    weight: Tensor | None
    bias: Tensor | None

    def _make(self, name: str, size: Any, wanted: bool, device: Any, dtype: Any) -> None:
        parameter = Parameter(torch.empty(size, device=device, dtype=dtype)) if wanted else None
        self.register_parameter(name, parameter)

    def reset_parameters(self) -> None:
        """Set weight to 1 and bias to 0."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self._parameters.get("bias") is not None:
            init.zeros_(self.bias)


def _shape(normalized_shape: Any) -> tuple[int, ...]:
    if isinstance(normalized_shape, Iterable):
        return tuple(normalized_shape)
    return (normalized_shape,)


class LayerNorm(_Affine):
    """Normalization over the last dims, whose sizes are `normalized_shape`.

    Ba et al., "Layer Normalization" (2016).
    """

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-05,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.normalized_shape = _shape(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self._make("weight", self.normalized_shape, elementwise_affine, device, dtype)
        self._make("bias", self.normalized_shape, elementwise_affine and bias, device, dtype)
        self.reset_parameters()

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, "
            f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        )


class GroupNorm(_Affine):
    """Normalization over groups of channels of (N, C, *).

    Wu and He, "Group Normalization" (2018).
    """

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-05,
        affine: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        if num_channels % num_groups != 0:
            raise ValueError(
                f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})"
            )
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        self._make("weight", num_channels, affine, device, dtype)
        self._make("bias", num_channels, affine and bias, device, dtype)
        self.reset_parameters()

    def forward(self, input: Tensor) -> Tensor:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
            f"bias={self.bias is not None}"
        )


class RMSNorm(_Affine):
    """x / sqrt(mean(x²) + eps) * weight over the last dims.

    Zhang and Sennrich, "Root Mean Square Layer Normalization" (2019).
    """

    def __init__(
        self,
        normalized_shape: Any,
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.normalized_shape = _shape(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self._make("weight", self.normalized_shape, elementwise_affine, device, dtype)
        self.reset_parameters()

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
        )


class LocalResponseNorm(Module):
    """x / (k + alpha * mean of x² over `size` neighbouring channels) ** beta.

    Krizhevsky et al., "ImageNet Classification with Deep Convolutional Neural Networks" (2012).
    """

    def __init__(
        self, size: int, alpha: float = 0.0001, beta: float = 0.75, k: float = 1.0
    ) -> None:
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input: Tensor) -> Tensor:
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
