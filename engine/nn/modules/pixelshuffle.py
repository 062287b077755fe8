"""Trading channels for places."""

from __future__ import annotations

from engine.nn._torch import Tensor

from .. import functional as F
from .module import Module


class PixelShuffle(Module):
    """From (…, C r², H, W) to (…, C, H r, W r).

    Shi et al., "Real-Time Single Image and Video Super-Resolution" (2016).
    """

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self) -> str:
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(Module):
    """From (…, C, H r, W r) to (…, C r², H, W)."""

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self) -> str:
        return f"downscale_factor={self.downscale_factor}"


class ChannelShuffle(Module):
    """Deal the channels of (N, C, …) out over groups, as cards.

    Zhang et al., "ShuffleNet" (2018).
    """

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        return f"groups={self.groups}"
