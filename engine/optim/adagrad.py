"""Adagrad."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.nn._torch import Tensor

from ._array_optimizer import (
    Array,
    ArrayOptimizer,
    add_product,
    add_quotient,
    array,
    check,
    check_lr,
    constant,
    count,
    counter,
    number,
    plus,
    zeros,
)
from .optimizer import Group


class Adagrad(ArrayOptimizer):
    """w -= lr * g / (sqrt(sum of all g²) + eps).

    Duchi et al., "Adaptive Subgradient Methods for Online Learning and Stochastic Optimization"
    (2011).
    """

    def __init__(
        self,
        params: Any,
        lr: float = 0.01,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_lr(lr)
        check(lr_decay >= 0.0, "lr_decay value", lr_decay)
        check(weight_decay >= 0.0, "weight_decay value", weight_decay)
        check(
            initial_accumulator_value >= 0.0,
            "initial_accumulator_value value",
            initial_accumulator_value,
        )
        check(eps >= 0.0, "epsilon value", eps)
        defaults = {
            "lr": lr,
            "lr_decay": lr_decay,
            "eps": eps,
            "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)
        for group in self.param_groups:
            for parameter in group["params"]:
                self._begin(self.state[parameter], parameter._array, group)

    def _begin(self, state: dict[str, Any], w: Array, group: Group) -> None:
        state["step"] = counter()
        state["sum"] = zeros(w, group["initial_accumulator_value"])

    def _update(self, w: Array, g: Array, parameter: Tensor, group: Group) -> None:
        state = self.state[parameter]
        if not state:  # a group added later
            self._begin(state, w, group)
        steps = count(state)
        if group["weight_decay"] != 0:
            g = plus(g, group["weight_decay"], w)
        total = array(state["sum"])
        add_product(total, 1, g, g)
        root = np.sqrt(total)
        root += constant(group["eps"], w.dtype)
        lr = number(group["lr"]) / (1 + (steps - 1) * group["lr_decay"])
        add_quotient(w, -lr, g, root)
