"""Windows of images as columns, and back."""

from __future__ import annotations

import math
from typing import Any

from engine.errors import fail
from engine.ops.convolution import _columns, _geometry, spread
from engine.ops.expanding import squeeze, unsqueeze
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, t
from engine.ops.windows import scatter_windows
from engine.tensor import Tensor

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
