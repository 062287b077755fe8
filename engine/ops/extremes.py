"""Extremes and order statistics: max, min, amax, argmax, median, mode, kthvalue."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.clamping import maximum, minimum
from engine.ops.cumulative import fresh_zeros
from engine.ops.dims import (
    add_reduce,
    maximum_reduce,
    minimum_reduce,
    numpy_names,
    reduced_dims,
    unreduce,
    wrap_dim,
)
from engine.ops.gather import scatter_src
from engine.ops.record import Array, function, op
from engine.ops.reduce import sum_dims
from engine.ops.samples import Sample, T, t
from engine.tensor import Tensor

TIES = T([[1.0, 3.0, 3.0], [2.0, 0.5, 3.0]])


def _wholes() -> list[Sample]:
    return [Sample((t(2, 3),)), Sample((TIES,)), Sample((t(),))]


def _alongs() -> list[Sample]:
    return [Sample((t(2, 3), 0)), Sample((t(2, 3), -1, True)), Sample((TIES, 1)), Sample((t(), 0))]


def how_many(mask: Any) -> int:
    """Count a mask's true elements."""
    return int(np.count_nonzero(mask._array if isinstance(mask, Tensor) else mask))


def evenly(grad: Any, input: Any, result: Any) -> Any:
    """Share a gradient among all elements equal to the result."""
    equal = (input == result) | ((input != input) & (result != result))
    return equal * (grad / max_int(how_many(equal), 1))


def max_int(a: int, b: int) -> int:
    """Return the larger of two integers; `max` is an op here."""
    return a if a > b else b


def need_elements(name: str, input: Tensor) -> None:
    """Refuse to look for an extreme of nothing."""
    if input.shape.numel() == 0:
        raise fail(
            "extreme-of-nothing",
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the"
            " reduction dim with the 'dim' argument.",
        )


def dim_with_elements(name: str, input: Tensor, dim: Any) -> int:
    """Return a dim counted from the front, refused when it is empty."""
    at = wrap_dim(dim, input.ndim)
    if input.ndim and input.shape[at] == 0:
        raise fail(
            "extreme-of-nothing",
            f"{name}(): Expected reduction dim {at} to have non-zero size.",
            IndexError,
        )
    return at


def put_back(grad: Any, indices: Any, shape: Any, dim: int, keepdim: bool) -> Any:
    """Put gradients where the values were taken from, among zeros."""
    if not shape:
        return grad
    if not keepdim:
        kept = tuple(1 if i == dim else n for i, n in enumerate(shape))
        grad, indices = grad.reshape(kept), indices.reshape(kept)
    return scatter_src(fresh_zeros(grad, shape), dim, indices, grad)


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
    dims = reduced_dims(dim, input.ndim)
    if dim is None or dim == ():
        need_elements(name, input)
    for d in dims:
        dim_with_elements(name, input, d)
    return dims


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
    return {"dim": wrap_dim(dim, input.ndim)}


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


def _places() -> list[Sample]:
    return [Sample((t(2, 3),)), Sample((t(2, 3), 0)), Sample((t(2, 3), 1, True)), Sample((TIES, 1))]


def _arg(which: str, input: Any, dim: Any, keepdim: bool) -> Any:
    if not input.ndim:
        return np.int64(0)
    found = getattr(input, which)(dim)
    if keepdim:
        found = found.reshape((1,) * input.ndim) if dim is None else np.expand_dims(found, dim)
    return found.astype(np.int64)


@op(
    "argmax",
    latex=r"\val{result} = \arg\max \val{input}",
    binds=("torch.argmax", "Tensor.argmax"),
    samples=_places,
)
def argmax(input: Array, dim: int | None = None, keepdim: bool = False) -> Array:
    """Find where the largest element is.

    >>> torch.argmax(torch.tensor([1., 3., 2.]))
    tensor(1)
    """
    return _arg("argmax", input, dim, keepdim)


@op(
    "argmin",
    latex=r"\val{result} = \arg\min \val{input}",
    binds=("torch.argmin", "Tensor.argmin"),
    samples=_places,
)
def argmin(input: Array, dim: int | None = None, keepdim: bool = False) -> Array:
    """Find where the smallest element is.

    >>> torch.argmin(torch.tensor([1., 3., 2.]))
    tensor(0)
    """
    return _arg("argmin", input, dim, keepdim)


def _arg_dim(name: str, input: Tensor, dim: Any) -> dict[str, Any] | None:
    if dim is None:
        if input.shape.numel() == 0:
            raise fail(
                "extreme-of-nothing",
                f"{name}(): Expected reduction dim to be specified for input.numel() == 0.",
                IndexError,
            )
        return None
    return {"dim": dim_with_elements(name, input, dim)}


@argmax.prepare
def _(input: Tensor, dim: Any, keepdim: bool) -> dict[str, Any] | None:
    return _arg_dim("argmax", input, dim)


@argmin.prepare
def _(input: Tensor, dim: Any, keepdim: bool) -> dict[str, Any] | None:
    return _arg_dim("argmin", input, dim)


def _middle(array: Any, skip_nan: bool) -> Any:
    """Return the lower median of a vector; nan where nan counts or nothing is left."""
    clean = array[array == array] if array.dtype.kind == "f" else array
    if clean.size == 0 or (clean.size < array.size and not skip_nan):
        return array.dtype.type(np.nan) if array.dtype.kind == "f" else array.dtype.type(0)
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
    return int(np.flatnonzero(vector == wanted)[-1])


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
