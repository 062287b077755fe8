"""Losses with a kernel of their own: mse, smooth l1, huber, nll, binary cross entropy, margins."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes
from engine.dtypes import LEGACY_NAMES
from engine.errors import fail
from engine.ops import accurate
from engine.ops.activation import log_sigmoid, sigmoid
from engine.ops.arithmetic import NO_DERIVATIVE, div_number, no_derivative
from engine.ops.compare import where, zero_like
from engine.ops.dims import (
    add_reduce,
    broadcast_shapes,
)
from engine.ops.explog import log
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, T, t
from engine.tensor import Tensor

REDUCTIONS = ("mean", "sum", "none")


def reduced(loss: Any, reduction: str) -> Any:
    """Reduce an array of losses as the name says."""
    if reduction == "none":
        return loss
    total = add_reduce(loss, None)
    return total if reduction == "sum" else total / loss.dtype.type(loss.size)


def share(grad: Any, n: int, reduction: str) -> Any:
    """Return what of the gradient falls to each element."""
    return div_number(grad, n) if reduction == "mean" else grad


def size_of(*shapes: Any) -> int:
    """Return the number of elements of shapes that broadcast."""
    return math.prod(broadcast_shapes(*shapes))


def _pairs() -> list[Sample]:
    pair = (t(2, 3), t(2, 3, seed=1))
    return [Sample(pair, {"reduction": r}) for r in REDUCTIONS] + [Sample((t(), t(seed=1)))]


def _backs(*rest: Any) -> list[Sample]:
    trio = (t(seed=2), t(2, 3), t(2, 3, seed=1))
    wide = (t(2, 3, seed=2), t(2, 3), t(2, 3, seed=1))
    return [
        Sample((*trio, "mean", *rest)),
        Sample((*trio, "sum", *rest)),
        Sample((*wide, "none", *rest)),
    ]


def _check(input: Any, target: Any) -> None:
    if input.shape != target.shape:
        broadcast_shapes(input.shape, target.shape)


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


# --- classes -------------------------------------------------------------------------------------


def _classes() -> list[Sample]:
    scores, labels = t(3, 4), T([1, 0, 3], "int64")
    return [
        *(Sample((scores, labels), {"reduction": r}) for r in REDUCTIONS),
        Sample((scores, labels, T([1.0, 0.5, 2.0, 3.0]))),
        Sample((scores, T([1, -100, 3], "int64"))),
        Sample((t(4), T(2, "int64"))),
    ]


def _all_kept(target: Any, ignore_index: int) -> bool:
    return ignore_index < 0 and target.size > 0 and np.minimum.reduce(target, None) >= 0


def _picked(input: Any, target: Any, weight: Any, ignore_index: int) -> tuple[Any, Any]:
    """Return the scores at the target classes and their weights, zero where ignored."""
    kept = target != ignore_index
    safe = np.where(kept, target, 0)
    rows = np.atleast_2d(input) if input.ndim == 1 else input
    values = np.take_along_axis(rows, np.atleast_1d(safe)[:, None], 1)[:, 0].reshape(safe.shape)
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
    if reduction == "none":
        return losses, total
    summed = add_reduce(losses, None)
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
    if weight is None and labels.size and labels.min() >= 0 and labels.max() < classes:
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


# --- two classes ---------------------------------------------------------------------------------


def _chances() -> list[Sample]:
    pair = (t(2, 3, low=0.1, high=0.9), t(2, 3, seed=1, low=0.05, high=0.95))
    weighed = Sample((*pair, T([0.5, 1.0, 2.0])))
    return [*(Sample(pair, {"reduction": r}) for r in REDUCTIONS), weighed]


@op(
    "binary_cross_entropy",
    latex=r"\val{result} = -\tfrac1n \sum \val{weight} (\val{target} \ln \val{input}"
    r" + (1 - \val{target}) \ln(1 - \val{input}))",
    grad_fn="BinaryCrossEntropyBackward0",
    binds=("torch.nn.functional.binary_cross_entropy",),
    samples=_chances,
)
def binary_cross_entropy(
    input: Array, target: Array, weight: Array | None = None, *, reduction: str = "mean"
) -> Array:
    """Compare probabilities with truth; logarithms are cut at -100.

    >>> torch.nn.functional.binary_cross_entropy(torch.tensor([0.5]), torch.tensor([1.]))
    tensor(0.6931)
    """
    yes, no = np.maximum(accurate.log(input), -100), np.maximum(accurate.log1p(-input), -100)
    losses = (target - 1) * no - target * yes
    return reduced(losses if weight is None else losses * weight, reduction)


@binary_cross_entropy.prepare
def _(input: Tensor, target: Tensor, weight: Any, reduction: str) -> None:
    if np.any((input._array < 0) | (input._array > 1)):
        raise fail("probability-range", "all elements of input should be between 0 and 1")
    if input.dtype is not target.dtype:
        raise fail(
            "dtypes-differ",
            f"Found dtype {LEGACY_NAMES[target.dtype]} but expected {LEGACY_NAMES[input.dtype]}",
        )


@binary_cross_entropy.vjp(
    "input",
    latex=r"\grad{input} = \tfrac1n \grad{result}\,\val{weight}"
    r" \frac{\val{input} - \val{target}}{\val{input} (1 - \val{input})}",
)
def _(grad: Any, input: Any, target: Any, weight: Any, reduction: str) -> Any:
    return binary_cross_entropy_backward(grad, input, target, weight, reduction)


@binary_cross_entropy.vjp(
    "target",
    latex=r"\grad{target} = \tfrac1n \grad{result}\,\val{weight} (\ln(1 - \val{input}) - \ln"
    r" \val{input})",
)
def _(grad: Any, input: Any, target_shape: Any, weight: Any, reduction: str) -> Any:
    slope = grad * (log(1 - input) - log(input))
    slope = slope if weight is None else slope * weight
    return share(slope, math.prod(target_shape), reduction)


@op(
    "binary_cross_entropy_backward",
    latex=r"\val{result} = \tfrac1n \val{grad_output}\,\val{weight}"
    r" \frac{\val{input} - \val{target}}{\val{input} (1 - \val{input})}",
    grad_fn="BinaryCrossEntropyBackwardBackward0",
    samples=lambda: [Sample((t(seed=2), *s.args[:2], None, "mean")) for s in _chances()[:1]],
)
def binary_cross_entropy_backward(
    grad_output: Array, input: Array, target: Array, weight: Array | None, reduction: str
) -> Array:
    """Compute the gradient through binary_cross_entropy."""
    slope = (
        grad_output * (input - target) / np.maximum((1 - input) * input, input.dtype.type(1e-12))
    )
    slope = slope if weight is None else slope * weight
    return slope / input.size if reduction == "mean" else slope


@binary_cross_entropy_backward.vjp(
    "grad_output",
    latex=r"\grad{grad_output} = \tfrac1n \sum \grad{result}\,\val{weight}"
    r" \frac{\val{input} - \val{target}}{\val{input} (1 - \val{input})}",
)
def _(grad: Any, input: Any, target: Any, weight: Any, reduction: str) -> Any:
    return binary_cross_entropy_backward(grad, input, target, weight, reduction)


@binary_cross_entropy_backward.vjp(
    "input",
    latex=r"\grad{input} = \tfrac1n \grad{result} \odot \val{grad_output}\,\val{weight}"
    r" \left(\frac{\val{target}}{\val{input}^2} + \frac{1 - \val{target}}{(1 -"
    r" \val{input})^2}\right)",
)
def _(grad: Any, grad_output: Any, input: Any, target: Any, weight: Any, reduction: str) -> Any:
    rest = 1 - input
    slope = grad * grad_output * (target / (input * input) + (1 - target) / (rest * rest))
    slope = slope if weight is None else slope * weight
    return share(slope, math.prod(input.shape), reduction)


@binary_cross_entropy_backward.vjp(
    "target",
    latex=r"\grad{target} = -\tfrac1n \grad{result} \odot \val{grad_output}\,\val{weight}"
    r" / (\val{input} (1 - \val{input}))",
)
def _(grad: Any, grad_output: Any, input: Any, weight: Any, reduction: str) -> Any:
    slope = -grad * grad_output / (input * (1 - input))
    slope = slope if weight is None else slope * weight
    return share(slope, math.prod(input.shape), reduction)


def _logits() -> list[Sample]:
    pair = (t(2, 3), t(2, 3, seed=1, low=0.05, high=0.95))
    return [
        *(Sample(pair, {"reduction": r}) for r in REDUCTIONS),
        Sample((*pair, T([0.5, 1.0, 2.0]))),
        Sample(pair, {"pos_weight": T([0.5, 1.0, 2.0])}),
    ]


@op(
    "binary_cross_entropy_with_logits",
    latex=r"\val{result} = -\tfrac1n \sum \val{weight} (\val{pos_weight}\,\val{target}"
    r" \ln \sigma(\val{input}) + (1 - \val{target}) \ln \sigma(-\val{input}))",
    grad_fn="BinaryCrossEntropyWithLogitsBackward0",
    binds=("torch.nn.functional.binary_cross_entropy_with_logits",),
    samples=_logits,
    promote="arithmetic",
    same_shape=False,
)
def binary_cross_entropy_with_logits(
    input: Array,
    target: Array,
    weight: Array | None = None,
    pos_weight: Array | None = None,
    *,
    reduction: str = "mean",
) -> Array:
    """Compare logits with truth, without overflow.

    >>> loss = torch.nn.functional.binary_cross_entropy_with_logits
    >>> loss(torch.tensor([0.]), torch.tensor([1.]))
    tensor(0.6931)
    """
    below = np.minimum(input, 0) - accurate.log1p(accurate.exp(-np.abs(input)))  # ln of the sigmoid
    if pos_weight is None:
        losses = (1 - target) * input - below
    else:
        losses = (1 - target) * input - ((pos_weight - 1) * target + 1) * below
    return reduced(losses if weight is None else losses * weight, reduction)


@binary_cross_entropy_with_logits.vjp(
    "input",
    latex=r"\grad{input} = \tfrac1n \grad{result}\,\val{weight}"
    r" ((\val{pos_weight}\,\val{target} + 1"
    r" - \val{target})\, \sigma(\val{input}) - \val{pos_weight}\,\val{target})",
)
def _(grad: Any, input: Any, target: Any, weight: Any, pos_weight: Any, reduction: str) -> Any:
    if pos_weight is None:
        slope = (sigmoid(input) - target) * grad
    else:
        yes = pos_weight * target
        slope = ((yes + 1 - target) * sigmoid(input) - yes) * grad
    slope = slope if weight is None else slope * weight
    return share(slope, size_of(input.shape, target.shape), reduction)


@binary_cross_entropy_with_logits.vjp(
    "target",
    latex=r"\grad{target} = \tfrac1n \grad{result}\,\val{weight} (\ln \sigma(-\val{input})"
    r" - \val{pos_weight} \ln \sigma(\val{input}))",
)
def _(grad: Any, input: Any, weight: Any, pos_weight: Any, reduction: str) -> Any:
    if pos_weight is None:
        slope = -input * grad
    else:
        slope = (log_sigmoid(-input) - pos_weight * log_sigmoid(input)) * grad
    slope = slope if weight is None else slope * weight
    return share(slope, math.prod(input.shape), reduction)


# --- margins -------------------------------------------------------------------------------------


@op(
    "soft_margin_loss",
    latex=r"\val{result} = \tfrac1n \sum \ln(1 + e^{-\val{target}\,\val{input}})",
    grad_fn="SoftMarginLossBackward0",
    binds=("torch.nn.functional.soft_margin_loss",),
    samples=lambda: [
        Sample((t(2, 3), T([[1.0, -1.0, 1.0], [-1.0, 1.0, -1.0]])), {"reduction": r})
        for r in REDUCTIONS
    ],
)
def soft_margin_loss(input: Array, target: Array, *, reduction: str = "mean") -> Array:
    """Average the logistic loss of scores against signs.

    >>> torch.nn.functional.soft_margin_loss(torch.tensor([0.]), torch.tensor([1.]))
    tensor(0.6931)
    """
    return reduced(accurate.log1p(accurate.exp(-target * input)), reduction)


@soft_margin_loss.prepare
def _(input: Any, target: Any, reduction: str) -> None:
    _check(input, target)


@soft_margin_loss.vjp(
    "input",
    latex=r"\grad{input} = -\tfrac1n"
    r" \grad{result}\,\val{target}\,\sigma(-\val{target}\,\val{input})",
)
def _(grad: Any, input: Any, target: Any, reduction: str) -> Any:
    slope = -target * sigmoid(-target * input) * grad
    return share(slope, math.prod(input.shape), reduction)


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
