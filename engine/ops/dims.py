"""Dims as programs give them: negative, in tuples, out of range; and what PyTorch says to that."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops import order

LABELS = dtypes.LEGACY_NAMES

# Looked up once, and without the many overloads of numpy's type stubs.
add_reduce: Any = order.total  # np.add.reduce in PyTorch's order
multiply_reduce: Any = np.multiply.reduce
maximum_reduce: Any = np.maximum.reduce
minimum_reduce: Any = np.minimum.reduce


def wrap_dim(dim: Any, ndim: int, name: str = "") -> int:
    """Return a dim counted from the front; a 0-d tensor takes 0 and -1."""
    if not isinstance(dim, int) or isinstance(dim, bool):
        dim = as_int(dim, name)
    room = ndim or 1
    if not -room <= dim < room:
        raise fail(
            "dim-out-of-range",
            f"Dimension out of range (expected to be in range of [{-room}, {room - 1}], but got"
            f" {dim})",
            IndexError,
            dim=dim,
            ndim=ndim,
        )
    return dim % room  # type: ignore[no-any-return]


def as_int(value: Any, name: str = "") -> int:
    """Return an integer given as an int, a bool, a numpy integer or a tensor of one element."""
    if hasattr(value, "__index__"):
        return int(value.__index__())
    label = f"{name}(): " if name else ""
    raise TypeError(f"{label}argument 'dim' must be int, not {type(value).__name__}")


def wrap_dims(dims: Any, ndim: int, name: str = "") -> tuple[int, ...]:
    """Return dims counted from the front, in their order; a repeated one is refused."""
    found = tuple(dims) if isinstance(dims, (tuple, list)) else (dims,)
    wrapped = tuple(wrap_dim(d, ndim, name) for d in found)
    for i, d in enumerate(wrapped):
        if d in wrapped[:i]:
            raise fail("dim-twice", f"dim {d} appears multiple times in the list of dims", dim=d)
    return wrapped


def reduced_dims(dims: Any, ndim: int, name: str = "") -> tuple[int, ...]:
    """Return the dims a reduction goes over: all of them for None and for ()."""
    if dims is None or (isinstance(dims, (tuple, list)) and len(dims) == 0):
        return tuple(range(ndim))
    return wrap_dims(dims, ndim, name)


def kept_shape(shape: Sequence[int], dims: Any) -> tuple[int, ...]:
    """Return a shape with size 1 in the reduced dims."""
    gone = (dims,) if isinstance(dims, int) else dims
    return tuple(1 if i in gone else n for i, n in enumerate(shape))


def unreduce(grad: Any, shape: Sequence[int], dims: Any, keepdim: bool) -> Any:
    """Give a reduction's gradient its reduced dims back, with size 1."""
    return grad if keepdim else grad.reshape(kept_shape(shape, dims))


def count(shape: Sequence[int], dims: Sequence[int]) -> int:
    """Return over how many elements a reduction goes."""
    n = 1
    for d in dims:
        n *= shape[d] if shape else 1
    return n


def positive_axis(dim: int, array: Any) -> int | None:
    """Return numpy's axis for a dim of an array, None for one without dims."""
    return dim if array.ndim else None


def need_floating(input: Any, message: str) -> None:
    """Refuse integers where PyTorch does; `message` has a place for the type's name."""
    if not input.dtype.is_floating_point:
        raise fail("needs-floating", message.format(LABELS[input.dtype]), dtype=input.dtype.name)


def not_implemented(kernel: str, input: Any) -> Exception:
    """Make the refusal of a dtype that PyTorch has no kernel for."""
    return fail(
        "dtype-not-implemented",
        f"\"{kernel}\" not implemented for '{LABELS[input.dtype]}'",
        NotImplementedError,
        dtype=input.dtype.name,
    )


def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """Return the common shape, or say which sizes do not go together."""
    result: list[int] = []
    for shape in shapes:
        a, b = result, list(shape)
        n = builtins.max(len(a), len(b))
        a = [1] * (n - len(a)) + a
        b = [1] * (n - len(b)) + b
        for i in reversed(range(n)):
            p, q = a[i], b[i]
            if p != q and p != 1 and q != 1:
                raise fail(
                    "shapes-do-not-broadcast",
                    f"The size of tensor a ({p}) must match the size of tensor b ({q}) at"
                    f" non-singleton dimension {i}",
                    a=tuple(a),
                    b=tuple(b),
                )
        result = [q if p == 1 else p for p, q in zip(a, b, strict=True)]
    return tuple(result)


def numpy_names(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a plain function take numpy's `axis` and `keepdims`, as every op does."""

    @wraps(function)
    def inner(*args: Any, **kwargs: Any) -> Any:
        if kwargs:
            for spelt, meant in (("axis", "dim"), ("keepdims", "keepdim"), ("x", "input")):
                if spelt in kwargs:
                    kwargs[meant] = kwargs.pop(spelt)
        return function(*args, **kwargs)

    return inner


ZEROS = {kind: np.zeros((), kind) for kind in dtypes.BY_NUMPY}  # arrays, which ufuncs like best


def filled(value: Any, shape: tuple[int, ...]) -> Any:
    """Return an array with one number everywhere; the number itself where there are no dims."""
    if not shape:
        return value
    array = np.empty(shape, value.dtype)
    array.fill(value)
    return array


def zeros_of(x: Any) -> Any:
    """Return zeros like an array or a tensor, without a history."""
    from engine.tensor import Tensor, make

    if isinstance(x, Tensor):
        return make(np.zeros_like(x._array))
    return np.zeros_like(x)
