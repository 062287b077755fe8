"""`x[...]` read and written: numbers, slices, None, Ellipsis, lists, tensors of indices, masks."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops.dims import not_implemented
from engine.ops.gather import out_of_bounds
from engine.ops.pieces import select, slice_dim
from engine.ops.record import PUBLIC, Array, function, op
from engine.ops.samples import Sample, T, t
from engine.ops.scalars import element
from engine.ops.shape import alias, unsqueeze
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
    return index_put(fresh_zeros(grad, input_shape), places, grad, True)


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
)
def index_put(input: Array, indices: Any, values: Array, accumulate: bool = False) -> Array:
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
    return result


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
    "input", latex=r"\grad{input} = \grad{result} \text{ with } 0 \text{ at } \val{indices}"
)
def _(grad: Any, indices: Any, accumulate: bool) -> Any:
    return grad if accumulate else index_put(grad, indices, fresh_zeros(grad, ()))


@index_put.vjp("values", latex=r"\grad{values} = \grad{result}[\val{indices}]")
def _(grad: Any, indices: Any) -> Any:
    return picked(grad, indices)


# --- from what stands in the brackets to views and index tensors --------------------------------


def parts_of(key: Any) -> tuple[Any, ...]:
    """Return what stands in the brackets, one entry per comma."""
    if isinstance(key, tuple):
        return key
    if isinstance(key, list) and _is_old_tuple(key):
        return tuple(key)
    return (key,)


def _is_old_tuple(key: list[Any]) -> bool:
    """Tell whether a list is taken for a tuple, as of old: when it holds more than numbers."""
    return len(key) < 32 and any(
        isinstance(k, (Tensor, list, tuple, slice, range)) or k is None or k is Ellipsis
        for k in key
    )


def _consumes(part: Any) -> int:
    """Return how many dims a part of an index uses up."""
    if part is None or part is Ellipsis or isinstance(part, (bool, np.bool_)):
        return 0
    if isinstance(part, Tensor) and part.dtype in (dtypes.bool_, dtypes.uint8):
        return part.ndim
    if isinstance(part, np.ndarray) and part.dtype == np.bool_:
        return part.ndim
    if isinstance(part, (list, tuple)):
        depth, inner = 0, part
        while isinstance(inner, (list, tuple)) and inner:
            depth, inner = depth + 1, inner[0]
        return depth if isinstance(inner, bool) else 1
    return 1


def as_index(part: Any) -> Tensor:
    """Return a list, an array or a tensor in an index as a tensor."""
    if isinstance(part, Tensor):
        return part
    if isinstance(part, (range, list, tuple, np.ndarray)):
        made = PUBLIC["torch.tensor"](list(part) if isinstance(part, range) else part)
        if made.dtype.is_floating_point and not made.shape.numel():
            made = make(made._array.astype(np.int64))
        result: Tensor = made
        return result
    if isinstance(part, str):
        raise TypeError("new(): invalid data type 'str'")
    raise fail(
        "index-kind",
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid"
        f" indices (got {type(part).__name__})",
        IndexError,
    )


def _is_integer(part: Any) -> bool:
    if isinstance(part, Tensor):
        return part.ndim == 0 and part.dtype.category == 1 and part.dtype is not dtypes.uint8
    return isinstance(part, (int, np.integer)) and not isinstance(part, (bool, np.bool_))


class Reading:
    """What an index comes to: views taken one after another, and then tensors of indices."""

    def __init__(self, input: Tensor, key: Any, writing: bool = False) -> None:
        parts = parts_of(key)
        used = sum(_consumes(p) for p in parts)
        if used > input.ndim:
            if input.ndim == 0 and len(parts) == 1 and isinstance(parts[0], slice):
                raise fail(
                    "index-of-scalar", "slice() cannot be applied to a 0-dim tensor.", IndexError
                )
            if input.ndim == 0 and len(parts) == 1 and isinstance(parts[0], int):
                if parts[0]:
                    raise fail(
                        "index-out-of-bounds",
                        f"index {parts[0]} is out of bounds for dimension 0 with size 0",
                        IndexError,
                    )
                raise fail(
                    "index-of-scalar",
                    "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or"
                    " `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number",
                    IndexError,
                )
            raise fail(
                "too-many-indices",
                f"too many indices for tensor of dimension {input.ndim}",
                IndexError,
            )
        self.result = input
        self.dim = 0
        self.original_dim = 0
        self.tensors: list[Tensor | None] = []
        self.lone = len(parts) == 1 and not writing
        for part in parts:
            self._apply(part, input.ndim - used)

    def _apply(self, part: Any, left_over: int) -> None:
        if part is None:
            self.result = unsqueeze(self.result, self.dim)
            self._pass()
        elif part is Ellipsis:
            self.dim += left_over
            self.original_dim += left_over
            self.tensors.extend([None] * (self.dim - len(self.tensors)))
        elif isinstance(part, slice):
            self._slice(part)
        elif isinstance(part, (bool, np.bool_)):
            self.result = unsqueeze(self.result, self.dim)
            self._tensor(make(np.zeros(1 if part else 0, np.int64)), 1)
        elif _is_integer(part):
            self._select(int(part._array if isinstance(part, Tensor) else part))
        else:
            self._advanced(as_index(part))

    def _pass(self) -> None:
        self.dim += 1
        self.tensors.append(None)

    def _select(self, i: int) -> None:
        n = self.result.shape[self.dim]
        if not -n <= i < n:
            raise fail(
                "index-out-of-bounds",
                f"index {i} is out of bounds for dimension {self.original_dim} with size {n}",
                IndexError,
                index=i,
                dim=self.original_dim,
                size=n,
            )
        self.result = select(self.result, self.dim, i)
        self.original_dim += 1

    def _slice(self, part: slice) -> None:
        n = self.result.shape[self.dim]
        step = 1 if part.step is None else int(part.step)
        if step == 0:
            raise ValueError("slice step cannot be zero")
        if step < 0:
            raise ValueError("step must be greater than zero")
        start, stop, _ = slice(_bound(part.start), _bound(part.stop)).indices(n)
        if self.lone or (start, step) != (0, 1) or stop < n:
            self.result = slice_dim(self.result, self.dim, start, max(start, stop), step)
        self._pass()
        self.original_dim += 1

    def _advanced(self, i: Tensor) -> None:
        if i.dtype in (dtypes.bool_, dtypes.uint8) and i.ndim == 0:
            self.result = unsqueeze(self.result, self.dim)
            self._tensor(make(np.zeros(1 if i._array else 0, np.int64)), 1)
            return
        count = i.ndim if i.dtype in (dtypes.bool_, dtypes.uint8) else 1
        self._tensor(i, count)
        self.original_dim += count

    def _tensor(self, i: Tensor, dims: int) -> None:
        self.tensors.append(i)
        self.dim += dims

    @property
    def is_advanced(self) -> bool:
        """Whether tensors of indices remain after the views."""
        return any(i is not None for i in self.tensors)


def _bound(value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, Tensor):
        return int(value._array)
    if not hasattr(value, "__index__"):
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    return int(value)


@function("Tensor.__getitem__")
def getitem(self: Tensor, key: Any) -> Tensor:
    """Read a part: a view for numbers and slices, a copy for tensors, lists and masks."""
    reading = Reading(self, key)
    result: Tensor
    if reading.is_advanced:
        result = index(reading.result, reading.tensors)
        return result
    if reading.result is self:
        result = alias(self)
        return result
    return reading.result


@function("Tensor.__setitem__")
def setitem(self: Tensor, key: Any, value: Any) -> None:
    """Write into a part."""
    if not isinstance(value, (Tensor, int, float, bool, np.generic)):
        raise TypeError(
            f"can't assign a {type(value).__name__} to a"
            f" torch.{dtypes.LEGACY_NAMES[self.dtype]}Tensor"
        )
    reading = Reading(self, key, True)
    if not reading.is_advanced:
        _write_view(reading.result, value)
        return
    if not isinstance(value, Tensor):
        value = make(self.dtype.np.type(value))
    elif value.dtype is not self.dtype:
        value = value.to(self.dtype)  # type: ignore[attr-defined]
    target = reading.result
    shape = result_shape(target.shape, checked(target.shape, reading.tensors))
    while value.ndim > len(shape) and value.shape[0] == 1:
        value = select(value, 0, 0)
    index_put.forms.in_place(target, reading.tensors, value)


def _write_view(target: Tensor, value: Any) -> None:
    if not isinstance(value, Tensor):
        value = make(np.array(element(value, target.dtype)))
    if value.ndim == 0 and target.ndim:
        target.fill_(value)  # type: ignore[attr-defined]
        return
    while value.ndim > target.ndim and value.shape[0] == 1:
        value = select(value, 0, 0)
    if value.ndim == 0 and target.dtype is not value.dtype and value._fn is None:
        value = value.to(target.dtype)
    if value.shape != target.shape:
        from engine.ops.shape import expand, expanded

        expanded(value, tuple(target.shape))
        value = expand(value, tuple(target.shape))
    target.copy_(value)  # type: ignore[attr-defined]


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


# At the end, because these files need each other.
from engine.ops.cumulative import fresh_zeros  # noqa: E402
