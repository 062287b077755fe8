"""Where elements are not zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.dims import not_implemented
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, T
from engine.tensor import Tensor, make

# --- where things are ----------------------------------------------------------------------------


@op(
    "nonzero",
    latex=r"\val{result} = \{i : \val{input}_i \ne 0\}",
    samples=lambda: [Sample((T([[1.0, 0.0], [0.0, 2.0]]),)), Sample((T([True, False], "bool"),))],
)
def nonzero(input: Array) -> Array:
    """List the indices of elements that are not zero, as rows.

    >>> torch.nonzero(torch.tensor([0, 3, 4]))
    tensor([[1],
            [2]])
    """
    array = np.asarray(input)
    if array.ndim == 0:
        return np.zeros((1 if array else 0, 0), np.int64)
    return np.stack(np.nonzero(array)).astype(np.int64).T  # the rows are steps of the last dim


def nonzero_tuple(input: Tensor) -> tuple[Tensor, ...]:
    """List the indices of elements that are not zero, a tensor per dim."""
    array = np.atleast_1d(np.asarray(input._array))
    return tuple(make(i.astype(np.int64)) for i in np.nonzero(array))


@function("torch.nonzero", "Tensor.nonzero")
def nonzero_of(input: Tensor, *, as_tuple: bool = False) -> Any:
    """List where elements are not zero: as rows of indices, or as a tensor per dim."""
    if not isinstance(as_tuple, bool):
        raise TypeError(
            f"nonzero(): argument 'as_tuple' must be bool, not {type(as_tuple).__name__}"
        )
    return nonzero_tuple(input) if as_tuple else nonzero(input)


@function("torch.argwhere", "Tensor.argwhere")
def argwhere(input: Tensor) -> Tensor:
    """List the indices of elements that are not zero, as rows."""
    result: Tensor = nonzero(input)
    return result


@function("torch.unravel_index")
def unravel_index(indices: Tensor, shape: Any) -> tuple[Tensor, ...]:
    """Turn flat indices into one tensor per dim."""
    if indices.dtype.is_floating_point:
        raise not_implemented("unravel_index", indices)
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    found = np.unravel_index(indices._array, sizes)
    return tuple(make(np.asarray(i).astype(np.int64)) for i in found)
