"""Subtracting and dividing."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.dims import zeros_of
from engine.ops.pointwise import check_alpha, mul
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, any_shape, broadcasting_pairs, t
from engine.tensor import Tensor


def refuse_bool(input: Any, other: Any) -> None:
    """Refuse to subtract truth values."""
    bools = [
        isinstance(x, bool) or (isinstance(x, Tensor) and x.dtype.category == 0)
        for x in (input, other)
    ]
    if all(bools):
        raise fail(
            "bool-subtraction",
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or"
            " `logical_xor()` operator instead.",
        )
    if any(bools):
        raise fail(
            "bool-subtraction",
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying"
            " to invert a mask, use the `~` or `logical_not()` operator instead.",
        )


@op(
    "sub",
    latex=r"\val{result} = \val{input} - \val{other}",
    grad_fn="SubBackward0",
    binds=(
        "torch.sub", "torch.subtract", "Tensor.sub", "Tensor.sub_", "Tensor.subtract",
        "Tensor.subtract_", "Tensor.__sub__", "Tensor.__isub__",
    ),
    samples=broadcasting_pairs,
    promote="arithmetic",
)  # fmt: skip
def sub(input: Array, other: Array, *, alpha: float = 1) -> Array:
    """Subtract element by element; shapes broadcast.

    >>> torch.sub(torch.tensor([1., 2.]), 3)
    tensor([-2., -1.])
    """
    return input - other if alpha == 1 else input - other * alpha


@sub.prepare
def _(input: Any, other: Any, alpha: Any) -> None:
    refuse_bool(input, other)
    if alpha.__class__ is not int:
        check_alpha(input, other, alpha)


@sub.vjp("input", latex=r"\grad{input} = \grad{result}")
def _(grad: Any) -> Any:
    return grad


@sub.vjp("other", latex=r"\grad{other} = -\grad{result}")
def _(grad: Any, alpha: Any) -> Any:
    return -grad if alpha == 1 else -grad * alpha


@op(
    "rsub",
    latex=r"\val{result} = \val{other} - \val{input}",
    grad_fn=lambda other, **_: f"RsubBackward{0 if isinstance(other, Tensor) else 1}",
    binds=("torch.rsub", "Tensor.__rsub__"),
    samples=broadcasting_pairs,
    promote="arithmetic",
)
def rsub(input: Array, other: Array, *, alpha: float = 1) -> Array:
    """Subtract the first from the second.

    >>> torch.rsub(torch.tensor([1., 2.]), 3)
    tensor([2., 1.])
    """
    return other - input if alpha == 1 else other - input * alpha


@rsub.prepare
def _(input: Any, other: Any, alpha: Any) -> None:
    refuse_bool(input, other)


@rsub.vjp("input", latex=r"\grad{input} = -\grad{result}")
def _(grad: Any, alpha: Any) -> Any:
    return -grad if alpha == 1 else -grad * alpha


@rsub.vjp("other", latex=r"\grad{other} = \grad{result}")
def _(grad: Any) -> Any:
    return grad


@op(
    "div",
    latex=r"\val{result} = \val{input} / \val{other}",
    grad_fn="DivBackward0",
    binds=(
        "torch.true_divide", "Tensor.true_divide", "Tensor.true_divide_", "Tensor.__truediv__",
        "Tensor.__itruediv__",
    ),
    samples=broadcasting_pairs,
    promote="float",
)  # fmt: skip
def div(input: Array, other: Array) -> Array:
    """Divide element by element; integers give floating-point results.

    >>> torch.true_divide(torch.tensor([1, 3]), 2)
    tensor([0.5000, 1.5000])
    """
    return input / other


@div.vjp("input", latex=r"\grad{input} = \grad{result} / \val{other}")
def _(grad: Any, other: Any) -> Any:
    return grad / other


@div.vjp(
    "other",
    latex=r"\grad{other} = -\grad{result} \odot (\val{input} / \val{other}) / \val{other}",
)
def _(grad: Any, input: Any, other: Any) -> Any:
    return -grad * ((input / other) / other)


@op(
    "div_mode",
    latex=r"\val{result} = \lfloor \val{input} / \val{other} \rfloor",
    grad_fn="DivBackward2",
    samples=broadcasting_pairs,
    promote="arithmetic",
)
def div_mode(input: Array, other: Array, *, rounding_mode: str = "floor") -> Array:
    """Divide and round, down with `floor` or towards zero with `trunc`.

    >>> torch.div(torch.tensor([5., -5.]), 2, rounding_mode="floor")
    tensor([ 2., -3.])
    """
    refuse_zero(input, other)
    if rounding_mode == "floor":
        return np.floor_divide(input, other)
    if input.dtype.kind == "f":
        return np.trunc(input / other)
    return (np.sign(input) * np.sign(other) * (np.abs(input) // np.abs(other))).astype(input.dtype)


@div_mode.vjp("input", latex=r"\grad{input} = 0 \cdot \grad{result}")
def _(grad: Any, input: Any, other: Any, rounding_mode: str) -> Any:
    return zeros_of(grad)


@div_mode.vjp("other", latex=r"\grad{other} = 0 \cdot \grad{result}")
def _(grad: Any, input: Any, other: Any, rounding_mode: str) -> Any:
    return zeros_of(grad)


def refuse_zero(input: Any, other: Any) -> None:
    """Refuse to divide integers by zero, with PyTorch's odd text."""
    if other.dtype.kind in "iub" and not np.all(other) and np.size(input):
        raise fail("integer-division-by-zero", "ZeroDivisionError")


def _division(rounding_mode: str | None, kwargs: dict[str, Any]) -> Any:
    if rounding_mode is None:
        return div
    if rounding_mode not in ("floor", "trunc"):
        raise fail(
            "rounding-mode",
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found"
            f" '{rounding_mode}'",
        )
    kwargs["rounding_mode"] = rounding_mode
    return div_mode


@function("torch.div", "torch.divide", "Tensor.div", "Tensor.divide")
def divide(input: Any, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """Divide element by element; `rounding_mode` is None, "trunc" or "floor"."""
    kwargs: dict[str, Any] = {}
    chosen = _division(rounding_mode, kwargs)
    result: Tensor = chosen(input, other, **kwargs)
    return result


@function("Tensor.div_", "Tensor.divide_")
def divide_(input: Tensor, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """Divide in place."""
    kwargs: dict[str, Any] = {}
    chosen = _division(rounding_mode, kwargs)
    result: Tensor = chosen.forms.in_place(input, other, **kwargs)
    return result


@function("Tensor.__rtruediv__")
def rdiv(input: Tensor, other: Any) -> Tensor:
    """Divide a number by a tensor: PyTorch multiplies its reciprocal."""
    result: Tensor = mul(reciprocal(input), other)
    return result


@op(
    "reciprocal",
    latex=r"\val{result} = 1 / \val{input}",
    grad_fn="ReciprocalBackward0",
    binds=("torch.reciprocal", "Tensor.reciprocal", "Tensor.reciprocal_", "torch.reciprocal_"),
    samples=any_shape,
    promote="float",
)
def reciprocal(input: Array) -> Array:
    """Divide one by each element.

    >>> torch.reciprocal(torch.tensor([2., 4.]))
    tensor([0.5000, 0.2500])
    """
    return 1 / input


@reciprocal.vjp("input", latex=r"\grad{input} = -\grad{result} \odot \val{result}^2")
def _(grad: Any, result: Any) -> Any:
    return -grad * (result * result)


def default_float(array: Any) -> Any:
    """Return integers in the default floating type."""
    from engine import dtypes

    return array if array.dtype.kind == "f" else array.astype(dtypes.default.np)


@op(
    "mul_number",
    latex=r"\val{result} = \val{input} \cdot \val{number}",
    grad_fn="MulBackward1",
    samples=lambda: [Sample((t(2, 3), 1.5))],
)
def mul_number(input: Array, number: float) -> Array:
    """Multiply by a Python number inside a composed operation."""
    return (default_float(input) if isinstance(number, float) else input) * number


@mul_number.vjp("input", latex=r"\grad{input} = \grad{result} \cdot \val{number}")
def _(grad: Any, number: Any) -> Any:
    return mul_number(grad, number)


@op(
    "div_number",
    latex=r"\val{result} = \val{input} / \val{number}",
    grad_fn="DivBackward1",
    samples=lambda: [Sample((t(2, 3), 1.5))],
)
def div_number(input: Array, number: float) -> Array:
    """Divide by a Python number inside a composed operation."""
    return default_float(input) / number


@div_number.vjp("input", latex=r"\grad{input} = \grad{result} / \val{number}")
def _(grad: Any, number: Any) -> Any:
    return div_number(grad, number)
