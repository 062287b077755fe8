"""What a tensor says of its size, its type and its memory."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes
from engine.ops.record import bind, function
from engine.tensor import Tensor


@function("Tensor.size")
def size(self: Tensor, dim: int | None = None) -> Any:
    """Return the shape, or the size of one dim."""
    return self.shape if dim is None else self.shape[_dim(self, "size", dim)]


def _dim(self: Tensor, name: str, dim: Any) -> int:
    """Check a dim that a query asks about."""
    if not hasattr(dim, "__index__"):
        raise TypeError(
            f"{name}(): argument 'dim' (position 1) must be int, not {type(dim).__name__}"
        )
    n = len(self.shape)
    if n == 0:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    if not -n <= dim < n:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {dim})"
        )
    return int(dim)


@function("Tensor.dim", "Tensor.ndimension")
def dim(self: Tensor) -> int:
    """Return the number of dims."""
    return len(self.shape)


@function("torch.numel", "Tensor.numel", "Tensor.nelement")
def numel(input: Tensor) -> int:
    """Return the number of elements."""
    return input.shape.numel()


@function("Tensor.element_size")
def element_size(self: Tensor) -> int:
    """Return how many bytes an element takes."""
    return self.dtype.itemsize  # type: ignore[no-any-return]


bind("Tensor.itemsize", property(element_size))


def nbytes(self: Tensor) -> int:
    """How many bytes the elements take."""
    return numel(self) * self.dtype.itemsize  # type: ignore[no-any-return]


bind("Tensor.nbytes", property(nbytes))


@function("Tensor.stride")
def stride(self: Tensor, dim: int | None = None) -> Any:
    """Return how far apart in memory neighbours along each dim are, in elements."""
    array = self._array
    steps = tuple(s // array.itemsize for s in array.strides) if self.shape else ()
    if 0 in self.shape:  # numpy leaves these strides open
        steps = tuple(math.prod(max(n, 1) for n in self.shape[i + 1 :]) for i in range(self.ndim))
    return steps if dim is None else steps[_dim(self, "stride", dim)]


@function("Tensor.get_device")
def get_device(self: Tensor) -> int:
    """Return -1: the tensor is on the CPU."""
    return -1


@function("torch.typename")
def typename(obj: Any) -> str:
    """Return the name of a tensor's type, or of any other object's."""
    if isinstance(obj, Tensor):
        return f"torch.{dtypes.LEGACY_NAMES[obj.dtype]}Tensor"
    return f"{type(obj).__module__}.{type(obj).__qualname__}"


@function("Tensor.storage_offset")
def storage_offset(self: Tensor) -> int:
    """Return where in its storage the first element lies."""
    base = self._base
    return 0 if base is None else (data_ptr(self) - data_ptr(base)) // self.dtype.itemsize


@function("Tensor.data_ptr")
def data_ptr(self: Tensor) -> int:
    """Return the address of the first element."""
    self._shared()
    return self._array.__array_interface__["data"][0]  # type: ignore[no-any-return]


@function("Tensor.is_contiguous")
def is_contiguous(self: Tensor, memory_format: Any = None) -> bool:
    """Whether the elements lie in memory in row-major order."""
    array = self._array
    return not isinstance(array, np.ndarray) or bool(array.flags.c_contiguous)


@function("torch.is_tensor")
def is_tensor(obj: Any) -> bool:
    """Whether something is a tensor."""
    return isinstance(obj, Tensor)


@function("torch.is_floating_point", "Tensor.is_floating_point")
def is_floating_point(input: Tensor) -> bool:
    """Whether the elements are floating-point numbers."""
    return input.dtype.is_floating_point


@function("torch.is_signed", "Tensor.is_signed")
def is_signed(input: Tensor) -> bool:
    """Whether elements can be negative."""
    return input.dtype.is_signed


@function("torch.is_complex", "Tensor.is_complex")
def is_complex(input: Tensor) -> bool:
    """Whether the elements are complex numbers: never, here."""
    return False


@function("torch.is_inference", "Tensor.is_inference")
def is_inference(self: Tensor) -> bool:
    """Whether the tensor was made in inference mode."""
    return self._meta is not None and self._meta.inference


@function("Tensor._is_view")
def _is_view(self: Tensor) -> bool:
    """Whether the tensor is a differentiable view of another."""
    return self._base is not None
