"""An index along one dim: what gather and scatter refuse, and which elements they mean."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops.dims import wrap_dim
from engine.ops.samples import Sample, T, t
from engine.tensor import Tensor

INDEX = (dtypes.int64, dtypes.int32)


def out_of_bounds(
    index: Any, size: int, dim: int, kind: type[Exception] = RuntimeError, name: str = ""
) -> None:
    """Refuse an index outside a dim; `name` begins the sentence."""
    wrong = index[(index < 0) | (index >= size)] if getattr(index, "ndim", 0) else index
    if getattr(index, "ndim", 0) == 0 and 0 <= index < size:
        return
    if np.size(wrong):
        first = int(np.ravel(wrong)[0])
        raise fail(
            "index-out-of-bounds",
            f"{name}index {first} is out of bounds for dimension {dim} with size {size}",
            kind,
            index=first,
            dim=dim,
            size=size,
        )


def check_index_type(name: str, index: Tensor) -> None:
    """Refuse an index that is neither int32 nor int64, unless it is empty."""
    if index.dtype not in INDEX and index.shape.numel():
        raise fail("index-type", f"{name}(): Expected dtype int32/int64 for index")


def check_index_dims(who: str, input: Tensor, index: Tensor) -> None:
    """Refuse an index of another number of dims."""
    if (index.ndim or 1) != (input.ndim or 1):
        raise fail(
            "index-dims", f"Index tensor must have the same number of dimensions as {who} tensor"
        )


def check_gather(input: Tensor, dim: Any, index: Tensor) -> int:
    """Check what is read where, in the order PyTorch looks; return the dim."""
    at = wrap_dim(dim, input.ndim)
    check_index_type("gather", index)
    if not index.shape.numel():
        return at
    check_index_dims("input", input, index)
    for d in range(input.ndim if index.ndim else 0):
        if d != at and index.shape[d] > input.shape[d]:
            raise fail(
                "index-size",
                f"Size does not match at dimension {d} expected index {list(index.shape)} to be no"
                f" larger than self {list(input.shape)} apart from dimension {at}",
            )
    return at


def check_inside(input: Tensor, index: Tensor, at: int) -> int:
    """Refuse indices outside the dim; return the dim."""
    out_of_bounds(index._array, input.shape[at] if input.ndim else 1, at)
    return at


def places(index: Any, dim: int, ndim: int) -> tuple[Any, ...]:
    """Return numpy's indices of the elements `gather` reads."""
    grid = list(np.ogrid[tuple(slice(n) for n in index.shape)])
    grid[dim] = index
    return tuple(grid)


def check_scatter(input: Tensor, dim: Any, index: Tensor, src: Tensor | None = None) -> int:
    """Check what is written where, in the order PyTorch looks; return the dim."""
    at = wrap_dim(dim, input.ndim)
    check_index_type("scatter", index)
    if src is not None and src.dtype is not input.dtype:
        raise fail("dtypes-differ", "scatter(): Expected self.dtype to be equal to src.dtype")
    if not index.shape.numel():
        return at
    check_index_dims("self", input, index)
    size = index.shape or (1,)
    wrong = any(
        n > m for d, (n, m) in enumerate(zip(size, input.shape or (1,), strict=True)) if d != at
    )
    if src is not None:
        wrong = wrong or _exceeds(size, src)
        check_index_dims("src", src, index)
    if wrong:
        beyond = f" and to be no larger size than src {list(src.shape)}" if src is not None else ""
        raise fail(
            "index-size",
            f"Expected index {list(index.shape)} to be no larger than self {list(input.shape)}"
            f" apart from dimension {at}{beyond}",
        )
    return at


def _exceeds(size: Any, src: Tensor) -> bool:
    """Whether an index is larger than the source; asking beyond the source's dims is refused."""
    for d, n in enumerate(size):
        if src.ndim:
            wrap_dim(d, src.ndim)
        if n > (src.shape[d] if src.ndim else 1):
            return True
    return False


def as_source(grad: Any, shape: Any, name: str) -> Any:
    """Refuse a gradient of the index's shape for a source that is larger, as PyTorch does."""
    try:
        fits = np.broadcast_shapes(tuple(grad.shape), tuple(shape)) == tuple(grad.shape)
    except ValueError:
        fits = False
    if not fits:
        raise fail(
            "invalid-gradient",
            f"Function {name} returned an invalid gradient at index 1 - got {list(grad.shape)} but"
            f" expected shape compatible with {list(shape)}",
        )
    return grad


def part_covered(src: Any, index: Any) -> Any:
    """Return the part of a source that the index covers."""
    return src[tuple(slice(n) for n in index.shape)] if getattr(src, "ndim", 0) else src


def scattered() -> list[Sample]:
    """Return what is written where."""
    index = T([[0, 2], [1, 0]], "int64")
    return [
        Sample((t(2, 3), 1, index, t(2, 2, seed=1))),
        Sample((t(3, 2), 0, index, t(2, 2, seed=1))),
    ]
