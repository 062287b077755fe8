"""The same elements in another shape."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.dtypes import dtype
from engine.errors import fail
from engine.ops.dims import wrap_dim
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, t
from engine.ops.sizes import infer_size, sizes, viewed
from engine.tensor import Tensor


def _views() -> list[Sample]:
    return [Sample((t(2, 3), (3, 2))), Sample((t(2, 3), (-1,))), Sample((t(), (1, 1)))]


@op(
    "view",
    latex=r"\val{result} = \val{input} \text{ in shape } \val{size}",
    grad_fn="ViewBackward0",
    samples=_views,
    view=True,
)
def view(input: Array, size: tuple[int, ...]) -> Array:
    """Look at the same elements in another shape.

    >>> torch.arange(4).view(2, 2)
    tensor([[0, 1],
            [2, 3]])
    """
    return input.reshape(size)


@view.prepare
def _(input: Tensor, size: tuple[int, ...]) -> dict[str, Any]:
    size = infer_size(sizes((size,)), input.shape.numel())
    if viewed(input._array, size) is None:
        raise fail(
            "view-of-gaps",
            "view size is not compatible with input tensor's size and stride (at least one"
            " dimension spans across two contiguous subspaces). Use .reshape(...) instead.",
            shape=input.shape,
            size=size,
        )
    return {"size": size}


@view.vjp("input", latex=r"\grad{input} = \grad{result} \text{ in the shape of input}")
def _(grad: Any, input_shape: Any) -> Any:
    return grad.reshape(input_shape)


@op(
    "unsafe_view",
    latex=r"\val{result} = \val{input} \text{ in shape } \val{size}",
    grad_fn="UnsafeViewBackward0",
    samples=_views,
)
def unsafe_view(input: Array, size: tuple[int, ...]) -> Array:
    """Reshape a fresh copy, which nobody else sees."""
    return input.reshape(size)


@unsafe_view.vjp("input", latex=r"\grad{input} = \grad{result} \text{ in the shape of input}")
def _(grad: Any, input_shape: Any) -> Any:
    return grad.reshape(input_shape)


@op(
    "reshape_alias",
    latex=r"\val{result} = \val{input} \text{ in shape } \val{size}",
    grad_fn="ReshapeAliasBackward0",
    samples=_views,
    view=True,
)
def reshape_alias(input: Array, size: tuple[int, ...]) -> Array:
    """Look at elements that lie apart in another shape."""
    return input.reshape(size)


@reshape_alias.vjp("input", latex=r"\grad{input} = \grad{result} \text{ in the shape of input}")
def _(grad: Any, input_shape: Any) -> Any:
    return grad.reshape(input_shape)


@op(
    "alias",
    latex=r"\val{result} = \val{input}",
    grad_fn="AliasBackward0",
    samples=lambda: [Sample((t(2, 3),))],
    view=True,
)
def alias(input: Array) -> Array:
    """Look at the same elements once more."""
    return input[...]


@alias.vjp("input", latex=r"\grad{input} = \grad{result}")
def _(grad: Any) -> Any:
    return grad


@function("Tensor.view")
def view_method(input: Tensor, *size: Any) -> Tensor:
    """Look at the same elements in another shape; -1 stands for what is left."""
    if len(size) == 1 and isinstance(size[0], dtype):
        return view_as_dtype(input, size[0])
    if not size or not all(hasattr(n, "__index__") or isinstance(n, (tuple, list)) for n in size):
        got = ", ".join(type(n).__name__ for n in size)
        wrong = f"      didn't match because some of the arguments have invalid types: (!{got}!)\n"
        raise TypeError(
            f"view() received an invalid combination of arguments - got ({got}), but expected one"
            f" of:\n * (torch.dtype dtype)\n{wrong} * (tuple of ints size)\n{wrong}"
        )
    result: Tensor = view(input, sizes(size))
    return result


def view_as_dtype(input: Tensor, kind: dtype) -> Tensor:
    """Read the same bytes as another type."""
    from engine.tensor import make

    if input.dtype is kind:
        result: Tensor = alias(input)
        return result
    array = np.asarray(input._array)
    return make(array.view(kind.np) if array.ndim else array.reshape(1).view(kind.np).reshape(()))


@function("torch.reshape")
def reshape(input: Tensor, shape: Any) -> Tensor:
    """Look at the elements in another shape, or copy them where no view can do it."""
    size = infer_size(sizes((shape,)), input.shape.numel())
    array = input._array
    result: Tensor
    if isinstance(array, np.generic) or array.flags.c_contiguous:
        result = view(input, size)
    elif viewed(array, size) is not None:
        result = reshape_alias(input, size)
    else:
        result = unsafe_view(clone_of(input), size)
    return result


def clone_of(input: Tensor) -> Tensor:
    """Copy a tensor into memory of its own, row by row."""
    from engine.ops.record import PUBLIC

    result: Tensor = PUBLIC["torch.clone"](input)
    if not result._array.flags.c_contiguous:
        result._array = np.ascontiguousarray(result._array)
    return result


@function("Tensor.reshape")
def reshape_method(input: Tensor, *shape: Any) -> Tensor:
    """Look at the elements in another shape, or copy them."""
    if not shape:
        raise TypeError('reshape() missing 1 required positional arguments: "shape"')
    return reshape(input, sizes(shape, "reshape 'shape'"))  # type: ignore[no-any-return]


@function("Tensor.view_as")
def view_as(input: Tensor, other: Tensor) -> Tensor:
    """Look at the elements in the shape of another tensor."""
    result: Tensor = view(input, tuple(other.shape))
    return result


@function("Tensor.reshape_as")
def reshape_as(input: Tensor, other: Tensor) -> Tensor:
    """Reshape to the shape of another tensor."""
    return reshape(input, tuple(other.shape))  # type: ignore[no-any-return]


@function("torch.flatten", "Tensor.flatten")
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Make one dim of several neighbouring ones."""
    n = input.ndim
    start, end = wrap_dim(start_dim, n), wrap_dim(end_dim, n)
    if n == 0:
        return reshape(input, (1,))  # type: ignore[no-any-return]
    if start > end:
        raise fail(
            "flatten-backwards",
            "flatten() has invalid args: start_dim cannot come after end_dim",
        )
    if start == end:
        return input
    middle = math.prod(input.shape[start : end + 1])
    return reshape(input, (*input.shape[:start], middle, *input.shape[end + 1 :]))  # type: ignore[no-any-return]


@function("torch.ravel", "Tensor.ravel")
def ravel(input: Tensor) -> Tensor:
    """Make one dim of all."""
    array = input._array
    if isinstance(array, np.ndarray) and not array.flags.c_contiguous:
        input = clone_of(input)
    result: Tensor = view(input, (-1,))
    return result


@function("torch.unflatten", "Tensor.unflatten")
def unflatten(input: Tensor, dim: int, sizes: Any) -> Tensor:
    """Make several dims of one."""
    at = wrap_dim(dim, input.ndim)
    size = tuple(sizes)
    n = input.shape[at]
    known = math.prod(s for s in size if s != -1)
    if size.count(-1) > 1 or (-1 not in size and known != n) or (known and n % known):
        raise fail(
            "unflatten",
            f"unflatten: Provided sizes {list(size)} don't multiply up to the size of dim {at}"
            f" ({n}) in the input tensor",
        )
    result: Tensor = view(input, (*input.shape[:at], *infer_size(size, n), *input.shape[at + 1 :]))
    return result
