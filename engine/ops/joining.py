"""Joining, repeating and rearranging copies: cat, stack, repeat, flip, roll, meshgrid, and more."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops.dims import wrap_dim, wrap_dims
from engine.ops.pieces import select, slice_dim
from engine.ops.record import Array, Arrays, function, op
from engine.ops.samples import Sample, t
from engine.ops.shape import expand, reshape, sizes, unsqueeze
from engine.ops.widths import narrowed
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


@op(
    "repeat",
    latex=r"\val{result} = \val{input} \text{ copied } \val{repeats} \text{ times}",
    grad_fn="RepeatBackward0",
    binds=("Tensor.repeat",),
    samples=lambda: [Sample((t(2, 3), (2, 1))), Sample((t(3), (2, 2))), Sample((t(), (3,)))],
    variadic="repeats",
)
def repeat(input: Array, repeats: Any) -> Array:
    """Copy the tensor so often along each dim.

    >>> torch.tensor([1, 2]).repeat(2)
    tensor([1, 2, 1, 2])
    """
    return np.tile(input, repeats)


@repeat.prepare
def _(input: Tensor, repeats: Any) -> dict[str, Any]:
    times = sizes((repeats,))
    if len(times) < input.ndim:
        raise fail(
            "repeat-dims",
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of"
            " tensor",
        )
    if any(n < 0 for n in times):
        raise fail("repeat-negative", "Trying to create tensor with negative dimension"
                   f" {min(n for n in times)}: {list(times)}")  # fmt: skip
    return {"repeats": times}


@repeat.vjp(
    "input",
    latex=r"\grad{input} = \text{the sum of } \grad{result} \text{ over the copies}",
)
def _(grad: Any, input_shape: Any, repeats: Any) -> Any:
    lead = len(repeats) - len(input_shape)
    shape: list[int] = list(repeats[:lead])
    dims = list(range(lead))
    for n, times in zip(input_shape, repeats[lead:], strict=True):
        dims.append(len(shape))
        shape.extend((times, n))
    return sum_dims(grad.reshape(tuple(shape)), tuple(dims), False)


@function("torch.tile", "Tensor.tile")
def tile(input: Tensor, *dims: Any) -> Tensor:
    """Copy the tensor so often along each dim, counted from the last."""
    times = sizes(dims)
    result: Tensor = repeat(input, (1,) * (input.ndim - len(times)) + times)
    return result


@function("torch.repeat_interleave", "Tensor.repeat_interleave")
def repeat_interleave(
    input: Tensor, repeats: Any = None, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Copy each element so often, next to itself."""
    from engine.ops.gather import index_select
    from engine.tensor import make

    if repeats is None:  # indices repeated as often as the input says
        return make(np.repeat(np.arange(input.shape[0], dtype=np.int64), narrowed(input._array)))
    if dim is None:
        input, dim = reshape(input, (-1,)), 0
    at = wrap_dim(dim, input.ndim)
    if isinstance(repeats, Tensor) and repeats.shape.numel() == 1:
        repeats = int(repeats._array.reshape(())[()])
    if isinstance(repeats, int):
        return _interleave_equal(input, repeats, at)
    if repeats.shape[0] != input.shape[at]:
        raise fail(
            "repeat-interleave",
            "repeats must have the same size as input along dim, but got repeats.size(0) ="
            f" {repeats.shape[0]} and input.size({at}) = {input.shape[at]}",
        )
    index = make(np.repeat(np.arange(input.shape[at], dtype=np.int64), narrowed(repeats._array)))
    result: Tensor = index_select(input, at, index)
    return result


def _interleave_equal(input: Tensor, times: int, dim: int) -> Tensor:
    if times < 0:
        raise fail("repeat-interleave", "Repeats must be non-negative")
    from engine.ops.shape import clone_of, view

    shape = input.shape
    wide = unsqueeze(input, dim + 1)
    wide = expand(wide, (*shape[: dim + 1], times, *shape[dim + 1 :]))
    result: Tensor = view(clone_of(wide), (*shape[:dim], shape[dim] * times, *shape[dim + 1 :]))
    return result


@op(
    "flip",
    latex=r"\val{result} = \val{input} \text{ reversed along } \val{dims}",
    grad_fn="FlipBackward0",
    binds=("torch.flip", "Tensor.flip"),
    samples=lambda: [Sample((t(2, 3), (0,))), Sample((t(2, 3), (0, 1)))],
    variadic="dims",
)
def flip(input: Array, dims: Any) -> Array:
    """Reverse the order along dims.

    >>> torch.flip(torch.tensor([1, 2, 3]), [0])
    tensor([3, 2, 1])
    """
    return np.array(np.flip(input, dims), order="C") if input.ndim else input


@flip.prepare
def _(input: Tensor, dims: Any) -> dict[str, Any]:
    return {"dims": wrap_dims(dims, input.ndim)}


@flip.vjp("input", latex=r"\grad{input} = \grad{result} \text{ reversed along } \val{dims}")
def _(grad: Any, dims: Any) -> Any:
    return flip(grad, dims)


@function("torch.fliplr", "Tensor.fliplr")
def fliplr(input: Tensor) -> Tensor:
    """Reverse the columns."""
    if input.ndim < 2:
        raise fail("fliplr", "Input must be >= 2-d.")
    result: Tensor = flip(input, (1,))
    return result


@function("torch.flipud", "Tensor.flipud")
def flipud(input: Tensor) -> Tensor:
    """Reverse the rows."""
    if input.ndim < 1:
        raise fail("flipud", "Input must be >= 1-d.")
    result: Tensor = flip(input, (0,))
    return result


@op(
    "roll",
    latex=r"\val{result} = \val{input} \text{ moved round by } \val{shifts}",
    grad_fn="RollBackward0",
    binds=("torch.roll", "Tensor.roll"),
    samples=lambda: [Sample((t(2, 3), 1)), Sample((t(2, 3), (1, -1), (0, 1)))],
)
def roll(input: Array, shifts: Any, dims: Any = ()) -> Array:
    """Move elements round; what leaves at one end comes in at the other.

    >>> torch.roll(torch.arange(4), 1)
    tensor([3, 0, 1, 2])
    """
    if not dims:
        return np.roll(input, shifts[0] if isinstance(shifts, tuple) else shifts)
    return np.roll(input, shifts, dims)


@roll.prepare
def _(input: Tensor, shifts: Any, dims: Any) -> dict[str, Any]:
    moves = tuple(shifts) if isinstance(shifts, (tuple, list)) else (shifts,)
    along = tuple(dims) if isinstance(dims, (tuple, list)) else (dims,)
    if not moves:
        raise fail("roll", "`shifts` required")
    if (along or len(moves) > 1) and len(moves) != len(along):
        raise fail(
            "roll",
            f"shifts and dimensions must align. shifts: {len(moves)}, dims:{len(along)}",
        )
    if along and not input.ndim and all(-1 <= d <= 0 for d in along):
        raise fail(
            "roll-of-scalar",
            f"Dimension specified as {along[0]} but tensor has no dimensions",
            IndexError,
        )
    return {"shifts": moves, "dims": tuple(wrap_dim(d, input.ndim) for d in along)}


@roll.vjp("input", latex=r"\grad{input} = \grad{result} \text{ moved back by } \val{shifts}")
def _(grad: Any, shifts: Any, dims: Any) -> Any:
    return roll(grad, tuple(-s for s in shifts), dims)


@op(
    "rot90",
    latex=r"\val{result} = \val{input} \text{ turned by } \val{k} \cdot 90^\circ",
    grad_fn="Rot90Backward0",
    binds=("torch.rot90", "Tensor.rot90"),
    samples=lambda: [Sample((t(2, 3),)), Sample((t(2, 3), 3)), Sample((t(2, 3), 2, (1, 0)))],
)
def rot90(input: Array, k: int = 1, dims: Any = (0, 1)) -> Array:
    """Turn in the plane of two dims.

    >>> torch.rot90(torch.tensor([[1, 2], [3, 4]]))
    tensor([[2, 4],
            [1, 3]])
    """
    if k % 4 == 2:
        return np.array(np.rot90(input, k, dims), order="C")
    flipped = np.array(np.flip(input, dims[1 if k % 4 == 1 else 0]), order="C")
    return np.swapaxes(flipped, *dims) if k % 2 else np.array(input)


@rot90.prepare
def _(input: Tensor, k: int, dims: Any) -> dict[str, Any]:
    if len(dims) != 2:
        raise fail("rot90", f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if input.ndim < 2:
        raise fail("rot90", f"expected total dims >= 2, but got total dims = {input.ndim}")
    return {"dims": tuple(wrap_dim(d, input.ndim) for d in dims)}


@rot90.vjp("input", latex=r"\grad{input} = \grad{result} \text{ turned back}")
def _(grad: Any, k: int, dims: Any) -> Any:
    return rot90(grad, -k, dims)


@function("torch.meshgrid")
def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Repeat vectors along each other's dims, as coordinates of a grid."""
    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    if not given:
        raise fail("meshgrid", "meshgrid expects a non-empty TensorList")
    if indexing not in (None, "ij", "xy"):
        raise fail(
            "meshgrid",
            f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}',
        )
    if any(x.dtype is not given[0].dtype for x in given):
        raise fail("meshgrid", "meshgrid expects all tensors to have the same dtype")
    for x in given:
        if x.ndim > 1:
            raise fail(
                "meshgrid",
                f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {x}",
            )
    swap = indexing == "xy" and len(given) > 1
    order = [given[1], given[0], *given[2:]] if swap else list(given)
    shape = tuple(x.shape.numel() for x in order)
    grids = []
    for i, x in enumerate(order):
        column = reshape(x, (1,) * i + (-1,) + (1,) * (len(order) - i - 1))
        grids.append(expand(column, shape))
    if swap:
        grids[0], grids[1] = grids[1], grids[0]
    return tuple(grids)


@function("torch.cartesian_prod")
def cartesian_prod(*tensors: Tensor) -> Tensor:
    """List all combinations of elements of several vectors, as rows."""
    for x in tensors:
        if x.ndim != 1:
            raise fail("cartesian-prod", f"Expect a 1D vector, but got shape {list(x.shape)}")
    if len(tensors) == 1:
        return tensors[0]
    columns = [reshape(x, (-1,)) for x in meshgrid(*tensors, indexing="ij")]
    result: Tensor = stack(columns, 1)
    return result


@function("torch.combinations")
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """List all combinations of r elements of a vector, as rows."""
    from engine.ops.gather import index_select
    from engine.tensor import make

    if input.ndim != 1:
        raise fail("combinations", "Expect a 1D vector, but got shape " + str(list(input.shape)))
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = np.array(list(choose(range(input.shape[0]), r)), np.int64).reshape(-1, r)
    picked = [index_select(input, 0, make(rows[:, i].copy())) for i in range(r)]
    result: Tensor = stack(picked, 1)
    return result


@op(
    "block_diag",
    latex=r"\val{result} = \operatorname{blockdiag}(\val{tensors})",
    grad_fn="BlockDiagBackward0",
    samples=lambda: [Sample(([t(2, 2), t(1, 3, seed=1)],))],
)
def block_diag(tensors: Arrays) -> Array:
    """Put matrices on a diagonal of zeros.

    >>> torch.block_diag(torch.tensor([[1]]), torch.tensor([[2]]))
    tensor([[1, 0],
            [0, 2]])
    """
    blocks = [np.atleast_2d(x) for x in tensors]
    shape = tuple(sum(b.shape[i] for b in blocks) for i in (0, 1))
    whole = np.zeros(shape, np.result_type(*blocks))
    row = column = 0
    for b in blocks:
        whole[row : row + b.shape[0], column : column + b.shape[1]] = b
        row, column = row + b.shape[0], column + b.shape[1]
    return whole


@block_diag.vjp("tensors", latex=r"\grad{tensors}_i = \text{its block of } \grad{result}")
def _(grad: Any, tensors_shape: Any) -> Any:
    pieces = []
    row = column = 0
    for shape in tensors_shape:
        h, w = (1, 1, *shape)[-2:]
        block = slice_dim(slice_dim(grad, 0, row, row + h, 1), 1, column, column + w, 1)
        pieces.append(block.reshape(tuple(shape)))
        row, column = row + h, column + w
    return pieces


@function("torch.block_diag")
def block_diag_of(*tensors: Tensor) -> Tensor:
    """Put matrices on a diagonal of zeros."""
    result: Tensor = block_diag(list(tensors))
    return result


# At the end, because the two files need each other.
from engine.ops.reduce import sum_dims  # noqa: E402
