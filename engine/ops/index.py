"""Picking and writing by tensors of indices."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops.along_dim import out_of_bounds
from engine.ops.record import Array, op
from engine.ops.samples import Sample, T, t
from engine.ops.zeros import fresh_zeros
from engine.tensor import Tensor, make

WHOLE = slice(None)


def _lookups() -> list[Sample]:
    rows, columns = T([0, 1, 0], "int64"), T([2, 0, 2], "int64")
    mask = T([[True, False, True], [False, True, False]], "bool")
    return [
        Sample((t(2, 3), [rows])),
        Sample((t(2, 3), [rows, columns])),
        Sample((t(2, 3), [mask])),
        Sample((t(2, 3, 2), [rows, None, T([1, 0, 1], "int64")])),
    ]


def positions(indices: Any) -> tuple[Any, ...]:
    """Return numpy's index for tensors of indices per dim, None meaning all of a dim."""
    return tuple(WHOLE if i is None else i for i in indices)


@op(
    "index",
    latex=r"\val{result} = \val{input}[\val{indices}]",
    grad_fn="IndexBackward0",
    samples=_lookups,
    hidden=("places",),  # the tensors of indices are saved: they are freed like any other
)
def index(input: Array, indices: Any) -> tuple[Array, Any]:
    """Read elements by tensors of indices, or by masks.

    >>> torch.tensor([10, 20, 30])[torch.tensor([2, 0])]
    tensor([30, 10])
    """
    return np.array(np.asarray(input)[positions(raw(indices))]), indices


def picked(x: Any, indices: Any) -> Any:
    """Read elements within a rule: forward on arrays also hands back the indices."""
    got = index(x, indices)
    return got[0] if isinstance(got, tuple) else got


def raw(indices: Any) -> list[Any]:
    """Return the arrays of a list of index tensors."""
    return [i._array if isinstance(i, Tensor) else i for i in indices]


@index.prepare
def _(input: Tensor, indices: Any) -> dict[str, Any]:
    return {"indices": checked(input.shape, indices)}


@index.vjp("input", latex=r"\grad{input} = \grad{result} \text{ added up at } \val{places}")
def _(grad: Any, input_shape: Any, places: Any) -> Any:
    return put(fresh_zeros(grad, input_shape), places, grad, True)


def checked(shape: Any, indices: Any) -> list[Any]:
    """Refuse indices that do not fit; masks become positions, negative numbers positive ones."""
    found: list[Any] = []
    for given in indices:
        if given is None:
            found.append(None)
            continue
        i = given if isinstance(given, Tensor) else make(np.asarray(given))
        if i.dtype.is_floating_point or i.dtype in (dtypes.int8, dtypes.int16):
            raise fail(
                "index-type",
                "tensors used as indices must be long, int, byte or bool tensors",
                IndexError,
            )
        at = len(found)
        if i.dtype in (dtypes.bool_, dtypes.uint8):
            found.extend(_from_mask(i, shape, at))
            continue
        if at >= len(shape):
            raise fail(
                "too-many-indices",
                f"too many indices for tensor of dimension {len(shape)} (got {len(indices)})",
                IndexError,
            )
        if shape[at] == 0 and i.shape.numel():
            raise fail(
                "index-out-of-bounds",
                "index is out of bounds for dimension with size 0",
                IndexError,
            )
        nothing = 0 in shape  # then nothing is read, whatever the index says
        dim = sum(f is not None for f in found)  # counted among those that are indexed
        found.append(make(np.zeros_like(i._array)) if nothing else _in_range(i, shape[at], dim))
    _check_together(found)
    return found


def _from_mask(mask: Tensor, shape: Any, at: int) -> list[Tensor]:
    have = tuple(shape[at : at + mask.ndim])
    if tuple(mask.shape) != have:
        pairs = zip(mask.shape, (*have, *[None] * mask.ndim), strict=False)
        j = next(j for j, (n, m) in enumerate(pairs) if n != m)
        raise fail(
            "mask-shape",
            f"The shape of the mask {list(mask.shape)} at index {j} does not match the shape of the"
            f" indexed tensor {list(shape)} at index {at + j}",
            IndexError,
        )
    return [make(p.astype(np.int64)) for p in np.nonzero(mask._array)]


def _in_range(i: Tensor, size: int, dim: int) -> Tensor:
    array = i._array
    if np.any((array < -size) | (array >= size)):
        wrong = np.ravel(array)[np.ravel((array < -size) | (array >= size))]
        out_of_bounds(wrong, 0 if size == 0 else size, dim, IndexError) if wrong[0] >= 0 else None
        raise fail(
            "index-out-of-bounds",
            f"index {int(wrong[0])} is out of bounds for dimension {dim} with size {size}",
            IndexError,
            index=int(wrong[0]),
            dim=dim,
            size=size,
        )
    if np.any(array < 0):
        return make(np.where(array < 0, array + size, array))
    return i


def _check_together(found: list[Any]) -> None:
    shapes = [i.shape for i in found if i is not None]
    try:
        np.broadcast_shapes(*(tuple(s) for s in shapes))
    except ValueError:
        listed = ", ".join(str(list(s)) for s in shapes)
        raise fail(
            "index-shapes",
            "shape mismatch: indexing tensors could not be broadcast together with shapes"
            f" {listed}",
            IndexError,
        ) from None


@op(
    "index_put",
    latex=r"\val{result} = \val{input} \text{ with } \val{values} \text{ at } \val{indices}",
    grad_fn="IndexPutBackward0",
    binds=("torch.index_put", "torch.index_put_", "Tensor.index_put", "Tensor.index_put_"),
    samples=lambda: [
        Sample((t(3, 2), (T([0, 2], "int64"),), t(2, 2, seed=1))),
        Sample((t(3, 2), (T([0, 0], "int64"),), t(2, seed=1), True)),
    ],
    hidden=("places",),
)
def index_put(
    input: Array, indices: Any, values: Array, accumulate: bool = False
) -> tuple[Array, Any]:
    """Write elements by tensors of indices; `accumulate` adds, also where indices repeat.

    >>> torch.zeros(3).index_put((torch.tensor([2]),), torch.tensor(5.))
    tensor([0., 0., 5.])
    """
    result = np.array(input)
    at = positions(raw(indices))
    if accumulate:
        np.add.at(result, at, values)
    else:
        result[at] = values
    return result, indices


def put(x: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    """Write elements within a rule: forward on arrays also hands back the indices."""
    got = index_put(x, indices, values, accumulate)
    return got[0] if isinstance(got, tuple) else got


@index_put.prepare
def _(input: Tensor, indices: Any, values: Tensor, accumulate: bool) -> dict[str, Any]:
    found = checked(input.shape, indices)
    if values.dtype is not input.dtype:
        raise fail(
            "dtypes-differ",
            "Index put requires the source and destination dtypes match, got"
            f" {dtypes.LEGACY_NAMES[input.dtype]} for the destination and"
            f" {dtypes.LEGACY_NAMES[values.dtype]} for the source.",
        )
    wanted = result_shape(input.shape, found)
    try:
        fits = np.broadcast_shapes(tuple(values.shape), wanted) == wanted
    except ValueError:
        fits = False
    if not fits:
        raise fail(
            "index-put-shape",
            f"shape mismatch: value tensor of shape {list(values.shape)} cannot be broadcast to"
            f" indexing result of shape {list(wanted)}",
        )
    return {"indices": found}


def result_shape(shape: Any, indices: list[Any]) -> tuple[int, ...]:
    """Return the shape of what an index reads."""
    nothing = np.broadcast_to(np.int8(0), tuple(shape))
    return nothing[positions(raw(indices))].shape  # type: ignore[no-any-return]


@index_put.vjp(
    "input", latex=r"\grad{input} = \grad{result} \text{ with } 0 \text{ at } \val{places}"
)
def _(grad: Any, places: Any, accumulate: bool) -> Any:
    return grad if accumulate else put(grad, places, fresh_zeros(grad, ()))


@index_put.vjp("values", latex=r"\grad{values} = \grad{result}[\val{places}]")
def _(grad: Any, places: Any) -> Any:
    return picked(grad, places)
