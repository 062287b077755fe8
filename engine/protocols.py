"""How tensors behave as Python objects: numbers, sequences, copies, text."""

from __future__ import annotations

import copy as copying
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine import dtypes, grad_mode, hooks
from engine.dtypes import Size
from engine.errors import fail
from engine.graph import LEAF
from engine.ops.record import bind, function
from engine.printing import tensor_suffixes, tensor_text
from engine.tensor import Tensor, make, new

for _name in ("register_hook", "register_post_accumulate_grad_hook", "retain_grad"):
    bind(f"Tensor.{_name}", getattr(hooks, _name))
    getattr(hooks, _name).__qualname__ = f"Tensor.{_name}"  # as Python's own errors say it


def retains_grad(self: Tensor) -> bool:
    """Whether this is a result that keeps its gradient."""
    return self._fn is not LEAF and self._meta is not None and self._meta.retains


bind("Tensor.retains_grad", property(retains_grad))


@function("Tensor.item")
def item(self: Tensor) -> Any:
    """Return the one element as a Python number."""
    if not self.shape:
        return self._array.item()
    if self.shape.numel() != 1:
        raise fail(
            "item-of-many",
            f"a Tensor with {self.shape.numel()} elements cannot be converted to Scalar",
        )
    return self._array.item()


@function("Tensor.tolist")
def tolist(self: Tensor) -> Any:
    """Return nested lists of Python numbers."""
    return self._array.tolist()


@function("Tensor.numpy")
def numpy(self: Tensor, *, force: bool = False) -> Any:
    """Return the memory as an array, not copied."""
    if force:
        return np.array(self._array)
    if self.requires_grad and grad_mode.enabled:
        raise fail(
            "numpy-requires-grad",
            "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
        )
    self._shared()
    return self._array.view()


@function("Tensor.__array__")
def __array__(self: Tensor, dtype: Any = None, copy: bool | None = None) -> Any:
    """Let numpy functions take the tensor."""
    array = numpy(self)
    return array if dtype is None else array.astype(dtype)


@function("Tensor.__array_wrap__")
def __array_wrap__(self: Tensor, array: Any, context: Any = None, return_scalar: Any = None) -> Any:
    """Make a tensor of what a numpy function computed of one."""
    array = np.asarray(array)
    return make(array.astype(np.uint8) if array.dtype == bool else array)


@function("Tensor.__bool__")
def __bool__(self: Tensor) -> bool:
    """Return the truth of the one element."""
    if not self.shape:
        return bool(self._array)
    n = self.shape.numel()
    if n != 1:
        how = "more than one value" if n else "no values"
        raise fail("bool-of-many", f"Boolean value of Tensor with {how} is ambiguous")
    return bool(self._array.item())


def _scalar(self: Tensor) -> Any:
    if self.shape.numel() != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    return self._array.item()


@function("Tensor.__float__")
def __float__(self: Tensor) -> float:
    """Return the one element as a float."""
    return float(_scalar(self))


@function("Tensor.__int__")
def __int__(self: Tensor) -> int:
    """Return the one element as an int."""
    return int(_scalar(self))


@function("Tensor.__index__")
def __index__(self: Tensor) -> int:
    """Return the one integer element, for use as an index."""
    if self.dtype.category == 2 or self.shape.numel() != 1:
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return int(self._array.item())


@function("Tensor.__iter__")
def __iter__(self: Tensor) -> Iterator[Tensor]:
    """Iterate over the first dim."""
    if not self.shape:
        raise TypeError("iteration over a 0-d tensor")
    return iter(self.unbind(0))  # type: ignore[attr-defined]


@function("Tensor.__contains__")
def __contains__(self: Tensor, element: Any) -> bool:
    """Whether some element equals a number or a tensor."""
    if not isinstance(element, (Tensor, int, float)):
        raise fail(
            "contains",
            f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a"
            f" {type(element)}.",
        )
    other = element._array if isinstance(element, Tensor) else element
    return bool(np.any(self._array == other))


@function("Tensor.__repr__")
def __repr__(self: Tensor, *, tensor_contents: str | None = None) -> str:
    """Write the tensor as PyTorch does."""
    return tensor_text(np.asarray(self._array), suffixes(self), "tensor(", tensor_contents)


def suffixes(self: Tensor) -> list[str]:
    """Return what follows the numbers: dtype, grad_fn, requires_grad."""
    try:
        node = self.grad_fn
        name = None if node is None else node.name().rpartition("::")[2]
    except RuntimeError:  # a view that may not follow what was written to its base
        name = "Invalid"
    return tensor_suffixes(
        self.shape, repr(self.dtype), repr(dtypes.default), name, self.requires_grad
    )


@function("Tensor.__format__")
def __format__(self: Tensor, spec: str) -> str:
    """Format a 0-d tensor as its number."""
    if not self.shape:
        return format(self._array.item(), spec)
    return object.__format__(self, spec)


@function("Tensor.__deepcopy__")
def __deepcopy__(self: Tensor, memo: dict[int, Any]) -> Tensor:
    """Copy a leaf with its `.grad`."""
    if id(self) in memo:
        return memo[id(self)]  # type: ignore[no-any-return]
    if not self.is_leaf:
        raise fail(
            "deepcopy-of-result",
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy"
            " protocol"
            " at the moment.  If you were attempting to deepcopy a module, this may be because of a"
            " torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001",
        )
    copied = memo[id(self)] = _same(self, np.array(self._array, order="K")[()])
    if self.grad is not None:
        copied._more().grad = copying.deepcopy(self.grad, memo)
    copied.__dict__.update(copying.deepcopy(self.__dict__, memo))
    return copied


def _same(self: Tensor, array: Any) -> Tensor:
    copied: Tensor = new(type(self))
    copied._array = array
    copied.shape = Size(array.shape)
    copied.dtype = self.dtype
    copied._fn = self._fn if self._fn is LEAF else None
    copied._meta = None
    return copied


@function("Tensor.__copy__")
def __copy__(self: Tensor) -> Tensor:
    """Return another tensor of the same memory; a leaf."""
    self._shared()
    copied = _same(self, self._array)
    copied._more().storage = self._shared()
    if self.requires_grad:
        copied._fn = LEAF
    copied.__dict__.update(self.__dict__)
    return copied


@function("Tensor.__reduce_ex__")
def __reduce_ex__(self: Tensor, protocol: Any) -> Any:
    """Pickle a leaf by its numbers."""
    return _rebuild, (type(self), np.array(self._array), self.requires_grad, self.__dict__)


def _rebuild(kind: type[Tensor], array: Any, requires_grad: bool, state: dict[str, Any]) -> Tensor:
    plain = make(array, requires_grad)
    made = _same(plain, plain._array)
    made.__class__ = kind
    made.__dict__.update(state)
    return made
