"""Whole numbers and neighbours: gcd, lcm, nextafter; parts of numbers that are real anyway."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops.compare import where, zero_like
from engine.ops.dims import not_implemented, numpy_names, wrap_dim, zeros_of
from engine.ops.maximum import need_tensor
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, T, any_shape
from engine.tensor import Tensor


def _whole() -> list[Sample]:
    return [Sample((T([12, 5, -8], "int64"), T([18, 0, 4], "int64")))]


def _need_whole(name: str, *operands: Any) -> None:
    for x in operands:
        if isinstance(x, Tensor) and x.dtype.is_floating_point:
            raise not_implemented(name, x)


@op(
    "gcd",
    latex=r"\val{result} = \gcd(\val{input}, \val{other})",
    binds=("torch.gcd", "torch.gcd_", "Tensor.gcd", "Tensor.gcd_"),
    samples=_whole,
    promote="arithmetic",
)
def gcd(input: Array, other: Array) -> Array:
    """Find the greatest common divisor.

    >>> torch.gcd(torch.tensor([12]), torch.tensor([18]))
    tensor([6])
    """
    return np.gcd(input, other)


@gcd.prepare
def _(input: Any, other: Any) -> None:
    _need_whole("gcd_cpu", input, other)


@op(
    "lcm",
    latex=r"\val{result} = \operatorname{lcm}(\val{input}, \val{other})",
    binds=("torch.lcm", "torch.lcm_", "Tensor.lcm", "Tensor.lcm_"),
    samples=_whole,
    promote="arithmetic",
)
def lcm(input: Array, other: Array) -> Array:
    """Find the least common multiple.

    >>> torch.lcm(torch.tensor([4]), torch.tensor([6]))
    tensor([12])
    """
    return np.lcm(input, other)


@lcm.prepare
def _(input: Any, other: Any) -> None:
    _need_whole("lcm_cpu", input, other)


@op(
    "nextafter",
    latex=r"\val{result} = \text{the next number after } \val{input} \text{ towards } \val{other}",
    grad_fn="NextafterBackward0",
    binds=("torch.nextafter", "Tensor.nextafter", "Tensor.nextafter_"),
    samples=lambda: [
        Sample((T([1.0, 2.0, 3.0]), T([0.5, 3.0, 1.0]))),
    ],
    promote="arithmetic",
)
def nextafter(input: Array, other: Array) -> Array:
    """Find the next representable number in the direction of another.

    >>> torch.nextafter(torch.tensor([1.]), torch.tensor([2.])) > 1
    tensor([True])
    """
    return np.nextafter(input, other)


@nextafter.prepare
def _(input: Any, other: Any) -> None:
    need_tensor("nextafter", other)
    kind = dtypes.result_type([input, other])
    if not kind.is_floating_point or kind is dtypes.float16:
        raise fail(
            "dtype-not-implemented",
            f"\"nextafter_cpu\" not implemented for '{dtypes.LEGACY_NAMES[kind]}'",
            NotImplementedError,
            dtype=kind.name,
        )


@nextafter.vjp("input", latex=r"\grad{input} = \grad{result} \odot [\val{input} \ne \val{other}]")
def _(grad: Any, input: Any, other: Any) -> Any:
    return where(input != other, grad, zero_like(grad))


@nextafter.vjp("other", latex=r"\grad{other} = 0 \cdot \grad{result}")
def _(grad: Any) -> Any:
    return zeros_of(grad)


@op(
    "angle",
    latex=r"\val{result} = [\val{input} < 0]\,\pi",
    grad_fn="AngleBackward0",
    binds=("torch.angle", "Tensor.angle"),
    samples=any_shape,
    promote="float",
)
def angle(input: Array) -> Array:
    """Give pi for negative numbers and 0 for the others.

    >>> torch.angle(torch.tensor([-1., 1.]))
    tensor([3.1416, 0.0000])
    """
    turned = np.where(input < 0, input.dtype.type(np.pi), input.dtype.type(0))
    return np.where(input != input, input, turned)[()]


@angle.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")
def _(grad: Any) -> Any:
    return grad * zero_like(grad)


@function("torch.real", "torch.conj", "torch.conj_physical", "torch.resolve_conj",
          "torch.resolve_neg", "Tensor.conj", "Tensor.conj_physical", "Tensor.resolve_conj",
          "Tensor.resolve_neg")  # fmt: skip
def real(input: Tensor) -> Tensor:
    """Return the tensor itself: real numbers have no other part."""
    return input


@function("Tensor.sum_to_size")
def sum_to_size(input: Any, *size: Any) -> Tensor:
    """Add up the dims that an expansion from `size` would have repeated."""
    from engine.ops.sizes import sizes

    target = sizes(size)
    lead = input.ndim - len(target)
    fits = lead >= 0 and all(
        n in (1, m) for n, m in zip(target, input.shape[max(lead, 0) :], strict=False)
    )
    if not fits:
        raise fail(
            "sum-to-size",
            f"size {{{list(target)}}} is not expandable to size {{{list(input.shape)}}}.",
        )
    dims = [*range(lead), *(i + lead for i, n in enumerate(target) if n != input.shape[i + lead])]
    result: Any = input.sum(tuple(dims), keepdim=True) if dims else input
    return result.view(target) if lead else result  # type: ignore[no-any-return]


def _spacings(spacing: Any, dims: list[int]) -> list[Any]:
    if spacing is None:
        spacing = 1
    if isinstance(spacing, (list, tuple)):
        return list(spacing)
    return [spacing] * len(dims)


@function("torch.gradient")
@numpy_names
def gradient(
    input: Any, *, spacing: Any = 1, dim: Any = None, edge_order: int = 1
) -> tuple[Tensor, ...]:
    """Estimate derivatives along dims: central differences inside, one-sided ones at the ends."""
    if edge_order not in (1, 2):
        raise fail("gradient", "torch.gradient only supports edge_order=1 and edge_order=2.")
    dims = list(range(input.ndim)) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    dims = [wrap_dim(d, input.ndim) for d in dims]
    return tuple(
        _derivative(input, d, step, edge_order)
        for d, step in zip(dims, _spacings(spacing, dims), strict=True)
    )


def _derivative(input: Any, d: int, step: Any, edge_order: int) -> Tensor:
    from engine.ops.joining import cat
    from engine.ops.pieces import slice_dim

    n = input.shape[d]
    if n < edge_order + 1:
        raise fail("gradient", "torch.gradient expected each dimension size to be at least"
                   " edge_order+1")  # fmt: skip

    def at(start: int, end: int) -> Any:
        return slice_dim(input, d, start, end, 1)

    if isinstance(step, Tensor):
        return _uneven(at, n, step, input, d, edge_order)
    first = (at(1, 2) - at(0, 1)) / step
    last = (at(n - 1, n) - at(n - 2, n - 1)) / step
    if edge_order == 2:
        first = (at(0, 1) * -1.5 + at(1, 2) * 2 - at(2, 3) * 0.5) / step
        last = (at(n - 1, n) * 1.5 - at(n - 2, n - 1) * 2 + at(n - 3, n - 2) * 0.5) / step
    inside = (at(2, n) - at(0, n - 2)) / step / 2
    result: Tensor = cat([first, inside, last], d)
    return result


def _uneven(at: Any, n: int, places: Any, input: Any, d: int, edge_order: int) -> Tensor:
    """Estimate a derivative where points lie at given places."""
    from engine.ops.joining import cat

    shape = [1] * input.ndim
    shape[d] = -1
    gaps = (places[1:] - places[:-1]).reshape(shape)
    before, after = (x.narrow(d, 0, n - 2) for x in (gaps, gaps.narrow(d, 1, n - 2)))
    whole = before + after
    inside = (
        at(0, n - 2) * -after / (before * whole)
        + at(1, n - 1) * (after - before) / (before * after)
        + at(2, n) * before / (after * whole)
    )
    first = (at(1, 2) - at(0, 1)) / gaps.narrow(d, 0, 1)
    last = (at(n - 1, n) - at(n - 2, n - 1)) / gaps.narrow(d, n - 2, 1)
    if edge_order == 2:
        points = [at(0, 1), at(1, 2), at(2, 3)]
        first = _parabola(points, gaps.narrow(d, 0, 1), gaps.narrow(d, 1, 1))
        points = [at(n - 1, n), at(n - 2, n - 1), at(n - 3, n - 2)]
        last = -_parabola(points, gaps.narrow(d, n - 2, 1), gaps.narrow(d, n - 3, 1))
    result: Tensor = cat([first, inside, last], d)
    return result


def _parabola(points: list[Any], near: Any, far: Any) -> Any:
    """Return the slope, at the first of three points, of the parabola through them."""
    whole = near + far
    return (
        points[0] * -(near + whole) / (near * whole)
        + points[1] * whole / (near * far)
        - points[2] * near / (far * whole)
    )
