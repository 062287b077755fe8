"""Operations element by element."""

from __future__ import annotations

from typing import Any

from engine import dtypes
from engine.errors import fail
from engine.ops import accurate
from engine.ops.record import Array, op
from engine.ops.samples import any_shape, broadcasting_pairs
from engine.tensor import Tensor


@op(
    "add",
    latex=r"\val{result} = \val{input} + \val{other}",
    grad_fn="AddBackward0",
    binds=(
        "torch.add",
        "Tensor.add",
        "Tensor.add_",
        "Tensor.__add__",
        "Tensor.__radd__",
        "Tensor.__iadd__",
    ),
    samples=broadcasting_pairs,
    promote="arithmetic",
)
def add(input: Array, other: Array, *, alpha: float = 1) -> Array:
    """Add element by element; shapes broadcast.

    >>> torch.add(torch.tensor([1., 2.]), 3)
    tensor([4., 5.])
    """
    return input + other if alpha == 1 else input + other * other.dtype.type(alpha)


@add.prepare
def _(input: Any, other: Any, alpha: Any) -> None:
    if alpha.__class__ is int and alpha == 1:
        return None
    return check_alpha(input, other, alpha)


def check_alpha(input: Any, other: Any, alpha: Any) -> None:
    """Refuse a factor whose kind the result's type cannot hold."""
    kind = dtypes.result_type([input, other])
    if kind.category < 2 and isinstance(alpha, float):
        raise fail(
            "alpha-of-integers",
            "For integral input tensors, argument alpha must not be a floating point number.",
            alpha=alpha,
        )
    if kind.category and isinstance(alpha, bool):
        raise fail("alpha-bool", "Boolean alpha only supported for Boolean results.")


@add.vjp("input", latex=r"\grad{input} = \grad{result}")
def _(grad: Any) -> Any:
    return grad


@add.vjp("other", latex=r"\grad{other} = \grad{result}")
def _(grad: Any, alpha: Any) -> Any:
    return grad if alpha == 1 else grad * alpha


@op(
    "mul",
    latex=r"\val{result} = \val{input} \odot \val{other}",
    grad_fn="MulBackward0",
    binds=(
        "torch.mul",
        "torch.multiply",
        "Tensor.mul",
        "Tensor.mul_",
        "Tensor.multiply",
        "Tensor.multiply_",
        "Tensor.__mul__",
        "Tensor.__rmul__",
        "Tensor.__imul__",
    ),
    samples=broadcasting_pairs,
    promote="arithmetic",
)
def mul(input: Array, other: Array) -> Array:
    """Multiply element by element; shapes broadcast.

    >>> torch.mul(torch.tensor([1., 2.]), 3)
    tensor([3., 6.])
    """
    return input * other


@mul.vjp("input", latex=r"\grad{input} = \grad{result} \odot \val{other}")
def _(grad: Any, other: Any) -> Any:
    return grad * other


@mul.vjp("other", latex=r"\grad{other} = \grad{result} \odot \val{input}")
def _(grad: Any, input: Any) -> Any:
    return grad * input


@op(
    "exp",
    latex=r"\val{result} = e^{\val{input}}",
    grad_fn="ExpBackward0",
    binds=("torch.exp", "Tensor.exp", "Tensor.exp_", "torch.exp_"),
    samples=any_shape,
    promote="float",
)
def exp(input: Array) -> Array:
    """Raise e to each element.

    >>> torch.exp(torch.tensor([0., 1.]))
    tensor([1.0000, 2.7183])
    """
    return accurate.exp(input)


@exp.vjp("input", latex=r"\grad{input} = \grad{result} \odot \val{result}")
def _(grad: Any, result: Any) -> Any:
    return grad * result


@op(
    "cos",
    latex=r"\val{result} = \cos \val{input}",
    grad_fn="CosBackward0",
    binds=("torch.cos", "Tensor.cos", "Tensor.cos_", "torch.cos_"),
    samples=any_shape,
    promote="float",
)
def cos(input: Array) -> Array:
    """Take the cosine of each element.

    >>> torch.cos(torch.tensor([0., 1.]))
    tensor([1.0000, 0.5403])
    """
    return accurate.cos(input)


@cos.vjp("input", latex=r"\grad{input} = \grad{result} \odot (-\sin \val{input})")
def _(grad: Any, input: Any) -> Any:
    return grad * -sin(input)


@op(
    "sin",
    latex=r"\val{result} = \sin \val{input}",
    grad_fn="SinBackward0",
    binds=("torch.sin", "Tensor.sin", "Tensor.sin_", "torch.sin_"),
    samples=any_shape,
    promote="float",
)
def sin(input: Array) -> Array:
    """Take the sine of each element.

    >>> torch.sin(torch.tensor([0., 1.]))
    tensor([0.0000, 0.8415])
    """
    return accurate.sin(input)


@sin.vjp("input", latex=r"\grad{input} = \grad{result} \odot \cos \val{input}")
def _(grad: Any, input: Any) -> Any:
    return grad * cos(input)


@op(
    "neg",
    latex=r"\val{result} = -\val{input}",
    grad_fn="NegBackward0",
    binds=(
        "torch.neg",
        "torch.negative",
        "torch.negative_",
        "Tensor.neg",
        "Tensor.neg_",
        "torch.neg_",
        "Tensor.negative",
        "Tensor.negative_",
        "Tensor.__neg__",
    ),
    samples=any_shape,
)
def neg(input: Array) -> Array:
    """Change the sign of each element.

    >>> torch.neg(torch.tensor([1., -2.]))
    tensor([-1.,  2.])
    """
    return -input


@neg.prepare
def _(input: Tensor) -> None:
    if input.dtype.category == 0:
        raise fail(
            "negation-of-bool",
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to"
            " invert"
            " a mask, use the `~` or `logical_not()` operator instead.",
        )


@neg.vjp("input", latex=r"\grad{input} = -\grad{result}")
def _(grad: Any) -> Any:
    return -grad
