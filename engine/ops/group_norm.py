"""Normalising groups of channels."""

from __future__ import annotations

from typing import Any

from engine.errors import fail
from engine.ops.batch_norm import per_channel
from engine.ops.layer_norm import normalized_gradient, standardized, unit_of
from engine.ops.record import Array, function, op
from engine.ops.reduce import sum_dims
from engine.ops.samples import Sample, t
from engine.tensor import Tensor


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
