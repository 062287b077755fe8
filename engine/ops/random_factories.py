"""New tensors of random numbers: rand, randn, randint, randperm, normal and their like."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.dtypes import dtype
from engine.errors import unsupported
from engine.ops.create import is_int, size_of
from engine.ops.dims import zeros_of
from engine.ops.fill_random import (
    check_range,
    draw_integers,
    draw_normal,
    draw_uniform,
    refuse_dtype,
)
from engine.ops.out import deliver
from engine.ops.record import Array, function, op
from engine.random import stream_of
from engine.tensor import Tensor, make

_TYPED = (
    "Tensor out = None, torch.dtype dtype = None, torch.layout layout = None, "
    "torch.device device = None, bool pin_memory = False, bool requires_grad = False)"
)


def _both(arguments: str) -> list[str]:
    return [f"({arguments}, *, torch.Generator generator, {_TYPED}", f"({arguments}, *, {_TYPED}"]


_SIZED = _both("tuple of ints size")
_RANGED = _both("int high, tuple of ints size") + _both("int low, int high, tuple of ints size")


def _no_match(name: str, args: Any, kwargs: dict[str, Any], expected: list[str]) -> TypeError:
    given = [type(arg).__name__ for arg in args]
    given += [f"{key}={type(value).__name__}" for key, value in kwargs.items()]
    lines = "".join(f" * {signature}\n" for signature in expected)
    return TypeError(
        f"{name}() received an invalid combination of arguments - got ({', '.join(given)}), "
        f"but expected one of:\n{lines}"
    )


def read_size(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[int, ...]:
    """Turn `f(2, 3)`, `f((2, 3))` and `f(size=(2, 3))` into a tuple of ints."""
    if "size" in kwargs:
        args = (kwargs.pop("size"), *args)
    if not args:
        raise _no_match(name, args, kwargs, _SIZED)
    return size_of(name, args)


class _Options:
    """The keyword arguments all factories share."""

    def __init__(self, name: str, args: Any, kwargs: dict[str, Any], expected: list[str]) -> None:
        given = dict(kwargs)
        self.generator = given.pop("generator", None)
        self.dtype: dtype | None = given.pop("dtype", None)
        self.requires_grad = given.pop("requires_grad", False)
        self.out: Tensor | None = given.pop("out", None)
        device = given.pop("device", None)
        if device is not None and str(device).partition(":")[0] != "cpu":
            raise unsupported(f"device {device}")
        for ignored in ("layout", "pin_memory", "memory_format"):
            given.pop(ignored, None)
        if given or (self.generator is not None and not hasattr(self.generator, "_stream")):
            raise _no_match(name, args, kwargs, expected)

    def finish(self, array: Any, how: str) -> Tensor:
        """Wrap the numbers, or write them into `out`."""
        if self.out is None:
            return make(array, self.requires_grad, how)
        return deliver(make(array), self.out)


@function("torch.rand")
def rand(*size: Any, **options: Any) -> Tensor:
    """Make a tensor of numbers drawn uniformly from [0, 1); floating point only."""
    shape = read_size("rand", size, options)
    o = _Options("rand", size, options, _SIZED)
    refuse_dtype("check_uniform_bounds", o.dtype or dtypes.default)
    like = np.empty(shape, (o.dtype or dtypes.default).np)
    return o.finish(draw_uniform(like, 0, 1, o.generator), "rand")


@function("torch.randn")
def randn(*size: Any, **options: Any) -> Tensor:
    """Make a tensor of standard normal numbers; floating point only."""
    shape = read_size("randn", size, options)
    o = _Options("randn", size, options, _SIZED)
    refuse_dtype("normal_kernel_cpu", o.dtype or dtypes.default)
    like = np.empty(shape, (o.dtype or dtypes.default).np)
    return o.finish(draw_normal(like, 0, 1, o.generator), "randn")


@function("torch.randint")
def randint(*bounds: Any, **options: Any) -> Tensor:
    """Make a tensor of integers: `randint(high, size)` or `randint(low, high, size)`.

    `low` is 0 when not given, `high` is left out. The dtype is int64 unless given.
    """
    given = dict(options)
    args = list(bounds)
    low = given.pop("low", None)
    high = given.pop("high", None)
    size = given.pop("size", None)
    if args and size is None:
        size = args.pop()
    if args and high is None:
        high = args.pop()
    if args and low is None:
        low = args.pop()
    low = 0 if low is None else low
    if args or not is_int(low) or not is_int(high) or not isinstance(size, (tuple, list)):
        raise _no_match("randint", bounds, options, _RANGED)
    o = _Options("randint", bounds, given, _RANGED)
    kind = o.dtype or dtypes.int64
    shape = size_of("randint", (size,))
    return o.finish(_integers(np.empty(shape, kind.np), low, high, kind, o), "randint")


def _integers(like: Any, low: int, high: int, kind: dtype, o: _Options) -> Any:
    check_range(low, high, kind)
    return draw_integers(like, int(low), int(high), stream_of(o.generator))


@function("torch.randperm")
def randperm(n: int, **options: Any) -> Tensor:
    """Make a random order of 0 … n - 1, int64 unless a dtype is given."""
    if not is_int(n):
        raise TypeError(
            f"randperm(): argument 'n' (position 1) must be int, not {type(n).__name__}"
        )
    o = _Options("randperm", (n,), options, [])
    size_of("randperm", (n,))
    drawn = stream_of(o.generator).permutation(int(n))
    return o.finish(drawn.astype((o.dtype or dtypes.int64).np), "randperm")


def _like(name: str, input: Any, options: dict[str, Any]) -> tuple[_Options, dtype, Any]:
    if not isinstance(input, Tensor):
        raise TypeError(
            f"{name}(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}"
        )
    o = _Options(name, (input,), options, [])
    kind = o.dtype or input.dtype
    return o, kind, np.empty_like(input._array, kind.np)


@function("torch.rand_like")
def rand_like(input: Tensor, **options: Any) -> Tensor:
    """Make a tensor like `input` of numbers drawn uniformly from [0, 1)."""
    o, kind, like = _like("rand_like", input, options)
    refuse_dtype("check_uniform_bounds", kind)
    return o.finish(draw_uniform(like, 0, 1, o.generator), "rand_like")


@function("torch.randn_like")
def randn_like(input: Tensor, **options: Any) -> Tensor:
    """Make a tensor like `input` of standard normal numbers."""
    o, kind, like = _like("randn_like", input, options)
    refuse_dtype("normal_kernel_cpu", kind)
    return o.finish(draw_normal(like, 0, 1, o.generator), "randn_like")


@function("torch.randint_like")
def randint_like(input: Tensor, *bounds: int, **options: Any) -> Tensor:
    """Make a tensor like `input` of integers from [low, high)."""
    low, high = options.pop("low", 0), options.pop("high", None)
    low, high = bounds if len(bounds) == 2 else (low, bounds[0] if bounds else high)
    o, kind, like = _like("randint_like", input, options)
    return o.finish(_integers(like, low, high, kind, o), "randint_like")


# -- normal numbers with means and deviations of their own


@op(
    "normal_around",
    latex=r"\val{result} \sim \mathcal{N}(\val{mean}, std^2)",
    grad_fn="NormalBackward1",
)
def normal_around(mean: Array, std: float = 1, generator: Any = None) -> Array:
    """Draw every element around its own mean."""
    return draw_normal(np.empty_like(mean), 0, std, generator) + mean


@op(
    "normal_spread",
    latex=r"\val{result} \sim \mathcal{N}(mean, \val{std}^2)",
    grad_fn="NormalBackward2",
)
def normal_spread(std: Array, mean: float, generator: Any = None) -> Array:
    """Draw every element with its own deviation."""
    return draw_normal(np.empty_like(std), 0, 1, generator) * std + std.dtype.type(mean)


@op(
    "normal_pair",
    latex=r"\val{result} \sim \mathcal{N}(\val{mean}, \val{std}^2)",
    grad_fn="NormalBackward3",
)
def normal_pair(mean: Array, std: Array, generator: Any = None) -> Array:
    """Draw every element with its own mean and deviation; shapes broadcast."""
    like = np.empty(np.broadcast_shapes(mean.shape, std.shape), mean.dtype)
    return draw_normal(like, 0, 1, generator) * std + mean


def _zero(grad: Any) -> Any:
    return zeros_of(grad)


for _op, _inputs in ((normal_around, "mean"), (normal_spread, "std"), (normal_pair, "mean std")):
    for _wrt in _inputs.split():
        _op.vjp(_wrt, latex=rf"\grad{{{_wrt}}} = 0 \cdot \grad{{result}}")(_zero)


@function("torch.normal")
def normal(mean: Any = 0.0, std: Any = 1.0, size: Any = None, **options: Any) -> Tensor:
    """Draw from normal distributions: tensors of means and deviations, or numbers and a size."""
    generator = options.get("generator")
    if isinstance(std, Tensor):
        if bool((std._array < 0).any()):
            raise RuntimeError("normal expects all elements of std >= 0.0")
    elif std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    if isinstance(mean, Tensor):
        refuse_dtype("normal_kernel_cpu", mean.dtype)
        if isinstance(std, Tensor):
            _check_pair(tuple(mean.shape), tuple(std.shape))
            return normal_pair(mean, std, generator)  # type: ignore[no-any-return]
        return normal_around(mean, std, generator)  # type: ignore[no-any-return]
    if isinstance(std, Tensor):
        return normal_spread(std, mean, generator)  # type: ignore[no-any-return]
    if size is None:
        raise _no_match("normal", (mean, std), options, _NORMAL)
    shape = read_size("normal", (size,), {})
    o = _Options("normal", (mean, std, size), options, _NORMAL)
    kind = o.dtype or dtypes.default
    refuse_dtype("normal_kernel_cpu", kind)
    return o.finish(draw_normal(np.empty(shape, kind.np), mean, std, o.generator), "normal")


def _check_pair(mean: tuple[int, ...], std: tuple[int, ...]) -> None:
    count = min(len(mean), len(std))
    for i in range(1, count + 1):
        if mean[-i] != std[-i] and 1 not in (mean[-i], std[-i]):
            raise RuntimeError(
                f"The size of tensor a ({mean[-i]}) must match the size of tensor b ({std[-i]}) "
                f"at non-singleton dimension {max(len(mean), len(std)) - i}"
            )


_NORMAL = [
    "(Tensor mean, Tensor std, *, torch.Generator generator = None, Tensor out = None)",
    "(Tensor mean, float std = 1, *, torch.Generator generator = None, Tensor out = None)",
    "(float mean, Tensor std, *, torch.Generator generator = None, Tensor out = None)",
    "(float mean, float std, tuple of ints size, *, torch.Generator generator = None, " + _TYPED,
]
