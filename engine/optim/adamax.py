"""Adamax."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.nn._torch import Tensor

from ._array_optimizer import (
    Array,
    ArrayOptimizer,
    add_quotient,
    array,
    constant,
    count,
    counter,
    lerp,
    number,
    plus,
    scale,
    zeros,
)
from ._moments import check_options
from .optimizer import Group


class Adamax(ArrayOptimizer):
    """Adam with the largest recent gradient in place of the root of the average square.

    Kingma and Ba, "Adam: A Method for Stochastic Optimization" (2014), section 7.1.
    """

    def __init__(
        self,
        params: Any,
        lr: float = 0.002,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-08,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_options(lr, betas, eps, weight_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _update(self, w: Array, g: Array, parameter: Tensor, group: Group) -> None:
        state = self.state[parameter]
        beta1, beta2 = group["betas"]
        if not state:
            state["step"] = counter()
            state["exp_avg"] = zeros(w)
            state["exp_inf"] = zeros(w)
        steps = count(state)
        if group["weight_decay"] != 0:
            g = plus(g, group["weight_decay"], w)
        first, largest = array(state["exp_avg"]), array(state["exp_inf"])
        lerp(first, g, 1 - beta1)
        scale(largest, beta2)
        np.maximum(largest, np.abs(g) + constant(group["eps"], w.dtype), out=largest)
        add_quotient(w, -(number(group["lr"]) / (1 - beta1**steps)), first, largest)
