"""Connectionist temporal classification: the loss of a sequence over all its alignments."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.record import Array, function, op
from engine.tensor import Tensor


def _with_blanks(target: Any, blank: int) -> Any:
    """Return labels with a blank before, between and after."""
    spread = np.full(2 * len(target) + 1, blank)
    spread[1::2] = target
    return spread


def _log_add(*parts: Any) -> Any:
    total = parts[0]
    for part in parts[1:]:
        total = np.logaddexp(total, part)
    return total


def forward_table(scores: Any, labels: Any) -> Any:
    """Return log alpha (time, place): how likely a beginning of the labels is after each step."""
    steps, places = len(scores), len(labels)
    table = np.full((steps, places), -np.inf)
    table[0, :2] = scores[0, labels[:2]]
    skips = np.zeros(places, bool)  # a label may follow another one directly
    skips[2:] = (labels[2:] != labels[:-2]) & (np.arange(2, places) % 2 == 1)
    for step in range(1, steps):
        before = table[step - 1]
        one = np.concatenate([[-np.inf], before[:-1]])
        two = np.where(skips, np.concatenate([[-np.inf, -np.inf], before[:-2]])[:places], -np.inf)
        table[step] = _log_add(before, one, two) + scores[step, labels]
    return table


def each_sequence(
    log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any, blank: int
) -> Any:
    """Yield the scores (time, class) and the labels, with blanks, of every sequence of a batch."""
    start = 0
    for i, (steps, count) in enumerate(zip(input_lengths, target_lengths, strict=True)):
        target = targets[i, :count] if targets.ndim == 2 else targets[start : start + count]
        start += count
        yield log_probs[:steps, i].astype(np.float64), _with_blanks(target, blank)


@op(
    "ctc_loss",
    latex=r"\val{result} = -\log \sum_{\pi \to \val{targets}} \prod_t e^{\val{log_probs}_{t\pi_t}}",
    grad_fn="CtcLossBackward0",
)
def ctc(
    log_probs: Array,
    targets: Array,
    input_lengths: tuple[int, ...],
    target_lengths: tuple[int, ...],
    blank: int = 0,
    zero_infinity: bool = False,
) -> Array:
    """Return minus the log of the probability of each target.

    Its gradient is that of the scores before they were normalised, as in PyTorch. Graves et al.,
    "Connectionist Temporal Classification" (2006).
    """
    losses = []
    for scores, labels in each_sequence(
        log_probs, np.asarray(targets), input_lengths, target_lengths, blank
    ):
        last = forward_table(scores, labels)[-1]
        losses.append(-_log_add(*last[-2:]))
    result = np.array(losses, log_probs.dtype)
    return np.where(np.isinf(result), 0, result).astype(result.dtype) if zero_infinity else result


@op(
    "ctc_loss_grad",
    latex=r"\val{result} = \val{grad} \odot (e^{\val{log_probs}} - \text{alignments})",
    grad_fn="torch::autograd::NotImplemented",
)
def ctc_grad(
    grad: Array,
    log_probs: Array,
    targets: Array,
    input_lengths: tuple[int, ...],
    target_lengths: tuple[int, ...],
    blank: int = 0,
    zero_infinity: bool = False,
) -> Array:
    """Return the gradient of the loss with respect to normalised log probabilities."""
    result = np.zeros(log_probs.shape)
    sequences = each_sequence(log_probs, np.asarray(targets), input_lengths, target_lengths, blank)
    for i, (scores, labels) in enumerate(sequences):
        alpha = forward_table(scores, labels)
        beta = forward_table(scores[::-1], labels[::-1])[::-1, ::-1]
        total = _log_add(*alpha[-1, -2:])
        if np.isinf(total) and zero_infinity:
            continue
        steps = len(scores)
        through = np.exp(alpha + beta - scores[:, labels] - total)
        share = np.zeros(scores.shape)
        for place, label in enumerate(labels):
            share[:, label] += through[:, place]
        result[:steps, i] = (np.exp(scores) - share) * float(grad[i])
    return result.astype(log_probs.dtype)


@ctc.vjp(
    "log_probs",
    latex=r"\grad{log_probs} = \grad{result} \odot (e^{\val{log_probs}}"
    r" - P(\text{label} \mid \val{targets}))",
)
def _(
    grad: Any,
    log_probs: Any,
    targets: Any,
    input_lengths: Any,
    target_lengths: Any,
    blank: Any,
    zero_infinity: Any,
) -> Any:
    return ctc_grad(grad, log_probs, targets, input_lengths, target_lengths, blank, zero_infinity)


def _lengths(lengths: Any) -> tuple[int, ...]:
    return tuple(lengths.tolist()) if isinstance(lengths, Tensor) else tuple(lengths)  # type: ignore[attr-defined]


@function("torch.nn.functional.ctc_loss")
def ctc_loss(
    log_probs: Any,
    targets: Any,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Any:
    """Compute the loss of targets given log probabilities (time, batch, class), reduced."""
    alone = log_probs.ndim == 2
    if alone:
        log_probs, targets = log_probs.unsqueeze(1), targets.unsqueeze(0)
    steps, counts = _lengths(input_lengths), _lengths(target_lengths)
    if len(steps) != log_probs.shape[1]:
        raise fail("ctc", "input_lengths must be of size batch_size")
    if max(steps) > log_probs.shape[0]:
        raise fail(
            "ctc",
            f"Expected input_lengths to have value at most {log_probs.shape[0]}, but got value"
            f" {max(steps)} (while checking arguments for ctc_loss_cpu)",
        )
    loss: Any = ctc(log_probs, targets, steps, counts, blank, zero_infinity)
    if reduction == "mean":
        return (loss / loss.new_tensor([max(n, 1) for n in counts])).mean()
    if reduction == "sum":
        return loss.sum()
    return loss[0] if alone else loss
