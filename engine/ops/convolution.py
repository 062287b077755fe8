"""Convolution in one, two and three dims, forwards and transposed; linear layers; unfold and fold.

Convolution is bilinear. `conv_forward`, `conv_input` and `conv_weight` are the three products that
two of input, weight and output determine; each one's gradients are the other two.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.dims import add_reduce
from engine.ops.matmul import addmm, matmul, mm
from engine.ops.pieces import slice_dim
from engine.ops.record import Array, function, op
from engine.ops.reduce import sum_dims
from engine.ops.samples import Sample, t
from engine.ops.shape import matrix_t, reshape, squeeze, unsqueeze, view
from engine.ops.windows import Geometry, gather_windows, scatter_windows
from engine.tensor import Tensor


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


def _check(input: Tensor, weight: Tensor, bias: Any, n: int, groups: int, name: str) -> None:
    if input.ndim not in (n + 1, n + 2):
        raise fail(
            "conv-dims",
            f"Expected {n + 1}D (unbatched) or {n + 2}D (batched) input to {name}, but got input of"
            f" size: {list(input.shape)}",
        )
    if weight.ndim != n + 2:
        raise fail(
            "conv-dims",
            f"Expected {n + 2}-dimensional input for {n + 2}-dimensional weight"
            f" {list(weight.shape)}, but got {input.ndim}-dimensional input of size"
            f" {list(input.shape)} instead",
        )
    if (bias is not None and input.dtype is not bias.dtype) or input.dtype is not weight.dtype:
        from engine.dtypes import SCALAR_NAMES

        what, other = ("bias", bias) if input.dtype is weight.dtype else ("weight", weight)
        raise fail(
            "conv-dtypes",
            f"Input type ({SCALAR_NAMES[input.dtype]}) and {what} type"
            f" ({SCALAR_NAMES[other.dtype]}) should be the same",
        )


def _check_channels(x: Any, weight: Tensor, bias: Any, groups: int, geometry: Geometry) -> None:
    if any(s <= 0 for s in geometry.stride):
        raise fail("conv-stride", "non-positive stride is not supported")
    if any(p < 0 for p in geometry.padding):
        raise fail("conv-padding", "negative padding is not supported")
    channels = weight.shape[1] * groups
    if x.shape[1] != channels:
        raise fail(
            "conv-channels",
            f"Given groups={groups}, weight of size {list(weight.shape)}, expected"
            f" input{list(x.shape)} to have {channels} channels, but got {x.shape[1]} channels"
            " instead",
        )
    if weight.shape[0] % groups:
        raise fail(
            "conv-groups",
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension"
            " 0, but"
            f" got weight of size {list(weight.shape)} instead",
        )
    _check_bias(bias, weight, weight.shape[0])
    padded = [n + 2 * p for n, p in zip(x.shape[2:], geometry.padding, strict=True)]
    spans = [d * (k - 1) + 1 for k, d in zip(geometry.kernel, geometry.dilation, strict=True)]
    if any(n < k for n, k in zip(padded, spans, strict=True)):
        raise fail(
            "conv-kernel",
            f"Calculated padded input size per channel: ({' x '.join(map(str, padded))}). Kernel"
            f" size: ({' x '.join(map(str, spans))}). Kernel size can't be greater than"
            " actual input"
            " size",
        )


def _check_bias(bias: Any, weight: Tensor, n: int) -> None:
    if bias is not None and tuple(bias.shape) != (n,):
        raise fail(
            "conv-bias",
            f"Given weight of size {list(weight.shape)}, expected bias to be 1-dimensional with {n}"
            f" elements, but got bias of size {list(bias.shape)} instead",
        )


def _same_padding(x: Any, geometry: Geometry) -> tuple[Any, tuple[int, ...]]:
    """Pad so that the output has the input's size; an odd rest goes to the end."""
    from engine.ops.padding import pad

    totals = [d * (k - 1) for k, d in zip(geometry.kernel, geometry.dilation, strict=True)]
    if any(total % 2 for total in totals):
        sides = [side for total in reversed(totals) for side in (0, total % 2)]
        x = pad(x, tuple(sides))
    return x, tuple(total // 2 for total in totals)


def _convolve(
    n: int,
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
) -> Any:
    _check(input, weight, bias, n, groups, f"conv{n}d")
    unbatched = input.ndim == n + 1
    x = unsqueeze(input, 0) if unbatched else input
    strides, dilations = spread(stride, n), spread(dilation, n, "dilation")
    kernel = tuple(weight.shape[2:])
    if isinstance(padding, str):
        if padding not in ("same", "valid"):
            raise fail(
                "conv-padding",
                f"Invalid padding string: '{padding}'",
            )
        pads = (0,) * n
        if padding == "same":
            if any(s != 1 for s in strides):
                raise fail(
                    "conv-padding", "padding='same' is not supported for strided convolutions"
                )
            x, pads = _same_padding(x, _geometry(kernel, strides, pads, dilations))
    else:
        pads = spread(padding, n, "padding")
    _check_channels(x, weight, bias, groups, _geometry(kernel, strides, pads, dilations))
    result = convolution(x, weight, bias, strides, pads, dilations, False, (0,) * n, groups)
    return squeeze(result, 0) if unbatched else result


@function("torch.conv1d", "torch.nn.functional.conv1d")
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolve (N, C, L) or (C, L) with kernels (O, C / groups, K)."""
    result: Tensor = _convolve(1, input, weight, bias, stride, padding, dilation, groups)
    return result


@function("torch.conv2d", "torch.nn.functional.conv2d")
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolve (N, C, H, W) or (C, H, W) with kernels (O, C / groups, KH, KW)."""
    result: Tensor = _convolve(2, input, weight, bias, stride, padding, dilation, groups)
    return result


@function("torch.conv3d", "torch.nn.functional.conv3d")
def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolve (N, C, D, H, W) with kernels in three dims."""
    result: Tensor = _convolve(3, input, weight, bias, stride, padding, dilation, groups)
    return result


def _convolve_back(
    n: int, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, output_padding: Any,
    groups: int, dilation: Any,
) -> Any:  # fmt: skip
    _check(input, weight, bias, n, groups, f"conv_transpose{n}d")
    unbatched = input.ndim == n + 1
    x = unsqueeze(input, 0) if unbatched else input
    if x.shape[1] != weight.shape[0]:
        raise fail(
            "conv-channels",
            f"Given transposed=1, weight of size {list(weight.shape)}, expected"
            f" input{list(x.shape)} to have {weight.shape[0]} channels, but got {x.shape[1]}"
            " channels instead",
        )
    _check_bias(bias, weight, weight.shape[1] * groups)
    result = convolution(
        x, weight, bias, spread(stride, n), spread(padding, n, "padding"),
        spread(dilation, n, "dilation"), True, spread(output_padding, n, "output_padding"), groups,
    )  # fmt: skip
    return squeeze(result, 0) if unbatched else result


def _transposed(n: int) -> Any:
    def call(
        input: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        dilation: Any = 1,
    ) -> Tensor:
        result: Tensor = _convolve_back(
            n, input, weight, bias, stride, padding, output_padding, groups, dilation
        )
        return result

    call.__name__ = call.__qualname__ = f"conv_transpose{n}d"
    call.__doc__ = f"Spread an input with {n} spatial dims by kernels: convolution backwards."
    return call


for _n in (1, 2, 3):
    _name = f"conv_transpose{_n}d"
    function(f"torch.{_name}", f"torch.nn.functional.{_name}")(_transposed(_n))


@function("torch.nn.functional.linear")
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Multiply by the transposed weight matrix (out, in) and add the bias."""
    result: Any
    if not input.shape or not weight.shape:
        raise RuntimeError(
            "both arguments to linear need to be at least 1D, but they are "
            f"{input.ndim}D and {weight.ndim}D"
        )
    if bias is None:
        result = matmul(input, matrix_t(weight))
    elif input.ndim == 2:
        result = addmm(bias, input, matrix_t(weight))
    else:
        shape = tuple(input.shape)
        rows = reshape(input, (math.prod(shape[:-1]), shape[-1] if shape else 1))
        flat = addmm(bias, rows, matrix_t(weight))
        result = view(flat, (*shape[:-1], weight.shape[0]))
    out: Tensor = result
    return out


@function("torch.bilinear", "torch.nn.functional.bilinear")
def bilinear(input1: Any, input2: Any, weight: Any, bias: Any = None) -> Tensor:
    """Multiply two inputs through a weight (out, in1, in2) and add the bias."""
    a = reshape(input1, (-1, input1.shape[-1]))
    b = reshape(input2, (-1, input2.shape[-1]))
    out, n, m = weight.shape
    crossed = reshape(unsqueeze(a, 2) * unsqueeze(b, 1), (-1, n * m))
    result: Any = mm(crossed, matrix_t(reshape(weight, (out, n * m))))
    result = view(result, (*input1.shape[:-1], out))
    return result if bias is None else result + bias  # type: ignore[no-any-return]


# --- windows as columns --------------------------------------------------------------------------


def _window_samples() -> list[Sample]:
    return [Sample((t(1, 2, 3, 4), (2, 2), (1, 1), (0, 0), (1, 1))),
            Sample((t(1, 2, 4, 4), (2, 3), (2, 1), (1, 0), (1, 1)))]  # fmt: skip


@op(
    "im2col",
    latex=r"\val{result} = \text{the windows of } \val{input} \text{ as columns}",
    grad_fn="Im2ColBackward0",
    samples=_window_samples,
)
def im2col(input: Array, kernel_size: Any, stride: Any, padding: Any, dilation: Any) -> Array:
    """Cut (N, C, H, W) into windows, one per column.

    >>> torch.nn.functional.unfold(torch.ones(1, 1, 2, 3), 2).shape
    torch.Size([1, 4, 2])
    """
    geometry = _geometry(kernel_size, stride, padding, dilation)
    columns = _columns(input, geometry, 1)
    return columns.reshape(input.shape[0], columns.shape[2], columns.shape[3])


@im2col.vjp("input", latex=r"\grad{input} = \text{the columns } \grad{result} \text{ added up}")
def _(
    grad: Any, input_shape: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any
) -> Any:
    return col2im(grad, tuple(input_shape[2:]), kernel_size, stride, padding, dilation)


@op(
    "col2im",
    latex=r"\val{result} = \text{the columns } \val{input} \text{ added up}",
    grad_fn="Col2ImBackward0",
    samples=lambda: [Sample((t(1, 8, 6), (3, 4), (2, 2), (1, 1), (0, 0), (1, 1)))],
)
def col2im(
    input: Array, output_size: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any
) -> Array:
    """Add columns up where `unfold` cut them.

    >>> torch.nn.functional.fold(torch.ones(1, 4, 2), (2, 3), 2)
    tensor([[[[1., 2., 1.],
              [1., 2., 1.]]]])
    """
    geometry = _geometry(kernel_size, stride, padding, dilation)
    n, kernel = input.shape[0], math.prod(geometry.kernel)
    shape = (n, input.shape[1] // kernel, *geometry.kernel, *geometry.output(tuple(output_size)))
    return scatter_windows(input.reshape(shape), tuple(output_size), geometry)


@col2im.vjp(
    "input",
    latex=r"\grad{input} = \text{the windows of } \grad{result} \text{ as columns}",
)
def _(grad: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any) -> Any:
    return im2col(grad, kernel_size, stride, padding, dilation)


@function("torch.nn.functional.unfold")
def unfold_windows(
    input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """Cut (N, C, H, W) into windows, one per column."""
    if input.ndim not in (3, 4):
        raise fail(
            "unfold-dims",
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero"
            f" dimensions for input, but got: {list(input.shape)}",
        )
    x = input if input.ndim == 4 else unsqueeze(input, 0)
    settings = [spread(v, 2) for v in (kernel_size, stride, padding, dilation)]
    result: Tensor = im2col(x, *settings)
    return result if input.ndim == 4 else squeeze(result, 0)


@function("torch.nn.functional.fold")
def fold(
    input: Any,
    output_size: Any,
    kernel_size: Any,
    dilation: Any = 1,
    padding: Any = 0,
    stride: Any = 1,
) -> Tensor:
    """Add columns up where `unfold` cut them."""
    x = input if input.ndim == 3 else unsqueeze(input, 0)
    settings = [spread(v, 2) for v in (output_size, kernel_size, stride, padding, dilation)]
    result: Tensor = col2im(x, *settings)
    return result if input.ndim == 3 else squeeze(result, 0)
