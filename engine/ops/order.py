"""Sums of floating numbers in PyTorch's order, so that their last bits are PyTorch's.

Addition rounds, so the order shows in `item()`, in `tolist()`, and in whether shares that were
divided by their sum add up to `1.` or to `1.0000`. PyTorch's CPU kernel (AVX2) adds in lanes of 32
bytes, four at a time, and cascades long rows (pairwise summation in blocks, Higham 1993).
"""

from __future__ import annotations

import itertools
import math
from array import array as array_of_c
from collections.abc import Sequence
from typing import Any

import numpy as np

LARGE = 1 << 15  # elements; beyond, PyTorch's order depends on its threads
LANES = {"f": 8, "d": 4}
FIRST, LAST = (0, -2, (0,), (-2,)), (1, -1, (1,), (-1,))  # ways to say a dim of two
_cell = array_of_c("f", (0.0,))  # what is put there comes out in float32: quicker than np.float32
_scalar = np.frombuffer(_cell, np.float32)  # the same memory; what is read here is a numpy scalar
_reduce: Any = np.add.reduce
_accumulate: Any = np.add.accumulate


def total(
    array: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
) -> Any:
    """Add up like `np.add.reduce`, but in PyTorch's order where that is known."""
    if array.size < 5 or array.dtype.char not in LANES or array.size > LARGE:
        return _reduce(array, axis, dtype, out, keepdims)
    if dtype is not None and array.dtype != dtype:
        return _reduce(array, axis, dtype, out, keepdims)
    if array.ndim == 1:
        return _line(array, keepdims)
    if not keepdims and array.flags.c_contiguous:  # what is summed most, without looking at strides
        if axis is None:
            return _line(array.reshape(-1))
        if array.ndim == 2 and 1 not in array.shape:
            if axis in LAST:
                return _inner(array)
            if axis in FIRST:
                return _outer(array)
        elif array.ndim == 2 and array.shape[1] == 1 and axis in FIRST:
            return _line(array.reshape(-1), True)
    found = _blocks(array, axis)
    if found is None:
        return _reduce(array, axis, dtype, out, keepdims)
    if keepdims:
        gone = _axes(axis, array.ndim)
        return found.reshape([1 if d in gone else n for d, n in enumerate(array.shape)])
    return found[()]


def _axes(axis: Any, ndim: int) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(ndim))
    return tuple(d % ndim for d in (axis if isinstance(axis, Sequence) else (axis,)))


def _blocks(array: Any, axis: Any) -> Any:
    """Sum over a block of neighbouring dims of an array without gaps; None for any other."""
    gone = _axes(axis, array.ndim)
    dims = sorted(
        (d for d in range(array.ndim) if array.shape[d] != 1), key=array.strides.__getitem__
    )
    step, kinds = array.itemsize, []
    for d in dims:  # innermost first
        if array.strides[d] != step:
            return None
        step *= array.shape[d]
        kinds.append(d in gone)
    if not any(kinds):
        return None
    groups = [(kind, [d for d, _ in pairs]) for kind, pairs in _grouped(dims, kinds)]
    sizes = [int(np.prod([array.shape[d] for d in members])) for _, members in groups]
    flat = array.transpose([d for d in range(array.ndim) if d not in dims] + dims[::-1])
    flat = flat.reshape(sizes[::-1])
    kept = [array.shape[d] for d in range(array.ndim) if d not in gone]
    order = [kind for kind, _ in groups]
    if order == [True]:
        return _line(flat, True).reshape(kept)
    if order == [True, False]:
        found = _inner(flat)
    elif order == [False, True]:
        found = _outer(flat)
    elif order == [False, True, False] and len(flat) <= 64:
        found = np.stack([_outer(part) for part in flat])
    else:
        return None
    left = [d for d in dims[::-1] if d not in gone]
    back = [left.index(d) for d in sorted(left)]
    return found.reshape([array.shape[d] for d in left]).transpose(back).reshape(kept)


def _grouped(dims: list[int], kinds: list[bool]) -> list[tuple[bool, list[tuple[int, bool]]]]:
    pairs = zip(dims, kinds, strict=True)
    return [(kind, list(found)) for kind, found in itertools.groupby(pairs, lambda pair: pair[1])]


def _line(x: Any, kept: bool = False) -> Any:
    """Sum one row: the lanes' sums come after what is left beside them. `kept` keeps the dim."""
    n, lanes = x.size, LANES[x.dtype.char]
    if n < lanes:
        return _few(x).reshape(1) if kept else _few(x)
    strand = n // (4 * lanes)
    if n == strand * 4 * lanes and n <= 64 * lanes:  # what follows, in fewer calls
        parts = x.reshape(4, lanes) if strand == 1 else _reduce(x.reshape(strand, 4, lanes), 0)
        running = _accumulate(_reduce(parts, 0))
    else:
        whole = n // lanes
        parts = _rows(x[: whole * lanes].reshape(whole, lanes))
        rest = x[whole * lanes :]
        running = _accumulate(np.concatenate((rest, parts)) if rest.size else parts)
    return running[-1:] if kept else running[-1]  # a numpy scalar's reshape takes a microsecond


def _few(x: Any) -> Any:
    """Sum up to seven numbers along the last dim: every fourth after the first, then the others."""
    head = x[..., 0] + 0  # PyTorch starts from 0, to which -0 adds nothing
    for i in range(4, x.shape[-1]):
        head = head + x[..., i]
    for i in range(1, min(4, x.shape[-1])):
        head = head + x[..., i]
    return head


def _inner(x: Any) -> Any:
    """Sum the rows of a matrix that lie in memory one after the other."""
    rows, n = x.shape
    lanes = LANES[x.dtype.char]
    if n < lanes:
        return _few(x)
    whole = n // lanes
    parts = _rows(x[:, : whole * lanes].reshape(rows, whole, lanes).swapaxes(0, 1))
    return _accumulate(np.concatenate((x[:, whole * lanes :], parts), 1), 1)[:, -1]


def _outer(x: Any) -> Any:
    """Sum the columns of a matrix: some at once, the others in four strands each."""
    lanes = LANES[x.dtype.char]
    columns = x.shape[1]
    at_once = 4 * lanes if columns >= lanes else 4
    split = columns // at_once * at_once
    if split == columns:
        return _cascade(x)
    if not split:
        return _rows(x)
    return np.concatenate((_cascade(x[:, :split]), _rows(x[:, split:])))


def _rows(x: Any) -> Any:
    """Sum over the first dim in four strands."""
    n = len(x)
    strand = n >> 2
    if not strand:
        return _in_turn(x)
    parts = _cascade(x[: 4 * strand].reshape(strand, 4, *x.shape[1:]))
    for i in range(4 * strand, n):
        parts[0] += x[i]
    return _in_turn(parts)


def _in_turn(x: Any) -> Any:
    """Sum over the first dim, one after the other."""
    if x[0].size > 1:
        return _reduce(x, 0)  # numpy takes turns where it does not reduce the inner dim
    return _accumulate(x, 0)[-1]


def _cascade(x: Any) -> Any:
    """Sum over the first dim; long ones block by block."""
    n = len(x)
    if n <= 16:
        return _in_turn(x)
    power = max(4, (n - 1).bit_length() // 4)
    step = 1 << power
    level, found = x, None
    for _ in range(3):
        whole = len(level) // step
        if len(level) > whole * step:
            rest = _in_turn(level[whole * step :])
            found = rest if found is None else found + rest
        if not whole:
            return found
        blocks = level[: whole * step].reshape(whole, step, *x.shape[1:])
        level = np.stack([_in_turn(b) for b in blocks])
    rest = _in_turn(level)
    return rest if found is None else found + rest


def in_lanes(x: Any, dim: int) -> Any:
    """Sum over a dim, which stays with size 1, as the softmax kernels do (AVX512)."""
    n = x.shape[dim]
    if x.size > LARGE or x.dtype.char not in LANES:
        return _reduce(x, dim, None, None, True)
    if dim != x.ndim - 1:
        if dim == 0 and x.size == n:
            return _accumulate(x, 0)[-1:]
        return _reduce(x, dim, None, None, True)
    wide = 2 * LANES[x.dtype.char]
    if n < wide:
        return _reduce(x, dim, None, None, True) if n < 8 else _accumulate(x, dim)[..., -1:]
    whole = n // wide
    parts = _reduce(x[..., : whole * wide].reshape(*x.shape[:-1], whole, wide), -2)
    parts[..., : n - whole * wide] += x[..., whole * wide :]
    while wide > 1:
        wide //= 2
        parts = parts[..., :wide] + parts[..., wide:]
    return parts


def squares(x: Any, dim: Any, keepdims: bool) -> Any:
    """Sum squares as the 2-norm's kernel does."""
    dims = _axes(dim, x.ndim)
    if x.dtype.char != "f" or x.size > LARGE or len(dims) != 1:
        return total(x * x, dim, None, None, keepdims)
    if dims[0] != x.ndim - 1:
        return _reduce(x * x, dims, None, None, keepdims)
    found = line_of_squares(x)
    return found[..., None] if keepdims else found


def line_of_squares(x: Any) -> Any:
    """Sum squares along the last dim: eight lanes, then fours, then singly in one rounding each."""
    n = x.shape[-1]
    if x.dtype.char != "f" or x.size > LARGE:
        return _reduce(x * x, -1) if x.ndim > 1 else x.dot(x)
    if n < 4 and x.ndim == 1:
        _few_squares(x)
        return _scalar[0]
    whole, fours = n >> 3 << 3, n >> 2 << 2
    found: Any = np.zeros(x.shape[:-1], np.float32)
    if fours:
        y = x[..., :fours] * x[..., :fours]
        if whole > 8:
            lanes = _reduce(y[..., :whole].reshape(*x.shape[:-1], whole >> 3, 8), -2)
            y = np.concatenate((lanes, y[..., whole:]), -1)
        found = _accumulate(y, -1)[..., -1]
    for i in range(fours, n):
        last = x[..., i].astype(np.float64)
        found = (found + last * last).astype(np.float32)
    return found


def root_of_squares(x: Any) -> Any:
    """Return the 2-norm of a row."""
    if x.size < 4 and x.dtype.char == "f":
        _cell[0] = math.sqrt(_few_squares(x))  # rounded to float32 it is what a float32 root gives
        return _scalar[0]
    return np.sqrt(line_of_squares(x))


def _few_squares(x: Any) -> float:
    """Sum up to three squares, with Python's numbers: a tenth of the time of numpy's."""
    _cell[0] = one = 0.0
    for v in x.tolist():
        _cell[0] = one + v * v
        one = _cell[0]
    return one
