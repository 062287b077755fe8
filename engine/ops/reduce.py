"""Sums, means and products."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes, grad_mode
from engine.dtypes import LEGACY_NAMES
from engine.errors import fail
from engine.ops import accurate
from engine.ops.arithmetic import div_number
from engine.ops.dims import (
    add_reduce,
    count,
    filled,
    maximum_reduce,
    multiply_reduce,
    reduced_dims,
    unreduce,
    wrap_dim,
    zeros_of,
)
from engine.ops.expanding import expand
from engine.ops.joining import cat
from engine.ops.pieces import slice_dim
from engine.ops.pointwise import exp
from engine.ops.record import Array, op
from engine.ops.samples import Sample, T, any_shape, t
from engine.tensor import Tensor


def reductions() -> list[Sample]:
    """One tensor reduced as a whole, over one dim, over several, with and without keeping them."""
    x = t(2, 3)
    ways: list[dict[str, Any]] = [{"dim": 0}, {"dim": -1, "keepdim": True}, {"dim": (0, 1)}]
    return [*any_shape(), *(Sample((x,), w) for w in ways)]


def _along(dim: Any, array: Any) -> Any:
    return dim if array.ndim else None


def _keep(result: Any, input: Any, dim: Any, keepdim: bool) -> Any:
    """Give a whole reduction its dims back where they are to be kept."""
    return result.reshape((1,) * input.ndim) if dim is None and keepdim else result


def accumulate_type(array: Any) -> Any:
    """Return the type PyTorch sums in: int64 for integers and truth values."""
    return np.int64 if array.dtype.kind in "iub" else array.dtype


@op(
    "sum",
    latex=r"\val{result} = \sum \val{input}",
    grad_fn=lambda dim, keepdim, **_: f"SumBackward{0 if dim is None and not keepdim else 1}",
    binds=("torch.sum", "Tensor.sum"),
    samples=reductions,
)
def sum_dims(input: Array, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Array:
    """Add up all elements, or those along dims.

    >>> torch.sum(torch.tensor([[1., 2.], [3., 4.]]), dim=0)
    tensor([4., 6.])
    """
    kind = accumulate_type(input) if dtype is None else dtype.np
    if dim is None or not input.ndim:
        return _keep(add_reduce(input, None, kind), input, dim, keepdim)
    return add_reduce(input, dim, kind, None, keepdim)


def check_tracked(input: Tensor, dtype: dtypes.dtype) -> None:
    """Refuse to sum what requires grad in a type that has no gradients."""
    if not dtype.is_floating_point and grad_mode.enabled and input.requires_grad:
        raise fail(
            "integer-with-grad",
            f"Autograd not support dtype: {LEGACY_NAMES[dtype]}",
            dtype=dtype.name,
        )


def _dims_of(name: str, dim: Any) -> Any:
    """Refuse what neither is a dim nor lists dims."""
    if isinstance(dim, (tuple, list)) or hasattr(dim, "__index__"):
        return dim
    raise TypeError(
        f"{name}() received an invalid combination of arguments - got ({type(dim).__name__}), but"
        " expected one of:\n * (*, torch.dtype dtype = None)\n"
        " * (tuple of ints dim, bool keepdim = False, *, torch.dtype dtype = None)\n"
    )


def _converted(input: Tensor, dtype: Any) -> dict[str, Any]:
    """Convert before reducing, as `dtype=` asks."""
    if dtype is None or input.dtype is dtype:
        return {}
    check_tracked(input, dtype)
    return {"input": input.to(dtype)}  # type: ignore[attr-defined]


@sum_dims.prepare
def _(input: Tensor, dim: Any, keepdim: bool, dtype: Any) -> dict[str, Any] | None:
    if dim is None and dtype is None:
        return None
    dims = None if dim is None else reduced_dims(_dims_of("sum", dim), input.ndim, "sum")
    return {"dim": dims, **_converted(input, dtype)}


@sum_dims.vjp("input", latex=r"\grad{input} = \grad{result} \text{ for each element}")
def _(grad: Any, input_shape: Any, dim: Any, keepdim: bool) -> Any:
    if dim is not None:
        grad = unreduce(grad, input_shape, dim, keepdim)
    return expand(grad, tuple(input_shape))


@op(
    "nansum",
    latex=r"\val{result} = \sum \val{input} \text{ without nan}",
    grad_fn="NansumBackward0",
    binds=("torch.nansum", "Tensor.nansum"),
    samples=reductions,
)
def nansum(input: Array, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Array:
    """Add up, taking nan for zero.

    >>> torch.nansum(torch.tensor([1., float("nan")]))
    tensor(1.)
    """
    clean = np.where(input == input, input, input.dtype.type(0))
    return sum_dims.forward(clean, dim, keepdim)


@nansum.prepare
def _(input: Tensor, dim: Any, keepdim: bool, dtype: Any) -> dict[str, Any]:
    return {"dim": reduced_dims(dim, input.ndim), **_converted(input, dtype)}


@nansum.vjp(
    "input", latex=r"\grad{input} = \grad{result} \text{ where } \val{input} \text{ is a number}"
)
def _(grad: Any, input: Any, dim: Any, keepdim: bool) -> Any:
    return expand(unreduce(grad, input.shape, dim, keepdim), tuple(input.shape)) * (input == input)


@op(
    "mean",
    latex=r"\val{result} = \tfrac1n \sum \val{input}",
    grad_fn=lambda dim, keepdim, **_: f"MeanBackward{0 if dim is None and not keepdim else 1}",
    binds=("torch.mean", "Tensor.mean"),
    samples=reductions,
    exact=True,
)
def mean(input: Array, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Array:
    """Average all elements, or those along dims.

    >>> torch.mean(torch.tensor([[1., 2.], [3., 4.]]), dim=1)
    tensor([1.5000, 3.5000])
    """
    if dim is None and not keepdim and input.dtype.char in "fd":
        return add_reduce(input, None) / input.size
    dims = range(input.ndim) if dim is None else (dim,) if isinstance(dim, int) else dim
    total = sum_dims.forward(input, dim, keepdim)
    return np.true_divide(total, count(input.shape, tuple(dims)), dtype=input.dtype)


@mean.prepare
def _(input: Tensor, dim: Any, keepdim: bool, dtype: Any) -> dict[str, Any]:
    if dim is None and dtype is None and input.dtype.is_floating_point:
        return {}
    kind = input.dtype if dtype is None else dtype
    if not kind.is_floating_point:
        which = "Input" if dtype is None else "Optional"
        text = (
            f"mean(): could not infer output dtype. {which} dtype must be either a floating"
            " point or"
            f" complex dtype. Got: {LEGACY_NAMES[kind]}"
        )
        raise fail("mean-of-integers", text, dtype=kind.name)
    dims = None if dim is None else reduced_dims(_dims_of("mean", dim), input.ndim)
    return {"dim": dims, **_converted(input, dtype)}


@mean.vjp("input", latex=r"\grad{input} = \tfrac1n \grad{result} \text{ for each element}")
def _(grad: Any, input_shape: Any, dim: Any, keepdim: bool) -> Any:
    if dim is None:
        if grad.__class__ is np.float32:
            return filled(grad / input_shape.numel(), input_shape)
        return div_number(expand(grad, tuple(input_shape)), input_shape.numel())
    grad = unreduce(grad, input_shape, dim, keepdim)
    return div_number(expand(grad, tuple(input_shape)), count(input_shape, dim))


def _zeros_in(x: Any) -> int:
    return int(np.count_nonzero((x._array if isinstance(x, Tensor) else x) == 0))


def _others(input: Any, dim: int) -> Any:
    """Return for each element the product of the other ones along a dim."""
    n = input.shape[dim]
    one = slice_dim(input, dim, 0, 1, 1) * 0 + 1
    before = cat([one, cumprod(slice_dim(input, dim, 0, n - 1, 1), dim)], dim)
    turned = flip(slice_dim(input, dim, 1, n, 1), (dim,))
    after = flip(cat([one, cumprod(turned, dim)], dim), (dim,))
    return before * after


def _products() -> list[Sample]:
    zero = T([[1.0, 0.0, 2.0], [3.0, 4.0, -1.0]])
    x = t(2, 3, low=0.4)
    return [*any_shape(), Sample((zero,)), Sample((x, 0)), Sample((zero, 1)), Sample((x, -1, True))]


@op(
    "prod",
    latex=r"\val{result} = \prod \val{input}",
    grad_fn=lambda dim, **_: f"ProdBackward{0 if dim is None else 1}",
    binds=("torch.prod", "Tensor.prod"),
    samples=_products,
)
def prod(
    input: Array, dim: int | None = None, keepdim: bool = False, *, dtype: Any = None
) -> Array:
    """Multiply all elements, or those along a dim.

    >>> torch.prod(torch.tensor([1., 2., 3.]))
    tensor(6.)
    """
    return multiply_reduce(
        input, _along(dim, input), accumulate_type(input), None, keepdim and dim is not None
    )


@prod.prepare
def _(input: Tensor, dim: Any, keepdim: bool, dtype: Any) -> dict[str, Any]:
    at = None if dim is None else wrap_dim(dim, input.ndim)
    return {"dim": at, **_converted(input, dtype)}


@prod.vjp("input", latex=r"\grad{input} = \grad{result} \odot \val{result} / \val{input}")
def _(grad: Any, input: Any, result: Any, dim: Any, keepdim: bool) -> Any:
    if not input.shape:
        return grad
    if dim is not None:
        grad, result = (unreduce(x, input.shape, dim, keepdim) for x in (grad, result))
    zeros = _zeros_in(input)
    if zeros == 0:
        return grad * (result / input)
    if dim is not None:
        return grad * _others(input, dim)
    if zeros > 1:
        return zeros_of(input)
    return grad * _others(input.reshape((-1,)), 0).reshape(tuple(input.shape))


@op(
    "logsumexp",
    latex=r"\val{result} = \ln \sum e^{\val{input}}",
    grad_fn="LogsumexpBackward0",
    binds=("torch.logsumexp", "torch.special.logsumexp", "Tensor.logsumexp"),
    samples=lambda: [Sample((t(2, 3), *d)) for d in ((0,), (1, True), ((0, 1),))],
)
def logsumexp(input: Array, dim: Any, keepdim: bool = False) -> Array:
    """Add exponentials and take the logarithm, without overflow.

    >>> torch.logsumexp(torch.tensor([1000., 1000.]), 0)
    tensor(1000.6932)
    """
    if not input.ndim:
        return input
    if not input.size:
        return accurate.log(
            add_reduce(accurate.exp(input), _along(dim, input), None, None, keepdim)
        )
    top = maximum_reduce(input, dim, None, None, True)
    top = np.where(np.isinf(top), input.dtype.type(0), top)
    total = accurate.log(add_reduce(accurate.exp(input - top), dim, None, None, keepdim))
    return total + (top if keepdim else top.reshape(total.shape))


@logsumexp.prepare
def _(input: Tensor, dim: Any, keepdim: bool) -> dict[str, Any]:
    changed: dict[str, Any] = {"dim": reduced_dims(dim, input.ndim)}
    if not input.dtype.is_floating_point:
        changed["input"] = input.to(dtypes.default)  # type: ignore[attr-defined]
    return changed


@logsumexp.vjp("input", latex=r"\grad{input} = \grad{result} \odot e^{\val{input} - \val{result}}")
def _(grad: Any, input: Any, result: Any, dim: Any, keepdim: bool) -> Any:
    if input.shape:
        grad, result = (unreduce(x, input.shape, dim, keepdim) for x in (grad, result))
    return grad * exp(input - result)


from engine.ops.cumulative import cumprod  # noqa: E402
from engine.ops.rearranging import flip  # noqa: E402
