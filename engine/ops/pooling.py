"""Pooling over windows: max, average, adaptive, and by p-norm."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.convolution import spread
from engine.ops.cumulative import fresh_zeros
from engine.ops.dims import (
    add_reduce,
    zeros_of,
)
from engine.ops.gather import gather, scatter_add
from engine.ops.powers import abs, sign
from engine.ops.record import Array, function, op
from engine.ops.reduce import mean
from engine.ops.samples import Sample, t
from engine.ops.shape import squeeze, unsqueeze
from engine.ops.windows import Geometry, gather_windows, scatter_windows
from engine.tensor import Tensor, make


def batched(input: Any, n: int) -> Any:
    """Return an array as (N, C, *spatial)."""
    return input.reshape((-1, *input.shape[-n - 1 :])) if input.ndim != n + 2 else input


def _images() -> list[Sample]:
    x = t(1, 2, 4, 5)
    return [
        Sample((x, (2, 2), (2, 2), (0, 0), (1, 1), False)),
        Sample((x, (3, 2), (1, 2), (1, 0), (1, 2), True)),
        Sample((t(2, 4, 4), (2, 2), (2, 2), (1, 1), (1, 1), False)),
    ]


@op(
    "max_pool",
    latex=r"\val{values} = \max \text{ over the windows of } \val{input}",
    grad_fn=lambda kernel_size, **_: f"MaxPool{len(kernel_size)}DWithIndicesBackward0",
    samples=_images,
    outputs=("values", "indices"),
)
def max_pool(
    input: Array, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> tuple[Array, Array]:
    """Find the largest element of each window, and where it is in the flattened image.

    >>> torch.nn.functional.max_pool2d(torch.arange(4.).view(1, 1, 2, 2), 2)
    tensor([[[[3.]]]])
    """
    n = len(kernel_size)
    x = batched(input, n)
    geometry = Geometry(kernel_size, stride, padding, dilation, ceil_mode)
    low: Any = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    size = x.shape[2:]
    output = geometry.output(size)
    shape = (*x.shape[:2], math.prod(kernel_size), *output)
    windows = gather_windows(x, geometry, low).reshape(shape)
    order = np.arange(math.prod(size), dtype=np.int64).reshape((1, 1, *size))
    places = gather_windows(order, geometry, -1).reshape((1, 1, *shape[2:]))
    best = np.expand_dims(windows.argmax(2), 2)
    values = np.take_along_axis(windows, best, 2).squeeze(2)
    indices = np.take_along_axis(np.broadcast_to(places, shape), best, 2).squeeze(2)
    result = (*input.shape[: input.ndim - n], *output)
    return values.reshape(result), indices.reshape(result)


@max_pool.vjp(
    "input",
    latex=r"\grad{input} = \grad{values} \text{ added up at } \val{indices} \text{ of }"
    r" \val{input}",
)
def _(grad: Any, input: Any, indices: Any, kernel_size: Any) -> Any:
    return max_pool_backward(grad, input, indices, len(kernel_size))


@op(
    "max_pool_backward",
    latex=r"\val{result} = \val{grad_output} \text{ added up at } \val{indices}",
    grad_fn=lambda dims, **_: f"MaxPool{dims}DWithIndicesBackwardBackward0",
    samples=lambda: [Sample((t(1, 2), t(1, 4), _first_places(), 1))],
)
def max_pool_backward(grad_output: Array, input: Array, indices: Array, dims: int) -> Array:
    """Put gradients where the largest elements were."""
    shape = input.shape
    lead = tuple(shape[: len(shape) - dims])
    flat = np.zeros((math.prod(lead), math.prod(shape[len(shape) - dims :])), grad_output.dtype)
    rows = np.arange(flat.shape[0])[:, None]
    places = indices.reshape(flat.shape[0], -1)
    np.add.at(flat, (rows, places), grad_output.reshape(places.shape))
    return flat.reshape(shape)


def _first_places() -> Any:
    from engine.ops.samples import T

    return T([[1, 3]], "int64")


@max_pool_backward.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")
def _(grad: Any) -> Any:
    return zeros_of(grad)


@max_pool_backward.vjp("grad_output", latex=r"\grad{grad_output} = \grad{result}[\val{indices}]")
def _(grad: Any, indices: Any, dims: int) -> Any:
    lead = tuple(grad.shape[: len(grad.shape) - dims])
    flat = gather(grad.reshape((*lead, -1)), len(lead), indices.reshape((*lead, -1)))
    return flat.reshape(tuple(indices.shape))


def _check(name: str, input: Tensor, n: int, geometry: Geometry) -> None:
    if input.ndim not in (n + 1, n + 2):
        raise fail(
            "pool-dims",
            f"non-empty {n + 1}D or {n + 2}D (batch mode) tensor expected for input",
        )
    for k, p, d in zip(geometry.kernel, geometry.padding, geometry.dilation, strict=True):
        if p > ((k - 1) * d + 1) // 2:
            raise fail(
                "pool-padding",
                "pad should be at most half of effective kernel size, but got pad="
                f"{p}, kernel_size={k} and dilation={d}",
            )
    channels, *size = input.shape[-n - 1 :]
    output = geometry.output(tuple(size))
    if any(o < 1 for o in output):
        raise fail(
            "pool-output",
            f"Given input size: ({'x'.join(map(str, (channels, *size)))}). Calculated output size:"
            f" ({'x'.join(map(str, (channels, *(max(o, 0) for o in output))))}). Output size is too"
            " small",
        )


def _pooled(
    n: int, input: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil: bool
) -> Any:
    kernel = spread(kernel_size, n, "kernel_size")
    steps = kernel if stride is None or stride == [] or stride == () else spread(stride, n)
    pads, gaps = spread(padding, n, "padding"), spread(dilation, n, "dilation")
    geometry = Geometry(kernel, steps, pads, gaps, ceil)
    _check("max_pool", input, n, geometry)
    return max_pool(input, kernel, steps, pads, gaps, ceil)


def _max_pool(n: int) -> Any:
    def call(
        input: Any,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Any:
        if n != 1:
            got = _pooled(n, input, kernel_size, stride, padding, dilation, ceil_mode)
            return got if return_indices else got[0]
        if input.ndim not in (2, 3):
            raise fail("pool-dims", "max_pool1d() Expected 2D or 3D input tensor, but got "
                       f"{input.ndim}D")  # fmt: skip
        kernel, pad, gap = (spread(v, 1)[0] for v in (kernel_size, padding, dilation))
        step = kernel if stride is None or stride == [] else spread(stride, 1)[0]
        wide = unsqueeze(input, -2)
        values, indices = _pooled(2, wide, (1, kernel), (1, step), (0, pad), (1, gap), ceil_mode)
        values = squeeze(values, -2)
        return (values, squeeze(indices, -2)) if return_indices else values

    call.__name__ = call.__qualname__ = f"max_pool{n}d"
    call.__doc__ = f"Find the largest element of each window over {n} spatial dims."
    return call


for _n in (1, 2, 3):
    function(f"torch.max_pool{_n}d", f"torch.nn.functional.max_pool{_n}d")(_max_pool(_n))


def _indexed(n: int) -> Any:
    pool = _max_pool(n)

    def call(*args: Any, **kwargs: Any) -> Any:
        return pool(*args, **{**kwargs, "return_indices": True})

    call.__name__ = call.__qualname__ = f"max_pool{n}d_with_indices"
    call.__doc__ = f"Do `max_pool{n}d` and say where the largest elements are."
    return call


for _n in (1, 2, 3):
    function(f"torch.nn.functional.max_pool{_n}d_with_indices")(_indexed(_n))


def _divisors(size: Any, geometry: Geometry, include_pad: bool, divisor: Any) -> Any:
    """Return by how many elements each window's sum is divided."""
    if divisor:
        return np.float64(divisor)
    counts: Any = np.ones((), np.float64)
    for d, n in enumerate(size):
        k, s, p = geometry.kernel[d], geometry.stride[d], geometry.padding[d]
        starts = np.arange(geometry.output(tuple(size))[d]) * s - p
        ends = np.minimum(starts + k, n + p)
        if not include_pad:
            starts, ends = np.maximum(starts, 0), np.minimum(ends, n)
        counts = np.multiply.outer(counts, (ends - starts).astype(np.float64))
    return counts


@op(
    "avg_pool",
    latex=r"\val{result} = \text{the mean over the windows of } \val{input}",
    grad_fn=lambda kernel_size, **_: f"AvgPool{len(kernel_size)}DBackward0",
    samples=lambda: [
        Sample((t(1, 2, 4, 4), (2, 2), (2, 2), (0, 0), False, True, None)),
        Sample((t(1, 1, 4, 5), (3, 2), (1, 2), (1, 1), True, False, None)),
    ],
)
def avg_pool(
    input: Array, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    count_include_pad: bool, divisor_override: Any,
) -> Array:  # fmt: skip
    """Average each window.

    >>> torch.nn.functional.avg_pool2d(torch.arange(4.).view(1, 1, 2, 2), 2)
    tensor([[[[1.5000]]]])
    """
    n = len(kernel_size)
    x = batched(input, n)
    geometry = Geometry(kernel_size, stride, padding, (1,) * n, ceil_mode)
    total = add_reduce(gather_windows(x, geometry), tuple(range(2, 2 + n)))
    share = _divisors(x.shape[2:], geometry, count_include_pad, divisor_override)
    result = (total / share).astype(input.dtype)
    return result.reshape((*input.shape[: input.ndim - n], *result.shape[2:]))


@avg_pool.vjp("input", latex=r"\grad{input} = \grad{result} \text{ shared within each window}")
def _(
    grad: Any, input_shape: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    count_include_pad: bool, divisor_override: Any,
) -> Any:  # fmt: skip
    return avg_pool_backward(
        grad, tuple(input_shape), kernel_size, stride, padding, ceil_mode, count_include_pad,
        divisor_override,
    )  # fmt: skip


@op(
    "avg_pool_backward",
    latex=r"\val{result} = \val{grad_output} \text{ shared within each window}",
    grad_fn=lambda kernel_size, **_: f"AvgPool{len(kernel_size)}DBackwardBackward0",
    samples=lambda: [
        Sample((t(1, 2, 2, 2), (1, 2, 4, 4), (2, 2), (2, 2), (0, 0), False, True, None))
    ],
)
def avg_pool_backward(
    grad_output: Array, shape: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    count_include_pad: bool, divisor_override: Any,
) -> Array:  # fmt: skip
    """Share gradients evenly within each window."""
    n = len(kernel_size)
    grad = batched(grad_output, n)
    size = tuple(shape[len(shape) - n :])
    geometry = Geometry(kernel_size, stride, padding, (1,) * n, ceil_mode)
    share = (grad / _divisors(size, geometry, count_include_pad, divisor_override)).astype(
        grad.dtype
    )
    wide = share.reshape((*share.shape[:2], *((1,) * n), *share.shape[2:]))
    windows = np.broadcast_to(wide, (*share.shape[:2], *kernel_size, *share.shape[2:]))
    return scatter_windows(windows, size, geometry).reshape(shape)


@avg_pool_backward.vjp(
    "grad_output", latex=r"\grad{grad_output} = \text{the mean over the windows of } \grad{result}"
)
def _(
    grad: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    count_include_pad: bool, divisor_override: Any,
) -> Any:  # fmt: skip
    return avg_pool(
        grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )


def _averaged(
    n: int, input: Any, kernel_size: Any, stride: Any, padding: Any, ceil: bool, include: bool,
    divisor: Any,
) -> Any:  # fmt: skip
    kernel = spread(kernel_size, n, "kernel_size")
    steps = kernel if stride is None or stride == [] or stride == () else spread(stride, n)
    pads = spread(padding, n, "padding")
    if input.ndim < n + 1:
        raise fail(
            "pool-dims",
            f"Dimension out of range (expected to be in range of [{-input.ndim},"
            f" {input.ndim - 1}], but got {-n - 1})",
            IndexError,
        )
    _check("avg_pool", input, n, Geometry(kernel, steps, pads, (1,) * n, ceil))
    if divisor == 0:
        raise fail("pool-divisor", "divisor must be not zero")
    return avg_pool(input, kernel, steps, pads, ceil, include, divisor)


def _avg_pool(n: int) -> Any:
    def call(
        input: Any,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> Tensor:
        result: Tensor = _averaged(
            n, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
        )
        return result

    call.__name__ = call.__qualname__ = f"avg_pool{n}d"
    call.__doc__ = f"Average each window over {n} spatial dims."
    return call


for _n in (2, 3):
    function(f"torch.nn.functional.avg_pool{_n}d")(_avg_pool(_n))


@function("torch.avg_pool1d", "torch.nn.functional.avg_pool1d")
def avg_pool1d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """Average each window over one spatial dim."""
    kernel, pad = spread(kernel_size, 1)[0], spread(padding, 1)[0]
    step = kernel if stride is None or stride == [] else spread(stride, 1)[0]
    wide = unsqueeze(input, -2)
    got = _averaged(2, wide, (1, kernel), (1, step), (0, pad), ceil_mode, count_include_pad, None)
    result: Tensor = squeeze(got, -2)
    return result


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


def _lp(n: int) -> Any:
    def call(
        input: Any, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
    ) -> Tensor:
        from engine.ops.activation import relu

        powers = input.pow(norm_type)
        pool = avg_pool1d if n == 1 else _avg_pool(n)
        out = pool(powers, kernel_size, stride, 0, ceil_mode)
        elements = math.prod(spread(kernel_size, n))
        result: Tensor = (sign(out) * relu(abs(out)) * elements).pow(1.0 / norm_type)
        return result

    call.__name__ = call.__qualname__ = f"lp_pool{n}d"
    call.__doc__ = f"Take the p-norm of each window over {n} spatial dims."
    return call


for _n in (1, 2, 3):
    function(f"torch.nn.functional.lp_pool{_n}d")(_lp(_n))


def _unpool(n: int) -> Any:
    def call(
        input: Any,
        indices: Tensor,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        output_size: Any = None,
    ) -> Tensor:
        kernel = spread(kernel_size, n)
        steps = kernel if stride is None else spread(stride, n)
        pads = spread(padding, n)
        size = input.shape[-n:]
        spans = zip(size, steps, kernel, pads, strict=True)
        default = tuple((m - 1) * s + k - 2 * p for m, s, k, p in spans)
        full = default if output_size is None else tuple(output_size)[-n:]
        lead = tuple(input.shape[:-n])
        flat = fresh_zeros(input, (*lead, math.prod(full)))
        places = make(indices._array.reshape((*lead, -1)))
        spread_out: Any = scatter_add(flat, len(lead), places, input.reshape((*lead, -1)))
        result: Tensor = spread_out.view((*lead, *full))
        return result

    call.__name__ = call.__qualname__ = f"max_unpool{n}d"
    call.__doc__ = f"Put pooled elements back where they were, over {n} spatial dims."
    return call


for _n in (1, 2, 3):
    function(f"torch.nn.functional.max_unpool{_n}d")(_unpool(_n))
