"""Filling a tensor with random numbers, in place. Elements are drawn in the order of memory."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes
from engine.ops.record import Array, op
from engine.random import stream_of


def arrange(flat: Any, like: Any) -> Any:
    """Shape drawn numbers as `like`, the first ones where its memory begins."""
    like = np.asarray(like)
    if like.flags.c_contiguous:
        return flat.reshape(like.shape)
    order = sorted(range(like.ndim), key=lambda d: -abs(like.strides[d]))
    drawn = flat.reshape([like.shape[d] for d in order])
    return drawn.transpose(np.argsort(order))


def refuse_dtype(kernel: str, dtype: Any) -> None:
    """Refuse an element type that is not floating point."""
    if not dtype.is_floating_point:
        name = dtypes.LEGACY_NAMES[dtype]
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{name}'")


def draw_uniform(like: Any, low: float, high: float, generator: Any) -> Any:
    """Draw uniform numbers for an array."""
    like = np.asarray(like)
    return arrange(stream_of(generator).uniform(like.size, low, high, like.dtype.type), like)


def draw_normal(like: Any, mean: float, std: float, generator: Any) -> Any:
    """Draw Gaussian numbers for an array."""
    like = np.asarray(like)
    contiguous = like.flags.c_contiguous
    flat = stream_of(generator).normal(like.size, mean, std, like.dtype.type, contiguous)
    return arrange(flat, like)


def draw_integers(like: Any, low: int, high: int, stream: Any) -> Any:
    """Draw integers from [low, high) for an array of any dtype."""
    if like.dtype.kind == "f":
        low, high = _representable(low, high, like.dtype)
    return arrange(stream.integers(like.size, low, high).astype(like.dtype), like)


def _representable(low: int, high: int, dtype: Any) -> tuple[int, int]:
    """Pull bounds that the floating point type would round outwards inwards, as PyTorch does."""
    digits = np.finfo(dtype).nmant + 1
    top = int(dtype.type(high - 1))
    if top >= high:
        high = top - (1 << (abs(high - 1).bit_length() - digits))
    bottom = int(dtype.type(low + 1))
    if bottom < low:
        low = bottom + (1 << (abs(low + 1).bit_length() - digits))
    return low, high


def _one_by_one(like: Any, generator: Any, transform: Any) -> Any:
    """Turn one float64 uniform an element into what is wanted."""
    like = np.asarray(like)
    units = stream_of(generator).unit(like.size).tolist()
    flat = np.array([transform(u) for u in units], np.float64)
    return arrange(flat.astype(like.dtype), like)


def _zero(grad: Any) -> Any:
    return grad * 0


@op(
    "uniform",
    latex=r"\val{result} \sim U(from, to)",
    grad_fn="UniformBackward0",
    binds=("Tensor.uniform_",),
)
def uniform(input: Array, from_: float = 0, to: float = 1, *, generator: Any = None) -> Array:
    """Draw every element uniformly from [from, to)."""
    return draw_uniform(input, from_, to, generator)


@uniform.prepare
def _(input: Any, from_: float, to: float, generator: Any) -> None:
    refuse_dtype("check_uniform_bounds", input.dtype)
    if from_ > to:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={from_:g} > to={to:g}"
        )


uniform.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")(_zero)


@op(
    "normal_fill",
    latex=r"\val{result} \sim \mathcal{N}(mean, std^2)",
    grad_fn="NormalBackward0",
    binds=("Tensor.normal_",),
)
def normal_fill(input: Array, mean: float = 0, std: float = 1, *, generator: Any = None) -> Array:
    """Draw every element from a normal distribution."""
    return draw_normal(input, mean, std, generator)


@normal_fill.prepare
def _(input: Any, mean: float, std: float, generator: Any) -> None:
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    refuse_dtype("normal_kernel_cpu", input.dtype)


normal_fill.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")(_zero)


@op(
    "random_fill",
    latex=r"\val{result} \sim U\{from, \dots, to - 1\}",
    grad_fn=lambda to, **_: "RandomBackward2" if to is None else "RandomBackward0",
    binds=("Tensor.random_",),
)
def random_fill(
    input: Array, from_: int | None = None, to: int | None = None, *, generator: Any = None
) -> Array:
    """Draw every element from the integers in [from, to).

    One bound alone is `to`. Without any, integers as large as the dtype holds exactly.
    """
    like, stream = np.asarray(input), stream_of(generator)
    if to is None and from_ is None:
        span, wide = whole_range(like.dtype)
        words = stream.words64(like.size) if wide else stream.words(like.size)
        return arrange((words % np.uint64(span)).astype(like.dtype), like)
    low, high = (0, from_) if to is None else (from_ or 0, to)
    assert low is not None and high is not None
    return draw_integers(like, low, high, stream)


@random_fill.prepare
def _(input: Any, from_: int | None, to: int | None, generator: Any) -> None:
    if to is not None or from_ is not None:
        low, high = (0, from_) if to is None else (from_ or 0, to)
        check_range(low, high, input.dtype)


random_fill.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")(_zero)


def whole_range(dtype: np.dtype[Any]) -> tuple[int, bool]:
    """Return how many integers random_() draws from, and whether it takes 64-bit draws."""
    if dtype.kind == "f":
        return 2 ** (np.finfo(dtype).nmant + 1) + 1, dtype.itemsize == 8
    if dtype.kind == "b":
        return 2, False
    return int(np.iinfo(dtype).max) + 1, dtype.itemsize == 8


def check_range(low: Any, high: Any, dtype: Any) -> None:
    """Refuse an empty range, and one the dtype cannot hold."""
    if low >= high:
        raise RuntimeError(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        )
    least, most = _limits(dtype.np)
    name = dtypes.SCALAR_NAMES[dtype]
    if not least <= low <= most:
        raise RuntimeError(f"from is out of bounds for {name}")
    if not least <= high - 1 <= most:
        raise RuntimeError(f"to - 1 is out of bounds for {name}")


def _limits(dtype: np.dtype[Any]) -> tuple[int, int]:
    if dtype.kind == "b":
        return 0, 1
    info: Any = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    return int(info.min), int(info.max)


def _refuse_discrete(name: str, dtype: Any, spelling: str) -> None:
    if not dtype.is_floating_point:
        raise RuntimeError(
            f"{name} distribution is a continuous probability distribution. dtype must be a "
            f"floating point but you specified {spelling}"
        )


@op(
    "exponential",
    latex=r"\val{result} \sim \mathrm{Exp}(lambd)",
    grad_fn="ExponentialBackward0",
    binds=("Tensor.exponential_",),
)
def exponential(input: Array, lambd: float = 1, *, generator: Any = None) -> Array:
    """Draw every element from an exponential distribution with rate `lambd`."""
    like = np.asarray(input)
    return arrange(stream_of(generator).exponential(like.size, lambd).astype(like.dtype), like)


@exponential.prepare
def _(input: Any, lambd: float, generator: Any) -> None:
    _refuse_discrete("Exponential", input.dtype, dtypes.LEGACY_NAMES[input.dtype])
    if lambd <= 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}")


exponential.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")(_zero)


@op(
    "geometric",
    latex=r"\val{result} \sim \mathrm{Geo}(p)",
    grad_fn="GeometricBackward0",
    binds=("Tensor.geometric_",),
)
def geometric(input: Array, p: float, *, generator: Any = None) -> Array:
    """Draw for every element the number of trials up to the first success."""
    below = math.log1p(-p)
    # A uniform number u stands for 1 - u, as everywhere in PyTorch's transformations.
    return _one_by_one(input, generator, lambda u: math.ceil(math.log(u) / below) if u else 1.0)


@geometric.prepare
def _(input: Any, p: float, generator: Any) -> None:
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
    if input.dtype is dtypes.bool_:
        raise NotImplementedError("\"geometric_cpu\" not implemented for 'Bool'")


geometric.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")(_zero)


@op(
    "cauchy",
    latex=r"\val{result} \sim \mathrm{Cauchy}(median, sigma)",
    grad_fn="CauchyBackward0",
    binds=("Tensor.cauchy_",),
)
def cauchy(input: Array, median: float = 0, sigma: float = 1, *, generator: Any = None) -> Array:
    """Draw every element from a Cauchy distribution."""
    return _one_by_one(input, generator, lambda u: median + sigma * math.tan(math.pi * (u - 0.5)))


@cauchy.prepare
def _(input: Any, median: float, sigma: float, generator: Any) -> None:
    spelling = {"int64": "long int", "int16": "short int"}.get(
        input.dtype.name, dtypes.SCALAR_NAMES[input.dtype]
    )
    _refuse_discrete("Cauchy", input.dtype, spelling)
    if sigma <= 0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")


cauchy.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")(_zero)


@op(
    "log_normal",
    latex=r"\log \val{result} \sim \mathcal{N}(mean, std^2)",
    grad_fn="LogNormalBackward0",
    binds=("Tensor.log_normal_",),
)
def log_normal(input: Array, mean: float = 1, std: float = 2, *, generator: Any = None) -> Array:
    """Draw every element as the exponential of a normal number."""
    like = np.asarray(input)
    flat = stream_of(generator).normal(like.size, mean, std, np.float64, contiguous=False)
    drawn = np.array([math.exp(v) for v in flat.tolist()], np.float64)
    return arrange(drawn.astype(like.dtype), like)


@log_normal.prepare
def _(input: Any, mean: float, std: float, generator: Any) -> None:
    if std <= 0:
        raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std:g}")
    refuse_dtype("log_normal_cpu", input.dtype)


log_normal.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")(_zero)
