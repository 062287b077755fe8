"""Picking, adding, copying and filling whole slices by an index."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.along_dim import INDEX
from engine.ops.dims import wrap_dim
from engine.ops.record import Array, function, op
from engine.ops.reduce import sum_dims
from engine.ops.samples import Sample, T, t
from engine.ops.scalars import element
from engine.ops.slice_checks import check_add, check_copy, check_fill, check_selected
from engine.ops.widths import narrowed
from engine.ops.zeros import fresh_zeros
from engine.tensor import Tensor, make


@op(
    "index_select",
    latex=r"\val{result} = \val{input}[\val{index}] \text{ of dim } \val{dim}",
    grad_fn="IndexSelectBackward0",
    binds=("torch.index_select", "Tensor.index_select"),
    samples=lambda: [
        Sample((t(3, 2), 0, T([2, 0, 2], "int64"))),
        Sample((t(2, 3), 1, T([1], "int64"))),
    ],
)
def index_select(input: Array, dim: int, index: Array) -> Array:
    """Take indices of a dim, in any order and number.

    >>> torch.index_select(torch.tensor([10, 20, 30]), 0, torch.tensor([2, 0]))
    tensor([30, 10])
    """
    return np.take(input, np.atleast_1d(narrowed(index)), dim) if input.ndim else np.array(input)


@index_select.prepare
def _(input: Tensor, dim: Any, index: Tensor) -> dict[str, Any]:
    at = wrap_dim(dim, input.ndim)
    if index.ndim > 1:
        raise fail("index-dims", "index_select(): Index is supposed to be a vector", IndexError)
    if index.dtype not in INDEX:
        raise fail("index-type", "index_select(): Expected dtype int32 or int64 for index")
    size = input.shape[at] if input.ndim else 1
    if not input.ndim and index.shape.numel() != 1:
        raise fail(
            "index-of-scalar",
            "index_select(): Index to scalar can have only 1 value, got"
            f" {index.shape.numel()} value(s)",
        )
    check_selected(input, at, index, size)
    return {"dim": at}


@index_select.vjp("input", latex=r"\grad{input} = \grad{result} \text{ added up at } \val{index}")
def _(grad: Any, input_shape: Any, dim: int, index: Any) -> Any:
    if not input_shape:
        return grad
    return index_add(fresh_zeros(grad, input_shape), dim, index, grad)


def _along(index: Any, dim: int) -> tuple[Any, ...]:
    return (slice(None),) * dim + (np.atleast_1d(index),)


def _rows() -> list[Sample]:
    return [Sample((t(3, 2), 0, T([2, 0], "int64"), t(2, 2, seed=1)))]


@op(
    "index_add",
    latex=r"\val{result} = \val{input} \text{ with } \val{alpha}\,\val{source}"
    r" \text{ added at } \val{index}",
    grad_fn="IndexAddBackward0",
    binds=("torch.index_add", "Tensor.index_add", "Tensor.index_add_"),
    samples=lambda: [*_rows(), Sample(_rows()[0].args, {"alpha": 2})],
)
def index_add(input: Array, dim: int, index: Array, source: Array, *, alpha: float = 1) -> Array:
    """Add slices at indices of a dim; repeated indices add up.

    >>> torch.zeros(3).index_add(0, torch.tensor([0, 0, 2]), torch.tensor([1., 2., 3.]))
    tensor([3., 0., 3.])
    """
    result = np.atleast_1d(np.array(input))
    if 0 in input.shape:
        return result
    added = np.atleast_1d(source) if alpha == 1 else np.atleast_1d(source * alpha)
    np.add.at(result, _along(index, dim), added.astype(result.dtype))
    return result.reshape(input.shape)


@index_add.prepare
def _(input: Tensor, dim: Any, index: Tensor, source: Tensor, alpha: Any) -> dict[str, Any]:
    return check_add(input, dim, index, source, alpha)


@index_add.vjp("input", latex=r"\grad{input} = \grad{result}")
def _(grad: Any) -> Any:
    return grad


@index_add.vjp("source", latex=r"\grad{source} = \val{alpha}\,\grad{result}[\val{index}]")
def _(grad: Any, source_shape: Any, dim: int, index: Any, alpha: Any) -> Any:
    picked = index_select(grad, dim, index)
    return (picked if alpha == 1 else picked * alpha).reshape(tuple(source_shape))


@op(
    "index_copy",
    latex=r"\val{result} = \val{input} \text{ with } \val{source} \text{ at } \val{index}",
    grad_fn="IndexCopyBackward0",
    binds=("torch.index_copy", "Tensor.index_copy", "Tensor.index_copy_"),
    samples=_rows,
)
def index_copy(input: Array, dim: int, index: Array, source: Array) -> Array:
    """Overwrite slices at indices of a dim.

    >>> torch.zeros(3).index_copy(0, torch.tensor([2, 0]), torch.tensor([1., 2.]))
    tensor([2., 0., 1.])
    """
    result = np.atleast_1d(np.array(input))
    if 0 not in input.shape:
        result[_along(index, dim)] = np.atleast_1d(source)
    return result.reshape(input.shape)


@index_copy.prepare
def _(input: Tensor, dim: Any, index: Tensor, source: Tensor) -> dict[str, Any]:
    return check_copy(input, dim, index, source)


@index_copy.vjp(
    "input", latex=r"\grad{input} = \grad{result} \text{ with } 0 \text{ at } \val{index}"
)
def _(grad: Any, dim: int, index: Any) -> Any:
    return index_fill(grad, dim, index, 0)


@index_copy.vjp("source", latex=r"\grad{source} = \grad{result}[\val{index}]")
def _(grad: Any, source_shape: Any, dim: int, index: Any) -> Any:
    return index_select(grad, dim, index).reshape(tuple(source_shape))


@op(
    "index_fill",
    latex=r"\val{result} = \val{input} \text{ with } \val{value} \text{ at } \val{index}",
    grad_fn="IndexFillBackward0",
    samples=lambda: [Sample((t(3, 2), 0, T([2, 0], "int64"), 1.5))],
)
def index_fill(input: Array, dim: int, index: Array, value: Any) -> Array:
    """Overwrite slices at indices of a dim with a number.

    >>> torch.zeros(3).index_fill(0, torch.tensor([2, 0]), 1.)
    tensor([1., 0., 1.])
    """
    result = np.atleast_1d(np.array(input))
    if 0 not in input.shape:
        result[_along(index, dim)] = value
    return result.reshape(input.shape)


@index_fill.prepare
def _(input: Tensor, dim: Any, index: Tensor, value: Any) -> dict[str, Any]:
    checked = check_fill(input, dim, index)
    checked["value"] = element(value, input.dtype).item()
    return checked


@index_fill.vjp(
    "input", latex=r"\grad{input} = \grad{result} \text{ with } 0 \text{ at } \val{index}"
)
def _(grad: Any, dim: int, index: Any) -> Any:
    return index_fill(grad, dim, index, 0)


@op(
    "index_fill_tensor",
    latex=r"\val{result} = \val{input} \text{ with } \val{value} \text{ at } \val{index}",
    grad_fn="IndexFillBackward1",
    samples=lambda: [Sample((t(3, 2), 0, T([2, 0], "int64"), t(seed=1)))],
)
def index_fill_tensor(input: Array, dim: int, index: Array, value: Array) -> Array:
    """Overwrite slices at indices of a dim with a 0-d tensor's value.

    >>> torch.zeros(3).index_fill(0, torch.tensor([2, 0]), torch.tensor(1.))
    tensor([1., 0., 1.])
    """
    return index_fill.forward(input, dim, index, value)


@index_fill_tensor.prepare
def _(input: Tensor, dim: Any, index: Tensor, value: Tensor) -> dict[str, Any]:
    if value.ndim:
        raise fail(
            "index-fill",
            "index_fill_ only supports a 0-dimensional value tensor, but got tensor with"
            f" {value.ndim} dimension(s).",
        )
    return check_fill(input, dim, index)


@index_fill_tensor.vjp(
    "input", latex=r"\grad{input} = \grad{result} \text{ with } 0 \text{ at } \val{index}"
)
def _(grad: Any, dim: int, index: Any) -> Any:
    return index_fill(grad, dim, index, 0)


@index_fill_tensor.vjp("value", latex=r"\grad{value} = \sum \grad{result}[\val{index}]")
def _(grad: Any, dim: int, index: Any) -> Any:
    different = np.unique(index._array if isinstance(index, Tensor) else index)
    places = make(different) if isinstance(index, Tensor) else different
    return sum_dims(index_select(grad, dim, places))


def _fill_op(value: Any) -> Any:
    return index_fill_tensor if isinstance(value, Tensor) else index_fill


@function("torch.index_fill", "Tensor.index_fill")
def index_fill_any(input: Tensor, dim: int, index: Tensor, value: Any) -> Tensor:
    """Overwrite slices at indices of a dim with a number."""
    result: Tensor = _fill_op(value)(input, dim, index, value)
    return result


@function("Tensor.index_fill_")
def index_fill_any_(input: Tensor, dim: int, index: Tensor, value: Any) -> Tensor:
    """Overwrite slices at indices of a dim with a number, in place."""
    result: Tensor = _fill_op(value).forms.in_place(input, dim, index, value)
    return result
