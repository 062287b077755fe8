"""Losses of scores of classes that have to lead by a margin."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops.dims import add_reduce, not_implemented
from engine.ops.division import no_derivative
from engine.ops.loss_reduction import REDUCTIONS, reduced
from engine.ops.record import Array, op
from engine.ops.rules import NO_DERIVATIVE
from engine.ops.samples import Sample, T, t
from engine.tensor import Tensor


@op(
    "multi_margin_loss",
    latex=r"\val{result} = \tfrac1{nC} \sum_{i} \sum_{j \ne \val{target}_i}"
    r" \max(0, \val{margin} - \val{input}_{i,\val{target}_i} + \val{input}_{ij})^{\val{p}}",
    grad_fn="MultiMarginLossBackward0",
    binds=("torch.nn.functional.multi_margin_loss",),
    samples=lambda: [
        Sample((t(2, 3), T([1, 0], "int64"), p), {"reduction": r})
        for p in (1, 2)
        for r in REDUCTIONS
    ],
)
def multi_margin_loss(
    input: Array,
    target: Array,
    p: float = 1,
    margin: float = 1.0,
    weight: Array | None = None,
    *,
    reduction: str = "mean",
) -> Array:
    """Ask the score at the target class to be larger than the others by a margin.

    >>> torch.nn.functional.multi_margin_loss(torch.tensor([[0., 0.]]), torch.tensor([1]))
    tensor(0.5000)
    """
    gaps, weights = _gaps(input, target, margin, weight)
    losses = add_reduce(np.maximum(gaps, 0) ** p * weights, 1) / input.shape[-1]
    return reduced(losses[0] if input.ndim == 1 else losses, reduction)


@multi_margin_loss.prepare
def _(
    input: Tensor, target: Tensor, p: Any, margin: Any, weight: Any, reduction: str
) -> None:  # fmt: skip
    if input.ndim not in (1, 2) or 0 in input.shape[-1:]:
        raise fail(
            "margin-dims",
            "Expected non-empty vector or matrix with optional 0-dim batch size, but got:"
            f" {list(input.shape)}",
        )
    rows = input.shape[0] if input.ndim == 2 else 1
    if target.ndim > 1 or target.shape.numel() != rows:
        raise fail(
            "target-size",
            f"inconsistent target size, expected {rows} but got {list(target.shape)}",
        )
    if not input.dtype.is_floating_point or input.dtype is dtypes.float16:
        raise not_implemented("multi_margin_loss_cpu_kernel", input)
    if np.any((target._array < 0) | (target._array >= input.shape[-1])):
        raise fail("target-out-of-bounds", "target out of range")


def _gaps(input: Any, target: Any, margin: float, weight: Any) -> tuple[Any, Any]:
    rows, labels = np.atleast_2d(input), np.atleast_1d(target)
    gaps = rows - np.take_along_axis(rows, labels[:, None], 1) + margin
    np.put_along_axis(gaps, labels[:, None], 0, 1)
    weights = np.ones((len(labels), 1), input.dtype) if weight is None else weight[labels][:, None]
    return gaps, weights


@multi_margin_loss.vjp(
    "input",
    latex=r"\grad{input} = \tfrac{\val{p}}{nC} \grad{result}\,\val{weight} \text{ times the"
    r" margins of }"
    r" \val{input} \text{ against } \val{target}",
)
def _(
    grad: Any, input: Any, target: Any, weight: Any, p: float, margin: float, reduction: str
) -> Any:
    return multi_margin_loss_backward(grad, input, target, weight, p, margin, reduction)


@op(
    "multi_margin_loss_backward",
    latex=r"\val{result} = \val{grad_output} \text{ times the margins of } \val{input}",
    grad_fn=NO_DERIVATIVE,
    samples=lambda: [Sample((t(seed=1), t(2, 3), T([1, 0], "int64"), None, 1, 1.0, "mean"))],
)
def multi_margin_loss_backward(
    grad_output: Array,
    input: Array,
    target: Array,
    weight: Array | None,
    p: float,
    margin: float,
    reduction: str,
) -> Array:
    """Compute the gradient through multi_margin_loss."""
    gaps, weights = _gaps(input, target, margin, weight)
    slope = np.where(gaps > 0, p * np.maximum(gaps, 0) ** (p - 1), 0) * weights / input.shape[-1]
    labels = np.atleast_1d(target)
    np.put_along_axis(slope, labels[:, None], 0 - add_reduce(slope, 1, keepdims=True), 1)
    slope = slope / len(labels) if reduction == "mean" else slope
    slope = slope * (grad_output[:, None] if grad_output.ndim else grad_output)
    return slope.reshape(input.shape).astype(input.dtype)


@op(
    "multilabel_margin_loss",
    latex=r"\val{result} = \tfrac1{nC} \sum_{j \in y} \sum_{k \notin y}"
    r" \max(0, 1 - \val{input}_j + \val{input}_k),\ y = \val{target}",
    grad_fn="MultilabelMarginLossBackward0",
    binds=("torch.nn.functional.multilabel_margin_loss",),
    samples=lambda: [
        Sample((t(2, 3), T([[0, -1, 1], [1, 0, -1]], "int64")), {"reduction": r})
        for r in REDUCTIONS
    ],
)
def multilabel_margin_loss(input: Array, target: Array, *, reduction: str = "mean") -> Array:
    """Ask the scores of several target classes to be larger than the others by one.

    >>> loss = torch.nn.functional.multilabel_margin_loss
    >>> loss(torch.tensor([[0., 0.]]), torch.tensor([[1, -1]]))
    tensor(0.5000)
    """
    losses, _ = _label_margins(input, target)
    return reduced(losses[0] if input.ndim == 1 else losses, reduction)


def _label_margins(input: Any, target: Any) -> tuple[Any, Any]:
    """Return the loss of each row, and its gradient with respect to the row."""
    rows, labels = np.atleast_2d(input), np.atleast_2d(target)
    losses = np.zeros(len(rows), input.dtype)
    slopes = np.zeros(rows.shape, input.dtype)
    for i, (row, given) in enumerate(zip(rows, labels, strict=True)):
        end = np.flatnonzero(given < 0)
        wanted = given[: end[0]] if end.size else given
        others = np.setdiff1d(np.arange(len(row)), wanted)
        for j in wanted:
            gaps = 1 - row[j] + row[others]
            losses[i] += np.maximum(gaps, 0).sum() / len(row)
            slopes[i, others] += (gaps > 0) / len(row)
            slopes[i, j] -= np.count_nonzero(gaps > 0) / len(row)
    return losses, slopes


@multilabel_margin_loss.vjp(
    "input",
    latex=r"\grad{input} = \tfrac1{nC} \grad{result} \text{ times the margins of } \val{input}"
    r" \text{ against } \val{target}",
)
def _(grad: Any, input: Any, target: Any, reduction: str) -> Any:
    return multilabel_margin_loss_backward(grad, input, target, reduction)


@op(
    "multilabel_margin_loss_backward",
    latex=r"\val{result} = \val{grad_output} \text{ times the margins of } \val{input}",
    grad_fn=NO_DERIVATIVE,
    samples=lambda: [Sample((t(seed=1), t(2, 3), T([[0, -1, 1], [1, 0, -1]], "int64"), "mean"))],
)
def multilabel_margin_loss_backward(
    grad_output: Array, input: Array, target: Array, reduction: str
) -> Array:
    """Compute the gradient through multilabel_margin_loss."""
    _, slopes = _label_margins(input, target)
    slopes = slopes / len(slopes) if reduction == "mean" else slopes
    slopes = slopes * (grad_output[:, None] if grad_output.ndim else grad_output)
    return slopes.reshape(input.shape).astype(input.dtype)


@multi_margin_loss_backward.vjp(
    "grad_output", latex=r"\grad{grad_output} \text{ undefined for } \grad{result}"
)
def _(grad: Any) -> Any:
    raise no_derivative("multi_margin_loss_backward")


@multi_margin_loss_backward.vjp("input", latex=r"\grad{input} \text{ undefined for } \grad{result}")
def _(grad: Any) -> Any:
    raise no_derivative("multi_margin_loss_backward")


@multilabel_margin_loss_backward.vjp(
    "grad_output", latex=r"\grad{grad_output} \text{ undefined for } \grad{result}"
)
def _(grad: Any) -> Any:
    raise no_derivative("multilabel_margin_loss_backward")


@multilabel_margin_loss_backward.vjp(
    "input",
    latex=r"\grad{input} \text{ undefined for } \grad{result}",
)
def _(grad: Any) -> Any:
    raise no_derivative("multilabel_margin_loss_backward")
