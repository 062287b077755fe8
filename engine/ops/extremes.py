"""The largest and smallest elements, of all or along a dim."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.dims import maximum_reduce, minimum_reduce, numpy_names
from engine.ops.maximum import maximum, minimum
from engine.ops.record import Array, function, op
from engine.ops.sharing import _alongs, _wholes, dim_with_elements, evenly, need_elements, put_back
from engine.tensor import Tensor


@op(
    "max",
    latex=r"\val{result} = \max \val{input}",
    grad_fn="MaxBackward1",
    samples=_wholes,
)
def max_all(input: Array) -> Array:
    """Find the largest element; equal ones share the gradient.

    >>> torch.max(torch.tensor([1., 3., 2.]))
    tensor(3.)
    """
    return maximum_reduce(input, None)


@max_all.prepare
def _(input: Tensor) -> None:
    need_elements("max", input)


@max_all.vjp(
    "input", latex=r"\grad{input} = \grad{result} \text{ shared where } \val{input} = \val{result}"
)
def _(grad: Any, input: Any, result: Any) -> Any:
    return evenly(grad, input, result)


@op(
    "min",
    latex=r"\val{result} = \min \val{input}",
    grad_fn="MinBackward1",
    samples=_wholes,
)
def min_all(input: Array) -> Array:
    """Find the smallest element; equal ones share the gradient.

    >>> torch.min(torch.tensor([1., 3., 2.]))
    tensor(1.)
    """
    return minimum_reduce(input, None)


@min_all.prepare
def _(input: Tensor) -> None:
    need_elements("min", input)


@min_all.vjp(
    "input", latex=r"\grad{input} = \grad{result} \text{ shared where } \val{input} = \val{result}"
)
def _(grad: Any, input: Any, result: Any) -> Any:
    return evenly(grad, input, result)


def picked(array: Any, indices: Any, dim: int, keepdim: bool) -> tuple[Any, Any]:
    """Return the elements at indices of a dim, and the indices as int64."""
    if not array.ndim:
        return array, np.int64(0)
    where = np.expand_dims(indices, dim).astype(np.int64)
    values = np.take_along_axis(array, where, dim)
    if keepdim:
        return values, where
    return values.squeeze(dim), where.squeeze(dim)


@op(
    "max_dim",
    latex=r"\val{values} = \max \val{input} \text{ along dim } \val{dim}",
    grad_fn="MaxBackward0",
    samples=_alongs,
    outputs=("values", "indices"),
    returns="max",
)
def max_dim(input: Array, dim: int, keepdim: bool = False) -> tuple[Array, Array]:
    """Find the largest along a dim, and where it is.

    >>> torch.max(torch.tensor([[1., 3.], [4., 2.]]), 1).indices
    tensor([1, 0])
    """
    return picked(input, input.argmax(dim) if input.ndim else 0, dim, keepdim)


@max_dim.prepare
def _(input: Tensor, dim: Any, keepdim: bool) -> dict[str, Any]:
    return {"dim": dim_with_elements("max", input, dim)}


@max_dim.vjp("input", latex=r"\grad{input} = \grad{values} \text{ at } \val{indices}")
def _(grad: Any, input_shape: Any, indices: Any, dim: int, keepdim: bool) -> Any:
    return put_back(grad, indices, input_shape, dim, keepdim)


@op(
    "min_dim",
    latex=r"\val{values} = \min \val{input} \text{ along dim } \val{dim}",
    grad_fn="MinBackward0",
    samples=_alongs,
    outputs=("values", "indices"),
    returns="min",
)
def min_dim(input: Array, dim: int, keepdim: bool = False) -> tuple[Array, Array]:
    """Find the smallest along a dim, and where it is.

    >>> torch.min(torch.tensor([[1., 3.], [4., 2.]]), 1).indices
    tensor([0, 1])
    """
    return picked(input, input.argmin(dim) if input.ndim else 0, dim, keepdim)


@min_dim.prepare
def _(input: Tensor, dim: Any, keepdim: bool) -> dict[str, Any]:
    return {"dim": dim_with_elements("min", input, dim)}


@min_dim.vjp("input", latex=r"\grad{input} = \grad{values} \text{ at } \val{indices}")
def _(grad: Any, input_shape: Any, indices: Any, dim: int, keepdim: bool) -> Any:
    return put_back(grad, indices, input_shape, dim, keepdim)


def _refuse(name: str, args: tuple[Any, ...], method: bool) -> TypeError:
    got = ", ".join(type(a).__name__ for a in args[1 if method else 0 :])
    if method:
        forms = " * ()\n * (Tensor other)\n * (int dim, bool keepdim = False)\n"
    else:
        forms = (
            " * (Tensor input, *, Tensor out = None)\n"
            " * (Tensor input, Tensor other, *, Tensor out = None)\n"
            " * (Tensor input, int dim, bool keepdim = False, *, tuple of Tensors out = None)\n"
        )
    return TypeError(
        f"{name}() received an invalid combination of arguments - got ({got}), but expected one"
        f" of:\n{forms}"
    )


def _extreme(name: str, method: bool, whole: Any, along: Any, pairwise: Any) -> Any:
    @numpy_names
    def call(*args: Any, **kwargs: Any) -> Any:
        values = dict(zip(("input", "dim", "keepdim"), args, strict=False)) | kwargs
        first = values.get("dim", values.get("other"))
        if len(args) > 3 or not isinstance(values.get("input"), Tensor):
            raise _refuse(name, args, method)
        if first is None:
            return whole(values["input"])
        if isinstance(first, Tensor):
            return pairwise(values["input"], first)
        if isinstance(first, float) or not hasattr(first, "__index__"):
            raise _refuse(name, args, method)
        return along(values["input"], first, values.get("keepdim", False))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Do `{name}` of all elements, along a dim, or of two tensors."
    return call


for _name, _parts in (
    ("max", (max_all, max_dim, maximum)),
    ("min", (min_all, min_dim, minimum)),
):
    function(f"torch.{_name}")(_extreme(_name, False, *_parts))
    function(f"Tensor.{_name}")(_extreme(_name, True, *_parts))
