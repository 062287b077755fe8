"""The mean of each window."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dtypes import int64
from engine.errors import fail
from engine.ops.convolution import spread
from engine.ops.dims import add_reduce, not_implemented
from engine.ops.expanding import squeeze, unsqueeze
from engine.ops.max_pool import _check, batched
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, t
from engine.ops.windows import Geometry, check_1d, gather_windows, scatter_windows
from engine.tensor import Tensor


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


@avg_pool.vjp(
    "input", latex=r"\grad{input} = \grad{result} \text{ shared within each window of } \val{input}"
)
def _(
    grad: Any, input: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    count_include_pad: bool, divisor_override: Any,
) -> Any:  # fmt: skip
    return avg_pool_backward(
        grad, tuple(input.shape), kernel_size, stride, padding, ceil_mode, count_include_pad,
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
    if input.dtype.category < 2 and input.dtype is not int64:
        raise not_implemented(f"avg_pool{n}d", input)
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
    check_1d("avg_pool1d", input)
    kernel, pad = spread(kernel_size, 1)[0], spread(padding, 1)[0]
    step = kernel if stride is None or stride == [] else spread(stride, 1)[0]
    wide = unsqueeze(input, -2)
    got = _averaged(2, wide, (1, kernel), (1, step), (0, pad), ceil_mode, count_include_pad, None)
    result: Tensor = squeeze(got, -2)
    return result
