"""Running reductions along a dim: cumsum, cumprod, cummax, cummin, logcumsumexp."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.ops.compare import where
from engine.ops.dims import wrap_dim
from engine.ops.explog import log
from engine.ops.gather import scatter_add
from engine.ops.joining import cat
from engine.ops.kernels import refusal
from engine.ops.pieces import slice_dim
from engine.ops.pointwise import exp
from engine.ops.rearranging import flip
from engine.ops.record import Array, op
from engine.ops.reduce import check_tracked, sum_dims
from engine.ops.samples import Sample, T, t
from engine.ops.zeros import fresh_zeros
from engine.tensor import Tensor, make


def _running() -> list[Sample]:
    return [Sample((t(2, 3), 0)), Sample((t(2, 3), -1)), Sample((t(), 0)), Sample((t(0), 0))]


def _prepared(name: str, input: Tensor, dim: Any, dtype: Any = None) -> dict[str, Any]:
    changed: dict[str, Any] = {"dim": wrap_dim(dim, input.ndim)}
    if dtype is not None and not isinstance(dtype, dtypes.dtype):
        raise TypeError(
            f"{name}(): argument 'dtype' must be torch.dtype, not {type(dtype).__name__}"
        )
    if dtype is dtypes.bool_ and input.ndim and 0 not in input.shape:
        raise refusal(f"{name}_out_cpu", dtype)
    if dtype is not None:
        check_tracked(input, dtype)
    kind = dtype or (input.dtype if input.dtype.category == 2 else dtypes.int64)
    if input.dtype is not kind:
        changed["input"] = input.to(kind)  # type: ignore[attr-defined]
    return changed


@op(
    "cumsum",
    latex=r"\val{result}_i = \sum_{j \le i} \val{input}_j",
    grad_fn="CumsumBackward0",
    binds=("torch.cumsum", "Tensor.cumsum", "Tensor.cumsum_"),
    samples=_running,
)
def cumsum(input: Array, dim: int, *, dtype: Any = None) -> Array:
    """Sum up to each element along a dim.

    >>> torch.cumsum(torch.tensor([1., 2., 3.]), 0)
    tensor([1., 3., 6.])
    """
    # PyTorch starts from 0, to which -0 adds nothing
    if not input.ndim or input.dtype.kind == "b":
        return input + input.dtype.type(0)
    if input.dtype.char == "f":  # it accumulates in float64
        return np.add.accumulate(input, dim, np.float64).astype(np.float32) + 0
    return np.add.accumulate(input, dim, input.dtype) + 0


@cumsum.prepare
def _(input: Tensor, dim: Any, dtype: Any) -> dict[str, Any]:
    return _prepared("cumsum", input, dim, dtype)


@cumsum.vjp("input", latex=r"\grad{input}_j = \sum_{i \ge j} \grad{result}_i")
def _(grad: Any, dim: int) -> Any:
    return _reversed_sum(grad, dim)


def _reversed_sum(grad: Any, dim: int) -> Any:
    return flip(cumsum(flip(grad, (dim,)), dim), (dim,))


@op(
    "cumprod",
    latex=r"\val{result}_i = \prod_{j \le i} \val{input}_j",
    grad_fn="CumprodBackward0",
    binds=("torch.cumprod", "Tensor.cumprod", "Tensor.cumprod_"),
    samples=lambda: [*_running(), Sample((T([[1.0, 0.0, 2.0], [3.0, 0.5, 0.0]]), 1))],
)
def cumprod(input: Array, dim: int, *, dtype: Any = None) -> Array:
    """Multiply up to each element along a dim.

    >>> torch.cumprod(torch.tensor([1., 2., 3.]), 0)
    tensor([1., 2., 6.])
    """
    return np.multiply.accumulate(input, dim, input.dtype) if input.ndim else input


@cumprod.prepare
def _(input: Tensor, dim: Any, dtype: Any) -> dict[str, Any]:
    return _prepared("cumprod", input, dim, dtype)


@cumprod.vjp(
    "input",
    latex=r"\grad{input}_j = \sum_{i \ge j} \grad{result}_i\, \val{result}_i / \val{input}_j",
)
def _(grad: Any, input: Any, result: Any, dim: int) -> Any:
    if not input.shape:
        return grad
    array = input._array if isinstance(input, Tensor) else input
    if np.all(array != 0):
        return _reversed_sum(grad * result, dim) / input
    return _cumprod_with_zeros(grad, input, dim)


def _cumprod_with_zeros(grad: Any, input: Any, dim: int) -> Any:
    """Add up, for each element, the products it is part of, divided by nothing."""
    n = input.shape[dim]
    pieces = []
    before = slice_dim(input, dim, 0, 1, 1) * 0 + 1
    for k in range(n):
        rest = [before]
        if k + 1 < n:
            rest.append(before * cumprod(slice_dim(input, dim, k + 1, n, 1), dim))
        weighed = slice_dim(grad, dim, k, n, 1) * cat(rest, dim)
        pieces.append(sum_dims(weighed, (dim,), True))
        before = before * slice_dim(input, dim, k, k + 1, 1)
    return cat(pieces, dim)


@op(
    "logcumsumexp",
    latex=r"\val{result}_i = \ln \sum_{j \le i} e^{\val{input}_j}",
    grad_fn="LogcumsumexpBackward0",
    binds=("torch.logcumsumexp", "Tensor.logcumsumexp"),
    samples=_running,
)
def logcumsumexp(input: Array, dim: int) -> Array:
    """Add exponentials up to each element and take logarithms.

    >>> torch.logcumsumexp(torch.tensor([0., 0.]), 0)
    tensor([0.0000, 0.6931])
    """
    return np.logaddexp.accumulate(input, dim) if input.ndim else input


@logcumsumexp.prepare
def _(input: Tensor, dim: Any) -> dict[str, Any]:
    return {"dim": wrap_dim(dim, input.ndim)}


@logcumsumexp.vjp(
    "input",
    latex=r"\grad{input}_j = \sum_{i \ge j} \grad{result}_i\, e^{\val{input}_j - \val{result}_i}",
)
def _(grad: Any, input: Any, result: Any, dim: int) -> Any:
    # Positive and negative parts apart, in logarithms, so that nothing overflows.
    parts = []
    for signed in (grad, -grad):
        logs = where(signed > 0, log(signed), lowest_like(signed))
        back = flip(logcumsumexp(flip(logs - result, (dim,)), dim), (dim,))
        parts.append(exp(back + input))
    return parts[0] - parts[1]


def lowest_like(x: Any) -> Any:
    """Return the most negative number of an array's or a tensor's type, without dims."""
    kind = x.dtype.np if isinstance(x, Tensor) else x.dtype
    lowest = kind.type(np.finfo(kind).min)
    return make(lowest) if isinstance(x, Tensor) else lowest


def _running_extreme(input: Any, dim: int, extreme: Any) -> tuple[Any, Any]:
    if not input.ndim:
        return input, np.int64(0)
    values = extreme.accumulate(input, dim)
    shape = [1] * input.ndim
    shape[dim] = input.shape[dim]
    order = np.arange(input.shape[dim], dtype=np.int64).reshape(shape)
    here = (input == values) | (input != input)
    return values, np.maximum.accumulate(np.where(here, order, np.int64(0)), dim)


@op(
    "cummax",
    latex=r"\val{values}_i = \max_{j \le i} \val{input}_j",
    grad_fn="CummaxBackward0",
    binds=("torch.cummax", "Tensor.cummax"),
    samples=lambda: [*_running(), Sample((T([1.0, 3.0, 3.0, 2.0]), 0))],
    outputs=("values", "indices"),
    returns="cummax",
)
def cummax(input: Array, dim: int) -> tuple[Array, Array]:
    """Find the largest up to each element along a dim, and where it is.

    >>> torch.cummax(torch.tensor([1., 3., 2.]), 0).values
    tensor([1., 3., 3.])
    """
    return _running_extreme(input, dim, np.maximum)


@cummax.prepare
def _(input: Tensor, dim: Any) -> dict[str, Any]:
    return {"dim": wrap_dim(dim, input.ndim)}


@cummax.vjp("input", latex=r"\grad{input} = \grad{values} \text{ added up at } \val{indices}")
def _(grad: Any, input_shape: Any, indices: Any, dim: int) -> Any:
    return scatter_add(fresh_zeros(grad, input_shape), dim, indices, grad)


@op(
    "cummin",
    latex=r"\val{values}_i = \min_{j \le i} \val{input}_j",
    grad_fn="CumminBackward0",
    binds=("torch.cummin", "Tensor.cummin"),
    samples=lambda: [*_running(), Sample((T([3.0, 1.0, 1.0, 2.0]), 0))],
    outputs=("values", "indices"),
    returns="cummin",
)
def cummin(input: Array, dim: int) -> tuple[Array, Array]:
    """Find the smallest up to each element along a dim, and where it is.

    >>> torch.cummin(torch.tensor([3., 1., 2.]), 0).values
    tensor([3., 1., 1.])
    """
    return _running_extreme(input, dim, np.minimum)


@cummin.prepare
def _(input: Tensor, dim: Any) -> dict[str, Any]:
    return {"dim": wrap_dim(dim, input.ndim)}


@cummin.vjp("input", latex=r"\grad{input} = \grad{values} \text{ added up at } \val{indices}")
def _(grad: Any, input_shape: Any, indices: Any, dim: int) -> Any:
    return scatter_add(fresh_zeros(grad, input_shape), dim, indices, grad)
