"""Writing and adding elements by an index along one dim."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.division import no_derivative
from engine.ops.gather import _check_gather, _check_inside, gather, places
from engine.ops.pieces import slice_backward
from engine.ops.record import Array, function, op
from engine.ops.rules import NO_DERIVATIVE
from engine.ops.samples import Sample, T, t
from engine.ops.scalars import element
from engine.tensor import Tensor, make


def _check_source(name: str, input: Tensor, index: Tensor, src: Tensor, dim: int) -> None:
    if src.dtype is not input.dtype:
        raise fail("dtypes-differ", f"{name}(): Expected self.dtype to be equal to src.dtype")
    if (src.ndim or 1) != (index.ndim or 1):
        raise fail(
            "index-dims", "Index tensor must have the same number of dimensions as src tensor"
        )
    for d in range(index.ndim):
        if index.shape[d] > src.shape[d]:
            raise fail(
                "index-size",
                f"Expected index {list(index.shape)} to be no larger than self"
                f" {list(input.shape)} apart from dimension {dim} and to be no larger size than src"
                f" {list(src.shape)}",
            )


def _part(src: Any, index: Any) -> Any:
    """Return the part of a source that the index covers."""
    return src[tuple(slice(n) for n in index.shape)] if getattr(src, "ndim", 0) else src


def _scattered() -> list[Sample]:
    index = T([[0, 2], [1, 0]], "int64")
    return [
        Sample((t(2, 3), 1, index, t(2, 2, seed=1))),
        Sample((t(3, 2), 0, index, t(2, 3, seed=1))),
    ]


@op(
    "scatter",
    latex=r"\val{result} = \val{input} \text{ with } \val{src} \text{ at } \val{index}",
    grad_fn="ScatterBackward0",
    samples=_scattered,
)
def scatter_src(input: Array, dim: int, index: Array, src: Array) -> Array:
    """Write elements by an index along one dim.

    >>> torch.zeros(1, 3).scatter(1, torch.tensor([[2]]), torch.tensor([[5.]]))
    tensor([[0., 0., 5.]])
    """
    result = np.array(input)
    if not input.ndim:
        return _part(np.ravel(src)[:1].reshape(()), index).copy() if np.size(index) else result
    result[places(np.atleast_1d(index), dim, input.ndim)] = _part(src, np.atleast_1d(index))
    return result


@scatter_src.prepare
def _(input: Tensor, dim: Any, index: Tensor, src: Tensor) -> dict[str, Any]:
    at = _check_gather("scatter", input, dim, index, "self")
    _check_source("scatter", input, index, src, at)
    return {"dim": _check_inside(input, index, at)}


@scatter_src.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \text{ with } 0 \text{ at } \val{index}",
)
def _(grad: Any, dim: int, index: Any) -> Any:
    return scatter_value(grad, dim, index, 0)


@scatter_src.vjp("src", latex=r"\grad{src} = \grad{result}[\val{index}]")
def _(grad: Any, src_shape: Any, dim: int, index: Any) -> Any:
    return _padded(gather(grad, dim, index), src_shape)


def _padded(grad: Any, shape: Any) -> Any:
    """Fill up with zeros what the index did not reach of a source."""
    for d, n in enumerate(shape):
        if grad.shape[d] != n:
            grad = slice_backward(
                grad, (*grad.shape[:d], n, *grad.shape[d + 1 :]), d, 0, grad.shape[d], 1
            )
    return grad


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
    at = _check_inside(input, index, _check_gather("scatter", input, dim, index, "self"))
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
    samples=lambda: [Sample((*s.args, "add")) for s in _scattered()],
)
def scatter_by(input: Array, dim: int, index: Array, src: Array, reduce: str) -> Array:
    """Add to or multiply elements by an index along one dim; without a gradient."""
    result = np.array(input)
    combine = np.add if reduce == "add" else np.multiply
    combine.at(result, places(index, dim, input.ndim), _part(src, index))
    return result


@scatter_by.prepare
def _(input: Tensor, dim: Any, index: Tensor, src: Tensor, reduce: str) -> dict[str, Any]:
    if reduce not in ("add", "multiply"):
        raise fail("reduce", "reduce argument must be either add or multiply.")
    at = _check_gather("scatter", input, dim, index, "self")
    _check_source("scatter", input, index, src, at)
    return {"dim": _check_inside(input, index, at)}


@scatter_by.vjp("input", latex=r"\grad{input} \text{ undefined for } \grad{result}")
def _(grad: Any) -> Any:
    raise no_derivative("scatter")


@scatter_by.vjp("src", latex=r"\grad{src} \text{ undefined for } \grad{result}")
def _(grad: Any) -> Any:
    raise no_derivative("scatter")


@op(
    "scatter_add",
    latex=r"\val{result} = \val{input} \text{ with } \val{src} \text{ added at } \val{index}",
    grad_fn="ScatterAddBackward0",
    binds=("torch.scatter_add", "Tensor.scatter_add", "Tensor.scatter_add_"),
    samples=_scattered,
)
def scatter_add(input: Array, dim: int, index: Array, src: Array) -> Array:
    """Add elements by an index along one dim; repeated indices add up.

    >>> torch.zeros(1, 2).scatter_add(1, torch.tensor([[0, 0]]), torch.ones(1, 2))
    tensor([[2., 0.]])
    """
    result = np.atleast_1d(np.array(input))
    where = np.atleast_1d(index)
    np.add.at(result, places(where, dim, result.ndim), _part(np.atleast_1d(src), where))
    return result.reshape(input.shape)


@scatter_add.prepare
def _(input: Tensor, dim: Any, index: Tensor, src: Tensor) -> dict[str, Any]:
    at = _check_gather("scatter_add", input, dim, index, "self")
    _check_source("scatter", input, index, src, at)
    return {"dim": _check_inside(input, index, at)}


@scatter_add.vjp("input", latex=r"\grad{input} = \grad{result}")
def _(grad: Any) -> Any:
    return grad


@scatter_add.vjp("src", latex=r"\grad{src} = \grad{result}[\val{index}]")
def _(grad: Any, src_shape: Any, dim: int, index: Any) -> Any:
    return _padded(gather(grad, dim, index), src_shape)
