"""Losses of probabilities, or logits, against yes and no."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes, grad_mode
from engine.dtypes import LEGACY_NAMES
from engine.errors import fail
from engine.ops import accurate
from engine.ops.activation import sigmoid
from engine.ops.dims import broadcast_shapes, not_implemented
from engine.ops.explog import log
from engine.ops.inplace import check_cast
from engine.ops.loss_reduction import REDUCTIONS, reduced, share, size_of
from engine.ops.record import Array, op
from engine.ops.samples import Sample, T, t
from engine.ops.softplus import log_sigmoid
from engine.tensor import Tensor

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
    if input.dtype is not target.dtype:
        raise fail(
            "dtypes-differ",
            f"Found dtype {LEGACY_NAMES[target.dtype]} but expected {LEGACY_NAMES[input.dtype]}",
        )
    outside = [np.ravel(~((x >= 0) & (x <= 1))) for x in (input._array, target._array)]
    wrong = outside[0] | outside[1]
    if np.any(wrong):  # the first element tells, of both its input
        name = "input" if outside[0][np.argmax(wrong)] else "target"
        raise fail("probability-range", f"all elements of {name} should be between 0 and 1")


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
    if pos_weight is not None:
        below = ((pos_weight - 1) * target + 1) * below
    # It goes on in place, so the result has the type of the target.
    kind: Any = target.dtype
    losses = np.asarray(np.asarray((1 - target) * input, kind) - below, kind)[()]
    return reduced(losses if weight is None else losses * weight, reduction)


@binary_cross_entropy_with_logits.prepare
def _(input: Tensor, target: Any, weight: Any, pos_weight: Any, reduction: str) -> None:
    if not input.dtype.is_floating_point:
        raise not_implemented("log_sigmoid_cpu", input)


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
    exponent = (-input * target).astype(input.dtype)
    return reduced(accurate.log1p(accurate.exp(exponent)), reduction)


@soft_margin_loss.prepare
def _(input: Any, target: Any, reduction: str) -> None:
    if target.requires_grad and grad_mode.enabled:
        raise fail(
            "not-differentiable",
            "The function 'soft_margin_loss' is not differentiable with respect to argument"
            " 'target'. This input cannot have requires_grad True.",
        )
    shape = broadcast_shapes(input.shape, target.shape)
    if tuple(shape) != tuple(input.shape):
        raise fail(
            "in-place-shape",
            f"output with shape {list(input.shape)} doesn't match the broadcast shape"
            f" {list(shape)}",
        )
    kind = dtypes.result_type([input, target])
    check_cast(kind if kind.is_floating_point else dtypes.default, input.dtype)


@soft_margin_loss.vjp(
    "input",
    latex=r"\grad{input} = -\tfrac1n"
    r" \grad{result}\,\val{target}\,\sigma(-\val{target}\,\val{input})",
)
def _(grad: Any, input: Any, target: Any, reduction: str) -> Any:
    slope = -target * sigmoid(-target * input) * grad
    return share(slope, math.prod(input.shape), reduction)
