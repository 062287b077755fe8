"""What picking, adding, copying and filling of slices refuses, in the order PyTorch looks."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dtypes import LEGACY_NAMES, int64
from engine.errors import fail
from engine.ops.along_dim import INDEX, out_of_bounds
from engine.ops.dims import wrap_dim
from engine.tensor import Tensor


def check_selected(input: Tensor, at: int, index: Tensor, size: int) -> None:
    """Refuse indices outside a dim; PyTorch's kernels for dim 1 and for no elements say it so."""
    flat = np.ravel(index._array)
    wrong = flat[(flat < 0) | (flat >= size)]
    nothing = input.ndim > 1 and 0 in input.shape
    if nothing and flat.size and size == 0:
        raise fail(
            "index-out-of-range", "index_select(): self indexing axis dim should be positive"
        )
    if not wrong.size:
        return
    if nothing or (at == 1 and input.ndim > 1):
        raise fail(
            "index-out-of-range",
            f"INDICES element is out of DATA bounds, id={int(wrong[0])} axis_dim={size}",
            size=size,
        )
    raise fail("index-out-of-range", "index out of range in self", IndexError, size=size)


def check_fill(input: Tensor, dim: Any, index: Tensor) -> dict[str, Any]:
    """Check the arguments of index_fill."""
    if index.dtype is not int64:
        raise fail("index-type", "index_fill_(): Expected dtype int64 for index.", IndexError)
    at = wrap_dim(dim, input.ndim)
    if index.ndim > 1:
        raise fail("index-dims", "Index has to be a vector/scalar")
    return _check_bounds("", input, at, index)


def _check_bounds(name: str, input: Tensor, at: int, index: Tensor) -> dict[str, Any]:
    size = input.shape[at] if input.ndim else 1
    if 0 not in input.shape:
        flat = np.asarray(index._array).ravel()
        out_of_bounds(flat, size, at, IndexError, name)
    return {"dim": at}


def check_add(input: Tensor, dim: Any, index: Tensor, source: Tensor, alpha: Any) -> dict[str, Any]:
    """Check the arguments of index_add."""
    at = wrap_dim(dim, input.ndim)
    if index.ndim > 1:
        raise fail(
            "index-dims",
            f"index_add_(): Index is supposed to be a vector, but got dim: {index.ndim} with type:"
            f" {LEGACY_NAMES[index.dtype]} and size: {list(index.shape)}",
            IndexError,
        )
    if index.dtype not in INDEX:
        raise fail(
            "index-type",
            "index_add_(): Expected dtype int32/int64 for index but got:"
            f" {LEGACY_NAMES[index.dtype]}",
        )
    if source.dtype is not input.dtype:
        raise fail(
            "dtypes-differ",
            f"index_add_(): self ({LEGACY_NAMES[input.dtype]}) and source"
            f" ({LEGACY_NAMES[source.dtype]}) must have the same scalar type",
        )
    if at and at >= source.ndim:
        raise fail(
            "index-add-shape",
            f"index_add_(): Indexing dim {at} is out of bounds of the source tensor with dim"
            f" {source.ndim}",
        )
    _check_added_sizes(input, at, index, source)
    return _check_places(input, at, index, alpha)


def _check_added_sizes(input: Tensor, at: int, index: Tensor, source: Tensor) -> None:
    """Refuse a source that has not one slice per index, or slices of another shape."""
    numbers = index.shape.numel()
    if not source.ndim and numbers != 1:
        raise fail(
            "index-add-count",
            f"Dimension specified as {at} but tensor has no dimensions",
            IndexError,
        )
    have = source.shape[at] if source.ndim else 1
    if numbers != have:
        raise fail(
            "index-add-count",
            f"index_add_(): Number of indices ({numbers}) should be equal to source.size(dim):"
            f" ({have}), for dim: {at}",
        )
    rest = [tuple(n for d, n in enumerate(x.shape) if d != at) for x in (input, source)]
    if rest[0] != rest[1] or input.ndim != source.ndim:
        raise fail(
            "index-add-shape",
            "source tensor shape must match self tensor shape, excluding the specified dimension."
            f" Got self.shape = {list(input.shape)} source.shape = {list(source.shape)}",
        )


def _check_places(input: Tensor, at: int, index: Tensor, alpha: Any) -> dict[str, Any]:
    """Refuse indices outside the dim; PyTorch adds by scatter_add along the outermost dims."""
    size = input.shape[at] if input.ndim else 1
    flat = np.ravel(index._array)
    if 0 in input.shape or not np.any((flat < 0) | (flat >= size)):
        return {"dim": at}
    scattered = input.ndim > 1 and at in (0, input.ndim - 1) and alpha == 1
    if scattered and index.dtype is int64:
        out_of_bounds(flat, size, at)
    raise fail("index-out-of-range", "index out of range in self", IndexError, size=size)


def check_copy(input: Tensor, dim: Any, index: Tensor, source: Tensor) -> dict[str, Any]:
    """Check the arguments of index_copy."""
    at = wrap_dim(dim, input.ndim)
    name, kind = "index-copy-count", IndexError
    if index.ndim > 1:
        text = f"Index should have dimension 1 or 0 (got {index.ndim})"
        raise fail("index-dims", f"index_copy_(): {text}", kind)
    numbers, have = index.shape.numel(), source.shape[at : at + 1].numel()
    if not source.ndim and numbers != 1:
        text = f"When source is scalar, index should have one element (got {numbers})"
        raise fail(name, f"index_copy_(): {text}", kind)
    if source.ndim != input.ndim and source.ndim and input.ndim:
        text = (
            "When source and destination are not scalars, their dimensionality must match. Source"
            f" dimensionality ({source.ndim}), destination dimensionality ({input.ndim})"
        )
        raise fail(name, f"index_copy_(): {text}", kind)
    if index.dtype is not int64:
        text = f"Expected a long tensor for index, but got {LEGACY_NAMES[index.dtype]}"
        raise fail("index-type", f"index_copy_(): {text}")
    if source.dtype is not input.dtype:
        raise fail(
            "dtypes-differ",
            "index_copy_(): self and source expected to have the same dtype, but got (self)"
            f" {LEGACY_NAMES[input.dtype]} and (source) {LEGACY_NAMES[source.dtype]}",
        )
    mine, theirs = ([n for d, n in enumerate(x.shape) if d != at] for x in (input, source))
    if mine != theirs:
        text = (
            "Source/destination tensor must have same slice shapes. Destination slice shape:"
            f" {' '.join(map(str, mine))} at dimension {at} and source slice shape:"
            f" {' '.join(map(str, theirs))} at dimension 0."
        )
        raise fail("index-copy-shape", f"index_copy_(): {text}")
    if source.ndim and numbers != have:
        text = f"Number of indices ({numbers}) should be equal to source.size(dim) ({have})"
        raise fail(name, f"index_copy_(): {text}", kind)
    return _check_bounds("index_copy_(): ", input, at, index)
