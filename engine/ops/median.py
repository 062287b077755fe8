"""Middle, most frequent and k-th smallest elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.dims import add_reduce, numpy_names
from engine.ops.extremes import picked
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, T, t
from engine.ops.sharing import _wholes, dim_with_elements, evenly, put_back
from engine.tensor import Tensor


def _middle(array: Any, skip_nan: bool) -> Any:
    """Return the lower median of a vector; nan where nan counts or nothing is left."""
    clean = array[array == array] if array.dtype.kind == "f" else array
    if clean.size == 0 or (clean.size < array.size and not skip_nan):
        if array.dtype.kind == "f":
            return array.dtype.type(np.nan)
        # nan as an integer: the smallest that the processor can convert to, cut to its width
        return array.dtype.type(np.iinfo(array.dtype).min if array.dtype.itemsize > 2 else 0)
    return np.sort(clean)[(clean.size - 1) // 2]


@op(
    "median",
    latex=r"\val{result} = \operatorname{median} \val{input}",
    grad_fn="MedianBackward0",
    samples=_wholes,
)
def median_all(input: Array) -> Array:
    """Find the lower median of all elements.

    >>> torch.median(torch.tensor([1., 4., 2., 3.]))
    tensor(2.)
    """
    return _middle(np.ravel(input), False)


@median_all.vjp(
    "input", latex=r"\grad{input} = \grad{result} \text{ shared where } \val{input} = \val{result}"
)
def _(grad: Any, input: Any, result: Any) -> Any:
    return evenly(grad, input, result)


@op(
    "nanmedian",
    latex=r"\val{result} = \operatorname{median} \val{input} \text{ without nan}",
    grad_fn="NanmedianBackward0",
    samples=_wholes,
)
def nanmedian_all(input: Array) -> Array:
    """Find the lower median of all elements that are numbers.

    >>> torch.nanmedian(torch.tensor([1., float("nan"), 2.]))
    tensor(1.)
    """
    return _middle(np.ravel(input), True)


@nanmedian_all.vjp(
    "input", latex=r"\grad{input} = \grad{result} \text{ shared where } \val{input} = \val{result}"
)
def _(grad: Any, input: Any, result: Any) -> Any:
    return evenly(grad, input, result)


def _middle_along(input: Any, dim: int, keepdim: bool, skip_nan: bool) -> tuple[Any, Any]:
    if not input.ndim:
        return input, np.int64(0)
    order = np.argsort(input, dim, kind="stable")  # nan comes last
    lost = add_reduce(input != input, dim, np.int64, None, True)
    n = input.shape[dim]
    middle = np.where(lost == 0, (n - 1) // 2, n - 1)
    if skip_nan:
        middle = np.maximum((n - lost - 1) // 2, 0)
    elif input.dtype.kind == "f":
        first = np.expand_dims(np.argmax(input != input, dim), dim)
        place = np.where(lost == 0, np.take_along_axis(order, middle, dim), first)
        return picked(input, place.squeeze(dim), dim, keepdim)
    return picked(input, np.take_along_axis(order, middle, dim).squeeze(dim), dim, keepdim)


@op(
    "median_dim",
    latex=r"\val{values} = \operatorname{median} \val{input} \text{ along dim } \val{dim}",
    grad_fn="MedianBackward1",
    samples=lambda: [Sample((t(2, 3), 0)), Sample((t(2, 3), 1, True))],
    outputs=("values", "indices"),
    returns="median",
)
def median_dim(input: Array, dim: int, keepdim: bool = False) -> tuple[Array, Array]:
    """Find the lower median along a dim, and where it is.

    >>> torch.median(torch.tensor([[1, 3, 2], [6, 5, 4]]), 1).values
    tensor([2, 5])
    """
    return _middle_along(input, dim, keepdim, False)


@median_dim.prepare
def _(input: Tensor, dim: Any, keepdim: bool) -> dict[str, Any]:
    return {"dim": dim_with_elements("median", input, dim)}


@median_dim.vjp("input", latex=r"\grad{input} = \grad{values} \text{ at } \val{indices}")
def _(grad: Any, input_shape: Any, indices: Any, dim: int, keepdim: bool) -> Any:
    return put_back(grad, indices, input_shape, dim, keepdim)


@op(
    "nanmedian_dim",
    latex=r"\val{values} = \operatorname{median} \val{input} \text{ without nan}",
    grad_fn="NanmedianBackward1",
    samples=lambda: [Sample((t(2, 3), 0)), Sample((t(2, 3), 1, True))],
    outputs=("values", "indices"),
    returns="nanmedian",
)
def nanmedian_dim(input: Array, dim: int, keepdim: bool = False) -> tuple[Array, Array]:
    """Find the lower median of the numbers along a dim, and where it is.

    >>> torch.nanmedian(torch.tensor([[1., float("nan"), 2.]]), 1).values
    tensor([1.])
    """
    return _middle_along(input, dim, keepdim, True)


@nanmedian_dim.prepare
def _(input: Tensor, dim: Any, keepdim: bool) -> dict[str, Any]:
    return {"dim": dim_with_elements("nanmedian", input, dim)}


@nanmedian_dim.vjp("input", latex=r"\grad{input} = \grad{values} \text{ at } \val{indices}")
def _(grad: Any, input_shape: Any, indices: Any, dim: int, keepdim: bool) -> Any:
    return put_back(grad, indices, input_shape, dim, keepdim)


@function("torch.median", "Tensor.median")
@numpy_names
def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Find the lower median, of all elements or along a dim."""
    return median_all(input) if dim is None else median_dim(input, dim, keepdim)


@function("torch.nanmedian", "Tensor.nanmedian")
@numpy_names
def nanmedian(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Find the lower median of the numbers, of all elements or along a dim."""
    return nanmedian_all(input) if dim is None else nanmedian_dim(input, dim, keepdim)


def _most_frequent(vector: Any) -> int:
    values, counts = np.unique(vector, return_counts=True)
    wanted = values[np.argmax(counts)]
    same = vector == wanted if wanted == wanted else vector != vector
    return int(np.flatnonzero(same)[-1])


@op(
    "mode",
    latex=r"\val{values} = \text{the most frequent of } \val{input} \text{ along dim } \val{dim}",
    grad_fn="ModeBackward0",
    binds=("torch.mode", "Tensor.mode"),
    samples=lambda: [Sample((T([[1.0, 2.0, 2.0], [3.0, 3.0, 1.0]]),))],
    outputs=("values", "indices"),
    returns="mode",
)
def mode(input: Array, dim: int = -1, keepdim: bool = False) -> tuple[Array, Array]:
    """Find the most frequent element along a dim, the smallest of several.

    >>> torch.mode(torch.tensor([1, 2, 2])).values
    tensor(2)
    """
    if not input.ndim:
        return input, np.int64(0)
    if not input.size:
        shape = (*input.shape[:dim], *[1] * keepdim, *input.shape[dim + 1 :])
        return np.zeros(shape, input.dtype), np.zeros(shape, np.int64)
    return picked(input, np.apply_along_axis(_most_frequent, dim, input), dim, keepdim)


@mode.prepare
def _(input: Tensor, dim: Any, keepdim: bool) -> dict[str, Any]:
    return {"dim": dim_with_elements("mode", input, dim)}


@mode.vjp("input", latex=r"\grad{input} = \grad{values} \text{ at } \val{indices}")
def _(grad: Any, input_shape: Any, indices: Any, dim: int, keepdim: bool) -> Any:
    return put_back(grad, indices, input_shape, dim, keepdim)


@op(
    "kthvalue",
    latex=r"\val{values} = \text{the } \val{k}\text{-th smallest of } \val{input}",
    grad_fn="KthvalueBackward0",
    binds=("torch.kthvalue", "Tensor.kthvalue"),
    samples=lambda: [Sample((t(2, 3), 2)), Sample((t(2, 3), 1, 0, True))],
    outputs=("values", "indices"),
    returns="kthvalue",
)
def kthvalue(input: Array, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Array, Array]:
    """Find the k-th smallest element along a dim, and where it is.

    >>> torch.kthvalue(torch.tensor([3., 1., 2.]), 2).values
    tensor(2.)
    """
    if not input.ndim:
        return input, np.int64(0)
    order = np.argsort(input, dim, kind="stable")
    return picked(input, np.take(order, k - 1, dim), dim, keepdim)


@kthvalue.prepare
def _(input: Tensor, k: int, dim: Any, keepdim: bool) -> dict[str, Any]:
    at = dim_with_elements("kthvalue", input, dim)
    if not 1 <= k <= (input.shape[at] if input.ndim else 1):
        raise fail(
            "kthvalue", f"kthvalue(): selected number k out of range for dimension {at}", k=k
        )
    return {"dim": at}


@kthvalue.vjp("input", latex=r"\grad{input} = \grad{values} \text{ at } \val{indices}")
def _(grad: Any, input_shape: Any, indices: Any, dim: int, keepdim: bool) -> Any:
    return put_back(grad, indices, input_shape, dim, keepdim)
