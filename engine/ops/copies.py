"""Copies, conversions and overwriting."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.dtypes import dtype
from engine.errors import fail, unsupported
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, any_shape, t
from engine.tensor import Tensor, make


@op(
    "clone",
    latex=r"\val{result} = \val{input}",
    grad_fn="CloneBackward0",
    binds=("torch.clone", "Tensor.clone"),
    samples=any_shape,
)
def clone(input: Array, *, memory_format: Any = None) -> Array:
    """Copy a tensor; gradients pass through.

    >>> torch.clone(torch.tensor([1., 2.]))
    tensor([1., 2.])
    """
    return input.copy(order="K") if isinstance(input, np.ndarray) else input


@clone.vjp("input", latex=r"\grad{input} = \grad{result}")
def _(grad: Any) -> Any:
    return grad


def _pairs() -> list[Sample]:
    return [Sample((t(2, 3), t(2, 3, seed=1))), Sample((t(2, 3), t(3, seed=1)))]


@op(
    "copy",
    latex=r"\val{result} = \val{src}",
    grad_fn="CopyBackwards",
    binds=("Tensor.copy_",),
    numbers=("src",),
    samples=_pairs,
)
def copy(input: Array, src: Array, non_blocking: bool = False) -> Array:
    """Overwrite a tensor with another of a shape that broadcasts to its own.

    >>> torch.zeros(2).copy_(torch.tensor([1., 2.]))
    tensor([1., 2.])
    """
    return np.broadcast_to(src, input.shape).astype(input.dtype)


@copy.prepare
def _(input: Tensor, src: Any, non_blocking: bool) -> dict[str, Any] | None:
    if not isinstance(src, Tensor):
        return {"src": make(np.asarray(src, input.dtype.np))}
    try:
        fits = np.broadcast_shapes(src.shape, input.shape) == input.shape
    except ValueError:
        fits = False
    if not fits:
        a, b = list(input.shape), list(src.shape)
        at = _first_misfit(input.shape, src.shape)
        if at is None:
            raise fail(
                "copy-shape",
                f"output with shape {a} doesn't match the broadcast shape"
                f" {list(np.broadcast_shapes(src.shape, input.shape))}",
            )
        raise fail(
            "copy-shape",
            f"The size of tensor a ({at[0]}) must match the size of tensor b ({at[1]}) at"
            f" non-singleton dimension {at[2]}",
            shape=a,
            other=b,
        )
    return None


def _first_misfit(a: Any, b: Any) -> tuple[int, int, int] | None:
    n = max(len(a), len(b))
    for at in range(n - 1, -1, -1):
        x = a[at - n + len(a)] if at - n + len(a) >= 0 else 1
        y = b[at - n + len(b)] if at - n + len(b) >= 0 else 1
        if x != y and x != 1 and y != 1:
            return x, y, at
    return None


@copy.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")
def _(grad: Any) -> Any:
    return grad * 0


@copy.vjp("src", latex=r"\grad{src} = \grad{result}")
def _(grad: Any) -> Any:
    return grad


@op(
    "zero",
    latex=r"\val{result} = 0",
    grad_fn="ZeroBackward0",
    binds=("torch.zero_", "Tensor.zero_"),
)
def zero(input: Array) -> Array:
    """Overwrite a tensor with zeros.

    >>> torch.ones(2).zero_()
    tensor([0., 0.])
    """
    return np.zeros(input.shape, input.dtype)


@zero.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")
def _(grad: Any) -> Any:
    return grad * 0


@op(
    "fill",
    latex=r"\val{result} = \val{value}",
    grad_fn=lambda input, value: f"FillBackward{2 + isinstance(value, Tensor)}",
    binds=("torch.fill", "torch.fill_", "Tensor.fill_"),
    samples=lambda: [Sample((t(2, 3), 1.5)), Sample((t(2), t(seed=1)))],
    numbers=("value",),
)
def fill(input: Array, value: Array) -> Array:
    """Overwrite a tensor with one number.

    >>> torch.zeros(2).fill_(3)
    tensor([3., 3.])
    """
    return np.full(input.shape, value, input.dtype)


@fill.prepare
def _(input: Tensor, value: Any) -> None:
    if isinstance(value, Tensor) and value.shape:
        raise fail(
            "fill-shape",
            "fill_ only supports 0-dimension value tensor but got tensor with"
            f" {len(value.shape)} dimensions.",
        )


@fill.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")
def _(grad: Any) -> Any:
    return grad * 0


@fill.vjp("value", latex=r"\grad{value} = \sum \grad{result}")
def _(grad: Any) -> Any:
    return grad


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
