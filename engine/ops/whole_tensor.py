"""A tensor as a whole: questions, its memory as an object, Python functions on elements."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import dtypes, grad_mode
from engine.errors import fail, unsupported
from engine.ops.inplace import fill_from
from engine.ops.record import bind, function
from engine.tensor import Tensor, make

NEVER = ("is_sparse", "is_sparse_csr", "is_quantized", "is_meta", "is_mkldnn", "is_mps", "is_xpu",
    "is_nested", "is_vulkan", "is_xla", "is_ipu", "is_mtia", "is_maia")  # fmt: skip

for _name in NEVER:
    bind("Tensor." + _name, property(lambda self: False, doc="Always False."))
bind("Tensor.is_cpu", property(lambda self: True, doc="Always True."))


@function("torch.is_nonzero", "Tensor.is_nonzero")
def is_nonzero(input: Tensor) -> bool:
    """Whether the one element is not zero."""
    return bool(input)


@function("torch.is_same_size", "Tensor.is_same_size")
def is_same_size(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have one shape."""
    return input.shape == other.shape


@function("torch.is_conj", "Tensor.is_conj", "torch.is_neg", "Tensor.is_neg")
def is_conj(input: Tensor) -> bool:
    """Whether the elements are kept conjugated or negated: never, here."""
    return False


@function("Tensor.is_pinned", "Tensor.is_shared", "torch.is_distributed", "Tensor.is_distributed")
def is_pinned(self: Tensor) -> bool:
    """Whether the memory is a special one: never, here."""
    return False


@function("Tensor.is_set_to")
def is_set_to(self: Tensor, tensor: Tensor) -> bool:
    """Whether two tensors are the same memory in the same shape."""
    same = memory_of(self) is memory_of(tensor) and self.shape == tensor.shape
    return same and self._array.strides == tensor._array.strides


def _real(self: Tensor) -> Tensor:
    """Return the tensor itself: its elements are real."""
    return self


def _imag(self: Tensor) -> Tensor:
    """Refuse: the elements are real."""
    raise fail("imag", "imag is not implemented for tensors with non-complex dtypes.")


bind("Tensor.real", property(_real))
bind("Tensor.imag", property(_imag))
function("torch.imag")(_imag)


def memory_of(self: Tensor) -> Any:
    """Return the array that owns a tensor's memory."""
    self._shared()
    array = self._array
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


class UntypedStorage:
    """A tensor's memory as bytes."""

    def __init__(self, array: Any) -> None:
        self._bytes = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        self._address = array.__array_interface__["data"][0]

    def __len__(self) -> int:
        return len(self._bytes)

    def __getitem__(self, index: Any) -> Any:
        return self._bytes[index].item()

    def nbytes(self) -> int:
        """Return the number of bytes."""
        return len(self)

    size = nbytes

    def data_ptr(self) -> int:
        """Return the address of the first byte."""
        return self._address  # type: ignore[no-any-return]

    def tolist(self) -> list[int]:
        """Return the bytes as a list."""
        return self._bytes.tolist()

    def __repr__(self) -> str:
        lines = "\n ".join(map(str, self.tolist()))
        return f" {lines}\n[torch.storage.UntypedStorage(device=cpu) of size {len(self)}]"


class TypedStorage:
    """A tensor's memory as elements, in the order they lie there."""

    def __init__(self, array: Any, dtype: dtypes.dtype) -> None:
        self._array = array.reshape(-1)
        self._whole = array
        self.dtype = dtype

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, index: Any) -> Any:
        return self._array[index].item()

    def __setitem__(self, index: Any, value: Any) -> None:
        self._array[index] = value

    def size(self) -> int:
        """Return the number of elements."""
        return len(self)

    def nbytes(self) -> int:
        """Return the number of bytes."""
        return int(self._array.nbytes)

    def data_ptr(self) -> int:
        """Return the address of the first element."""
        return self._whole.__array_interface__["data"][0]  # type: ignore[no-any-return]

    def tolist(self) -> list[Any]:
        """Return the elements as a list."""
        return self._array.tolist()  # type: ignore[no-any-return]

    def untyped(self) -> UntypedStorage:
        """Return the same memory as bytes."""
        return UntypedStorage(self._whole)

    def __repr__(self) -> str:
        lines = "\n ".join(map(str, self.tolist()))
        kind = f"dtype={self.dtype}, device=cpu"
        return f" {lines}\n[torch.storage.TypedStorage({kind}) of size {len(self)}]"


UntypedStorage.__module__ = TypedStorage.__module__ = "torch.storage"


@function("Tensor.untyped_storage")
def untyped_storage(self: Tensor) -> UntypedStorage:
    """Return the tensor's memory as bytes."""
    return UntypedStorage(memory_of(self))


@function("Tensor.storage")
def storage(self: Tensor) -> TypedStorage:
    """Return the tensor's memory as elements."""
    warnings.warn(
        "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be"
        " the only storage class. This should only matter to you if you are using storages"
        " directly.  To access UntypedStorage directly, use tensor.untyped_storage() instead of"
        " tensor.storage()",
        UserWarning,
        stacklevel=3,
    )
    return TypedStorage(memory_of(self), self.dtype)


@function("Tensor.apply_")
def apply_(self: Tensor, callable: Callable[[Any], Any]) -> Tensor:
    """Replace each element by what a Python function makes of it."""
    if grad_mode.enabled and self.requires_grad:
        raise fail("apply-with-grad", "Can't call apply_() on Variable that requires grad. Use"
            " var.detach().apply_() instead.", TypeError)  # fmt: skip
    made = [callable(v) for v in self._array.ravel().tolist()]
    return fill_from(self, np.array(made, self.dtype.np).reshape(self.shape), "fill_")


@function("Tensor.map_")
def map_(self: Tensor, other: Tensor, callable: Callable[[Any, Any], Any]) -> Tensor:
    """Replace each element by what a Python function makes of it and the other's element."""
    if self.requires_grad or other.requires_grad:
        raise fail("map-with-grad", "Can't call map_() on Variable that requires grad. Use"
            " var.detach().map_() instead.", TypeError)  # fmt: skip
    right = np.broadcast_to(other._array, self.shape).ravel().tolist()
    pairs = zip(self._array.ravel().tolist(), right, strict=True)
    made = [callable(a, b) for a, b in pairs]
    return fill_from(self, np.array(made, self.dtype.np).reshape(self.shape), "fill_")


@function("torch.nonzero_static", "Tensor.nonzero_static")
def nonzero_static(input: Tensor, *, size: int, fill_value: int = -1) -> Tensor:
    """List the indices of the first `size` elements that are not zero; fill up with one number."""
    found = np.argwhere(np.asarray(input._array))[:size]
    rows = np.full((size, input.ndim), fill_value, np.int64)
    rows[: len(found)] = found
    return make(rows)


@function("torch.frombuffer")
def frombuffer(
    buffer: Any,
    *,
    dtype: dtypes.dtype,
    count: int = -1,
    offset: int = 0,
    requires_grad: bool = False,
) -> Tensor:
    """Make a tensor that shares memory with a buffer."""
    if not len(buffer):
        raise fail("frombuffer", f"both buffer length ({len(buffer)}) and count ({count}) must not"
            " be 0", ValueError)  # fmt: skip
    return make(np.frombuffer(buffer, dtype.np, count, offset), requires_grad, "frombuffer")


def _left_out(name: str) -> Callable[..., Any]:
    def refuse(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        raise unsupported(f"Tensor.{name}")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = "Refuse: this part of PyTorch is left out."
    return refuse


for _name in ("to_sparse", "to_sparse_coo", "to_sparse_csr", "to_mkldnn", "bfloat16", "cfloat",
    "cdouble", "chalf", "stft", "istft", "to_dense"):  # fmt: skip
    function("Tensor." + _name)(_left_out(_name))
