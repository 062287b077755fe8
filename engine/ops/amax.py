"""Extremes over several dims, whose gradient is shared between equal elements."""

from __future__ import annotations

from typing import Any

from engine.errors import fail
from engine.ops.dims import maximum_reduce, minimum_reduce, reduced_dims, unreduce, wrap_dim
from engine.ops.record import Array, op
from engine.ops.reduce import sum_dims
from engine.ops.samples import Sample, t
from engine.ops.sharing import TIES, dim_with_elements, evenly, need_elements
from engine.tensor import Tensor


def _many() -> list[Sample]:
    x = t(2, 3)
    ways: list[tuple[Any, ...]] = [(), (0,), (-1, True), ((0, 1),)]
    return [*(Sample((x, *w)) for w in ways), Sample((TIES, 1)), Sample((TIES,))]


def _shared_along(grad: Any, input: Any, result: Any, dim: Any, keepdim: bool) -> Any:
    if input.shape:
        grad, result = (unreduce(x, input.shape, dim, keepdim) for x in (grad, result))
        equal = input == result
        return equal * (grad / sum_dims(equal * 1.0, dim, True))
    return grad


@op(
    "amax",
    latex=r"\val{result} = \max \val{input} \text{ over } \val{dim}",
    grad_fn="AmaxBackward0",
    binds=("torch.amax", "Tensor.amax"),
    samples=_many,
)
def amax(input: Array, dim: Any = (), keepdim: bool = False) -> Array:
    """Find the largest over dims; equal ones share the gradient.

    >>> torch.amax(torch.tensor([[1., 3.], [4., 2.]]), 1)
    tensor([3., 4.])
    """
    return maximum_reduce(input, dim, None, None, keepdim) if input.ndim else input


@amax.prepare
def _(input: Tensor, dim: Any, keepdim: bool) -> dict[str, Any]:
    return {"dim": _dims_with_elements("amax", input, dim)}


def _dims_with_elements(name: str, input: Tensor, dim: Any) -> tuple[int, ...]:
    if dim is None or dim == ():
        need_elements(name, input)
    elif not input.shape.numel():
        for d in dim if isinstance(dim, (tuple, list)) else (dim,):
            dim_with_elements(name, input, d, False)
    return reduced_dims(dim, input.ndim)


@amax.vjp(
    "input", latex=r"\grad{input} = \grad{result} \text{ shared where } \val{input} = \val{result}"
)
def _(grad: Any, input: Any, result: Any, dim: Any, keepdim: bool) -> Any:
    return _shared_along(grad, input, result, dim, keepdim)


@op(
    "amin",
    latex=r"\val{result} = \min \val{input} \text{ over } \val{dim}",
    grad_fn="AminBackward0",
    binds=("torch.amin", "Tensor.amin"),
    samples=_many,
)
def amin(input: Array, dim: Any = (), keepdim: bool = False) -> Array:
    """Find the smallest over dims; equal ones share the gradient.

    >>> torch.amin(torch.tensor([[1., 3.], [4., 2.]]), 1)
    tensor([1., 2.])
    """
    return minimum_reduce(input, dim, None, None, keepdim) if input.ndim else input


@amin.prepare
def _(input: Tensor, dim: Any, keepdim: bool) -> dict[str, Any]:
    return {"dim": _dims_with_elements("amin", input, dim)}


@amin.vjp(
    "input", latex=r"\grad{input} = \grad{result} \text{ shared where } \val{input} = \val{result}"
)
def _(grad: Any, input: Any, result: Any, dim: Any, keepdim: bool) -> Any:
    return _shared_along(grad, input, result, dim, keepdim)


@op(
    "aminmax",
    latex=r"\val{min}, \val{max} = \min \val{input}, \max \val{input}",
    grad_fn="AminmaxBackward0",
    binds=("torch.aminmax", "Tensor.aminmax"),
    samples=lambda: [Sample((t(2, 3),)), Sample((t(2, 3),), {"dim": 1}), Sample((TIES,))],
    outputs=("min", "max"),
    returns="aminmax",
)
def aminmax(input: Array, *, dim: int | None = None, keepdim: bool = False) -> tuple[Array, Array]:
    """Find the smallest and the largest at once.

    >>> torch.aminmax(torch.tensor([1., 3., 2.])).max
    tensor(3.)
    """
    along = dim if input.ndim else None
    low = minimum_reduce(input, along, None, None, keepdim)
    return low, maximum_reduce(input, along, None, None, keepdim)


@aminmax.prepare
def _(input: Tensor, dim: Any, keepdim: bool) -> dict[str, Any] | None:
    if dim is None:
        if input.shape.numel() == 0:
            raise fail(
                "extreme-of-nothing",
                "aminmax(): cannot compute aminmax over an empty dimension as the operation has no"
                " identity.",
            )
        return None
    at = wrap_dim(dim, input.ndim)
    if input.ndim and not input.shape[at]:
        raise fail(
            "extreme-of-nothing",
            f"aminmax: Expected reduction dim {at} to have non-zero size.",
            IndexError,
        )
    return {"dim": at}


@aminmax.vjp(
    "input",
    latex=r"\grad{input} = \grad{min} \text{ where } \val{input} = \val{min}"
    r" + \grad{max} \text{ where } \val{input} = \val{max}",
)
def _(grad: Any, input: Any, min: Any, max: Any, dim: Any, keepdim: bool) -> Any:
    if dim is None:
        return evenly(grad[0], input, min) + evenly(grad[1], input, max)
    dims = (dim,)
    low = _shared_along(grad[0], input, min, dims, keepdim)
    return low + _shared_along(grad[1], input, max, dims, keepdim)
