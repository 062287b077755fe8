"""Convolution and its gradients, which are convolutions again."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.dims import add_reduce
from engine.ops.pieces import slice_dim
from engine.ops.record import Array, op
from engine.ops.reduce import sum_dims
from engine.ops.samples import Sample, t
from engine.ops.windows import Geometry, gather_windows, scatter_windows


def _grouped(x: Any, groups: int) -> Any:
    """Split the channels of (N, C, *) into groups and flatten the rest: (N, G, C/G, L)."""
    n, c = x.shape[:2]
    return x.reshape(n, groups, c // groups, math.prod(x.shape[2:]))


def _columns(input: Any, geometry: Geometry, groups: int) -> Any:
    """Return windows as columns: (N, G, C/G * K, L)."""
    windows = gather_windows(input, geometry)
    n, c = input.shape[:2]
    kernel = math.prod(geometry.kernel)
    places = math.prod(windows.shape[2 + len(geometry.kernel) :])
    return windows.reshape(n, groups, c // groups * kernel, places)


def _weights(weight: Any, groups: int) -> Any:
    """Return weights as matrices: (G, O/G, C/G * K)."""
    return weight.reshape(groups, weight.shape[0] // groups, math.prod(weight.shape[1:]))


def _geometry(kernel: Any, stride: Any, padding: Any, dilation: Any) -> Geometry:
    return Geometry(tuple(kernel), tuple(stride), tuple(padding), tuple(dilation))


SETTINGS = ((1, 1), (1, 1), (1, 1), 1)


def forward_product(
    input: Any, weight: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    """Convolve arrays."""
    geometry = _geometry(weight.shape[2:], stride, padding, dilation)
    out = np.matmul(_weights(weight, groups), _columns(input, geometry, groups))
    return out.reshape(input.shape[0], weight.shape[0], *geometry.output(input.shape[2:]))


def input_product(
    grad: Any, weight: Any, size: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    """Spread an output over the input that it was computed from."""
    geometry = _geometry(weight.shape[2:], stride, padding, dilation)
    columns = np.matmul(_weights(weight, groups).swapaxes(1, 2), _grouped(grad, groups))
    shape = (grad.shape[0], weight.shape[1] * groups, *geometry.kernel, *grad.shape[2:])
    return scatter_windows(columns.reshape(shape), tuple(size), geometry)


def weight_product(
    input: Any, grad: Any, kernel: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    """Correlate an input with an output, for the weights between them."""
    geometry = _geometry(kernel, stride, padding, dilation)
    output = grad.shape[2:]
    windows = gather_windows(input, geometry)[
        (slice(None),) * (2 + len(kernel)) + tuple(slice(n) for n in output)
    ]
    n, c = input.shape[:2]
    columns = windows.reshape(n, groups, c // groups * math.prod(kernel), math.prod(output))
    product = add_reduce(np.matmul(_grouped(grad, groups), columns.swapaxes(2, 3)), 0)
    return product.reshape(grad.shape[1], c // groups, *kernel)


def _convolutions() -> list[Sample]:
    one = ((1,), (0,), (1,), False, (0,), 1)
    two = ((2, 1), (1, 0), (1, 2), False, (0, 0), 1)
    back = ((2,), (1,), (1,), True, (1,), 1)
    return [
        Sample((t(2, 2, 5), t(3, 2, 2, seed=1), t(3, seed=2), *one)),
        Sample((t(1, 2, 4, 5), t(2, 2, 2, 2, seed=1), None, *two)),
        Sample((t(1, 2, 3), t(2, 1, 3, seed=1), t(1, seed=2), *back)),
        Sample((t(1, 4, 4), t(4, 2, 2, seed=1), None, (1,), (0,), (1,), False, (0,), 2)),
    ]


@op(
    "convolution",
    latex=r"\val{result} = \val{weight} \star \val{input} + \val{bias}",
    grad_fn="ConvolutionBackward0",
    samples=_convolutions,
)
def convolution(
    input: Array,
    weight: Array,
    bias: Array | None,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: bool,
    output_padding: Any,
    groups: int,
) -> Array:
    """Slide kernels over (N, C, *) and add up products.

    >>> torch.nn.functional.conv1d(torch.ones(1, 1, 3), torch.ones(1, 1, 2))
    tensor([[[2., 2.]]])
    """
    if transposed:
        size = transposed_size(input.shape, weight.shape, stride, padding, dilation, output_padding)
        result = input_product(input, weight, size, stride, padding, dilation, groups)
    else:
        result = forward_product(input, weight, stride, padding, dilation, groups)
    if bias is not None:
        result = result + bias.reshape((-1,) + (1,) * (input.ndim - 2))
    return result


def transposed_size(
    shape: Any, kernel: Any, stride: Any, padding: Any, dilation: Any, output_padding: Any
) -> tuple[int, ...]:
    """Return the spatial size of a transposed convolution."""
    spans = zip(shape[2:], kernel[2:], stride, padding, dilation, output_padding, strict=True)
    return tuple((n - 1) * s - 2 * p + d * (k - 1) + o + 1 for n, k, s, p, d, o in spans)


@convolution.vjp("input", latex=r"\grad{input} = \val{weight}^{\mathsf T} \star \grad{result}")
def _(
    grad: Any, input_shape: Any, weight: Any, stride: Any, padding: Any, dilation: Any,
    transposed: bool, groups: int,
) -> Any:  # fmt: skip
    if transposed:
        spread_out = conv_forward(grad, weight, stride, padding, dilation, groups)
        for d in range(2, len(input_shape)):  # output padding may leave room for more
            if spread_out.shape[d] != input_shape[d]:
                spread_out = slice_dim(spread_out, d, 0, input_shape[d], 1)
        return spread_out
    size = tuple(input_shape[2:])
    return conv_input(grad, weight, size, stride, padding, dilation, groups)


@convolution.vjp("weight", latex=r"\grad{weight} = \val{input} \star \grad{result}")
def _(
    grad: Any, input: Any, weight_shape: Any, stride: Any, padding: Any, dilation: Any,
    transposed: bool, groups: int,
) -> Any:  # fmt: skip
    kernel = tuple(weight_shape[2:])
    if transposed:
        return conv_weight(grad, input, kernel, stride, padding, dilation, groups)
    return conv_weight(input, grad, kernel, stride, padding, dilation, groups)


@convolution.vjp("bias", latex=r"\grad{bias} = \sum \grad{result} \text{ over samples and places}")
def _(grad: Any) -> Any:
    return sum_dims(grad, (0, *range(2, len(grad.shape))))


BACK = "ConvolutionBackwardBackward0"


@op(
    "conv_forward",
    latex=r"\val{result} = \val{weight} \star \val{input}",
    grad_fn=BACK,
    samples=lambda: [Sample((t(1, 2, 4, 4), t(2, 2, 2, 2, seed=1), *SETTINGS))],
)
def conv_forward(
    input: Array, weight: Array, stride: Any, padding: Any, dilation: Any, groups: int
) -> Array:
    """Convolve, inside a gradient."""
    return forward_product(input, weight, stride, padding, dilation, groups)


@conv_forward.vjp("input", latex=r"\grad{input} = \val{weight}^{\mathsf T} \star \grad{result}")
def _(
    grad: Any, input_shape: Any, weight: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    return conv_input(grad, weight, tuple(input_shape[2:]), stride, padding, dilation, groups)


@conv_forward.vjp("weight", latex=r"\grad{weight} = \val{input} \star \grad{result}")
def _(
    grad: Any, input: Any, weight_shape: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    return conv_weight(input, grad, tuple(weight_shape[2:]), stride, padding, dilation, groups)


@op(
    "conv_input",
    latex=r"\val{result} = \val{weight}^{\mathsf T} \star \val{output}",
    grad_fn=BACK,
    samples=lambda: [Sample((t(1, 2, 5, 5), t(2, 2, 2, 2, seed=1), (4, 4), *SETTINGS))],
)
def conv_input(
    output: Array, weight: Array, size: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Array:
    """Spread an output over the input it came from: the gradient of convolution for the input."""
    return input_product(output, weight, size, stride, padding, dilation, groups)


@conv_input.vjp("output", latex=r"\grad{output} = \val{weight} \star \grad{result}")
def _(grad: Any, weight: Any, stride: Any, padding: Any, dilation: Any, groups: int) -> Any:
    return conv_forward(grad, weight, stride, padding, dilation, groups)


@conv_input.vjp("weight", latex=r"\grad{weight} = \grad{result} \star \val{output}")
def _(
    grad: Any, output: Any, weight_shape: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    return conv_weight(grad, output, tuple(weight_shape[2:]), stride, padding, dilation, groups)


@op(
    "conv_weight",
    latex=r"\val{result} = \val{input} \star \val{output}",
    grad_fn=BACK,
    samples=lambda: [Sample((t(1, 2, 4, 4), t(1, 2, 5, 5, seed=1), (2, 2), *SETTINGS))],
)
def conv_weight(
    input: Array, output: Array, kernel: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Array:
    """Correlate input and output: the gradient of convolution for the weights."""
    return weight_product(input, output, kernel, stride, padding, dilation, groups)


@conv_weight.vjp("input", latex=r"\grad{input} = \grad{result}^{\mathsf T} \star \val{output}")
def _(
    grad: Any, input_shape: Any, output: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    return conv_input(output, grad, tuple(input_shape[2:]), stride, padding, dilation, groups)


@conv_weight.vjp("output", latex=r"\grad{output} = \grad{result} \star \val{input}")
def _(grad: Any, input: Any, stride: Any, padding: Any, dilation: Any, groups: int) -> Any:
    return conv_forward(input, grad, stride, padding, dilation, groups)


# --- the public functions ------------------------------------------------------------------------


def spread(value: Any, n: int, name: str = "stride") -> tuple[int, ...]:
    """Return one number per spatial dim."""
    if isinstance(value, int):
        return (value,) * n
    given = tuple(int(v) for v in value)
    if len(given) == 1:
        return given * n
    if len(given) != n:
        raise fail(
            "conv-arguments",
            f"expected {name} to be a single integer value or a list of {n} values to match the"
            f" convolution dimensions, but got {name}={list(given)}",
        )
    return given
