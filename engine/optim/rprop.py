"""Resilient backpropagation."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.nn._torch import Tensor

from ._array_optimizer import (
    Array,
    ArrayOptimizer,
    array,
    check,
    check_lr,
    count,
    counter,
    number,
    zeros,
)
from .optimizer import Group


class Rprop(ArrayOptimizer):
    """Steps by the sign of the gradient, longer while it keeps its sign, shorter when it flips.

    Riedmiller and Braun, "A Direct Adaptive Method for Faster Backpropagation Learning" (1993).
    """

    def __init__(
        self,
        params: Any,
        lr: float = 0.01,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-06, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_lr(lr)
        check(0.0 < etas[0] < 1.0 < etas[1], "eta values", f"{etas[0]}, {etas[1]}")
        defaults = {
            "lr": lr,
            "etas": etas,
            "step_sizes": step_sizes,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _update(self, w: Array, g: Array, parameter: Tensor, group: Group) -> None:
        state = self.state[parameter]
        if not state:
            state["step"] = counter()
            state["prev"] = zeros(w)
            state["step_size"] = zeros(w, number(group["lr"]))
        count(state)
        kind = w.dtype.type
        shrink, grow = (kind(eta) for eta in group["etas"])
        before, size = array(state["prev"]), array(state["step_size"])
        agreement = g * before
        flipped = agreement < 0
        size *= np.where(flipped, shrink, np.where(agreement > 0, grow, kind(1)))
        np.clip(size, *(kind(bound) for bound in group["step_sizes"]), out=size)
        kept = np.where(flipped, kind(0), g)
        w -= np.sign(kept) * size
        before[...] = kept
