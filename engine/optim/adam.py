"""Adam."""

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


class Adam(ArrayOptimizer):
    """Steps of about lr, by averages of the gradient and of its square.

    Kingma and Ba, "Adam: A Method for Stochastic Optimization" (2014); `amsgrad` is Reddi et al.,
    "On the Convergence of Adam and Beyond" (2018); `decoupled_weight_decay` makes it AdamW.
    """

    def __init__(
        self,
        params: Any,
        lr: float = 0.001,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-08,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        check_lr(lr)
        check(eps >= 0.0, "epsilon value", eps)
        check_betas(betas)
        check(weight_decay >= 0.0, "weight_decay value", weight_decay)
        betas = (number(betas[0]), number(betas[1]))
        if not (isinstance(betas[0], float) and isinstance(betas[1], float)):
            raise ValueError("betas must be either both floats or both Tensors")
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
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
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = zeros(w)
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
        if group["amsgrad"]:
            largest = array(state["max_exp_avg_sq"])
            np.maximum(largest, second, out=largest)
            second = largest
        root = np.sqrt(second)
        root /= np.array((1 - beta2**steps) ** 0.5, w.dtype)
        root += constant(group["eps"], w.dtype)
        w += first * np.array(-(lr / (1 - beta1**steps)), w.dtype) / root
