"""Adafactor."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.nn._torch import Tensor
from engine.ops.norms import length

from ._array_optimizer import (
    Array,
    ArrayOptimizer,
    array,
    axpy,
    check_bound,
    check_one,
    constant,
    count,
    counter,
    lerp,
    number,
    scale,
    zeros,
)
from .optimizer import Group


class Adafactor(ArrayOptimizer):
    """Steps by averages of squared gradients, kept for a matrix only as its rows and columns.

    Shazeer and Stern, "Adafactor: Adaptive Learning Rates with Sublinear Memory Cost" (2018);
    `lr` is the most a step may be, relative to the parameter's size.
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        check_one(lr)
        check_bound(0.0 <= lr, "Learning rate should be >= 0", lr)  # noqa: SIM300
        check_bound(beta2_decay <= 0.0, "beta2_decay should be <= 0", beta2_decay)
        check_bound(eps[0] is None or eps[0] >= 0.0, "epsilon1 should be >= 0", eps[0])
        check_bound(eps[1] >= 0.0, "epsilon2 should be >= 0", eps[1])
        check_bound(d >= 1.0, "Clipping threshold d should be >= 1", d)
        check_bound(weight_decay >= 0.0, "weight_decay should be >= 0", weight_decay)
        defaults = {
            "lr": lr,
            "beta2_decay": beta2_decay,
            "eps": eps,
            "d": d,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
        }
        super().__init__(params, defaults)

    def _writes_twice(self, group: Group) -> bool:
        return bool(group["weight_decay"] != 0)

    def _update(self, w: Array, g: Array, parameter: Tensor, group: Group) -> None:
        state = self.state[parameter]
        if not state:
            state["step"] = counter()
            if w.ndim > 1:
                state["row_var"] = zeros(w[..., :1])
                state["col_var"] = zeros(w[..., :1, :])
            else:
                state["variance"] = zeros(w)
        smallest, least = group["eps"]
        if smallest is None:
            smallest = float(np.finfo(w.dtype).eps)
        lr, steps = number(group["lr"]), count(state)
        pace = min(lr, 1 / steps**0.5)
        alpha = max(least, root_mean_square(w)) * pace
        if group["weight_decay"] != 0:
            scale(w, 1 - lr * group["weight_decay"])
        update = estimate(state, g, steps ** group["beta2_decay"], smallest)
        np.maximum(update, constant(smallest * smallest, w.dtype), out=update)
        np.sqrt(update, out=update)
        np.divide(1, update, out=update)
        update *= g
        axpy(w, -alpha / max(1.0, root_mean_square(update) / group["d"]), update)


def root_mean_square(x: Array) -> float:
    """Return the root of the mean of the squares of all elements."""
    return float(length(x, 2, None, False)) / float(x.size**0.5)


def mean_square(g: Array, dim: int) -> Array:
    """Return the mean of squares along a dim, which is kept."""
    squares = length(g, 2, (g.ndim + dim,), True) ** 2
    return squares / constant(g.shape[dim], g.dtype)


def estimate(state: dict[str, Any], g: Array, weight: float, smallest: float) -> Array:
    """Move the averages by `weight` and return what they say of each element's square."""
    if g.ndim < 2:
        variance = array(state["variance"])
        lerp(variance, g * g, weight)
        return np.array(variance)
    rows, columns = array(state["row_var"]), array(state["col_var"])
    lerp(rows, mean_square(g, -1), weight)
    lerp(columns, mean_square(g, -2), weight)
    mean = rows.mean(-2, keepdims=True)
    product: Array = np.matmul(rows, columns)
    product /= np.maximum(mean, constant(smallest, g.dtype))
    return product
