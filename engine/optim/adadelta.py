"""Adadelta."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.nn._torch import Tensor

from ._array_optimizer import (
    Array,
    ArrayOptimizer,
    add_product,
    array,
    axpy,
    check,
    check_lr,
    constant,
    count,
    counter,
    number,
    plus,
    scale,
    zeros,
)
from .optimizer import Group


class Adadelta(ArrayOptimizer):
    """Steps in proportion to the average size of the last steps over that of the gradients.

    Zeiler, "ADADELTA: An Adaptive Learning Rate Method" (2012).
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1.0,
        rho: float = 0.9,
        eps: float = 1e-06,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_lr(lr)
        check(0.0 <= rho <= 1.0, "rho value", rho)
        check(eps >= 0.0, "epsilon value", eps)
        check(weight_decay >= 0.0, "weight_decay value", weight_decay)
        defaults = {
            "lr": lr,
            "rho": rho,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "capturable": capturable,
            "foreach": foreach,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _update(self, w: Array, g: Array, parameter: Tensor, group: Group) -> None:
        state = self.state[parameter]
        rho, eps = group["rho"], constant(group["eps"], w.dtype)
        if not state:
            state["step"] = counter()
            state["square_avg"] = zeros(w)
            state["acc_delta"] = zeros(w)
        count(state)
        if group["weight_decay"] != 0:
            g = plus(g, group["weight_decay"], w)
        square, moved = array(state["square_avg"]), array(state["acc_delta"])
        scale(square, rho)
        add_product(square, 1 - rho, g, g)
        delta = np.sqrt(moved + eps) / np.sqrt(square + eps) * g
        scale(moved, rho)
        add_product(moved, 1 - rho, delta, delta)
        axpy(w, -number(group["lr"]), delta)
