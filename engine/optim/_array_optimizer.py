"""Optimizers that update arrays in place: the walk over parameters, and the arithmetic they share.

PyTorch's kernels round `y + a * x` once; so do these, for tensors small enough that somebody may
look at every digit. For larger ones speed comes first (see Note [Once-rounded updates]).

Note [Once-rounded updates]
A float32 product is exact in float64, so computing in float64 and rounding at the end gives what a
fused multiply-add gives. It costs nothing for small arrays, where the number of numpy calls is what
counts, and a factor of two or three beyond the cache.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from engine import events, grad_mode, views
from engine.errors import unsupported
from engine.fused import fma
from engine.nn._torch import Tensor, TensorClass
from engine.tensor import make

from .optimizer import Group, Optimizer

Array = Any
F32 = np.dtype(np.float32)
EXACT = 16384  # elements up to which updates round once


class ArrayOptimizer(Optimizer):
    """An optimizer whose `_update` changes one parameter's array, given its gradient's."""

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update every parameter that has a gradient; `closure` computes the loss again."""
        loss = None
        if closure is not None:
            with grad_mode.enable_grad():
                loss = closure()
        observed = events.observer is not None
        for group in self.param_groups:
            if group.get("differentiable"):
                raise unsupported("an optimizer that is itself differentiable")
            flip = group.get("maximize")
            twice = self._writes_twice(group)
            for parameter in group["params"]:
                meta = parameter._meta
                if meta is None or meta.grad is None:
                    continue
                grad = -meta.grad._array if flip else meta.grad._array
                if observed:
                    self._update_observed(parameter, grad, group)
                    continue
                shared = meta.storage or parameter._shared()
                self._update(parameter._array, grad, parameter, group)
                shared.wrote()
                if twice:
                    shared.wrote()
                if shared.views:
                    views.noticed(parameter)
        return loss

    def _update_observed(self, parameter: Tensor, grad: Array, group: Group) -> None:
        """Update a copy, so that the write is an operation the observer is told of."""
        values = np.array(parameter._array)
        self._update(values, grad, parameter, group)
        with grad_mode.no_grad():
            parameter.copy_(make(values))

    def _writes_twice(self, group: Group) -> bool:
        """Tell whether PyTorch takes the weight decay off in a write of its own."""
        return bool(group.get("decoupled_weight_decay") and group["weight_decay"])

    def _update(self, w: Array, g: Array, parameter: Tensor, group: Group) -> None:
        """Change the array `w` in place; `g` is not to be changed."""
        raise NotImplementedError


def check(valid: bool, name: str, value: Any) -> None:
    """Refuse an option outside its range."""
    if not valid:
        raise ValueError(f"Invalid {name}: {value}")


def check_bound(valid: bool, bound: str, value: Any) -> None:
    """Refuse an option outside its range, in the words of newer optimizers."""
    if not valid:
        raise ValueError(f"{bound} but is: {value}")


def check_one(lr: Any) -> None:
    """Refuse a learning rate that is a tensor of several."""
    if isinstance(lr, TensorClass) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")


def check_lr(lr: Any) -> None:
    """Refuse a negative learning rate, and a tensor of several."""
    check_one(lr)
    check(0.0 <= lr, "learning rate", lr)  # noqa: SIM300 the order of its TypeError


def check_betas(betas: tuple[float, float]) -> None:
    """Refuse decay rates outside [0, 1)."""
    for i in (0, 1):
        check(0.0 <= betas[i] < 1.0, f"beta parameter at index {i}", betas[i])


def number(value: Any) -> Any:
    """Return an option as a Python number."""
    return value.item() if isinstance(value, TensorClass) else value


# -- state


def zeros(w: Array, value: float = 0.0) -> Tensor:
    """Make a state tensor like a parameter."""
    tensor = make(np.full_like(w, value))
    tensor._shared()
    return tensor


def counter(value: float = 0.0) -> Tensor:
    """Make a state tensor of one number."""
    return zeros(np.zeros((), np.float32), value)


def array(tensor: Tensor) -> Array:
    """Return a state tensor's memory."""
    values = tensor._array
    if values.__class__ is not np.ndarray:
        tensor._shared()
        values = tensor._array
    return values


def count(state: dict[str, Any]) -> float:
    """Add 1 to the state's "step" and return it."""
    steps = array(state["step"])
    steps += 1
    return float(steps)


# -- arithmetic; each changes `y` in place


@lru_cache(512)
def constant(value: float, dtype: Any) -> Array:
    """Return a number as a 0-d array, which numpy multiplies by faster than by a Python number."""
    return np.array(value, dtype)


@lru_cache(512)
def _widened(value: float) -> Array:
    return np.array(np.float32(value), np.float64)


def axpy(y: Array, a: float, x: Array) -> None:
    """Add `a * x`."""
    if y.size > EXACT:
        y += x * constant(a, y.dtype)
    elif y.dtype == F32:
        total = x * _widened(a)
        total += y
        y[...] = total
    else:
        y[...] = fma(x, y.dtype.type(a), y)


def plus(x: Array, a: float, y: Array) -> Array:
    """Return `x + a * y` as a new array."""
    result = np.array(x)
    axpy(result, a, y)
    return result


def lerp(y: Array, x: Array, weight: float) -> None:
    """Move by `weight` of the way towards `x`."""
    away = x - y
    if weight < 0.5:
        axpy(y, weight, away)
    else:
        kind = y.dtype.type
        y[...] = x
        axpy(y, -float(kind(1) - kind(weight)), away)


def add_product(y: Array, a: float, x: Array, z: Array) -> None:
    """Add `a * x * z`."""
    scaled = x if a == 1 else x * constant(a, y.dtype)
    if y.size > EXACT:
        y += scaled * z
    elif y.dtype == F32:
        total = np.multiply(scaled, z, dtype=np.float64)
        total += y
        y[...] = total
    else:
        y[...] = fma(scaled, z, y)


def add_quotient(y: Array, a: float, x: Array, z: Array) -> None:
    """Add `a * x / z`."""
    y += x * constant(a, y.dtype) / z


def scale(y: Array, a: float) -> None:
    """Multiply by `a`."""
    y *= constant(a, y.dtype)
