"""Repeating, turning and rolling elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.dims import wrap_dim, wrap_dims
from engine.ops.expanding import expand, unsqueeze
from engine.ops.record import Array, function, op
from engine.ops.reduce import sum_dims
from engine.ops.samples import Sample, t
from engine.ops.shape import reshape
from engine.ops.sizes import sizes
from engine.ops.widths import narrowed
from engine.tensor import Tensor


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
    from engine.ops.slices import index_select
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
