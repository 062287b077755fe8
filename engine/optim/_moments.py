"""What Adam and its relatives share: running averages of the gradient and of its square."""

from __future__ import annotations

from typing import Any

from ._array_optimizer import (
    Array,
    add_product,
    array,
    check,
    check_betas,
    check_lr,
    count,
    lerp,
    number,
    plus,
    scale,
    zeros,
)
from .optimizer import Group


def check_options(lr: float, betas: tuple[float, float], eps: float, weight_decay: float) -> None:
    """Refuse options outside their ranges, in PyTorch's order."""
    check_lr(lr)
    check(eps >= 0.0, "epsilon value", eps)
    check_betas(betas)
    check(weight_decay >= 0.0, "weight_decay value", weight_decay)


def begin(state: dict[str, Any], w: Array) -> None:
    """Start both averages at zero."""
    state["exp_avg"] = zeros(w)
    state["exp_avg_sq"] = zeros(w)


def advance(
    state: dict[str, Any], w: Array, g: Array, group: Group
) -> tuple[float, Array, Array, Array]:
    """Count the step, apply the weight decay and move the averages.

    Returns the number of steps, the gradient with the decay in it, and the two averages.
    """
    beta1, beta2 = group["betas"]
    decay = group["weight_decay"]
    steps = count(state)
    if decay != 0:
        if group["decoupled_weight_decay"]:
            scale(w, 1 - number(group["lr"]) * decay)
        else:
            g = plus(g, decay, w)
    first, second = array(state["exp_avg"]), array(state["exp_avg_sq"])
    lerp(first, g, 1 - beta1)
    scale(second, beta2)
    add_product(second, 1 - beta2, g, g)
    return steps, g, first, second
