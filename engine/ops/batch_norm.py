"""Normalising each channel over the batch."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.dims import add_reduce
from engine.ops.layer_norm import normalized_gradient, standardized, unit_of
from engine.ops.record import Array, function, op
from engine.ops.reduce import sum_dims
from engine.ops.roots import rsqrt
from engine.ops.samples import Sample, t
from engine.tensor import Tensor


def _batches() -> list[Sample]:
    x = t(3, 2, 2)
    scale = (t(2, seed=1), t(2, seed=2))
    running = (t(2, seed=3), t(2, seed=4, low=0.5, high=1.5))
    return [
        Sample((x, None, None, None, None, True, 1e-5)),
        Sample((x, *scale, None, None, True, 1e-5)),
        Sample((x, *scale, *running, False, 1e-5)),
    ]


def per_channel(values: Any, ndim: int) -> Any:
    """Give a vector of channels the dims to go with (N, C, *)."""
    return values.reshape((1, -1) + (1,) * (ndim - 2))


@op(
    "native_batch_norm",
    latex=r"\val{result} = \frac{\val{input} - \mu}{\sqrt{\sigma^2 + \val{eps}}} \odot \val{weight}"
    r" + \val{bias}",
    grad_fn="NativeBatchNormBackward0",
    samples=_batches,
)
def native_batch_norm(
    input: Array,
    weight: Array | None,
    bias: Array | None,
    running_mean: Array | None,
    running_var: Array | None,
    training: bool,
    eps: float,
) -> Array:
    """Bring each channel of a batch to mean 0 and variance 1, then scale and shift.

    >>> torch.nn.functional.batch_norm(torch.tensor([[1.], [3.]]), None, None, training=True)
    tensor([[-1.0000],
            [ 1.0000]])
    """
    n = input.ndim
    if training:
        unit, _, _ = standardized(input, (0, *range(2, n)), eps)
    else:
        inverse = 1 / np.sqrt(per_channel(running_var, n) + eps)
        unit = (input - per_channel(running_mean, n)) * inverse
    unit = unit if weight is None else unit * per_channel(weight, n)
    return (unit if bias is None else unit + per_channel(bias, n)).astype(input.dtype)


@native_batch_norm.vjp(
    "input",
    latex=r"\grad{input} = \frac{1}{\sqrt{\sigma^2 + \val{eps}}} \left(g - \overline{g} - \hat x\,"
    r"\overline{g \odot \hat x}\right),\ g = \grad{result} \odot \val{weight},"
    r"\ \hat x \text{ from } \val{input}, \val{running_var}",
)
def _(grad: Any, input: Any, weight: Any, running_var: Any, training: bool, eps: float) -> Any:
    n = len(input.shape)
    if weight is not None:
        grad = grad * per_channel(weight, n)
    if training:
        return normalized_gradient(grad, input, (0, *range(2, n)), eps)
    return grad * rsqrt(per_channel(running_var, n) + eps)


@native_batch_norm.vjp(
    "weight",
    latex=r"\grad{weight} = \sum \grad{result} \odot \hat x,"
    r"\ \hat x \text{ from } \val{input}, \val{running_mean}, \val{running_var}",
)
def _(
    grad: Any, input: Any, running_mean: Any, running_var: Any, training: bool, eps: float
) -> Any:
    n = len(input.shape)
    dims = (0, *range(2, n))
    if training:
        unit = unit_of(input, dims, eps)
    else:
        unit = (input - per_channel(running_mean, n)) * rsqrt(per_channel(running_var, n) + eps)
    return sum_dims(grad * unit, dims)


@native_batch_norm.vjp("bias", latex=r"\grad{bias} = \sum \grad{result}")
def _(grad: Any) -> Any:
    return sum_dims(grad, (0, *range(2, len(grad.shape))))


def _check_channels(input: Tensor, values: dict[str, Any]) -> None:
    channels = input.shape[1]
    for name, x in values.items():
        if x is not None and x.shape.numel() != channels:
            raise fail(
                "batch-norm",
                f"{name} should contain {channels} elements not {x.shape.numel()}",
            )


@function("torch.batch_norm")
def batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool = False,
) -> Tensor:
    """Normalize (N, C, *) over all but the channels; while training the running ones move."""
    if input.ndim < 2:
        raise fail(
            "batch-norm",
            f"Expected at least 2 input dimensions, but got {input.ndim}D input",
        )
    _check_channels(
        input,
        {"running_mean": running_mean, "running_var": running_var, "weight": weight, "bias": bias},
    )
    if not training and (running_mean is None or running_var is None):
        raise fail(
            "batch-norm",
            "Expected running_mean and running_var to be defined when training=False",
        )
    result: Tensor = native_batch_norm(
        input, weight, bias, running_mean, running_var, training, eps
    )
    if training:
        _move_running(input, running_mean, running_var, momentum)
    return result


def _move_running(input: Tensor, running_mean: Any, running_var: Any, momentum: float) -> None:
    dims = (0, *range(2, input.ndim))
    array = input._array
    n = math.prod(array.shape[d] for d in dims)
    middle = add_reduce(array, dims) / n
    away = array - per_channel(middle, array.ndim)
    variance = add_reduce(away * away, dims) / max(n - 1, 1)
    for running, now in ((running_mean, middle), (running_var, variance)):
        if running is not None:
            # No write is counted: as in PyTorch an earlier batch may still be differentiated.
            running._array[...] = running._array * (1 - momentum) + now * momentum
