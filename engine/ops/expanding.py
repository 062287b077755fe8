"""Dims of size 1: repeated, dropped, added."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dtypes import LEGACY_NAMES
from engine.errors import fail
from engine.ops.dims import wrap_dim, wrap_dims
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, t
from engine.ops.sizes import sizes
from engine.ops.strided import stretch
from engine.tensor import Tensor


@op(
    "expand",
    latex=r"\val{result} = \val{input} \text{ repeated to shape } \val{size}",
    grad_fn="ExpandBackward0",
    binds=("Tensor.expand",),
    samples=lambda: [Sample((t(2, 1), (2, 3))), Sample((t(3), (2, -1))), Sample((t(), (2,)))],
    view=True,
    variadic="size",
)
def expand(input: Array, size: Any) -> Array:
    """Repeat dims of size 1 without copying.

    >>> torch.tensor([[1], [2]]).expand(2, 3)
    tensor([[1, 1, 1],
            [2, 2, 2]])
    """
    if not isinstance(input, np.ndarray):
        return stretch(input, size)
    result = np.broadcast_to(input, size)
    result.flags.writeable = input.flags.writeable  # what may be written is decided elsewhere
    return result


@expand.prepare
def _(input: Tensor, size: Any) -> dict[str, Any]:
    return {"size": expanded(input, sizes((size,), "expand 'size'"))}


def expanded(input: Tensor, size: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape an expansion leads to, or refuse."""
    shape, lead = input.shape, len(size) - input.ndim
    if lead < 0:
        old_name = LEGACY_NAMES[input.dtype]
        kind = "CPUBoolType" if old_name == "Bool" else f"torch.{old_name}Tensor"
        raise fail(
            "expand-to-fewer-dims",
            f"expand({kind}{{{list(shape)}}}, size={list(size)}):"
            f" the number of sizes provided ({len(size)}) must be greater or equal to the number of"
            f" dimensions in the tensor ({input.ndim})",
        )
    result = list(size)
    for i, n in reversed(list(enumerate(size))):  # as PyTorch looks
        if n == -1 and i < lead:
            raise fail(
                "expand-leading",
                f"The expanded size of the tensor ({n}) isn't allowed in a leading, non-existing"
                f" dimension {i}",
            )
        have = shape[i - lead] if i >= lead else 1
        if n == -1:
            result[i] = have
        elif have not in (1, n):
            raise fail(
                "expand-size",
                f"The expanded size of the tensor ({n}) must match the existing size ({have}) at"
                f" non-singleton dimension {i}.  Target sizes: {list(size)}.  Tensor sizes:"
                f" {list(shape)}",
                size=size,
                shape=tuple(shape),
            )
    return tuple(result)


@expand.vjp("input", latex=r"\grad{input} = \grad{result} \text{, summed over the repeats}")
def _(grad: Any) -> Any:
    return grad


@function("Tensor.expand_as")
def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """Repeat to the shape of another tensor."""
    result: Tensor = expand(input, tuple(other.shape))
    return result


@function("torch.broadcast_to", "Tensor.broadcast_to")
def broadcast_to(input: Tensor, size: Any) -> Tensor:
    """Repeat to a shape without copying."""
    result: Tensor = expand(input, tuple(size))
    return result


@function("torch.broadcast_tensors")
def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """Repeat tensors to their common shape."""
    from engine.ops.dims import broadcast_shapes

    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors
    shape = broadcast_shapes(*(x.shape for x in given))
    return tuple(x if tuple(x.shape) == shape else expand(x, shape) for x in given)


@function("torch.broadcast_shapes")
def broadcast_shapes_of(*shapes: Any) -> Any:
    """Return the common shape of several."""
    from engine.dtypes import Size
    from engine.ops.dims import broadcast_shapes

    try:
        return Size(broadcast_shapes(*((s,) if isinstance(s, int) else s for s in shapes)))
    except RuntimeError:
        raise RuntimeError(
            "Shape mismatch: objects cannot be broadcast to a single shape"
        ) from None


def _squeezed(shape: Any, dims: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n for i, n in enumerate(shape) if not (i in dims and n == 1))


@op(
    "squeeze",
    latex=r"\val{result} = \val{input} \text{ without dims of size 1}",
    grad_fn=lambda dim, **_: f"SqueezeBackward{_squeeze_kind(dim)}",
    binds=("torch.squeeze", "Tensor.squeeze"),
    samples=lambda: [
        Sample((t(1, 2, 1),)),
        Sample((t(1, 2), 0)),
        Sample((t(1, 2), 1)),
        Sample((t(1, 2, 1), (0, 2))),
    ],
    view=True,
)
def squeeze(input: Array, dim: Any = None) -> Array:
    """Drop dims of size 1: all, or those named.

    >>> torch.squeeze(torch.ones(1, 3, 1)).shape
    torch.Size([3])
    """
    dims = range(input.ndim) if dim is None else (dim,) if isinstance(dim, int) else dim
    return input.reshape(_squeezed(input.shape, tuple(dims)))


def _squeeze_kind(dim: Any) -> int:
    if dim is None:
        return 0
    return 1 if isinstance(dim, int) else 2


@squeeze.prepare
def _(input: Tensor, dim: Any) -> dict[str, Any] | None:
    if dim is None:
        return None
    if isinstance(dim, (tuple, list)):
        return {"dim": wrap_dims(dim, input.ndim)}
    return {"dim": wrap_dim(dim, input.ndim)}


@squeeze.vjp("input", latex=r"\grad{input} = \grad{result} \text{ in the shape of input}")
def _(grad: Any, input_shape: Any, dim: Any) -> Any:
    dims = range(len(input_shape)) if dim is None else (dim,) if isinstance(dim, int) else dim
    for d in sorted(dims):
        if input_shape and input_shape[d] == 1:
            grad = unsqueeze(grad, d)
    return grad


@op(
    "unsqueeze",
    latex=r"\val{result} = \val{input} \text{ with a dim of size 1 at } \val{dim}",
    grad_fn="UnsqueezeBackward0",
    binds=("torch.unsqueeze", "Tensor.unsqueeze"),
    samples=lambda: [Sample((t(2, 3), 0)), Sample((t(2, 3), -1)), Sample((t(), 0))],
    view=True,
)
def unsqueeze(input: Array, dim: int) -> Array:
    """Insert a dim of size 1.

    >>> torch.unsqueeze(torch.ones(3), 1).shape
    torch.Size([3, 1])
    """
    return np.expand_dims(input, dim)


@unsqueeze.prepare
def _(input: Tensor, dim: int) -> dict[str, Any]:
    return {"dim": wrap_dim(dim, input.ndim + 1)}


@unsqueeze.vjp("input", latex=r"\grad{input} = \grad{result} \text{ without that dim}")
def _(grad: Any, dim: int) -> Any:
    return squeeze(grad, dim)
