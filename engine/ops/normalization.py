"""Layer, batch and group normalization."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.dims import add_reduce
from engine.ops.powers import rsqrt
from engine.ops.record import Array, function, op
from engine.ops.reduce import mean, sum_dims
from engine.ops.samples import Sample, t
from engine.tensor import Tensor


def standardized(input: Any, dims: tuple[int, ...], eps: float) -> tuple[Any, Any, Any]:
    """Return an array with mean 0 and variance 1 over dims, the mean, and 1 / deviation."""
    middle = add_reduce(input, dims, None, None, True) / math.prod(input.shape[d] for d in dims)
    away = input - middle
    n = math.prod(input.shape[d] for d in dims)
    variance = add_reduce(away * away, dims, None, None, True) / n
    inverse = 1 / np.sqrt(variance + eps)
    return away * inverse, middle, inverse


def normalized_gradient(grad: Any, input: Any, dims: tuple[int, ...], eps: float) -> Any:
    """Return the gradient through standardizing over dims, for arrays and tensors alike."""
    away = input - mean(input, dims, True)
    inverse = rsqrt(mean(away * away, dims, True) + eps)
    unit = away * inverse
    return (grad - mean(grad, dims, True) - unit * mean(grad * unit, dims, True)) * inverse


def unit_of(input: Any, dims: tuple[int, ...], eps: float) -> Any:
    """Return what standardizing over dims gives, for arrays and tensors alike."""
    away = input - mean(input, dims, True)
    return away * rsqrt(mean(away * away, dims, True) + eps)


def _layers() -> list[Sample]:
    x = t(2, 3)
    return [
        Sample((x, (3,), None, None, 1e-5)),
        Sample((x, (3,), t(3, seed=1), t(3, seed=2), 1e-5)),
        Sample((x, (2, 3), t(2, 3, seed=1), None, 1e-5)),
    ]


@op(
    "native_layer_norm",
    latex=r"\val{result} = \frac{\val{input} - \mu}{\sqrt{\sigma^2 + \val{eps}}} \odot \val{weight}"
    r" + \val{bias}",
    grad_fn="NativeLayerNormBackward0",
    samples=_layers,
)
def native_layer_norm(
    input: Array, normalized_shape: Any, weight: Array | None, bias: Array | None, eps: float
) -> Array:
    """Bring the last dims of each sample to mean 0 and variance 1, then scale and shift.

    >>> torch.nn.functional.layer_norm(torch.tensor([1., 2., 3.]), (3,))
    tensor([-1.2247,  0.0000,  1.2247])
    """
    dims = tuple(range(input.ndim - len(normalized_shape), input.ndim))
    unit, _, _ = standardized(input, dims, eps)
    unit = unit if weight is None else unit * weight
    return (unit if bias is None else unit + bias).astype(input.dtype)


@native_layer_norm.vjp(
    "input",
    latex=r"\grad{input} = \frac{1}{\sqrt{\sigma^2 + \val{eps}}} \left(g - \overline{g} - \hat x\,"
    r"\overline{g \odot \hat x}\right),\ g = \grad{result} \odot \val{weight},"
    r"\ \hat x = \frac{\val{input} - \mu}{\sqrt{\sigma^2 + \val{eps}}}",
)
def _(grad: Any, input: Any, normalized_shape: Any, weight: Any, eps: float) -> Any:
    dims = tuple(range(len(input.shape) - len(normalized_shape), len(input.shape)))
    return normalized_gradient(grad if weight is None else grad * weight, input, dims, eps)


@native_layer_norm.vjp(
    "weight",
    latex=r"\grad{weight} = \sum \grad{result} \odot"
    r" \frac{\val{input} - \mu}{\sqrt{\sigma^2 + \val{eps}}}",
)
def _(grad: Any, input: Any, normalized_shape: Any, eps: float) -> Any:
    dims = tuple(range(len(input.shape) - len(normalized_shape), len(input.shape)))
    return grad * unit_of(input, dims, eps)


@native_layer_norm.vjp("bias", latex=r"\grad{bias} = \sum \grad{result}")
def _(grad: Any) -> Any:
    return grad


@function("torch.layer_norm")
def layer_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-05,
    cudnn_enable: bool = True,
) -> Tensor:
    """Normalize over the last dims, whose sizes are `normalized_shape`."""
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    n = len(shape)
    if n == 0:
        raise fail(
            "layer-norm",
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one"
            " element, but got normalized_shape = []",
        )
    for name, x in (("weight", weight), ("bias", bias)):
        if x is not None and tuple(x.shape) != shape:
            raise fail(
                "layer-norm",
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape"
                f" {list(x.shape)} and normalized_shape = {list(shape)}",
            )
    if input.ndim < n or tuple(input.shape[input.ndim - n :]) != shape:
        sizes = "".join(f", {s}" for s in shape)
        raise fail(
            "layer-norm",
            f"Given normalized_shape={list(shape)}, expected input with shape [*{sizes}], but got"
            f" input of size{list(input.shape)}",
        )
    result: Tensor = native_layer_norm(input, shape, weight, bias, eps)
    return result


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


@op(
    "native_group_norm",
    latex=r"\val{result} = \frac{\val{input} - \mu}{\sqrt{\sigma^2 + \val{eps}}} \odot \val{weight}"
    r" + \val{bias}",
    grad_fn="NativeGroupNormBackward0",
    samples=lambda: [
        Sample((t(2, 4, 2), None, None, 2, 1e-5)),
        Sample((t(2, 4, 2), t(4, seed=1), t(4, seed=2), 2, 1e-5)),
    ],
)
def native_group_norm(
    input: Array, weight: Array | None, bias: Array | None, num_groups: int, eps: float
) -> Array:
    """Bring each group of channels of each sample to mean 0 and variance 1, then scale and shift.

    >>> torch.nn.functional.group_norm(torch.tensor([[1., 3.]]), 1)
    tensor([[-1.0000,  1.0000]])
    """
    rows = input.reshape(input.shape[0], num_groups, -1)
    unit = standardized(rows, (2,), eps)[0].reshape(input.shape)
    unit = unit if weight is None else unit * per_channel(weight, input.ndim)
    return (unit if bias is None else unit + per_channel(bias, input.ndim)).astype(input.dtype)


@native_group_norm.vjp(
    "input",
    latex=r"\grad{input} = \frac{1}{\sqrt{\sigma^2 + \val{eps}}} \left(g - \overline{g} - \hat x\,"
    r"\overline{g \odot \hat x}\right),\ g = \grad{result} \odot \val{weight},"
    r"\ \hat x = \frac{\val{input} - \mu}{\sqrt{\sigma^2 + \val{eps}}}",
)
def _(grad: Any, input: Any, weight: Any, num_groups: int, eps: float) -> Any:
    shape = tuple(input.shape)
    if weight is not None:
        grad = grad * per_channel(weight, len(shape))
    rows = (shape[0], num_groups, -1)
    return normalized_gradient(grad.reshape(rows), input.reshape(rows), (2,), eps).reshape(shape)


@native_group_norm.vjp(
    "weight",
    latex=r"\grad{weight} = \sum \grad{result} \odot"
    r" \frac{\val{input} - \mu}{\sqrt{\sigma^2 + \val{eps}}}",
)
def _(grad: Any, input: Any, num_groups: int, eps: float) -> Any:
    shape = tuple(input.shape)
    unit = unit_of(input.reshape((shape[0], num_groups, -1)), (2,), eps).reshape(shape)
    return sum_dims(grad * unit, (0, *range(2, len(shape))))


@native_group_norm.vjp("bias", latex=r"\grad{bias} = \sum \grad{result}")
def _(grad: Any) -> Any:
    return sum_dims(grad, (0, *range(2, len(grad.shape))))


@function("torch.group_norm")
def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-05,
    cudnn_enabled: bool = True,
) -> Tensor:
    """Normalize (N, C, *) over groups of channels and all places."""
    channels = input.shape[1]
    if num_groups <= 0 or channels % num_groups:
        raise fail(
            "group-norm",
            "Expected number of channels in input to be divisible by num_groups, but got input of"
            f" shape {list(input.shape)} and num_groups={num_groups}",
        )
    for name, x in (("weight", weight), ("bias", bias)):
        if x is not None and tuple(x.shape) != (channels,):
            raise fail(
                "group-norm",
                f"Expected {name} to be a vector of size equal to the number of channels in input,"
                f" but got {name} of shape {list(x.shape)} and input of shape {list(input.shape)}",
            )
    result: Tensor = native_group_norm(input, weight, bias, num_groups, eps)
    return result


@function("torch.rms_norm", "torch.nn.functional.rms_norm")
def rms_norm(
    input: Any, normalized_shape: Any, weight: Tensor | None = None, eps: float | None = None
) -> Tensor:
    """Divide by the root of the mean square over the last dims."""
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    n = len(shape)
    if tuple(input.shape[input.ndim - n :]) != shape:
        sizes = "".join(f", {s}" for s in shape)
        raise fail(
            "layer-norm",
            f"Given normalized_shape={list(shape)}, expected input with shape [*{sizes}], but got"
            f" input of size{list(input.shape)}",
        )
    small = float(np.finfo(input.dtype.np).eps) if eps is None else eps
    dims = tuple(range(input.ndim - n, input.ndim))
    unit = input * rsqrt(mean(input.pow(2), dims, True) + small)
    return unit if weight is None else unit * weight  # type: ignore[no-any-return]
