"""What stands between the brackets: x[…], x[…] = y."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes, views
from engine.errors import fail
from engine.ops.expanding import unsqueeze
from engine.ops.index import index, index_put
from engine.ops.pieces import select, slice_dim
from engine.ops.record import PUBLIC, function
from engine.ops.scalars import element
from engine.ops.shape import alias, view
from engine.tensor import Tensor, make

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
        self.place = 0  # which part it is: what a refusal calls the dim
        self.tensors: list[Tensor | None] = []
        self.lone = len(parts) == 1 and not writing
        for place, part in enumerate(parts):
            self.place = place
            self._apply(part, input.ndim - used)

    def _apply(self, part: Any, left_over: int) -> None:
        if part is None:
            self.result = unsqueeze(self.result, self.dim)
            self._pass()
        elif part is Ellipsis:
            self.dim += left_over
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
                f"index {i} is out of bounds for dimension {self.place} with size {n}",
                IndexError,
                index=i,
                dim=self.place,
                size=n,
            )
        self.result = select(self.result, self.dim, i)

    def _slice(self, part: slice) -> None:
        n = self.result.shape[self.dim]
        step = 1 if part.step is None else int(part.step)
        if step == 0:
            raise ValueError("slice step cannot be zero")
        if step < 0:
            raise ValueError("step must be greater than zero")
        given = _bound(part.start)
        start, stop, _ = slice(given, _bound(part.stop)).indices(n)
        if self.lone or given or (start, step) != (0, 1) or stop < n:
            self.result = slice_dim(self.result, self.dim, start, max(start, stop), step)
        self._pass()

    def _advanced(self, i: Tensor) -> None:
        if i.dtype in (dtypes.bool_, dtypes.uint8) and i.ndim == 0:
            self.result = unsqueeze(self.result, self.dim)
            self._tensor(make(np.zeros(1 if i._array else 0, np.int64)), 1)
            return
        count = i.ndim if i.dtype in (dtypes.bool_, dtypes.uint8) else 1
        self._tensor(i, count)

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
    index_put.forms.in_place(reading.result, reading.tensors, without_leading_ones(value))


def without_leading_ones(value: Tensor) -> Tensor:
    """Return a value without the dims of size 1 it begins with, as PyTorch writes it."""
    shape = tuple(value.shape)
    kept = next((i for i, n in enumerate(shape) if n != 1), len(shape))
    result: Tensor = view(value, shape[kept:]) if kept else value
    return result


def _write_view(target: Tensor, value: Any) -> None:
    if not isinstance(value, Tensor):
        value = make(np.array(element(value, target.dtype)))
    if value.ndim == 0 and target.ndim:
        views.check_apart(target)
        target.fill_(value)  # type: ignore[attr-defined]
        return
    if value.ndim == 0 and target.dtype is not value.dtype and value._fn is None:
        value = value.to(target.dtype)
    if value.shape != target.shape:
        from engine.ops.expanding import expand

        value = without_leading_ones(value)
        if value.shape != target.shape:
            value = expand(value, tuple(target.shape))
    target.copy_(value)  # type: ignore[attr-defined]
