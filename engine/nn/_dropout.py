"""Dropout: setting elements or channels to zero at random."""

from __future__ import annotations

import warnings

from engine.nn._torch import Tensor, torch


def _check_probability(p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Set elements to zero with probability `p` and divide the rest by 1 - p, while training."""
    _check_probability(p)
    return (torch.dropout_ if inplace else torch.dropout)(input, p, training)


def alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Drop elements to SELU's floor, keeping mean and variance, while training."""
    _check_probability(p)
    return torch.alpha_dropout(input, p, training)


def feature_alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Drop whole channels to SELU's floor, while training."""
    _check_probability(p)
    return torch.feature_alpha_dropout(input, p, training)


def _drop_channels(input: Tensor, p: float, training: bool, inplace: bool) -> Tensor:
    chosen = torch.feature_dropout_ if inplace else torch.feature_dropout
    return chosen(input, p, training)


def dropout1d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Drop whole channels of (N, C, L) or (C, L)."""
    _check_probability(p)
    if input.dim() not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {input.dim()}D input. Note that "
            "dropout1d exists to provide channel-wise dropout on inputs with 1 spatial dimension, "
            "a channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs)."
        )
    if input.dim() == 3:
        return _drop_channels(input, p, training, inplace)
    return _drop_channels(input.unsqueeze(0), p, training, inplace).squeeze(0)


def dropout2d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Drop whole channels of (N, C, H, W)."""
    _check_probability(p)
    if input.dim() not in (3, 4):
        warnings.warn(
            f"dropout2d: Received a {input.dim()}-D input to dropout2d, which is deprecated and "
            "will result in an error in a future release. To retain the behavior and silence this "
            "warning, please use dropout instead. Note that dropout2d exists to provide "
            "channel-wise dropout on inputs with 2 spatial dimensions, a channel dimension, and an "
            "optional batch dimension (i.e. 3D or 4D inputs).",
            stacklevel=2,
        )
    if input.dim() == 3:
        warnings.warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout "
            "behavior is desired - input is interpreted as shape (N, C, L), where C is the channel "
            "dim. This behavior will change in a future release to interpret the input as one "
            "without a batch dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise "
            "dropout behavior, please switch to using dropout1d instead.",
            stacklevel=2,
        )
    return _drop_channels(input, p, training, inplace)


def dropout3d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Drop whole channels of (N, C, D, H, W)."""
    _check_probability(p)
    return _drop_channels(input, p, training, inplace)
