"""RMSprop."""

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
    axpy,
    check,
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


class RMSprop(ArrayOptimizer):
    """w -= lr * g / (sqrt(average of g²) + eps); `centered` subtracts the average of g, squared.

    Tieleman and Hinton, "Lecture 6.5 - rmsprop" (2012); the centered version is Graves,
    "Generating Sequences With Recurrent Neural Networks" (2013).
    """

    def __init__(
        self,
        params: Any,
        lr: float = 0.01,
        alpha: float = 0.99,
        eps: float = 1e-08,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_lr(lr)
        check(eps >= 0.0, "epsilon value", eps)
        check(momentum >= 0.0, "momentum value", momentum)
        check(weight_decay >= 0.0, "weight_decay value", weight_decay)
        check(alpha >= 0.0, "alpha value", alpha)
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "alpha": alpha,
            "eps": eps,
            "centered": centered,
            "weight_decay": weight_decay,
            "capturable": capturable,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _update(self, w: Array, g: Array, parameter: Tensor, group: Group) -> None:
        state = self.state[parameter]
        alpha, momentum, lr = group["alpha"], group["momentum"], number(group["lr"])
        if not state:
            state["step"] = counter()
            state["square_avg"] = zeros(w)
            if momentum > 0:
                state["momentum_buffer"] = zeros(w)
            if group["centered"]:
                state["grad_avg"] = zeros(w)
        count(state)
        if group["weight_decay"] != 0:
            g = plus(g, group["weight_decay"], w)
        square = array(state["square_avg"])
        scale(square, alpha)
        add_product(square, 1 - alpha, g, g)
        root = np.array(square)
        if group["centered"]:
            mean = array(state["grad_avg"])
            lerp(mean, g, 1 - alpha)
            add_product(root, -1, mean, mean)
        np.sqrt(root, out=root)
        root += constant(group["eps"], w.dtype)
        if momentum > 0:
            moving = array(state["momentum_buffer"])
            scale(moving, momentum)
            add_quotient(moving, 1, g, root)
            axpy(w, -lr, moving)
        else:
            add_quotient(w, -lr, g, root)
