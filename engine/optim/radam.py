"""RAdam."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.nn._torch import Tensor

from ._array_optimizer import (
    Array,
    ArrayOptimizer,
    constant,
    counter,
    number,
)
from ._moments import advance, begin, check_options
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
        check_options(lr, betas, eps, weight_decay)
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
        lr = number(group["lr"])
        if not state:
            state["step"] = counter()
            begin(state, w)
        steps, _, first, second = advance(state, w, g, group)
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
