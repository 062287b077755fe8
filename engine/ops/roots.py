"""Square roots, absolute values and signs."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.compare import where, zero_like
from engine.ops.dims import zeros_of
from engine.ops.powers import _positive_pairs, pow_number
from engine.ops.record import Array, op
from engine.ops.samples import any_shape, positive
from engine.tensor import Tensor


@op(
    "sqrt",
    latex=r"\val{result} = \sqrt{\val{input}}",
    grad_fn="SqrtBackward0",
    binds=("torch.sqrt", "Tensor.sqrt", "Tensor.sqrt_", "torch.sqrt_"),
    samples=positive,
    promote="float",
)
def sqrt(input: Array) -> Array:
    """Take the square root of each element.

    >>> torch.sqrt(torch.tensor([4., 9.]))
    tensor([2., 3.])
    """
    return np.sqrt(input)


@sqrt.vjp("input", latex=r"\grad{input} = \grad{result} / (2\,\val{result})")
def _(grad: Any, result: Any) -> Any:
    return grad / (result * 2)


@op(
    "rsqrt",
    latex=r"\val{result} = 1 / \sqrt{\val{input}}",
    grad_fn="RsqrtBackward0",
    binds=("torch.rsqrt", "Tensor.rsqrt", "Tensor.rsqrt_", "torch.rsqrt_"),
    samples=positive,
    promote="float",
)
def rsqrt(input: Array) -> Array:
    """Divide one by the square root of each element.

    >>> torch.rsqrt(torch.tensor([4., 16.]))
    tensor([0.5000, 0.2500])
    """
    return 1 / np.sqrt(input)


@rsqrt.vjp("input", latex=r"\grad{input} = -\tfrac12 \grad{result} \odot \val{result}^3")
def _(grad: Any, result: Any) -> Any:
    return grad * -0.5 * pow_number(result, 3)


@op(
    "abs",
    latex=r"\val{result} = |\val{input}|",
    grad_fn="AbsBackward0",
    binds=(
        "torch.abs", "torch.absolute", "Tensor.abs", "Tensor.abs_", "Tensor.absolute",
        "Tensor.absolute_", "Tensor.__abs__", "torch.abs_",
    ),
    samples=any_shape,
)  # fmt: skip
def abs(input: Array) -> Array:
    """Take the absolute value of each element.

    >>> torch.abs(torch.tensor([1., -2.]))
    tensor([1., 2.])
    """
    return np.abs(input)


@abs.vjp("input", latex=r"\grad{input} = \grad{result} \odot \operatorname{sgn} \val{input}")
def _(grad: Any, input: Any) -> Any:
    return grad * sgn(input)


@op(
    "sign",
    latex=r"\val{result} = \operatorname{sign} \val{input}",
    grad_fn="SignBackward0",
    binds=("torch.sign", "Tensor.sign", "Tensor.sign_"),
    samples=any_shape,
)
def sign(input: Array) -> Array:
    """Give -1, 0 or 1, as each element is negative, zero or positive.

    >>> torch.sign(torch.tensor([0.5, -2., 0.]))
    tensor([ 1., -1.,  0.])
    """
    if input.dtype.kind == "b":
        return input.copy()
    # PyTorch takes nan to be of no sign.
    return (input > 0).astype(input.dtype) - (input < 0).astype(input.dtype)


@sign.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")
def _(grad: Any) -> Any:
    return zeros_of(grad)


@op(
    "sgn",
    latex=r"\val{result} = \operatorname{sgn} \val{input}",
    grad_fn="SgnBackward0",
    binds=("torch.sgn", "Tensor.sgn", "Tensor.sgn_"),
    samples=any_shape,
)
def sgn(input: Array) -> Array:
    """Give -1, 0 or 1; for real numbers the same as `sign`.

    >>> torch.sgn(torch.tensor([0.5, -2., 0.]))
    tensor([ 1., -1.,  0.])
    """
    return sign.forward(input)


@sgn.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")
def _(grad: Any, input: Any, result: Any) -> Any:  # PyTorch saves both, for complex numbers
    return zeros_of(grad)


@op(
    "copysign",
    latex=r"\val{result} = |\val{input}| \operatorname{sign} \val{other}",
    grad_fn=lambda other, **_: f"CopysignBackward{0 if isinstance(other, Tensor) else 1}",
    binds=("torch.copysign", "Tensor.copysign", "Tensor.copysign_"),
    samples=_positive_pairs,
    promote="float",
)
def copysign(input: Array, other: Array) -> Array:
    """Give each element the sign of the other.

    >>> torch.copysign(torch.tensor([1., -2.]), torch.tensor([-1., 1.]))
    tensor([-1.,  2.])
    """
    return np.copysign(input, other)


@copysign.vjp("input", latex=r"\grad{input} = \grad{result} \odot \val{result} / \val{input}")
def _(grad: Any, input: Any, result: Any) -> Any:
    return where(input == 0, zero_like(grad), grad * (result / input))


@copysign.vjp("other", latex=r"\grad{other} = 0 \cdot \grad{result}")
def _(grad: Any) -> Any:
    return zeros_of(grad)
