"""Averaged stochastic gradient descent."""

from __future__ import annotations

from typing import Any

from engine.nn._torch import Tensor

from ._array_optimizer import (
    Array,
    ArrayOptimizer,
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


class ASGD(ArrayOptimizer):
    """Gradient descent with a shrinking rate; the average of the parameters is kept in "ax".

    Polyak and Juditsky, "Acceleration of Stochastic Approximation by Averaging" (1992).
    """

    def __init__(
        self,
        params: Any,
        lr: float = 0.01,
        lambd: float = 0.0001,
        alpha: float = 0.75,
        t0: float = 1000000.0,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_lr(lr)
        check(weight_decay >= 0.0, "weight_decay value", weight_decay)
        defaults = {
            "lr": lr,
            "lambd": lambd,
            "alpha": alpha,
            "t0": t0,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _update(self, w: Array, g: Array, parameter: Tensor, group: Group) -> None:
        state = self.state[parameter]
        lr, lambd = number(group["lr"]), group["lambd"]
        if not state:
            state["step"] = counter()
            state["eta"] = counter(lr)
            state["mu"] = counter(1.0)
            state["ax"] = zeros(w)
        steps = count(state)
        if group["weight_decay"] != 0:
            g = plus(g, group["weight_decay"], w)
        eta, mu, mean = array(state["eta"]), array(state["mu"]), array(state["ax"])
        rate = float(eta)
        scale(w, 1 - lambd * rate)
        axpy(w, -rate, g)
        if mu == 1:
            mean[...] = w
        else:
            mean += (w - mean) * constant(float(mu), w.dtype)
        eta[...] = lr / (1 + lambd * lr * steps) ** group["alpha"]
        mu[...] = 1 / max(1, steps - group["t0"])
