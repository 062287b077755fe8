"""Losses of numbers against numbers: squared, absolute, and what lies between."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.compare import where, zero_like
from engine.ops.loss_reduction import _backs, _check, _pairs, reduced, share, size_of
from engine.ops.record import Array, op
from engine.ops.samples import Sample, t


@op(
    "mse_loss",
    latex=r"\val{result} = \tfrac1n \sum (\val{input} - \val{target})^2",
    grad_fn="MseLossBackward0",
    binds=("torch.nn.functional.mse_loss",),
    samples=_pairs,
    promote="arithmetic",
    same_shape=False,
)
def mse_loss(input: Array, target: Array, *, reduction: str = "mean") -> Array:
    """Average the squared differences.

    >>> torch.nn.functional.mse_loss(torch.tensor([1., 3.]), torch.tensor([0., 0.]))
    tensor(5.)
    """
    away = input - target
    return reduced(away * away, reduction)


@mse_loss.prepare
def _(input: Any, target: Any, reduction: str) -> None:
    _check(input, target)


@mse_loss.vjp("input", latex=r"\grad{input} = \tfrac2n \grad{result} (\val{input} - \val{target})")
def _(grad: Any, input: Any, target: Any, reduction: str) -> Any:
    return mse_loss_backward(grad, input, target, reduction)


@mse_loss.vjp(
    "target",
    latex=r"\grad{target} = \tfrac2n \grad{result} (\val{target} - \val{input})",
)
def _(grad: Any, input: Any, target: Any, reduction: str) -> Any:
    return mse_loss_backward(grad, target, input, reduction)


@op(
    "mse_loss_backward",
    latex=r"\val{result} = \tfrac2n \val{grad_output} (\val{input} - \val{target})",
    grad_fn="MseLossBackwardBackward0",
    samples=_backs,
)
def mse_loss_backward(grad_output: Array, input: Array, target: Array, reduction: str) -> Array:
    """Compute the gradient through the mean squared difference."""
    away = input - target
    factor = 2.0 / away.size if reduction == "mean" and away.size else 2.0
    return away * (grad_output * factor)


def _mse_factor(input: Any, target: Any, reduction: str) -> float:
    return 2.0 / size_of(input.shape, target.shape) if reduction == "mean" else 2.0


@mse_loss_backward.vjp(
    "grad_output",
    latex=r"\grad{grad_output} = \tfrac2n \sum \grad{result} \odot (\val{input} - \val{target})",
)
def _(grad: Any, input: Any, target: Any, reduction: str) -> Any:
    return grad * (input - target) * _mse_factor(input, target, reduction)


@mse_loss_backward.vjp(
    "input", latex=r"\grad{input} = \tfrac2n \grad{result} \odot \val{grad_output}"
)
def _(grad: Any, grad_output: Any, input_shape: Any, target_shape: Any, reduction: str) -> Any:
    factor = 2.0 / size_of(input_shape, target_shape) if reduction == "mean" else 2.0
    return grad * grad_output * factor


@mse_loss_backward.vjp(
    "target", latex=r"\grad{target} = -\tfrac2n \grad{result} \odot \val{grad_output}"
)
def _(grad: Any, grad_output: Any, input_shape: Any, target_shape: Any, reduction: str) -> Any:
    factor = -2.0 / size_of(input_shape, target_shape) if reduction == "mean" else -2.0
    return grad * grad_output * factor


def _bent(name: str, cap: str) -> str:
    return rf"\min(\max(\val{{input}} - \val{{target}}, -\val{{{cap}}}), \val{{{cap}}})"


@op(
    "smooth_l1_loss",
    latex=r"\val{result} = \tfrac1n \sum (|d| < \val{beta} \mathbin{?} \tfrac{d^2}{2\val{beta}} :"
    r" |d| - \tfrac{\val{beta}}2),\ d = \val{input} - \val{target}",
    grad_fn="SmoothL1LossBackward0",
    binds=("torch.nn.functional.smooth_l1_loss",),
    samples=lambda: [*_pairs(), Sample((t(2, 3), t(2, 3, seed=1)), {"beta": 0.5})],
    promote="arithmetic",
    same_shape=False,
)
def smooth_l1_loss(
    input: Array, target: Array, *, reduction: str = "mean", beta: float = 1.0
) -> Array:
    """Average differences, squared where they are small.

    >>> torch.nn.functional.smooth_l1_loss(torch.tensor([0.5, 3.]), torch.zeros(2))
    tensor(1.3125)
    """
    size = np.abs(input - target)
    return reduced(
        np.where(size < beta, size * size * (0.5 / beta), size - 0.5 * beta)[()], reduction
    )


@smooth_l1_loss.prepare
def _(input: Any, target: Any, reduction: str, beta: float) -> None:
    _check(input, target)
    if beta < 0:
        raise fail("smooth-l1", "smooth_l1_loss does not support negative values for beta.")


@smooth_l1_loss.vjp(
    "input", latex=r"\grad{input} = \tfrac{1}{n\,\val{beta}} \grad{result} " + _bent("d", "beta")
)
def _(grad: Any, input: Any, target: Any, reduction: str, beta: float) -> Any:
    return smooth_l1_loss_backward(grad, input, target, reduction, beta)


@smooth_l1_loss.vjp(
    "target", latex=r"\grad{target} = -\tfrac{1}{n\,\val{beta}} \grad{result} " + _bent("d", "beta")
)
def _(grad: Any, input: Any, target: Any, reduction: str, beta: float) -> Any:
    return smooth_l1_loss_backward(grad, target, input, reduction, beta)


@op(
    "smooth_l1_loss_backward",
    latex=r"\val{result} = \tfrac{1}{n\,\val{beta}} \val{grad_output} " + _bent("d", "beta"),
    grad_fn="SmoothL1LossBackwardBackward0",
    samples=lambda: _backs(1.0),
)
def smooth_l1_loss_backward(
    grad_output: Array, input: Array, target: Array, reduction: str, beta: float
) -> Array:
    """Compute the gradient through smooth_l1_loss."""
    return huber_loss_backward.forward(grad_output, input, target, reduction, beta) / beta


@smooth_l1_loss_backward.vjp(
    "grad_output",
    latex=r"\grad{grad_output} = \tfrac{1}{n\,\val{beta}} \sum \grad{result} \odot "
    + _bent("d", "beta"),
)
def _(grad: Any, input: Any, target: Any, reduction: str, beta: float) -> Any:
    return smooth_l1_loss_backward(grad, input, target, reduction, beta)


def _inner(grad: Any, grad_output: Any, input: Any, target: Any, reduction: str, cap: float) -> Any:
    away = input - target
    slope = share(grad * grad_output, size_of(input.shape, target.shape), reduction)
    return where((away > -cap) & (away < cap), slope, zero_like(grad))


INNER = r"\tfrac1n \grad{result} \odot \val{grad_output} \odot [|\val{input} - \val{target}| < "


@smooth_l1_loss_backward.vjp(
    "input", latex=r"\grad{input} = " + INNER + r"\val{beta}] / \val{beta}"
)
def _(grad: Any, grad_output: Any, input: Any, target: Any, reduction: str, beta: float) -> Any:
    return _inner(grad, grad_output, input, target, reduction, beta) / beta


@smooth_l1_loss_backward.vjp(
    "target", latex=r"\grad{target} = -" + INNER + r"\val{beta}] / \val{beta}"
)
def _(grad: Any, grad_output: Any, input: Any, target: Any, reduction: str, beta: float) -> Any:
    return -_inner(grad, grad_output, input, target, reduction, beta) / beta


@op(
    "huber_loss",
    latex=r"\val{result} = \tfrac1n \sum (|d| \le \val{delta} \mathbin{?} \tfrac{d^2}{2} :"
    r" \val{delta} (|d| - \tfrac{\val{delta}}2)),\ d = \val{input} - \val{target}",
    grad_fn="HuberLossBackward0",
    binds=("torch.nn.functional.huber_loss",),
    samples=lambda: [*_pairs(), Sample((t(2, 3), t(2, 3, seed=1)), {"delta": 0.5})],
    promote="arithmetic",
    same_shape=False,
)
def huber_loss(
    input: Array, target: Array, *, reduction: str = "mean", delta: float = 1.0
) -> Array:
    """Average squared differences, linear where they are large.

    >>> torch.nn.functional.huber_loss(torch.tensor([0.5, 3.]), torch.zeros(2))
    tensor(1.3125)
    """
    size = np.abs(input - target)
    bent = np.where(size < delta, size * size * 0.5, (size - 0.5 * delta) * delta)[()]
    return reduced(bent, reduction)


@huber_loss.prepare
def _(input: Any, target: Any, reduction: str, delta: float) -> None:
    _check(input, target)
    if delta <= 0:
        raise fail("huber", "huber_loss does not support non-positive values for delta.")


@huber_loss.vjp("input", latex=r"\grad{input} = \tfrac1n \grad{result} " + _bent("d", "delta"))
def _(grad: Any, input: Any, target: Any, reduction: str, delta: float) -> Any:
    return huber_loss_backward(grad, input, target, reduction, delta)


@huber_loss.vjp("target", latex=r"\grad{target} = -\tfrac1n \grad{result} " + _bent("d", "delta"))
def _(grad: Any, input: Any, target: Any, reduction: str, delta: float) -> Any:
    return huber_loss_backward(grad, target, input, reduction, delta)


@op(
    "huber_loss_backward",
    latex=r"\val{result} = \tfrac1n \val{grad_output} " + _bent("d", "delta"),
    grad_fn="HuberLossBackwardBackward0",
    samples=lambda: _backs(1.0),
)
def huber_loss_backward(
    grad_output: Array, input: Array, target: Array, reduction: str, delta: float
) -> Array:
    """Compute the gradient through huber_loss."""
    away = input - target
    factor = 1.0 / away.size if reduction == "mean" and away.size else 1.0
    return np.clip(away, -delta, delta) * (grad_output * factor)


@huber_loss_backward.vjp(
    "grad_output",
    latex=r"\grad{grad_output} = \tfrac1n \sum \grad{result} \odot " + _bent("d", "delta"),
)
def _(grad: Any, input: Any, target: Any, reduction: str, delta: float) -> Any:
    return huber_loss_backward(grad, input, target, reduction, delta)


@huber_loss_backward.vjp("input", latex=r"\grad{input} = " + INNER + r"\val{delta}]")
def _(grad: Any, grad_output: Any, input: Any, target: Any, reduction: str, delta: float) -> Any:
    return _inner(grad, grad_output, input, target, reduction, delta)


@huber_loss_backward.vjp("target", latex=r"\grad{target} = -" + INNER + r"\val{delta}]")
def _(grad: Any, grad_output: Any, input: Any, target: Any, reduction: str, delta: float) -> Any:
    return -_inner(grad, grad_output, input, target, reduction, delta)
