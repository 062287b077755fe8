"""Tensors from data and of one value."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops.conversions import check_device, convert
from engine.ops.data import LegacyType, array_from, infer
from engine.ops.record import bind, function
from engine.ops.scalars import element
from engine.ops.strided import with_layout
from engine.tensor import Tensor, make

Kind = dtypes.dtype | None
MISSING: Any = object()


@function("torch.tensor")
def tensor(
    data: Any = MISSING,
    *more: Any,
    dtype: Kind = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """Copy numbers, nested lists or an array into a new leaf.

    Without `dtype`, Python floats make the default type, ints int64, bools bool.
    """
    check_device(device)
    if data is MISSING:
        raise TypeError('tensor() missing 1 required positional arguments: "data"')
    if more:
        raise TypeError(f"tensor() takes 1 positional argument but {1 + len(more)} were given")
    if isinstance(data, Tensor):
        import warnings

        warnings.warn(
            "To copy construct from a tensor, it is recommended to use"
            " sourceTensor.detach().clone() or"
            " sourceTensor.detach().clone().requires_grad_(True), rather than"
            " torch.tensor(sourceTensor).",
            UserWarning,
            stacklevel=2,
        )
    return make(array_from(data, kind_of("tensor", dtype)), requires_grad, "tensor")


@function("torch.as_tensor", "torch.asarray")
def as_tensor(data: Any, dtype: Kind = None, device: Any = None) -> Tensor:
    """Return a tensor as it is, the memory of an array, or a copy of other data."""
    check_device(device)
    if isinstance(data, Tensor):
        return convert(data, dtype or data.dtype)
    if isinstance(data, np.ndarray):
        return convert(from_numpy(data), dtype or infer(data))
    return make(array_from(data, dtype), False, "as_tensor")


@function("torch.from_numpy")
def from_numpy(ndarray: Any) -> Tensor:
    """Make a tensor of an array's memory, not copied."""
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    infer(ndarray)
    made = make(ndarray, False, "from_numpy")
    made._array = ndarray
    made._shared()
    return made


NUMBER_TYPES = {float: dtypes.float64, int: dtypes.int64, bool: dtypes.bool_}


def kind_of(name: str, kind: Any) -> Any:
    """Return a dtype given as one or as a Python number type, or refuse."""
    if kind is None or isinstance(kind, dtypes.dtype):
        return kind
    if kind in NUMBER_TYPES:
        return NUMBER_TYPES[kind]
    raise TypeError(f"{name}(): argument 'dtype' must be torch.dtype, not {type(kind).__name__}")


def size_of(name: str, args: Any) -> tuple[int, ...]:
    """Return a size given as one sequence or as several ints."""
    label = f"{name}(): argument 'size'"
    given = len(args) == 1 and isinstance(args[0], (tuple, list))
    sizes = []
    for i, n in enumerate(args[0] if given else args):
        if not is_int(n):
            kind = type(n).__name__
            if i:
                raise TypeError(
                    f"{label} failed to unpack the object at pos {i + 1} with error "
                    f'"type must be tuple of ints,but got {kind}"'
                )
            found = f"but found element of type {kind} at pos 0" if given else f"not {kind}"
            raise TypeError(f"{label} (position 1) must be tuple of ints, {found}")
        sizes.append(int(n))
    for n in sizes:
        if n < 0 and name == "zeros":
            raise fail("negative-size", "zeros: Dimension size must be non-negative.", size=n)
        if n < 0:
            text = f"Trying to create tensor with negative dimension {n}: {sizes}"
            raise fail("negative-size", text, size=n)
    return tuple(sizes)


def is_int(value: Any) -> bool:
    """Whether a value serves as a size: an int, or an integer tensor without dims."""
    if isinstance(value, Tensor):
        return not value.shape and not value.dtype.is_floating_point
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _filled(name: str, value: float | None) -> Any:
    def factory(
        *sizes: Any,
        size: Any = MISSING,
        dtype: Kind = None,
        layout: Any = None,
        device: Any = None,
        pin_memory: bool = False,
        requires_grad: bool = False,
        memory_format: Any = None,
    ) -> Tensor:
        check_device(device)
        shape = size_of(name, sizes if size is MISSING else (size,))
        array = np.full(shape, value or 0, (kind_of(name, dtype) or dtypes.default).np)
        return make(array, requires_grad, name)

    factory.__name__ = name
    factory.__doc__ = f"Make a tensor of a size, as torch.{name}."
    return factory


for _name, _value in (("zeros", 0), ("ones", 1), ("empty", 0)):
    function(f"torch.{_name}")(_filled(_name, _value))


@function("torch.empty_strided")
def empty_strided(
    size: Any, stride: Any, *, dtype: Kind = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """Make a tensor of a size whose memory is laid out with the given strides; zeros, here."""
    check_device(device)
    array = np.zeros(size_of("empty_strided", (size,)), (dtype or dtypes.default).np)
    made = make(array, requires_grad, "empty_strided")
    if array.ndim:
        made._array = with_layout(array, array.shape, tuple(stride))
    return made


@function("torch.scalar_tensor")
def scalar_tensor(
    s: Any, *, dtype: Kind = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """Make a tensor of one number, of the default type."""
    check_device(device)
    value = s.item() if isinstance(s, Tensor) else s  # type: ignore[attr-defined]
    return make((dtype or dtypes.default).np.type(value), requires_grad, "scalar_tensor")


@function("torch.full")
def full(
    size: Any,
    fill_value: Any = MISSING,
    *,
    dtype: Kind = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Make a tensor filled with one number, of that number's type."""
    check_device(device)
    if fill_value is MISSING:
        raise TypeError('full() missing 1 required positional arguments: "fill_value"')
    if isinstance(fill_value, Tensor):
        fill_value = fill_value.item()  # type: ignore[attr-defined]
    kind = kind_of("full", dtype) or dtypes.of_number(fill_value)
    shape = size_of("full", (size,))
    return make(np.full(shape, element(fill_value, kind), kind.np), requires_grad, "full")


def like(name: str, value: Any) -> Any:
    """Make the factory of tensors like another one."""

    def factory(
        input: Tensor,
        *,
        dtype: Kind = None,
        layout: Any = None,
        device: Any = None,
        requires_grad: bool = False,
        memory_format: Any = None,
    ) -> Tensor:
        check_device(device)
        if not isinstance(input, Tensor):
            raise TypeError(
                f"{name}(): argument 'input' (position 1) must be Tensor, not"
                f" {type(input).__name__}"
            )
        array = np.full(input.shape, value, (dtype or input.dtype).np)
        return make(array, requires_grad, name)

    factory.__name__ = name
    factory.__doc__ = f"Make a tensor of the size and type of another, as torch.{name}."
    return factory


for _name, _value in (("zeros_like", 0), ("ones_like", 1), ("empty_like", 0)):
    function(f"torch.{_name}")(like(_name, _value))


@function("torch.full_like")
def full_like(input: Tensor, fill_value: Any, **options: Any) -> Tensor:
    """Make a tensor like another, filled with one number."""
    return like("full_like", fill_value)(input, **options)  # type: ignore[no-any-return]


def _new(name: str, value: Any) -> Any:
    def method(
        self: Tensor,
        *size: Any,
        dtype: Kind = None,
        device: Any = None,
        requires_grad: bool = False,
        **more: Any,
    ) -> Tensor:
        check_device(device)
        shape = size_of(name, (more["size"],) if "size" in more else size)
        return make(np.full(shape, value, (dtype or self.dtype).np), requires_grad, name)

    method.__name__ = name
    method.__doc__ = f"Make a tensor of a size and this one's type, as Tensor.{name}."
    return method


for _name, _value in (("new_zeros", 0), ("new_ones", 1), ("new_empty", 0)):
    bind(f"Tensor.{_name}", _new(_name, _value))


@function("Tensor.new_full")
def new_full(self: Tensor, size: Any, fill_value: Any, **options: Any) -> Tensor:
    """Make a tensor of a size, filled with one number, of this one's type."""
    return _new("new_full", fill_value)(self, size, **options)  # type: ignore[no-any-return]


@function("Tensor.new")
def new_legacy(self: Tensor, *args: Any) -> Tensor:
    """Make what the old constructor of this tensor's type makes."""
    return LegacyType(self.dtype)(*args)


@function("Tensor.new_tensor")
def new_tensor(
    self: Tensor, data: Any, *, dtype: Kind = None, requires_grad: bool = False
) -> Tensor:
    """Copy data into a new leaf of this one's type."""
    return make(array_from(data, dtype or self.dtype), requires_grad, "new_tensor")
