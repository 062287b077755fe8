"""Softmax and its logarithm; gated and parametric activations."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dtypes import SCALAR_NAMES
from engine.errors import fail
from engine.ops import accurate, order
from engine.ops.activation import sigmoid
from engine.ops.compare import where, zero_like
from engine.ops.dims import (
    maximum_reduce,
    not_implemented,
    wrap_dim,
)
from engine.ops.joining import cat
from engine.ops.pieces import slice_dim
from engine.ops.pointwise import exp
from engine.ops.record import Array, function, op
from engine.ops.reduce import sum_dims
from engine.ops.samples import Sample, T, t
from engine.tensor import Tensor


def _along() -> list[Sample]:
    return [Sample((t(2, 3), 0)), Sample((t(2, 3), -1)), Sample((t(3), 0)), Sample((t(), 0))]


def _prepared(kernel: str, input: Tensor, dim: Any, dtype: Any) -> dict[str, Any]:
    at = wrap_dim(dim, input.ndim)
    changed: dict[str, Any] = {"dim": at}
    if dtype is not None and dtype is not input.dtype:
        changed["input"] = input = input.to(dtype)  # type: ignore[attr-defined]
    if not input.dtype.is_floating_point:
        last = "lastdim_" if at == max(input.ndim - 1, 0) else ""
        raise not_implemented(f"{kernel}_{last}kernel_impl", input)
    return changed


def _shifted(input: Any, dim: int) -> Any:
    if not input.size:
        return input
    return input - maximum_reduce(input, dim, None, None, True)


@op(
    "softmax",
    latex=r"\val{result} = e^{\val{input}} / \sum e^{\val{input}}",
    grad_fn="SoftmaxBackward0",
    binds=("torch.softmax", "torch.special.softmax", "Tensor.softmax"),
    samples=_along,
)
def softmax(input: Array, dim: int, dtype: Any = None) -> Array:
    """Turn scores along a dim into shares that add up to one.

    >>> torch.softmax(torch.tensor([0., 0.]), 0)
    tensor([0.5000, 0.5000])
    """
    if not input.ndim:
        return accurate.exp(input - input)
    powers = accurate.exp(_shifted(input, dim))
    total = order.in_lanes(powers, dim)
    if dim == input.ndim - 1:
        return powers * (1 / total)  # the kernel for the last dim multiplies
    return powers / total


@softmax.prepare
def _(input: Tensor, dim: Any, dtype: Any) -> dict[str, Any]:
    return _prepared("softmax", input, dim, dtype)


@softmax.vjp(
    "input",
    latex=r"\grad{input} = \val{result} \odot"
    r" \left(\grad{result} - \sum \grad{result} \odot \val{result}\right)",
)
def _(grad: Any, result: Any, dim: int) -> Any:
    return softmax_backward_data(grad, result, dim)


def _backs() -> list[Sample]:
    return [Sample((t(2, 3, seed=1), t(2, 3), 1))]


@op(
    "softmax_backward_data",
    latex=r"\val{result} = \val{output} \odot"
    r" \left(\val{grad_output} - \sum \val{grad_output} \odot \val{output}\right)",
    grad_fn="SoftmaxBackwardDataBackward0",
    samples=_backs,
)
def softmax_backward_data(grad_output: Array, output: Array, dim: int) -> Array:
    """Multiply a gradient by the Jacobian of softmax, known from its value."""
    if not output.ndim:
        return grad_output - grad_output
    return (grad_output - order.in_lanes(grad_output * output, dim)) * output


@softmax_backward_data.vjp(
    "grad_output",
    latex=r"\grad{grad_output} = \val{output} \odot"
    r" \left(\grad{result} - \sum \grad{result} \odot \val{output}\right)",
)
def _(grad: Any, output: Any, dim: int) -> Any:
    return softmax_backward_data(grad, output, dim)


@softmax_backward_data.vjp(
    "output",
    latex=r"\grad{output} = \grad{result} \odot \left(\val{grad_output} - \sum \val{grad_output}"
    r" \odot \val{output}\right) - \val{grad_output} \sum \grad{result} \odot \val{output}",
)
def _(grad: Any, grad_output: Any, output: Any, dim: int) -> Any:
    if not output.shape:
        return grad * 0
    first = grad * (grad_output - sum_dims(grad_output * output, (dim,), True))
    return first - grad_output * sum_dims(grad * output, (dim,), True)


@op(
    "log_softmax",
    latex=r"\val{result} = \val{input} - \ln \sum e^{\val{input}}",
    grad_fn="LogSoftmaxBackward0",
    binds=("torch.log_softmax", "torch.special.log_softmax", "Tensor.log_softmax"),
    samples=_along,
)
def log_softmax(input: Array, dim: int, dtype: Any = None) -> Array:
    """Take the logarithm of softmax, without overflow.

    >>> torch.log_softmax(torch.tensor([0., 0.]), 0)
    tensor([-0.6931, -0.6931])
    """
    if not input.ndim:
        return input - input
    shifted = _shifted(input, dim)
    return shifted - accurate.log(order.in_lanes(accurate.exp(shifted), dim))


@log_softmax.prepare
def _(input: Tensor, dim: Any, dtype: Any) -> dict[str, Any]:
    return _prepared("log_softmax", input, dim, dtype)


@log_softmax.vjp(
    "input", latex=r"\grad{input} = \grad{result} - e^{\val{result}} \sum \grad{result}"
)
def _(grad: Any, result: Any, dim: int) -> Any:
    return log_softmax_backward_data(grad, result, dim)


@op(
    "log_softmax_backward_data",
    latex=r"\val{result} = \val{grad_output} - e^{\val{output}} \sum \val{grad_output}",
    grad_fn="LogSoftmaxBackwardDataBackward0",
    samples=_backs,
)
def log_softmax_backward_data(grad_output: Array, output: Array, dim: int) -> Array:
    """Multiply a gradient by the Jacobian of log_softmax, known from its value."""
    if not output.ndim:
        return grad_output - grad_output
    return grad_output - accurate.exp(output) * order.in_lanes(grad_output, dim)


@log_softmax_backward_data.vjp(
    "grad_output",
    latex=r"\grad{grad_output} = \grad{result} - \sum \grad{result} \odot e^{\val{output}}",
)
def _(grad: Any, output: Any, dim: int) -> Any:
    if not output.shape:
        return grad * 0
    return grad - sum_dims(grad * exp(output), (dim,), True)


@log_softmax_backward_data.vjp(
    "output",
    latex=r"\grad{output} = -\grad{result} \odot e^{\val{output}} \sum \val{grad_output}",
)
def _(grad: Any, grad_output: Any, output: Any, dim: int) -> Any:
    if not output.shape:
        return grad * 0
    return -(grad * exp(output) * sum_dims(grad_output, (dim,), True))


@op(
    "glu",
    latex=r"\val{result} = a \odot \sigma(b),\ [a, b] = \val{input}",
    grad_fn="GluBackward0",
    binds=("torch.nn.functional.glu",),
    samples=lambda: [Sample((t(2, 4),)), Sample((t(2, 3), 0))],
)
def glu(input: Array, dim: int = -1) -> Array:
    """Weigh one half by the sigmoid of the other.

    >>> torch.nn.functional.glu(torch.tensor([2., 0.]))
    tensor([1.])
    """
    a, b = np.split(input, 2, dim)
    return a / (1 + accurate.exp(-b))


@glu.prepare
def _(input: Tensor, dim: Any) -> dict[str, Any]:
    if input.ndim == 0:
        raise fail("glu", "glu does not support 0-dimensional tensors")
    at = wrap_dim(dim, input.ndim)
    if input.shape[at] % 2:
        raise fail(
            "glu",
            f"Halving dimension must be even, but dimension {at} is size {input.shape[at]}",
        )
    return {"dim": at}


@glu.vjp(
    "input",
    latex=r"\grad{input} = [\grad{result} \odot \sigma(b),"
    r"\ \grad{result} \odot a \odot \sigma'(b)],\ [a, b] = \val{input}",
)
def _(grad: Any, input: Any, dim: int) -> Any:
    half = input.shape[dim] // 2
    a = slice_dim(input, dim, 0, half, 1)
    gate = sigmoid(slice_dim(input, dim, half, 2 * half, 1))
    return cat([grad * gate, grad * a * gate * (1 - gate)], dim)


@op(
    "prelu_kernel",
    latex=r"\val{result} = \val{input} > 0 \mathbin{?} \val{input} : \val{weight}\,\val{input}",
    grad_fn="PreluKernelBackward0",
    samples=lambda: [Sample((t(2, 3), T([0.25]))), Sample((t(2, 3), t(3, seed=1)))],
)
def prelu_kernel(input: Array, weight: Array) -> Array:
    """Multiply negative elements by a learned slope."""
    return np.where(input > 0, input, weight * input)[()]


@prelu_kernel.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot (\val{input} > 0 \mathbin{?} 1 : \val{weight})",
)
def _(grad: Any, input: Any, weight: Any) -> Any:
    return where(input > 0, grad, grad * weight)


@prelu_kernel.vjp(
    "weight", latex=r"\grad{weight} = \grad{result} \odot \val{input} \odot [\val{input} \le 0]"
)
def _(grad: Any, input: Any) -> Any:
    return where(input > 0, zero_like(grad), grad * input)


@function("torch.prelu", "torch.nn.functional.prelu", "Tensor.prelu")
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """Multiply negative elements by a learned slope, one for all or one per channel."""
    if input.dtype is not weight.dtype:
        one, two = (SCALAR_NAMES[x.dtype].capitalize() for x in (input, weight))
        text = f"prelu: Type promoting not supported. Got {one} and {two}"
        raise fail("prelu", text, dtype=input.dtype.name)
    if weight.ndim > 1:
        raise fail(
            "prelu", "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim ="
            f" {weight.ndim}",
        )  # fmt: skip
    number = weight.shape.numel()
    if number != 1:
        if input.ndim == 0:
            raise fail("prelu", "Not allow zero-dim input tensor.")
        channels = input.shape[1] if input.ndim > 1 else 1
        if channels != number:
            raise fail(
                "prelu",
                "Mismatch of parameter numbers and input channel size. Found parameter numbers ="
                f" {number} and channel size = {channels}.",
            )
        from engine.ops.shape import reshape

        weight = reshape(weight, (1, -1, *((1,) * (input.ndim - 2))))
    elif input.ndim == 0:
        weight = weight.reshape(())  # type: ignore[attr-defined]
    result: Tensor = prelu_kernel(input, weight)
    return result
