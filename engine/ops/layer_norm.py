"""Normalising over the last dims."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.dtypes import float32
from engine.errors import fail
from engine.ops.dims import add_reduce
from engine.ops.record import Array, function, op
from engine.ops.reduce import mean
from engine.ops.roots import rsqrt
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
    halves = input.dtype.itemsize == 2  # whose parameters may be float32
    kinds = (input.dtype, float32) if halves else (input.dtype,)
    if any(p is not None and p.dtype not in kinds for p in (weight, bias)):
        raise fail("dtypes-differ", "mixed dtype (CPU): all inputs must share same datatype.")
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
