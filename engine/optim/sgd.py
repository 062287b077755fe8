"""Stochastic gradient descent."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.nn._torch import Tensor
from engine.tensor import make

from ._array_optimizer import (
    Array,
    ArrayOptimizer,
    array,
    axpy,
    check,
    check_lr,
    number,
    plus,
    scale,
)
from .optimizer import Group


class SGD(ArrayOptimizer):
    """w -= lr * g, with momentum (heavy ball or Nesterov) and weight decay.

    A parameter without gradient is left alone entirely; momentum and decay act on a gradient of
    zeros. Sutskever et al., "On the importance of initialization and momentum in deep learning"
    (2013).
    """

    def __init__(
        self,
        params: Any,
        lr: float = 0.001,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        if isinstance(lr, str):
            raise TypeError("'<' not supported between instances of 'str' and 'float'")
        check_lr(lr)
        check(momentum >= 0.0, "momentum value", momentum)
        check(weight_decay >= 0.0, "weight_decay value", weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
            "foreach": foreach,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)

    def _update(self, w: Array, g: Array, parameter: Tensor, group: Group) -> None:
        decay, momentum = group["weight_decay"], group["momentum"]
        if decay != 0:
            g = plus(g, number(decay), w)
        if momentum != 0:
            state = self.state[parameter]
            kept = state.get("momentum_buffer")
            if kept is None:
                kept = state["momentum_buffer"] = make(np.array(g))
                moving = array(kept)
            else:
                moving = array(kept)
                scale(moving, momentum)
                axpy(moving, 1 - group["dampening"], g)
            g = plus(g, momentum, moving) if group["nesterov"] else moving
        axpy(w, -number(group["lr"]), g)
