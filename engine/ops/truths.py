"""Whether all, any, or how many."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.dims import add_reduce, reduced_dims
from engine.ops.record import Array, op
from engine.ops.reduce import _along
from engine.ops.samples import Sample, T, t
from engine.tensor import Tensor


def _truths() -> list[Sample]:
    x = T([[True, False, True], [True, True, True]], "bool")
    return [Sample((x,)), Sample((x, 0)), Sample((x, 1, True)), Sample((t(2, 3), (0, 1)))]


@op(
    "all",
    latex=r"\val{result} = \bigwedge \val{input}",
    binds=("torch.all", "Tensor.all"),
    samples=_truths,
)
def all_true(input: Array, dim: Any = None, keepdim: bool = False) -> Array:
    """Tell whether all elements are true, that is, not zero.

    >>> torch.all(torch.tensor([True, False]))
    tensor(False)
    """
    return _logical(np.logical_and, input, dim, keepdim)


@op(
    "any",
    latex=r"\val{result} = \bigvee \val{input}",
    binds=("torch.any", "Tensor.any"),
    samples=_truths,
)
def any_true(input: Array, dim: Any = None, keepdim: bool = False) -> Array:
    """Tell whether at least one element is true, that is, not zero.

    >>> torch.any(torch.tensor([True, False]))
    tensor(True)
    """
    return _logical(np.logical_or, input, dim, keepdim)


def _logical(function: Any, input: Any, dim: Any, keepdim: bool) -> Any:
    kind = input.dtype if input.dtype == np.uint8 else np.bool_
    found = function.reduce(input, _along(dim, input), None, None, keepdim)
    return np.asarray(found).astype(kind)


@all_true.prepare
def _(input: Tensor, dim: Any, keepdim: bool) -> dict[str, Any]:
    return {"dim": _all_dims(dim, input.ndim)}


@any_true.prepare
def _(input: Tensor, dim: Any, keepdim: bool) -> dict[str, Any]:
    return {"dim": _all_dims(dim, input.ndim)}


def _all_dims(dim: Any, ndim: int) -> Any:
    return None if dim is None else reduced_dims(dim, ndim)


@op(
    "count_nonzero",
    latex=r"\val{result} = \#\{\val{input} \ne 0\}",
    binds=("torch.count_nonzero", "Tensor.count_nonzero"),
    samples=lambda: [Sample((T([[1.0, 0.0], [0.0, 0.0]]), *d)) for d in ((), (0,), (1,))],
)
def count_nonzero(input: Array, dim: Any = None) -> Array:
    """Count the elements that are not zero.

    >>> torch.count_nonzero(torch.tensor([1., 0., 2.]))
    tensor(2)
    """
    return add_reduce(input != 0, _along(dim, input), np.int64)


@count_nonzero.prepare
def _(input: Tensor, dim: Any) -> dict[str, Any]:
    return {"dim": _all_dims(dim, input.ndim)}
