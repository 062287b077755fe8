"""Joining tensors along a dim, old or new."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops.dims import wrap_dim
from engine.ops.expanding import unsqueeze
from engine.ops.pieces import select, slice_dim
from engine.ops.record import Array, Arrays, function, op
from engine.ops.samples import Sample, t
from engine.ops.shape import reshape
from engine.tensor import Tensor


def _lists() -> list[Sample]:
    return [
        Sample(([t(2, 3), t(1, 3, seed=1)],)),
        Sample(([t(2, 1), t(2, 2, seed=1), t(2, 1, seed=2)], 1)),
        Sample(([t(2, 2), t(2, 2, seed=1)], -1)),
    ]


def _is_skipped(x: Any) -> bool:
    """Tell whether `cat` overlooks a tensor: of old, an empty vector goes with everything."""
    return len(x.shape) == 1 and x.shape[0] == 0


@op(
    "cat",
    latex=r"\val{result} = [\val{tensors}] \text{ along dim } \val{dim}",
    grad_fn="CatBackward0",
    binds=("torch.cat", "torch.concat", "torch.concatenate"),
    samples=_lists,
)
def cat(tensors: Arrays, dim: int = 0) -> Array:
    """Join tensors along a dim they have.

    >>> torch.cat([torch.tensor([1, 2]), torch.tensor([3])])
    tensor([1, 2, 3])
    """
    used = [x for x in tensors if not _is_skipped(x)] or list(tensors)
    return np.concatenate(used, dim)


@cat.prepare
def _(tensors: Any, dim: Any) -> dict[str, Any]:
    if not tensors:
        raise fail(
            "cat-of-nothing", "torch.cat(): expected a non-empty list of Tensors", ValueError
        )
    for i, x in enumerate(tensors):
        if x.ndim == 0:
            raise fail(
                "cat-of-scalars",
                f"zero-dimensional tensor (at position {i}) cannot be concatenated",
            )
    used = [x for x in tensors if not _is_skipped(x)] or list(tensors)
    at = wrap_dim(dim, used[0].ndim)
    _check_sizes(tensors, used[0], at)
    kind = dtypes.result_type(list(tensors))
    return {"tensors": [x if x.dtype is kind else x.to(kind) for x in tensors], "dim": at}


def _check_sizes(tensors: Any, first: Tensor, dim: int) -> None:
    for i, x in enumerate(tensors):
        if _is_skipped(x):
            continue
        if x.ndim != first.ndim:
            raise fail(
                "cat-dims",
                f"Tensors must have same number of dimensions: got {first.ndim} and {x.ndim}",
            )
        for d, (n, m) in enumerate(zip(first.shape, x.shape, strict=True)):
            if d != dim and n != m:
                raise fail(
                    "cat-sizes",
                    f"Sizes of tensors must match except in dimension {dim}. Expected size {n} but"
                    f" got size {m} for tensor number {i} in the list.",
                )


@cat.vjp(
    "tensors",
    latex=r"\grad{tensors}_i = \grad{result} \text{ in its range of dim } \val{dim}",
)
def _(grad: Any, tensors_shape: Any, dim: int) -> Any:
    pieces, start = [], 0
    for shape in tensors_shape:
        if _shape_is_skipped(shape):
            pieces.append(slice_dim(grad, dim, 0, 0, 1).reshape(-1)[:0])
            continue
        pieces.append(slice_dim(grad, dim, start, start + shape[dim], 1))
        start += shape[dim]
    return pieces


def _shape_is_skipped(shape: Any) -> bool:
    return len(shape) == 1 and shape[0] == 0


@op(
    "stack",
    latex=r"\val{result} = [\val{tensors}] \text{ along a new dim } \val{dim}",
    grad_fn="StackBackward0",
    binds=("torch.stack",),
    samples=lambda: [Sample(([t(3), t(3, seed=1)],)), Sample(([t(2, 2), t(2, 2, seed=1)], -1))],
)
def stack(tensors: Arrays, dim: int = 0) -> Array:
    """Join tensors of one shape along a new dim.

    >>> torch.stack([torch.tensor([1, 2]), torch.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """
    return np.stack(tensors, dim)


@stack.prepare
def _(tensors: Any, dim: Any) -> dict[str, Any]:
    if not tensors:
        raise fail("stack-of-nothing", "stack expects a non-empty TensorList")
    first = tensors[0].shape
    at = wrap_dim(dim, len(first) + 1)
    for i, x in enumerate(tensors):
        if x.shape != first:
            raise fail(
                "stack-sizes",
                f"stack expects each tensor to be equal size, but got {list(first)} at entry 0 and"
                f" {list(x.shape)} at entry {i}",
            )
    kind = dtypes.result_type(list(tensors))
    return {"tensors": [x if x.dtype is kind else x.to(kind) for x in tensors], "dim": at}


@stack.vjp("tensors", latex=r"\grad{tensors}_i = \grad{result}[i] \text{ of dim } \val{dim}")
def _(grad: Any, tensors_shape: Any, dim: int) -> Any:
    return [select(np.asarray(grad) if not isinstance(grad, Tensor) else grad, dim, i)
            for i in range(len(tensors_shape))]  # fmt: skip


def _listed(tensors: Any, name: str) -> list[Tensor]:
    if isinstance(tensors, Tensor) or not isinstance(tensors, (list, tuple)):
        raise TypeError(
            f"{name}(): argument 'tensors' (position 1) must be tuple of Tensors, not"
            f" {type(tensors).__name__}"
        )
    return list(tensors)


@function("torch.hstack")
def hstack(tensors: Any) -> Tensor:
    """Join along the columns; vectors end to end."""
    wide = [atleast_1d(x) for x in _listed(tensors, "hstack")]
    result: Tensor = cat(wide, 0 if wide and wide[0].ndim == 1 else 1)
    return result


@function("torch.vstack", "torch.row_stack")
def vstack(tensors: Any) -> Tensor:
    """Join along the rows."""
    result: Tensor = cat([atleast_2d(x) for x in _listed(tensors, "vstack")], 0)
    return result


@function("torch.dstack")
def dstack(tensors: Any) -> Tensor:
    """Join along the third dim."""
    result: Tensor = cat([atleast_3d(x) for x in _listed(tensors, "dstack")], 2)
    return result


@function("torch.column_stack")
def column_stack(tensors: Any) -> Tensor:
    """Join vectors as columns."""
    tall = [
        reshape(x, (x.shape.numel(), 1)) if x.ndim < 2 else x
        for x in _listed(tensors, "column_stack")
    ]
    result: Tensor = cat(tall, 1)
    return result


def _each_or_all(one: Any, tensors: tuple[Any, ...]) -> Any:
    if len(tensors) == 1 and isinstance(tensors[0], Tensor):
        return one(tensors[0])
    given = tensors[0] if len(tensors) == 1 else tensors
    return tuple(one(x) for x in given)


@function("torch.atleast_1d")
def atleast_1d(*tensors: Any) -> Any:
    """Give 0-d tensors a dim."""
    return _each_or_all(lambda x: x if x.ndim else reshape(x, (1,)), tensors)


@function("torch.atleast_2d")
def atleast_2d(*tensors: Any) -> Any:
    """Give tensors at least two dims."""

    def one(x: Tensor) -> Tensor:
        if x.ndim == 0:
            return reshape(x, (1, 1))  # type: ignore[no-any-return]
        result: Tensor = unsqueeze(x, 0) if x.ndim == 1 else x
        return result

    return _each_or_all(one, tensors)


@function("torch.atleast_3d")
def atleast_3d(*tensors: Any) -> Any:
    """Give tensors at least three dims."""

    def one(x: Tensor) -> Tensor:
        if x.ndim == 0:
            return reshape(x, (1, 1, 1))  # type: ignore[no-any-return]
        if x.ndim == 1:
            x = unsqueeze(x, 0)
        result: Tensor = unsqueeze(x, -1) if x.ndim == 2 else x
        return result

    return _each_or_all(one, tensors)
