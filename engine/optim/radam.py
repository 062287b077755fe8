"""RAdam."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.nn._torch import Tensor

from ._array_optimizer import (
    Array,
    ArrayOptimizer,
    add_product,
    array,
    check,
    check_betas,
    check_lr,
    constant,
    count,
    counter,
    lerp,
    number,
    plus,
    scale,
    zeros,
)
from .optimizer import Group


class RAdam(ArrayOptimizer):
    """Adam that scales by the gradient's size only once enough steps have measured it.

    Liu et al., "On the Variance of the Adaptive Learning Rate and Beyond" (2019).
    """

    def __init__(
        self,
        params: Any,
        lr: float = 0.001,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-08,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_lr(lr)
        check(eps >= 0.0, "epsilon value", eps)
        check_betas(betas)
        check(weight_decay >= 0.0, "weight_decay value", weight_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _update(self, w: Array, g: Array, parameter: Tensor, group: Group) -> None:
        state = self.state[parameter]
        beta1, beta2 = group["betas"]
        lr, decay = number(group["lr"]), group["weight_decay"]
        if not state:
            state["step"] = counter()
            state["exp_avg"] = zeros(w)
            state["exp_avg_sq"] = zeros(w)
        steps = count(state)
        if decay != 0:
            if group["decoupled_weight_decay"]:
                scale(w, 1 - lr * decay)
            else:
                g = plus(g, decay, w)
        first, second = array(state["exp_avg"]), array(state["exp_avg_sq"])
        lerp(first, g, 1 - beta1)
        scale(second, beta2)
        add_product(second, 1 - beta2, g, g)
        kind = w.dtype.type
        move = first / kind(1 - beta1**steps) * kind(lr)
        correction = 1 - beta2**steps
        longest = 2 / (1 - beta2) - 1
        length = longest - 2 * steps * beta2**steps / correction
        if length > 5.0:
            root = np.sqrt(second) + constant(group["eps"], w.dtype)
            rectify = (
                (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
            ) ** 0.5
            move = move * (kind(correction**0.5) / root) * kind(rectify)
        w -= move
