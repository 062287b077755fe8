"""Pooling to a given size."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.dims import zeros_of
from engine.ops.expanding import squeeze, unsqueeze
from engine.ops.gather import gather
from engine.ops.max_pool import _first_places, max_pool_backward
from engine.ops.record import Array, function, op
from engine.ops.reduce import mean
from engine.ops.samples import Sample, t
from engine.ops.windows import check_1d
from engine.tensor import Tensor


def _bins(n: int, m: int) -> list[tuple[int, int]]:
    """Return where the m adaptive windows over n elements start and end."""
    return [(i * n // m, -(-(i + 1) * n // m)) for i in range(m)]


def _weights(n: int, m: int) -> Any:
    """Return the matrix (m, n) of adaptive averaging along one dim."""
    matrix = np.zeros((m, n))
    for i, (start, end) in enumerate(_bins(n, m)):
        matrix[i, start:end] = 1 / (end - start)
    return matrix


def _apply_along(matrices: list[Any], x: Any) -> Any:
    """Multiply the last dims by one matrix each."""
    n = len(matrices)
    for i, matrix in enumerate(matrices):
        axis = x.ndim - n + i
        x = np.moveaxis(np.tensordot(x, matrix.astype(x.dtype), (axis, 1)), -1, axis)
    return np.ascontiguousarray(x)


@op(
    "adaptive_avg_pool",
    latex=r"\val{result} = \text{the mean over } \val{output_size} \text{ windows of } \val{input}",
    grad_fn=lambda output_size, **_: f"AdaptiveAvgPool{len(output_size)}DBackward0",
    samples=lambda: [Sample((t(1, 2, 4, 5), (2, 3)))],
)
def adaptive_avg_pool(input: Array, output_size: Any) -> Array:
    """Average over so many windows.

    >>> torch.nn.functional.adaptive_avg_pool2d(torch.arange(8.).view(1, 1, 2, 4), (1, 2))
    tensor([[[[2.5000, 4.5000]]]])
    """
    size = input.shape[input.ndim - len(output_size) :]
    return _apply_along([_weights(n, m) for n, m in zip(size, output_size, strict=True)], input)


@adaptive_avg_pool.vjp(
    "input", latex=r"\grad{input} = \grad{result} \text{ shared within each window}"
)
def _(grad: Any, input_shape: Any, output_size: Any) -> Any:
    return adaptive_avg_pool_backward(grad, tuple(input_shape[-len(output_size) :]))


@op(
    "adaptive_avg_pool_backward",
    latex=r"\val{result} = \val{grad_output} \text{ shared within each window}",
    grad_fn=lambda size, **_: f"AdaptiveAvgPool{len(size)}DBackwardBackward0",
    samples=lambda: [Sample((t(1, 2, 2, 3), (4, 5)))],
)
def adaptive_avg_pool_backward(grad_output: Array, size: Any) -> Array:
    """Share gradients evenly within each adaptive window."""
    output = grad_output.shape[grad_output.ndim - len(size) :]
    return _apply_along([_weights(n, m).T for n, m in zip(size, output, strict=True)], grad_output)


@adaptive_avg_pool_backward.vjp(
    "grad_output", latex=r"\grad{grad_output} = \text{the mean over the windows of } \grad{result}"
)
def _(grad: Any, grad_output_shape: Any, size: Any) -> Any:
    return adaptive_avg_pool(grad, tuple(grad_output_shape[-len(size) :]))


def _output_size(output_size: Any, input: Any, n: int) -> tuple[int, ...]:
    if isinstance(output_size, int):
        output_size = (output_size,) * n
    given = tuple(output_size) * (n if len(tuple(output_size)) == 1 else 1)
    return tuple(m if k is None else int(k) for k, m in zip(given, input.shape[-n:], strict=True))


def _adaptive_average(n: int, input: Any, output_size: Any) -> Any:
    if input.ndim not in (n + 1, n + 2):
        raise fail(
            "pool-dims",
            f"adaptive_avg_pool{n}d(): Expected {n + 1}D or {n + 2}D tensor, but got"
            f" {list(input.shape)}",
        )
    size = _output_size(output_size, input, n)
    if all(k == 1 for k in size):
        return mean(input, tuple(range(-n, 0)), True)
    return adaptive_avg_pool(input, size)


@function("torch.nn.functional.adaptive_avg_pool2d")
def adaptive_avg_pool2d(input: Any, output_size: Any) -> Tensor:
    """Average over so many windows in two dims."""
    result: Tensor = _adaptive_average(2, input, output_size)
    return result


@function("torch.nn.functional.adaptive_avg_pool3d")
def adaptive_avg_pool3d(input: Any, output_size: Any) -> Tensor:
    """Average over so many windows in three dims."""
    result: Tensor = _adaptive_average(3, input, output_size)
    return result


@function("torch.adaptive_avg_pool1d", "torch.nn.functional.adaptive_avg_pool1d")
def adaptive_avg_pool1d(input: Any, output_size: Any) -> Tensor:
    """Average over so many windows in one dim."""
    check_1d("adaptive_avg_pool1d", input)
    size = output_size if isinstance(output_size, int) else next(iter(output_size))
    result: Tensor = squeeze(_adaptive_average(2, unsqueeze(input, -2), (1, size)), -2)
    return result


@op(
    "adaptive_max_pool",
    latex=r"\val{values} = \max \text{ over } \val{output_size} \text{ windows of } \val{input}",
    grad_fn=lambda output_size, **_: f"AdaptiveMaxPool{len(output_size)}DBackward0",
    samples=lambda: [Sample((t(1, 2, 4, 5), (2, 3)))],
    outputs=("values", "indices"),
)
def adaptive_max_pool(input: Array, output_size: Any) -> tuple[Array, Array]:
    """Find the largest element of so many windows, and where it is.

    >>> torch.nn.functional.adaptive_max_pool1d(torch.arange(4.).view(1, 1, 4), 2)
    tensor([[[1., 3.]]])
    """
    n = len(output_size)
    size = input.shape[input.ndim - n :]
    lead = input.shape[: input.ndim - n]
    values = np.empty((*lead, *output_size), input.dtype)
    indices = np.empty((*lead, *output_size), np.int64)
    bins = [_bins(k, m) for k, m in zip(size, output_size, strict=True)]
    order = np.arange(math.prod(size)).reshape(size)
    for place in np.ndindex(*output_size):
        cut = tuple(slice(*bins[d][i]) for d, i in enumerate(place))
        window = input[(..., *cut)].reshape((*lead, -1))
        best = window.argmax(-1)
        values[(..., *place)] = np.take_along_axis(window, best[..., None], -1)[..., 0]
        indices[(..., *place)] = order[cut].ravel()[best]
    return values, indices


@adaptive_max_pool.vjp(
    "input",
    latex=r"\grad{input} = \grad{values} \text{ added up at } \val{indices} \text{ of }"
    r" \val{input}",
)
def _(grad: Any, input: Any, indices: Any, output_size: Any) -> Any:
    return adaptive_max_pool_backward(grad, input, indices, len(output_size))


@op(
    "adaptive_max_pool_backward",
    latex=r"\val{result} = \val{grad_output} \text{ added up at } \val{indices}",
    grad_fn=lambda dims, **_: f"AdaptiveMaxPool{dims}DBackwardBackward0",
    samples=lambda: [Sample((t(1, 2), t(1, 4), _first_places(), 1))],
)
def adaptive_max_pool_backward(
    grad_output: Array, input: Array, indices: Array, dims: int
) -> Array:
    """Put gradients where the largest elements of adaptive windows were."""
    return max_pool_backward.forward(grad_output, input, indices, dims)


@adaptive_max_pool_backward.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")
def _(grad: Any) -> Any:
    return zeros_of(grad)


@adaptive_max_pool_backward.vjp(
    "grad_output", latex=r"\grad{grad_output} = \grad{result}[\val{indices}]"
)
def _(grad: Any, indices: Any, dims: int) -> Any:
    lead = tuple(grad.shape[: len(grad.shape) - dims])
    flat = gather(grad.reshape((*lead, -1)), len(lead), indices.reshape((*lead, -1)))
    return flat.reshape(tuple(indices.shape))


def _adaptive_max(n: int) -> Any:
    def call(input: Any, output_size: Any, return_indices: bool = False) -> Any:
        if n == 1:
            size = output_size if isinstance(output_size, int) else next(iter(output_size))
            values, indices = adaptive_max_pool(unsqueeze(input, -2), (1, size))
            values, indices = squeeze(values, -2), squeeze(indices, -2)
        else:
            values, indices = adaptive_max_pool(input, _output_size(output_size, input, n))
        return (values, indices) if return_indices else values

    call.__name__ = call.__qualname__ = f"adaptive_max_pool{n}d"
    call.__doc__ = f"Find the largest elements of so many windows in {n} dims."
    return call


for _n in (1, 2, 3):
    function(f"torch.nn.functional.adaptive_max_pool{_n}d")(_adaptive_max(_n))
