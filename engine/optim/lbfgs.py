"""L-BFGS, a quasi-Newton method that calls the closure several times a step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import grad_mode
from engine.nn._torch import Tensor, TensorClass
from engine.tensor import make

from ._array_optimizer import check_lr, number
from ._line_search import strong_wolfe
from .optimizer import Optimizer

Array = Any


class LBFGS(Optimizer):
    """Minimise by gradients and the curvature seen in the last `history_size` steps.

    `step` needs a closure that clears the gradients, computes the loss, calls backward and returns
    the loss; it runs up to `max_iter` iterations. One parameter group only. Liu and Nocedal, "On
    the limited memory BFGS method for large scale optimization" (1989).
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-07,
        tolerance_change: float = 1e-09,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        check_lr(lr)
        defaults = {
            "lr": lr,
            "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change,
            "history_size": history_size,
            "line_search_fn": line_search_fn,
        }
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params: list[Tensor] = self.param_groups[0]["params"]

    # -- all parameters as one vector

    def _flat_grad(self) -> Array:
        parts = []
        for p in self._params:
            grad = p.grad
            parts.append(np.zeros(p.numel(), p.dtype.np) if grad is None else np.ravel(grad._array))
        return np.concatenate(parts)

    def _values(self) -> Array:
        return np.concatenate([np.ravel(p._array) for p in self._params])

    def _set(self, values: Array) -> None:
        start = 0
        with grad_mode.no_grad():
            for p in self._params:
                part = values[start : start + p.numel()]
                p.copy_(make(part.reshape(p.shape).copy()))
                start += part.size

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Run iterations until one of the tolerances or limits is met; return the first loss."""
        if closure is None:
            raise TypeError("LBFGS.step() missing 1 required positional argument: 'closure'")
        group = self.param_groups[0]
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first_loss = _evaluate(closure)
        loss = float(first_loss)
        evaluations = 1
        state["func_evals"] += 1
        grad = self._flat_grad()
        if np.abs(grad).max() <= group["tolerance_grad"]:
            return first_loss
        state.setdefault("al", [None] * group["history_size"])
        run = _Run(self, closure, group, _to_arrays(state))
        kept = run.state
        for iteration in range(1, group["max_iter"] + 1):
            kept["n_iter"] += 1
            direction = run.direction(grad)
            before, before_grad = loss, grad
            slope = float(grad.dot(direction))
            length = run.first_length(grad)
            kept.update(d=direction, t=length, prev_flat_grad=before_grad, prev_loss=before)
            if slope > -group["tolerance_change"]:
                break
            last = iteration == group["max_iter"]
            loss, grad, length, used = run.move(
                loss, grad, direction, length, slope, evaluations, last
            )
            kept["t"] = length
            evaluations += used
            kept["func_evals"] += used
            if (
                last
                or evaluations >= group["max_eval"]
                or np.abs(grad).max() <= group["tolerance_grad"]
                or np.abs(direction * length).max() <= group["tolerance_change"]
                or abs(loss - before) < group["tolerance_change"]
            ):
                break
        state.update(_to_tensors(kept))
        return first_loss


def _to_arrays(value: Any) -> Any:
    """Return a copy of the state with arrays for tensors."""
    if isinstance(value, TensorClass):
        return value._array
    if isinstance(value, dict):
        return {key: _to_arrays(item) for key, item in value.items()}
    return [_to_arrays(item) for item in value] if isinstance(value, list) else value


def _to_tensors(value: Any) -> Any:
    """Return a copy of the state with tensors for arrays, as programs expect it."""
    if isinstance(value, (np.ndarray, np.generic)):
        return make(value)
    if isinstance(value, dict):
        return {key: _to_tensors(item) for key, item in value.items()}
    return [_to_tensors(item) for item in value] if isinstance(value, list) else value


def _evaluate(closure: Callable[[], Any]) -> Any:
    with grad_mode.enable_grad():
        return closure()


class _Run:
    """What the iterations of one step share."""

    def __init__(
        self, optimizer: LBFGS, closure: Any, group: dict[str, Any], state: dict[str, Any]
    ) -> None:
        self._optimizer = optimizer
        self._closure = closure
        self._group = group
        self.state = state
        self._lr: float = number(group["lr"])

    def direction(self, grad: Array) -> Array:
        """Return minus the gradient, bent by what is known of the curvature."""
        state = self.state
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1)
            return -grad
        change = grad - state["prev_flat_grad"]
        moved = state["d"] * grad.dtype.type(state["t"])
        curvature = change.dot(moved)
        if curvature > 1e-10:
            for key, value in (("old_dirs", change), ("old_stps", moved), ("ro", 1.0 / curvature)):
                if len(state[key]) == self._group["history_size"]:
                    state[key].pop(0)
                state[key].append(value)
            state["H_diag"] = curvature / change.dot(change)
        return self._two_loops(grad)

    def _two_loops(self, grad: Array) -> Array:
        state = self.state
        history = list(zip(state["old_dirs"], state["old_stps"], state["ro"], strict=True))
        bent = -grad
        weights = []
        for change, moved, factor in reversed(history):
            weights.append(moved.dot(bent) * factor)
            bent = bent - weights[-1] * change
        bent = bent * state["H_diag"]
        for (change, moved, factor), weight in zip(history, reversed(weights), strict=True):
            bent = bent + (weight - change.dot(bent) * factor) * moved
        return bent

    def first_length(self, grad: Array) -> float:
        """Return the length to try: careful in the very first iteration."""
        if self.state["n_iter"] == 1:
            return float(min(1.0, 1.0 / np.abs(grad).sum())) * self._lr
        return self._lr

    def move(
        self,
        loss: float,
        grad: Array,
        direction: Array,
        length: float,
        slope: float,
        evaluations: int,
        last: bool,
    ) -> tuple[float, Array, float, int]:
        """Go along the direction; return the new loss and gradient, the length, the calls."""
        optimizer = self._optimizer
        start = optimizer._values()
        kind = start.dtype.type
        search = self._group["line_search_fn"]
        if search is None:
            optimizer._set(start + kind(length) * direction)
            if last:
                return loss, grad, length, 0
            return float(_evaluate(self._closure)), optimizer._flat_grad(), length, 1
        if search != "strong_wolfe":
            raise RuntimeError("only 'strong_wolfe' is supported")

        def at(t: float) -> tuple[float, Array]:
            optimizer._set(start + kind(t) * direction)
            value = float(_evaluate(self._closure))
            found = optimizer._flat_grad()
            optimizer._set(start)
            return value, found

        limit = self._group["max_eval"] - evaluations
        loss, grad, length, used = strong_wolfe(at, direction, loss, grad, slope, length, limit)
        optimizer._set(start + kind(length) * direction)
        return loss, grad, length, used
