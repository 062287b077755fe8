"""Writing elements by an index along one dim."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.along_dim import (
    as_source,
    check_inside,
    check_scatter,
    part_covered,
    places,
    scattered,
)
from engine.ops.division import no_derivative
from engine.ops.gather import gather
from engine.ops.record import Array, function, op
from engine.ops.rules import NO_DERIVATIVE
from engine.ops.samples import Sample, T, t
from engine.ops.scalars import element
from engine.tensor import Tensor, make


@op(
    "scatter",
    latex=r"\val{result} = \val{input} \text{ with } \val{src} \text{ at } \val{index}",
    grad_fn="ScatterBackward0",
    samples=scattered,
)
def scatter_src(input: Array, dim: int, index: Array, src: Array) -> Array:
    """Write elements by an index along one dim.

    >>> torch.zeros(1, 3).scatter(1, torch.tensor([[2]]), torch.tensor([[5.]]))
    tensor([[0., 0., 5.]])
    """
    result = np.array(input)
    if not np.size(index):
        return result
    if not input.ndim:
        return (
            part_covered(np.ravel(src)[:1].reshape(()), index).copy() if np.size(index) else result
        )
    result[places(np.atleast_1d(index), dim, input.ndim)] = part_covered(src, np.atleast_1d(index))
    return result


@scatter_src.prepare
def _(input: Tensor, dim: Any, index: Tensor, src: Tensor) -> dict[str, Any]:
    return {"dim": check_inside(input, index, check_scatter(input, dim, index, src))}


@scatter_src.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \text{ with } 0 \text{ at } \val{index}",
)
def _(grad: Any, dim: int, index: Any) -> Any:
    return scatter_value(grad, dim, index, 0)


@scatter_src.vjp("src", latex=r"\grad{src} = \grad{result}[\val{index}]")
def _(grad: Any, src_shape: Any, dim: int, index: Any) -> Any:
    return as_source(gather(grad, dim, index), src_shape, "ScatterBackward0")


@op(
    "scatter_value",
    latex=r"\val{result} = \val{input} \text{ with } \val{value} \text{ at } \val{index}",
    grad_fn="ScatterBackward1",
    samples=lambda: [Sample((t(2, 3), 1, T([[0, 2], [1, 0]], "int64"), 1.5))],
)
def scatter_value(input: Array, dim: int, index: Array, value: float) -> Array:
    """Write a number by an index along one dim.

    >>> torch.zeros(1, 3).scatter(1, torch.tensor([[2]]), 5.)
    tensor([[0., 0., 5.]])
    """
    result = np.atleast_1d(np.array(input))
    if np.size(index):
        result[places(np.atleast_1d(index), dim, result.ndim)] = value
    return result.reshape(input.shape)


@scatter_value.prepare
def _(input: Tensor, dim: Any, index: Tensor, value: Any) -> dict[str, Any]:
    at = check_inside(input, index, check_scatter(input, dim, index))
    return {"dim": at, "value": element(value, input.dtype).item()}


@scatter_value.vjp(
    "input", latex=r"\grad{input} = \grad{result} \text{ with } 0 \text{ at } \val{index}"
)
def _(grad: Any, dim: int, index: Any) -> Any:
    return scatter_value(grad, dim, index, 0)


def _scatter_op(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, list[Any]]:
    names = ("input", "dim", "index", "src")
    if "value" in kwargs:
        kwargs["src"] = kwargs.pop("value")
    reduce = kwargs.pop("reduce", None)
    values = [*args, *(kwargs[n] for n in names[len(args) :])]
    if reduce is not None:
        return scatter_by, [*values[:3], _as_source(values[0], values[2], values[3]), reduce]
    return (scatter_src if isinstance(values[3], Tensor) else scatter_value), values


def _as_source(input: Tensor, index: Tensor, src: Any) -> Tensor:
    return src if isinstance(src, Tensor) else make(np.full(index.shape, src, input.dtype.np))


@function("torch.scatter", "Tensor.scatter")
def scatter(*args: Any, **kwargs: Any) -> Tensor:
    """Write elements of a tensor, or a number, by an index along one dim."""
    chosen, values = _scatter_op(args, kwargs)
    result: Tensor = chosen(*values)
    return result


@function("Tensor.scatter_")
def scatter_(*args: Any, **kwargs: Any) -> Tensor:
    """Write by an index along one dim, in place."""
    chosen, values = _scatter_op(args, kwargs)
    result: Tensor = chosen.forms.in_place(*values)
    return result


@op(
    "scatter_by",
    latex=r"\val{result} = \val{input} \text{ combined with } \val{src} \text{ at } \val{index}",
    grad_fn=NO_DERIVATIVE,
    samples=lambda: [Sample((*s.args, "add")) for s in scattered()],
)
def scatter_by(input: Array, dim: int, index: Array, src: Array, reduce: str) -> Array:
    """Add to or multiply elements by an index along one dim; without a gradient."""
    result = np.array(input)
    combine = np.add if reduce == "add" else np.multiply
    combine.at(result, places(index, dim, input.ndim), part_covered(src, index))
    return result


@scatter_by.prepare
def _(input: Tensor, dim: Any, index: Tensor, src: Tensor, reduce: str) -> dict[str, Any]:
    if reduce not in ("add", "multiply"):
        raise fail("reduce", "reduce argument must be either add or multiply.")
    return {"dim": check_inside(input, index, check_scatter(input, dim, index, src))}


@scatter_by.vjp("input", latex=r"\grad{input} \text{ undefined for } \grad{result}")
def _(grad: Any) -> Any:
    raise no_derivative("scatter")


@scatter_by.vjp("src", latex=r"\grad{src} \text{ undefined for } \grad{result}")
def _(grad: Any) -> Any:
    raise no_derivative("scatter")
