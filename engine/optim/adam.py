"""Adam."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.nn._torch import Tensor

from ._array_optimizer import (
    Array,
    ArrayOptimizer,
    array,
    constant,
    counter,
    number,
    zeros,
)
from ._moments import advance, begin, check_options
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
        check_options(lr, betas, eps, weight_decay)
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
        lr = number(group["lr"])
        if not state:
            state["step"] = counter()
            begin(state, w)
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = zeros(w)
        steps, _, first, second = advance(state, w, g, group)
        if group["amsgrad"]:
            largest = array(state["max_exp_avg_sq"])
            np.maximum(largest, second, out=largest)
            second = largest
        root = np.sqrt(second)
        root /= np.array((1 - beta2**steps) ** 0.5, w.dtype)
        root += constant(group["eps"], w.dtype)
        w += first * np.array(-(lr / (1 - beta1**steps)), w.dtype) / root
