"""The largest element of each window."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.convolution import spread
from engine.ops.dims import zeros_of
from engine.ops.expanding import squeeze, unsqueeze
from engine.ops.gather import gather
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, t
from engine.ops.windows import Geometry, gather_windows
from engine.tensor import Tensor


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
    if n == 2 and 0 in input.shape[-3:]:
        raise fail(
            "pool-dims",
            "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but"
            f" got:{list(input.shape)}",
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
        if input.ndim not in (2, 3) or 0 in input.shape[-2:]:
            raise fail(
                "pool-dims",
                "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size"
                f" for input, but got:{list(input.shape)}",
            )
        kernel, pad, gap = (spread(v, 1)[0] for v in (kernel_size, padding, dilation))
        step = kernel if stride is None or stride == [] else spread(stride, 1)[0]
        out = Geometry((kernel,), (step,), (pad,), (gap,), ceil_mode).output((input.shape[-1],))[0]
        if out < 1 and not return_indices:
            raise fail("pool-output", f"max_pool1d() Invalid computed output size: {max(out, 0)}")
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
