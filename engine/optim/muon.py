"""Muon."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.nn._torch import Tensor

from ._array_optimizer import (
    Array,
    ArrayOptimizer,
    array,
    axpy,
    check_bound,
    check_one,
    lerp,
    number,
    scale,
    zeros,
)
from .optimizer import Group

ADJUSTMENTS = ("original", "match_rms_adamw")


class Muon(ArrayOptimizer):
    """Steps whose matrices have singular values of about 1: momentum, made nearly orthogonal.

    Jordan et al., "Muon: An optimizer for hidden layers in neural networks" (2024);
    `match_rms_adamw` is Liu et al., "Muon is Scalable for LLM Training" (2025).
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (3.4445, -4.7750, 2.0315),
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        check_one(lr)
        check_bound(0.0 <= lr, "Learning rate should be >= 0", lr)  # noqa: SIM300
        check_bound(momentum >= 0.0, "momentum should be >= 0", momentum)
        check_bound(weight_decay >= 0.0, "weight decay should be >= 0", weight_decay)
        if adjust_lr_fn is not None and adjust_lr_fn not in ADJUSTMENTS:
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        defaults = {
            "lr": lr,
            "weight_decay": weight_decay,
            "momentum": momentum,
            "nesterov": nesterov,
            "ns_coefficients": ns_coefficients,
            "eps": eps,
            "ns_steps": ns_steps,
            "adjust_lr_fn": adjust_lr_fn,
        }
        super().__init__(params, defaults)
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.ndim != 2:
                    raise ValueError(
                        "Muon only supports 2D parameters whereas we found a parameter with size:"
                        f" {parameter.size()}"
                    )

    def _writes_twice(self, group: Group) -> bool:
        return True

    def _update(self, w: Array, g: Array, parameter: Tensor, group: Group) -> None:
        if g.ndim != 2:
            raise ValueError("Param gradient must be a 2D matrix")
        state = self.state[parameter]
        if "momentum_buffer" not in state:
            state["momentum_buffer"] = zeros(w)
        moving = array(state["momentum_buffer"])
        lerp(moving, g, 1 - group["momentum"])
        update = moving
        if group["nesterov"]:
            update = np.array(g)
            lerp(update, moving, group["momentum"])
        update = orthogonal(update, group["ns_coefficients"], group["ns_steps"], group["eps"])
        lr = number(group["lr"])
        scale(w, 1 - lr * group["weight_decay"])
        axpy(w, -lr * adjustment(group["adjust_lr_fn"], *w.shape), update.astype(w.dtype))


def adjustment(name: str | None, rows: int, columns: int) -> float:
    """Return what the learning rate of a matrix is multiplied by."""
    if name == "match_rms_adamw":
        return 0.2 * math.sqrt(max(rows, columns))
    return math.sqrt(max(1, rows / columns))


def orthogonal(g: Array, coefficients: tuple[float, float, float], steps: int, eps: float) -> Array:
    """Draw a matrix's singular values near 1 by an iteration of Newton and Schulz.

    Every result is rounded to bfloat16, as PyTorch's are.
    """
    if steps >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    if len(coefficients) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    a, b, c = (np.float32(x) for x in coefficients)
    tall = g.shape[0] > g.shape[1]
    x = bfloat16(g.T if tall else g)
    length = np.maximum(bfloat16(np.sqrt(np.sum(x * x))), bfloat16(np.float32(eps)))
    x = bfloat16(x / length)
    for _ in range(steps):
        gram = bfloat16(x @ x.T)
        inner = bfloat16(b * gram + c * (gram @ gram))
        x = bfloat16(a * x + inner @ x)
    return x.T if tall else x


def bfloat16(x: Any) -> Array:
    """Round to the nearest number of 8 binary digits, ties to even, and keep it as float32."""
    bits = np.array(x, np.float32).view(np.uint32)
    rounded: Array = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
    return rounded.astype(np.uint32).view(np.float32)
