"""From Python data to arrays: what torch.tensor and the old constructors accept."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.dtypes import dtype
from engine.errors import fail, unsupported
from engine.tensor import Tensor, make


def array_from(data: Any, kind: dtype | None, caller: str = "tensor") -> Any:
    """Return a fresh array of the numbers in `data`, of a type or of the one they suggest."""
    if isinstance(data, Tensor):
        data = data._array
    elif isinstance(data, str):
        raise TypeError("new(): invalid data type 'str'")
    if isinstance(data, (np.ndarray, np.generic)):
        found = infer(np.asarray(data))
        return np.array(data, dtype=(kind or found).np)
    if isinstance(data, (list, tuple, range)):
        check_rectangle(data)
        data = plain(data)
    elif not isinstance(data, (int, float)):
        raise not_of(kind, data) if kind is not None and data is None else refuse_type(data)
    if kind is not None and data is not None and not isinstance(_first(data), str):
        refuse_other(data, kind)
    if _has_text(data):
        if _has_text(_first(data)):
            raise ValueError("too many dimensions 'str'")
        raise TypeError("new(): invalid data type 'str'")
    array = np.array(data)
    if array.dtype == object:
        array = np.array(data, dtype=float) if _all_numbers(data) else refuse_contents(data)
    if array.dtype == np.dtype(int):  # 32 bits wide where Python runs on 32-bit WebAssembly
        array = array.astype(np.int64)
    if array.dtype == np.uint64:
        raise fail("no-dtype", "Overflow when unpacking long long", ValueError)
    if kind is not None:
        check_fits(array, kind)
    if kind is None:
        kind = dtypes.default if array.dtype.kind == "f" or not array.size else infer(array)
    if kind.category == 1 and array.dtype.kind == "f":
        array = np.trunc(array)
    return array.astype(kind.np)


def infer(array: Any) -> dtype:
    """Return the type of an array, or refuse one PyTorch or the playground lacks."""
    kind = dtypes.BY_NUMPY.get(array.dtype)
    if kind is None:
        if array.dtype.kind == "c":
            raise unsupported("complex tensors")
        raise TypeError(
            f"can't convert np.ndarray of type {array.dtype.type.__module__}."
            f"{array.dtype.type.__name__}. The only supported types are: float64, float32, float16,"
            " complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, and"
            " bool."
        )
    return kind


def refuse_type(data: Any) -> Exception:
    """Make the error about something that is no number."""
    if isinstance(data, complex):
        return unsupported("complex tensors")
    return fail("no-dtype", f"Could not infer dtype of {type(data).__name__}")


def refuse_contents(data: Any) -> Any:
    """Find what in nested lists is no number, and refuse it."""
    for x in data if isinstance(data, (list, tuple)) else [data]:
        if isinstance(x, (list, tuple)):
            refuse_contents(x)
        elif not isinstance(x, (int, float)):
            raise refuse_type(x)
    raise fail("no-dtype", "Overflow when unpacking long long", ValueError)


def refuse_other(data: Any, kind: dtype) -> None:
    """Refuse text and None among numbers that are to be of a type."""
    for x in data if isinstance(data, (list, tuple)) else [data]:
        if isinstance(x, (list, tuple)):
            refuse_other(x, kind)
        elif x is None or isinstance(x, str):
            raise not_of(kind, x)


def not_of(kind: dtype, value: Any) -> Exception:
    """Make the error about something that is no number of a type."""
    name = type(value).__name__
    if kind.is_floating_point:
        return TypeError(f"must be real number, not {name}")
    return TypeError(f"'{name}' object cannot be interpreted as an integer")


def _first(data: Any) -> Any:
    while isinstance(data, (list, tuple)) and data:
        data = data[0]
    return data


def check_fits(array: Any, kind: dtype) -> None:
    """Refuse integers that are too large for a type; negative ones may wrap around once."""
    if kind.category != 1 or array.dtype.kind not in "iuf" or not array.size:
        return
    limits = np.iinfo(kind.np)
    low = -limits.max if limits.min == 0 else limits.min
    if array.max() > limits.max or array.min() < low:
        raise fail(
            "number-does-not-fit",
            f"value cannot be converted to type {kind.name} without overflow",
        )


def _has_text(data: Any) -> bool:
    if isinstance(data, (list, tuple)):
        return any(_has_text(x) for x in data)
    return isinstance(data, str)


def _all_numbers(data: Any) -> bool:
    if isinstance(data, (list, tuple)):
        return all(_all_numbers(x) for x in data)
    return isinstance(data, float)


def plain(data: Any) -> Any:
    """Return nested lists with their tensors and numpy numbers as Python numbers."""
    if isinstance(data, Tensor):
        if data._array.size > 1:
            raise fail(
                "scalar-of-many",
                "only one element tensors can be converted to Python scalars",
                ValueError,
            )
        return data._array.tolist()
    if isinstance(data, (list, tuple, range)):
        return [plain(x) for x in data]
    if isinstance(data, (np.ndarray, np.generic)):
        return data.tolist()
    return data


def check_rectangle(data: Any) -> None:
    """Refuse nested lists of unequal lengths, as PyTorch does: by the first element's shape."""
    shape: list[int] = []
    probe = data
    while isinstance(probe, (list, tuple, range)):
        shape.append(len(probe))
        if not probe:
            break
        probe = probe[0]
    _check_level(data, shape, 0)


def _check_level(data: Any, shape: list[int], dim: int) -> None:
    if dim == len(shape):
        if isinstance(data, (list, tuple)):
            raise TypeError(f"'{type(data).__name__}' object cannot be interpreted as an integer")
        return
    if not isinstance(data, (list, tuple, range)):
        if isinstance(data, (Tensor, np.ndarray)):
            return
        raise TypeError("not a sequence")
    if len(data) != shape[dim]:
        raise ValueError(f"expected sequence of length {shape[dim]} at dim {dim} (got {len(data)})")
    for x in data:
        _check_level(x, shape, dim + 1)


def legacy_tensor(cls: Any, *args: Any, **kwargs: Any) -> Tensor:
    """Make what torch.Tensor(...) makes: zeros of sizes, or a copy of data as float32."""
    if len(args) == 1 and isinstance(args[0], (list, tuple, np.ndarray, Tensor)):
        data = args[0]
        if isinstance(data, Tensor):
            made = make(data._array, False, "Tensor")
        elif isinstance(data, dtypes.Size):
            made = make(np.zeros(data, np.float32), False, "Tensor")
        else:
            made = make(array_from(data, dtypes.float32), False, "Tensor")
    else:
        for a in args:
            if not isinstance(a, int):
                raise refused_size(args)
        made = make(np.zeros(args or (0,), np.float32), False, "Tensor")
    if cls is not Tensor:
        made.__class__ = cls
    return made


def refused_size(args: tuple[Any, ...]) -> Exception:
    """Make the error about what the old constructor takes for no size."""
    kinds = [type(a).__name__ for a in args]
    if kinds == ["str"]:
        return TypeError("new(): invalid data type 'str'")
    if len(args) > 1 and isinstance(args[0], int):
        at = next(i for i, a in enumerate(args) if not isinstance(a, int))
        return TypeError(
            f"new(): argument 'size' failed to unpack the object at pos {at + 1} with error"
            f' "type must be tuple of ints,but got {kinds[at]}"'
        )
    return TypeError(f"new(): data must be a sequence (got {kinds[0]})")


class LegacyType:
    """An old constructor such as torch.LongTensor."""

    def __init__(self, kind: dtype) -> None:
        self.of = kind
        self.__name__ = f"{dtypes.LEGACY_NAMES[kind]}Tensor"

    def __call__(self, *args: Any) -> Tensor:
        """Make zeros of sizes, or a copy of data."""
        if len(args) == 1 and not isinstance(args[0], int):
            return make(array_from(args[0], self.of), False, self.__name__)
        return make(np.zeros(args or (0,), self.of.np), False, self.__name__)

    def __instancecheck__(self, instance: Any) -> bool:
        return isinstance(instance, Tensor) and instance.dtype is self.of

    def __repr__(self) -> str:
        return f"<class 'torch.{self.__name__}'>"
