"""Normalization functions: the checks before the operations, and what is made of others."""

from __future__ import annotations

from collections.abc import Sequence

from engine.nn._torch import Tensor, torch

from ._bound import bound


def _check_batch(size: Sequence[int]) -> None:
    values = size[0]
    for length in size[2:]:
        values *= length
    if values == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size {size}"
        )


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-05,
) -> Tensor:
    """Normalize (N, C, *) over all but dim 1, while training by its own mean and variance.

    Then the running mean and (unbiased) variance move by `momentum` of the way, in place.
    """
    if training:
        _check_batch(input.size())
    if training and eps <= 0.0:
        raise ValueError(f"batch_norm eps must be positive during training, but got {eps}")
    if eps < 0.0:
        raise ValueError(f"batch_norm eps must be non-negative, but got {eps}")
    return torch.batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum, eps, False
    )


def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-05,
) -> Tensor:
    """Normalize each channel of each sample of (N, C, *) over its places."""
    size = input.size()
    places = 1
    for length in size[2:]:
        places *= length
    if use_input_stats and places == 1:
        raise ValueError(
            f"Expected more than 1 spatial element when training, got input size {size}"
        )
    batch, channels = size[0], size[1]

    def spread(values: Tensor | None) -> Tensor | None:
        return None if values is None else values.repeat(batch)

    mean, var = spread(running_mean), spread(running_var)
    out = torch.batch_norm(
        input.contiguous().view(1, batch * channels, *size[2:]),
        spread(weight),
        spread(bias),
        mean,
        var,
        use_input_stats,
        momentum,
        eps,
        False,
    )
    with torch.no_grad():
        for running, spread_values in ((running_mean, mean), (running_var, var)):
            if running is not None and spread_values is not None:
                running.copy_(spread_values.view(batch, channels).mean(0))
    return out.view(size)


def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-05,
) -> Tensor:
    """Normalize over the last dims, whose sizes are `normalized_shape`."""
    return torch.layer_norm(input, normalized_shape, weight, bias, eps, False)


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-05,
) -> Tensor:
    """Normalize (N, C, *) over groups of channels and all places."""
    if input.dim() < 2:
        raise RuntimeError(
            f"Expected at least 2 dimensions for input tensor but received {input.dim()}"
        )
    size = input.size()
    _check_batch([size[0] * size[1] // num_groups, num_groups, *size[2:]])
    return torch.group_norm(input, num_groups, weight, bias, eps, False)


def local_response_norm(
    input: Tensor, size: int, alpha: float = 0.0001, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    """Divide by a power of the mean square over neighbouring channels of (N, C, *)."""
    if input.dim() < 3:
        raise ValueError(
            "Expected 3D or higher dimensionality"
            f"                          input (got {input.dim()} dimensions)"
        )
    if input.numel() == 0:
        return input
    before, after = size // 2, (size - 1) // 2
    places = input.size()[2:].numel()
    square = (input * input).reshape(input.size(0), 1, input.size(1), places)
    square = bound.pad(square, (0, 0, before, after))
    mean = bound.avg_pool2d(square, (size, 1), stride=1).reshape(input.size())
    return input / (mean * alpha + k) ** beta
