"""conv1d to conv3d and their transposes: checks, padding, batches."""

from __future__ import annotations

from typing import Any

from engine.errors import fail
from engine.ops.convolution import _geometry, convolution, spread
from engine.ops.expanding import squeeze, unsqueeze
from engine.ops.record import function
from engine.ops.windows import Geometry
from engine.tensor import Tensor


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
            f"Expected {weight.ndim}-dimensional input for {weight.ndim}-dimensional weight"
            f" {list(weight.shape)}, but got {input.ndim}-dimensional input of size"
            f" {list(input.shape)} instead",
        )


def _check_types(input: Tensor, weight: Tensor, bias: Any) -> None:
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
    _check_types(input, weight, bias)
    result = convolution(x, weight, bias, strides, pads, dilations, False, (0,) * n, groups)
    return squeeze(result, 0) if unbatched else result


def _forward(n: int, shapes: str) -> Any:
    def call(
        input: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> Tensor:
        result: Tensor = _convolve(n, input, weight, bias, stride, padding, dilation, groups)
        return result

    call.__name__ = call.__qualname__ = f"conv{n}d"
    call.__doc__ = f"Convolve {shapes}."
    return call


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
    _check_types(input, weight, bias)
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


SHAPES = {
    1: "(N, C, L) or (C, L) with kernels (O, C / groups, K)",
    2: "(N, C, H, W) or (C, H, W) with kernels (O, C / groups, KH, KW)",
    3: "(N, C, D, H, W) or (C, D, H, W) with kernels in three dims",
}

for _n, _shapes in SHAPES.items():
    for _made in (_forward(_n, _shapes), _transposed(_n)):
        function(f"torch.{_made.__name__}", f"torch.nn.functional.{_made.__name__}")(_made)
