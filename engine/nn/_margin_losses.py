"""Losses with a margin, made of other operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.nn._torch import Tensor, torch

from ._bound import bound
from ._losses import _chosen, _reduce


def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """Return log(1 + exp(-target * input))."""
    reduction = _chosen(size_average, reduce, reduction)
    return bound.soft_margin_loss(input, target, reduction=reduction)


def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """Return the input where the target is 1, max(0, margin - input) where it is -1."""
    reduction = _chosen(size_average, reduce, reduction)
    zeros = torch.zeros_like(input)
    far = torch.where(target != 1, (margin - input).clamp_min(0), zeros)
    near = torch.where(target != -1, input, zeros)
    return _reduce(far + near, reduction)


def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """Return max(0, -target * (input1 - input2) + margin)."""
    reduction = _chosen(size_average, reduce, reduction)
    if input1.dim() != input2.dim() or input1.dim() != target.dim():
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            f"input1: {input1.size()}, input2: {input2.size()}, target: {target.size()} "
        )
    return _reduce((-target * (input1 - input2) + margin).clamp_min(0), reduction)


def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """Return 1 - cos where the target is 1, max(0, cos - margin) where it is -1."""
    reduction = _chosen(size_average, reduce, reduction)
    _check_pairs(input1, input2, target)
    dim = target.dim()
    product = (input1 * input2).sum(dim)
    size1 = (input1 * input1).sum(dim) + 1e-12
    size2 = (input2 * input2).sum(dim) + 1e-12
    cosine = product / (size1 * size2).sqrt()
    zeros = torch.zeros_like(cosine)
    near = torch.where(target == 1, 1 - cosine, zeros)
    far = torch.where(target == -1, (cosine - margin).clamp_min(0), zeros)
    return _reduce(near + far, reduction)


def _check_pairs(input1: Tensor, input2: Tensor, target: Tensor) -> None:
    if target.dim() > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    wanted = 1 if target.dim() == 0 else 2
    if input1.dim() != wanted or input2.dim() != wanted:
        raise RuntimeError(
            f"{target.dim()}D target tensor expects {wanted}D input tensors, but found inputs with "
            f"sizes {list(input1.shape)} and {list(input2.shape)}."
        )


def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """Binary cross entropy of each class, averaged over classes."""
    if size_average is not None or reduce is not None:
        reduction = _chosen(size_average, reduce, reduction)
    loss = -(target * bound.logsigmoid(input) + (1 - target) * bound.logsigmoid(-input))
    if weight is not None:
        loss = loss * weight
    dim = input.dim() - 1
    loss = loss.sum(dim=dim) / input.size(dim)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not valid")
    return _reduce(loss, reduction)


def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """Hinge loss of one target class a sample, averaged over classes."""
    reduction = _chosen(size_average, reduce, reduction)
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    return bound.multi_margin_loss(
        input, target, p=p, margin=margin, weight=weight, reduction=reduction
    )


def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """Hinge loss of several target classes a sample; the classes end at the first -1."""
    reduction = _chosen(size_average, reduce, reduction)
    return bound.multilabel_margin_loss(input, target, reduction=reduction)


def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-06,
    swap: bool = False,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """Return max(0, d(anchor, positive) - d(anchor, negative) + margin), d the p-norm."""
    reduction = _chosen(size_average, reduce, reduction)
    _check_margin(margin)
    _check_dims(anchor, positive, negative)

    def distance(a: Tensor, b: Tensor) -> Tensor:
        return bound.pairwise_distance(a, b, p, eps)

    return _triplet(anchor, positive, negative, distance, margin, swap, reduction)


def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """triplet_margin_loss with a distance of one's own."""
    reduction = _chosen(None, None, reduction)
    _check_margin(margin)
    _check_dims(anchor, positive, negative)
    distance = distance_function or bound.pairwise_distance
    return _triplet(anchor, positive, negative, distance, margin, swap, reduction)


def _check_margin(margin: float) -> None:
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")


def _check_dims(anchor: Tensor, positive: Tensor, negative: Tensor) -> None:
    if not anchor.ndim == positive.ndim == negative.ndim:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of "
            f"dimensions, but got: anchor {anchor.ndim}D, positive {positive.ndim}D, and negative "
            f"{negative.ndim}D inputs"
        )


def _triplet(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    distance: Any,
    margin: float,
    swap: bool,
    reduction: str,
) -> Tensor:
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = torch.minimum(far, distance(positive, negative))
    return _reduce((margin + near - far).clamp_min(0), reduction)
