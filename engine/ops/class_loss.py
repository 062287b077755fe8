"""The negative log likelihood of classes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes
from engine.dtypes import LEGACY_NAMES
from engine.errors import fail
from engine.ops.dims import add_reduce
from engine.ops.loss_reduction import REDUCTIONS
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, T, t
from engine.tensor import Tensor

# --- classes -------------------------------------------------------------------------------------


def _classes() -> list[Sample]:
    scores, labels = t(3, 4), T([1, 0, 3], "int64")
    return [
        *(Sample((scores, labels), {"reduction": r}) for r in REDUCTIONS),
        Sample((scores, labels, T([1.0, 0.5, 2.0, 3.0]))),
        Sample((scores, T([1, -100, 3], "int64"))),
        Sample((t(4), T(2, "int64"))),
    ]


def _largest(labels: Any) -> int:
    """Return the largest class index, and more than any where one is negative or there is none."""
    unsigned = labels.view(np.uint64) if labels.dtype.kind == "i" else labels
    return int(np.maximum.reduce(unsigned, None)) if labels.size else 1 << 64


def _all_kept(target: Any, ignore_index: int) -> bool:
    return ignore_index < 0 and target.size > 0 and np.minimum.reduce(target, None) >= 0


def _picked(input: Any, target: Any, weight: Any, ignore_index: int) -> tuple[Any, Any]:
    """Return the scores at the target classes and their weights, zero where ignored."""
    kept = target != ignore_index
    safe = np.where(kept, target, 0)
    rows = np.atleast_2d(input) if input.ndim == 1 else input
    if rows.shape[1]:
        values = np.take_along_axis(rows, np.atleast_1d(safe)[:, None], 1)[:, 0]
    else:  # of no classes all are ignored
        values = np.zeros(safe.shape, input.dtype)
    values = values.reshape(safe.shape)
    weights = kept.astype(input.dtype) if weight is None else np.where(kept, weight[safe], 0)
    return values, np.asarray(weights, input.dtype)


@op(
    "nll_loss",
    latex=r"\val{result} = -\tfrac1n \sum_i \val{input}_{i,\val{target}_i}",
    grad_fn=lambda input, **_: f"NllLoss{'2D' if input.ndim > 2 else ''}Backward0",
    samples=_classes,
    hidden=("total_weight",),
)
def nll_loss(
    input: Array,
    target: Array,
    weight: Array | None = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> tuple[Array, Array]:
    """Average minus the score at the target class.

    >>> torch.nn.functional.nll_loss(torch.tensor([[-1., -2.]]), torch.tensor([1]))
    tensor(2.)
    """
    if weight is None and input.ndim == 2 and _all_kept(target, ignore_index):
        losses, total = -input[np.arange(len(target)), target], input.dtype.type(len(target))
    else:
        values, weights = _picked(input, target, weight, ignore_index)
        losses, total = -values * weights, add_reduce(weights, None)
    if reduction == "none":  # of one sample it is the sum, which is no minus zero
        return losses + 0 if input.ndim == 1 else losses, total
    summed = 0 + add_reduce(losses, None)
    return (summed / total if reduction == "mean" else summed), total


@nll_loss.prepare
def _(input: Tensor, target: Tensor, weight: Any, ignore_index: int, reduction: str) -> None:
    if target.dtype not in (dtypes.int64, dtypes.uint8):
        raise fail(
            "target-type",
            f"expected target dtype to be Long or Byte, but got {LEGACY_NAMES[target.dtype]}",
            dtype=target.dtype.name,
        )
    classes = input.shape[0 if input.ndim == 1 else 1]
    labels = np.asarray(target._array)
    if weight is None and _largest(labels) < classes:
        return
    wrong = labels[((labels < 0) | (labels >= classes)) & (labels != ignore_index)]
    if weight is not None and (weight.ndim != 1 or weight.shape[0] != classes):
        raise fail(
            "loss-weight",
            f"weight tensor should be defined either for all {classes} classes or no classes but"
            f" got weight tensor of shape: {list(weight.shape)}",
        )
    if wrong.size:
        raise fail(
            "target-out-of-bounds",
            f"Target {int(wrong.ravel()[0])} is out of bounds.",
            IndexError,
            target=int(wrong.ravel()[0]),
            classes=classes,
        )


@nll_loss.vjp(
    "input",
    latex=r"\grad{input}_{ij} = -\tfrac{\val{weight}_j}{\val{total_weight}} \grad{result}"
    r" [j = \val{target}_i]",
)
def _(
    grad: Any,
    input_shape: Any,
    target: Any,
    weight: Any,
    total_weight: Any,
    ignore_index: int,
    reduction: str,
) -> Any:
    return nll_loss_backward(
        grad, target, weight, total_weight, tuple(input_shape), ignore_index, reduction
    )


@op(
    "nll_loss_backward",
    latex=r"\val{result}_{ij} = -\tfrac{\val{weight}_j}{\val{total_weight}} \val{grad_output}"
    r" [j = \val{target}_i]",
    grad_fn=lambda shape, **_: f"NllLoss{'2D' if len(shape) > 2 else ''}BackwardBackward0",
    samples=lambda: [
        Sample((t(seed=2), T([1, 0], "int64"), None, T(2.0), (2, 3), -100, "mean")),
        Sample((t(2, seed=2), T([1, 0], "int64"), None, T(2.0), (2, 3), -100, "none")),
    ],
)
def nll_loss_backward(
    grad_output: Array,
    target: Array,
    weight: Array | None,
    total_weight: Array,
    shape: tuple[int, ...],
    ignore_index: int,
    reduction: str,
) -> Array:
    """Put a gradient at the target classes of zeros."""
    whole = np.zeros(shape, grad_output.dtype)
    if weight is None and len(shape) == 2 and _all_kept(target, ignore_index):
        each = -grad_output / total_weight if reduction == "mean" else -grad_output
        whole[np.arange(len(target)), target] = each
        return whole
    _, weights = _picked(whole, target, weight, ignore_index)
    part = -grad_output * weights
    if reduction == "mean":
        part = part / total_weight
    kept = target != ignore_index
    part = np.where(kept, part, part.dtype.type(0))
    safe = np.where(kept, target, 0)
    if not whole.size:
        return whole
    if len(shape) == 1:
        whole[safe] = part
    else:
        np.put_along_axis(whole, safe[:, None], np.broadcast_to(part, safe.shape)[:, None], 1)
    return whole


@nll_loss_backward.vjp(
    "grad_output",
    latex=r"\grad{grad_output} = -\tfrac{1}{\val{total_weight}} \sum_i"
    r" \val{weight}_{\val{target}_i}"
    r" \grad{result}_{i,\val{target}_i}",
)
def _(
    grad: Any, target: Any, weight: Any, total_weight: Any, ignore_index: int, reduction: str
) -> Any:
    got = nll_loss(grad, target, weight, ignore_index=ignore_index, reduction="none")
    got = got[0] if isinstance(got, tuple) else got
    return got / total_weight if reduction == "mean" else got


@function("torch.nn.functional.nll_loss")
def nll_loss_of(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Tensor:
    """Average minus the score at the target class; dims beyond the second are places."""
    from engine.ops.shape import reshape, view

    n = input.ndim
    if n < 1:
        raise fail("nll-dims", f"Expected 1 or more dimensions (got {n})", ValueError)
    if n != 1 and input.shape[0] != (target.shape[0] if target.ndim else 1):
        raise fail(
            "batch-sizes",
            f"Expected input batch_size ({input.shape[0]}) to match target batch_size"
            f" ({target.shape[0] if target.ndim else 1}).",
            ValueError,
        )
    options: dict[str, Any] = {"ignore_index": ignore_index, "reduction": reduction}
    result: Tensor
    if n <= 2:
        if target.ndim > 1:
            raise fail(
                "multi-target", "0D or 1D target tensor expected, multi-target not supported"
            )
        result = nll_loss(input, target, weight, **options)
        return result
    places = (input.shape[0], *input.shape[2:])
    if tuple(target.shape) != places:
        raise fail(
            "target-size",
            f"Expected target size {list(places)}, got {list(target.shape)}",
        )
    if n == 4:
        result = nll_loss(input, target, weight, **options)
        return result
    rest = math.prod(input.shape[2:])
    wide = view(input, (*input.shape[:2], 1, rest))
    labels = reshape(target, (input.shape[0], 1, rest))
    result = nll_loss(wide, labels, weight, **options)
    return result if reduction != "none" else reshape(result, tuple(target.shape))
