"""Element types, sizes and devices: `torch.dtype`, `torch.Size`, `torch.device` and promotion."""

from __future__ import annotations

from typing import Any

import numpy as np


class dtype:
    """An element type; compared by identity, as PyTorch's."""

    __slots__ = (
        "__weakref__",
        "arrays",
        "category",
        "is_complex",
        "is_floating_point",
        "itemsize",
        "name",
        "np",
        "scalars",
    )

    def __init__(self, name: str, np_type: Any, category: int) -> None:
        self.name = name
        self.np = np.dtype(np_type)
        self.category = category  # 0 bool, 1 integer, 2 floating: a higher one always wins
        self.is_floating_point = category == 2
        self.is_complex = False
        self.itemsize = self.np.itemsize
        # Python numbers in this type, as scalars and as 0-d arrays; None where promotion may change
        # the type. Making them anew costs more than using them.
        self.scalars: dict[float, Any] | None = {} if self.is_floating_point else None
        self.arrays: dict[float, Any] | None = {} if self.is_floating_point else None

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return self.name

    @property
    def is_signed(self) -> bool:
        """Whether negative numbers can be held."""
        return self.np.kind in "if"

    def to_complex(self) -> dtype:
        """Refuse: there are no complex tensors here."""
        from engine.errors import unsupported

        raise unsupported("complex tensors")


bool_ = dtype("bool", np.bool_, 0)
uint8 = dtype("uint8", np.uint8, 1)
int8 = dtype("int8", np.int8, 1)
int16 = short = dtype("int16", np.int16, 1)
int32 = int_ = dtype("int32", np.int32, 1)
int64 = long = dtype("int64", np.int64, 1)
float16 = half = dtype("float16", np.float16, 2)
float32 = float_ = dtype("float32", np.float32, 2)
float64 = double = dtype("float64", np.float64, 2)

ALL = (bool_, uint8, int8, int16, int32, int64, float16, float32, float64)
BY_NUMPY: dict[np.dtype[Any], dtype] = {d.np: d for d in ALL}
# What PyTorch's printed types and legacy constructors call them: torch.FloatTensor …
LEGACY_NAMES = {
    bool_: "Bool", uint8: "Byte", int8: "Char", int16: "Short", int32: "Int",
    int64: "Long", float16: "Half", float32: "Float", float64: "Double",
}  # fmt: skip
SCALAR_NAMES = {
    bool_: "bool", uint8: "unsigned char", int8: "signed char", int16: "short", int32: "int",
    int64: "long", float16: "c10::Half", float32: "float", float64: "double",
}  # fmt: skip

default = float32


def set_default_dtype(d: dtype) -> None:
    """Make `d` the type of floating-point tensors made from Python numbers."""
    global default
    if not isinstance(d, dtype):
        raise TypeError("invalid dtype object")
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    default = d


def get_default_dtype() -> dtype:
    """Return the type of floating-point tensors made from Python numbers."""
    return default


def of_number(value: Any) -> dtype:
    """Return the type a tensor made from this Python number has."""
    if isinstance(value, bool):
        return bool_
    return int64 if isinstance(value, int) else default


def promote_types(a: dtype, b: dtype) -> dtype:
    """Return the smallest type both can be converted to."""
    if a is b:
        return a
    if a.category != b.category:
        return a if a.category > b.category else b
    if a.category == 2:
        return a if a.itemsize > b.itemsize else b
    return BY_NUMPY[np.promote_types(a.np, b.np)]


def can_cast(source: dtype, target: dtype) -> bool:
    """Whether an in-place result of type `source` may be written to a tensor of type `target`."""
    return source.category <= target.category


def result_type(operands: Any) -> dtype:
    """Return the type of an operation: tensors with dims rule over 0-d ones, those over numbers.

    An operand of a weaker kind only counts when its category (bool, integer, floating) is higher.
    """
    best: list[dtype | None] = [None, None, None]  # dims, no dims, numbers
    for x in operands:
        if hasattr(x, "dtype"):
            rank = 0 if x.shape else 1
            kind = x.dtype
        else:
            rank, kind = 2, of_number(x)
        seen = best[rank]
        best[rank] = kind if seen is None else promote_types(seen, kind)
    result: dtype | None = None
    for kind in best:
        if kind is not None and (result is None or kind.category > result.category):
            result = kind
    assert result is not None
    return result


class Size(tuple):  # type: ignore[type-arg]
    """A shape: a tuple of int that prints as torch.Size and knows its number of elements."""

    __slots__ = ()

    def __new__(cls, sizes: Any = ()) -> Size:
        """Make a size of integers."""
        made = tuple(sizes)
        for i, n in enumerate(made):
            if not isinstance(n, int):
                raise TypeError(
                    f"torch.Size() takes an iterable of 'int' (item {i} is '{type(n).__name__}')"
                )
        return tuple.__new__(cls, made)

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    __str__ = __repr__

    def numel(self) -> int:
        """Return the product of the sizes."""
        n = 1
        for size in self:
            n *= size
        return n

    def __getitem__(self, index: Any) -> Any:
        got = tuple.__getitem__(self, index)
        return Size(got) if isinstance(index, slice) else got

    def __add__(self, other: Any) -> Size:
        return Size(tuple.__add__(self, tuple(other)))

    def __radd__(self, other: Any) -> Size:
        return Size(tuple(other) + tuple(self))

    def __mul__(self, times: Any) -> Size:
        return Size(tuple.__mul__(self, times))

    __rmul__ = __mul__


# Sizes seen before, so that results of one shape share one object: making one takes as long as an
# addition, and shapes that are the same object need no comparison.
SIZES: dict[tuple[int, ...], Size] = {}


def sized(shape: tuple[int, ...]) -> Size:
    """Return a shape as a Size, the same object for the same shape."""
    found = SIZES.get(shape)
    if found is None:
        if len(SIZES) > 4096:
            SIZES.clear()
        found = SIZES[tuple(shape)] = tuple.__new__(Size, shape)
    return found


class device:
    """Where a tensor lives; only `cpu` exists here."""

    __slots__ = ("index", "type")

    def __init__(self, type: Any = "cpu", index: int | None = None) -> None:
        if isinstance(type, device):
            type, index = type.type, type.index  # type: ignore[has-type]
        name, _, number = str(type).partition(":")
        if name not in ("cpu", "cuda", "mps", "xpu", "meta"):
            raise RuntimeError(
                "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga,"
                " maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start"
                f" of device string: {name}"
            )
        self.type = name
        self.index = int(number) if number else index

    def __repr__(self) -> str:
        tail = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{tail})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and other.type == self.type and other.index == self.index

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __enter__(self) -> device:
        return self

    def __exit__(self, *exc: object) -> None:
        pass


class _Symbol:
    """A constant that prints as its PyTorch name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"torch.{self.name}"


class layout(_Symbol):
    """How elements are laid out; only `torch.strided` exists here."""

    __slots__ = ()


class memory_format(_Symbol):
    """The order of dims in memory."""

    __slots__ = ()


strided = layout("strided")
contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")
channels_last = memory_format("channels_last")
CPU = device("cpu")


for _public in (Size, dtype, device, layout, memory_format):
    _public.__module__ = "torch"
