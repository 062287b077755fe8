"""Losses made of other operations, and the argument handling of those that are operations."""

from __future__ import annotations

import math
import warnings
from typing import Any

from engine import dtypes
from engine.nn._torch import Tensor, TensorClass, torch

from ._bound import bound
from ._reduction import check_reduction, legacy_reduction


def _reduce(loss: Tensor, reduction: str) -> Tensor:
    if reduction == "mean":
        return loss.mean()
    return loss.sum() if reduction == "sum" else loss


def _chosen(size_average: Any, reduce: Any, reduction: str) -> str:
    reduction = legacy_reduction(size_average, reduce, reduction)
    check_reduction(reduction)
    return reduction


def _warn_sizes(input: Tensor, target: Tensor) -> None:
    if isinstance(target, TensorClass) and target.shape == input.shape:
        return
    if target.size() != input.size():
        warnings.warn(
            f"Using a target size ({target.size()}) that is different to the input size "
            f"({input.size()}). This will likely lead to incorrect results due to broadcasting. "
            "Please ensure they have the same size.",
            stacklevel=3,
        )


def _refuse_integers(kernel: str, *tensors: Tensor) -> None:
    if not any(t.dtype.is_floating_point for t in tensors):
        name = dtypes.LEGACY_NAMES[tensors[0].dtype]
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{name}'")


def _broadcast(input: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    if input.shape == target.shape:
        return input, target
    input, target = torch.broadcast_tensors(input, target)
    return input, target


def _weighted(loss: Tensor, weight: Tensor, input: Tensor, reduction: str) -> Tensor:
    if weight.shape != input.shape:
        raise ValueError("Weights and input must have the same size.")
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(
            f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'."
        )
    return loss * weight


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """Return |input - target|, reduced to its mean, its sum or not at all."""
    _warn_sizes(input, target)
    reduction = legacy_reduction(size_average, reduce, reduction)
    if weight is None:
        check_reduction(reduction)
    input, target = _broadcast(input, target)
    loss = (input - target).abs()
    if weight is not None:
        loss = _weighted(loss, weight, input, reduction)
        if reduction == "mean":
            return loss.sum() / weight.sum()
    return _reduce(loss, reduction)


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """Return (input - target)², reduced to its mean, its sum or not at all."""
    _warn_sizes(input, target)
    reduction = legacy_reduction(size_average, reduce, reduction)
    input, target = _broadcast(input, target)
    if weight is not None:
        loss = _weighted((input - target) ** 2, weight, input, reduction)
        if reduction == "mean":
            return loss.sum() / weight.sum()
        return _reduce(loss, reduction)
    check_reduction(reduction)
    _refuse_integers("mse_cpu", input, target)
    return bound.mse_loss(input, target, reduction=reduction)


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """Squared below `beta`, absolute above."""
    _warn_sizes(input, target)
    reduction = _chosen(size_average, reduce, reduction)
    input, target = _broadcast(input, target)
    if beta == 0.0:
        return _reduce((input - target).abs(), reduction)
    _refuse_integers("smooth_l1_cpu", input, target)
    return bound.smooth_l1_loss(input, target, reduction=reduction, beta=beta)


def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
) -> Tensor:
    """Squared below `delta`, linear above."""
    _warn_sizes(input, target)
    input, target = _broadcast(input, target)
    if weight is not None:
        loss = bound.huber_loss(input, target, reduction="none", delta=delta)
        return _reduce(_weighted(loss, weight, input, reduction), reduction)
    check_reduction(reduction)
    _refuse_integers("huber_cpu", input, target)
    return bound.huber_loss(input, target, reduction=reduction, delta=delta)


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """Return -(target * log(input) + (1 - target) * log(1 - input)); logarithms from -100 on."""
    reduction = _chosen(size_average, reduce, reduction)
    if target.shape != input.shape:
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size "
            f"({input.size()}) is deprecated. Please ensure they have the same size."
        )
    _refuse_integers("binary_cross_entropy", input)
    if weight is not None:
        weight = weight.expand(torch.broadcast_shapes(target.size(), weight.size()))
    return bound.binary_cross_entropy(input, target, weight, reduction=reduction)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """Binary cross entropy of sigmoid(input), computed without overflow."""
    reduction = _chosen(size_average, reduce, reduction)
    if target.shape != input.shape:
        raise ValueError(
            f"Target size ({target.size()}) must be the same as input size ({input.size()})"
        )
    if not target.dtype.is_floating_point:
        raise RuntimeError(
            f"result type {dtypes.LEGACY_NAMES[input.dtype]} can't be cast to the desired output"
            f" type {dtypes.LEGACY_NAMES[target.dtype]}"
        )
    return bound.binary_cross_entropy_with_logits(
        input, target, weight, pos_weight=pos_weight, reduction=reduction
    )


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """Minus the input at the target class: (N, C, …) or (C) and integers (N, …) or none."""
    reduction = _chosen(size_average, reduce, reduction)
    _refuse_integers("nll_loss_out_frame", input)
    return bound.nll_loss(input, target, weight, ignore_index=ignore_index, reduction=reduction)


# -- cross entropy


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Minus the log-softmax of logits at the target: class indices, or probabilities."""
    reduction = _chosen(size_average, reduce, reduction)
    if not 0.0 <= label_smoothing <= 1.0:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")
    dim = 0 if input.dim() == 1 else 1
    if input.shape == target.shape and target.is_floating_point():
        return _against_probabilities(input, target, weight, reduction, label_smoothing, dim)
    logs = torch.log_softmax(input, dim)
    loss = bound.nll_loss(logs, target, weight, ignore_index=ignore_index, reduction=reduction)
    if label_smoothing == 0.0:
        return loss
    classes = input.size(dim)
    smooth = _smoothing_part(logs, target, weight, ignore_index, reduction, dim)
    kept = bound.mul_number(loss, 1 - label_smoothing)
    return kept + bound.mul_number(smooth, label_smoothing / classes)


def _along(weight: Tensor, dims: int, dim: int) -> Tensor:
    return weight.view([-1 if i == dim else 1 for i in range(dims)])


def _against_probabilities(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None,
    reduction: str,
    smoothing: float,
    dim: int,
) -> Tensor:
    classes = input.size(dim)
    logs = torch.log_softmax(input, dim)
    if smoothing > 0.0:
        target = target * (1 - smoothing) + smoothing / classes
    product = logs * target
    if weight is not None:
        product = product * _along(weight, input.dim(), dim)
    if reduction == "none":
        return -product.sum(dim)
    total = -product.sum()
    if reduction == "sum":
        return total
    if not input.numel():
        return -product.sum().fill_(math.nan)
    return bound.div_number(total, input.numel() // classes)


def _smoothing_part(
    logs: Tensor,
    target: Tensor,
    weight: Tensor | None,
    ignore_index: int,
    reduction: str,
    dim: int,
) -> Tensor:
    """Return the loss against the uniform distribution, times the number of classes."""
    ignored = target == ignore_index
    weighted = logs if weight is None else logs * _along(weight, logs.dim(), dim)
    smooth = (-weighted.sum(dim)).masked_fill(ignored, 0.0)
    if reduction != "mean":
        return _reduce(smooth, reduction)
    kept = ~ignored
    if weight is None:
        return smooth.sum() / kept.sum()
    return smooth.sum() / weight.gather(0, target[kept].flatten()).sum()
