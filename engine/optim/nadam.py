"""NAdam."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.nn._torch import Tensor

from ._array_optimizer import (
    Array,
    ArrayOptimizer,
    add_quotient,
    array,
    check,
    constant,
    counter,
    number,
    scale,
)
from ._moments import advance, begin, check_options
from .optimizer import Group


class NAdam(ArrayOptimizer):
    """Adam with Nesterov momentum.

    Dozat, "Incorporating Nesterov Momentum into Adam" (2016).
    """

    def __init__(
        self,
        params: Any,
        lr: float = 0.002,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-08,
        weight_decay: float = 0,
        momentum_decay: float = 0.004,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_options(lr, betas, eps, weight_decay)
        check(momentum_decay >= 0.0, "momentum_decay value", momentum_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _update(self, w: Array, g: Array, parameter: Tensor, group: Group) -> None:
        state = self.state[parameter]
        beta1, beta2 = group["betas"]
        lr = number(group["lr"])
        if not state:
            state["step"] = counter()
            state["mu_product"] = counter(1.0)
            begin(state, w)
        steps, g, first, second = advance(state, w, g, group)
        pace = group["momentum_decay"]
        mu = beta1 * (1.0 - 0.5 * 0.96 ** (steps * pace))
        following = beta1 * (1.0 - 0.5 * 0.96 ** ((steps + 1) * pace))
        product = array(state["mu_product"])
        scale(product, mu)
        root = np.sqrt(second / np.array(1 - beta2**steps, w.dtype))
        root += constant(group["eps"], w.dtype)
        reached = float(product)
        add_quotient(w, -lr * (1.0 - mu) / (1.0 - reached), g, root)
        add_quotient(w, -lr * following / (1.0 - reached * following), first, root)
