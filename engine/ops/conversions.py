"""Conversions to another type, device or order in memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.dtypes import dtype
from engine.errors import unsupported
from engine.ops.copies import clone
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, t
from engine.tensor import Tensor


@op(
    "to_copy",
    latex=r"\val{result} = \val{input}",
    grad_fn="ToCopyBackward0",
    samples=lambda: [Sample((t(2, 3), dtypes.float64))],
)
def to_copy(input: Array, dtype: Any) -> Array:
    """Copy a tensor to another type; the gradient comes back in the old one."""
    return input.astype(dtype.np)


@to_copy.vjp("input", latex=r"\grad{input} = \grad{result}")
def _(grad: Any) -> Any:
    return grad


def convert(input: Tensor, kind: dtype, copy: bool = False) -> Tensor:
    """Return the tensor itself when it has the type already, else a converted copy."""
    if input.dtype is kind:
        return clone(input) if copy else input
    return to_copy(input, kind)  # type: ignore[no-any-return]


def check_device(device: Any) -> None:
    """Refuse every device but the CPU."""
    if device is None:
        return
    if not isinstance(device, dtypes.device):
        device = dtypes.device(device)
    if device.type == "cuda":
        raise AssertionError("Torch not compiled with CUDA enabled")
    if device.type != "cpu":
        raise unsupported(f"device {device.type!r}")


PYTHON_TYPES = {float: dtypes.float64, int: dtypes.int64, bool: dtypes.bool_}


@function("Tensor.to")
def to(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """Convert to a type, or to the type of another tensor; a device must be the CPU."""
    kind = kwargs.pop("dtype", None)
    device = kwargs.pop("device", None)
    other = kwargs.pop("other", None)
    copy = kwargs.pop("copy", False)
    flags = list(args)
    if flags and isinstance(flags[0], dtype):
        kind = flags.pop(0)
    elif flags and isinstance(flags[0], Tensor):
        other = flags.pop(0)
    elif flags and isinstance(flags[0], (str, dtypes.device)):
        device = flags.pop(0)
        if flags and (flags[0] is None or isinstance(flags[0], dtype)):
            kind = flags.pop(0)
    elif flags and flags[0] in PYTHON_TYPES:
        kind = PYTHON_TYPES[flags.pop(0)]
    elif flags and flags[0] is not None:
        got = ", ".join(type(a).__name__ for a in args)
        raise TypeError(
            f"to() received an invalid combination of arguments - got ({got}), but expected one"
            f" of:\n"
            " * (torch.device device = None, torch.dtype dtype = None, bool non_blocking = False,"
            " bool"
            " copy = False, *, torch.memory_format memory_format = None)\n"
            " * (torch.dtype dtype, bool non_blocking = False, bool copy = False, *,"
            " torch.memory_format memory_format = None)\n"
            " * (Tensor tensor, bool non_blocking = False, bool copy = False, *,"
            " torch.memory_format"
            " memory_format = None)\n"
        )
    check_device(device)
    if len(flags) > 1:
        copy = flags[1]
    if other is not None:
        kind = other.dtype
    return convert(input, input.dtype if kind is None else kind, copy)


def _converter(kind: dtype) -> Any:
    def method(self: Tensor, memory_format: Any = None) -> Tensor:
        return convert(self, kind)

    method.__doc__ = f"Convert to {kind!r}."
    return method


CONVERTERS = {
    "float": dtypes.float32, "double": dtypes.float64, "half": dtypes.float16, "int": dtypes.int32,
    "long": dtypes.int64, "short": dtypes.int16, "char": dtypes.int8, "byte": dtypes.uint8, "bool":
    dtypes.bool_, }  # fmt: skip


for _name, _kind in CONVERTERS.items():
    function(f"Tensor.{_name}")(_converter(_kind))


@function("Tensor.type")
def type_(input: Tensor, dtype: Any = None, non_blocking: bool = False) -> Any:
    """Return the name of the tensor's type, or convert to a type."""
    if dtype is None:
        return f"torch.{dtypes.LEGACY_NAMES[input.dtype]}Tensor"
    if isinstance(dtype, str):
        found = [d for d, n in dtypes.LEGACY_NAMES.items() if dtype == f"torch.{n}Tensor"]
        if not found:
            raise ValueError(f"invalid type: '{dtype}'")
        dtype = found[0]
    return convert(input, getattr(dtype, "of", dtype))


@function("Tensor.type_as")
def type_as(input: Tensor, other: Tensor) -> Tensor:
    """Convert to the type of another tensor."""
    return convert(input, other.dtype)


@function("Tensor.cpu")
def cpu(input: Tensor, memory_format: Any = None) -> Tensor:
    """Return the tensor: it is on the CPU."""
    return input


@function("Tensor.cuda")
def cuda(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """Refuse: there is no such device."""
    raise AssertionError("Torch not compiled with CUDA enabled")


@function("Tensor.contiguous")
def contiguous(input: Tensor, memory_format: Any = None) -> Tensor:
    """Return the tensor itself when its memory is in order, else a copy whose is."""
    array = input._array
    if not isinstance(array, np.ndarray) or array.flags.c_contiguous:
        return input
    return _contiguous_clone(input)


def _contiguous_clone(input: Tensor) -> Tensor:
    copied: Tensor = clone(input)
    copied._array = np.ascontiguousarray(copied._array)
    return copied
