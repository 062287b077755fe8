"""Schedules with a formula.

Each computes from the rate before, so that schedules can be chained.
"""

from __future__ import annotations

import types
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from ._schedule import LRScheduler
from .optimizer import Optimizer

Factor = Callable[[int], float]


class _ByFunction(LRScheduler):
    """A schedule by a function of the epoch, or one for each group."""

    def __init__(
        self, optimizer: Optimizer, lr_lambda: Factor | list[Factor], last_epoch: int = -1
    ) -> None:
        self.optimizer = optimizer
        count = len(optimizer.param_groups)
        if not isinstance(lr_lambda, (list, tuple)):
            self.lr_lambdas = [lr_lambda] * count
        elif len(lr_lambda) != count:
            raise ValueError(f"Expected {count} lr_lambdas, but got {len(lr_lambda)}")
        else:
            self.lr_lambdas = list(lr_lambda)
        self._check_functions()
        super().__init__(optimizer, last_epoch)

    def _check_functions(self) -> None:
        """Let anything pass; what cannot be called fails at the first step."""

    def state_dict(self) -> dict[str, Any]:
        """Return everything but the optimizer and plain functions."""
        state = super().state_dict()
        functions = state.pop("lr_lambdas")
        state["lr_lambdas"] = [
            None if isinstance(f, types.FunctionType) else f.__dict__.copy() for f in functions
        ]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned; functions stay."""
        self.__dict__.update({k: v for k, v in state_dict.items() if k != "lr_lambdas"})
        for function, saved in zip(self.lr_lambdas, state_dict["lr_lambdas"], strict=True):
            if saved is not None:
                function.__dict__.update(saved)


class LambdaLR(_ByFunction):
    """The initial rate times `lr_lambda(epoch)`."""

    def get_lr(self) -> list[Any]:
        """Compute the rates."""
        self._warn_outside_step()
        return [
            base * factor(self.last_epoch)
            for factor, base in zip(self.lr_lambdas, self.base_lrs, strict=True)
        ]


class MultiplicativeLR(_ByFunction):
    """The rate before times `lr_lambda(epoch)`."""

    def _check_functions(self) -> None:
        for function in self.lr_lambdas:
            if not callable(function):
                raise TypeError(
                    f"lr_lambda should be a function, but got {type(function).__name__}"
                )

    def get_lr(self) -> list[Any]:
        """Compute the rates."""
        self._warn_outside_step()
        if self._is_initial:
            return self._same()
        groups = self.optimizer.param_groups
        return [
            group["lr"] * factor(self.last_epoch)
            for factor, group in zip(self.lr_lambdas, groups, strict=True)
        ]


class StepLR(LRScheduler):
    """Times gamma every `step_size` epochs."""

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """Compute the rates."""
        self._warn_outside_step()
        if self.last_epoch == 0 or self.last_epoch % self.step_size != 0:
            return self._same()
        return self._times(self.gamma)

    def _get_closed_form_lr(self) -> list[Any]:
        times = self.last_epoch // self.step_size
        return [base * self.gamma**times for base in self.base_lrs]


class MultiStepLR(LRScheduler):
    """Times gamma at each of the `milestones`."""

    def __init__(
        self,
        optimizer: Optimizer,
        milestones: Iterable[int],
        gamma: float = 0.1,
        last_epoch: int = -1,
    ) -> None:
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """Compute the rates."""
        self._warn_outside_step()
        if self.last_epoch not in self.milestones:
            return self._same()
        return self._times(self.gamma ** self.milestones[self.last_epoch])

    def _get_closed_form_lr(self) -> list[Any]:
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [base * self.gamma**passed for base in self.base_lrs]


class ConstantLR(LRScheduler):
    """Times `factor` for the first `total_iters` epochs."""

    def __init__(
        self,
        optimizer: Optimizer,
        factor: float = 1.0 / 3,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if factor > 1.0 or factor < 0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """Compute the rates."""
        self._warn_outside_step()
        if self.last_epoch == 0:
            return self._times(self.factor)
        if self.last_epoch != self.total_iters:
            return self._same()
        return self._times(1.0 / self.factor)

    def _get_closed_form_lr(self) -> list[Any]:
        over = self.last_epoch >= self.total_iters
        return [base * (self.factor + over * (1 - self.factor)) for base in self.base_lrs]


class LinearLR(LRScheduler):
    """From `start_factor` to `end_factor` times the initial rate in `total_iters` epochs."""

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if start_factor > 1.0 or start_factor <= 0:
            raise ValueError(
                "Starting multiplicative factor expected to be greater than 0 and less or equal "
                "to 1."
            )
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """Compute the rates."""
        self._warn_outside_step()
        if self.last_epoch == 0:
            return self._times(self.start_factor)
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._same()
        rise = self.end_factor - self.start_factor
        reached = self.total_iters * self.start_factor + (self.last_epoch - 1) * rise
        return self._times(1.0 + rise / reached)

    def _get_closed_form_lr(self) -> list[Any]:
        rise = self.end_factor - self.start_factor
        epoch = min(self.total_iters, self.last_epoch)
        return [
            base * (self.start_factor + rise * epoch / self.total_iters) for base in self.base_lrs
        ]


class ExponentialLR(LRScheduler):
    """Times gamma every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """Compute the rates."""
        self._warn_outside_step()
        return self._same() if self._is_initial else self._times(self.gamma)

    def _get_closed_form_lr(self) -> list[Any]:
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]


class PolynomialLR(LRScheduler):
    """The initial rate times (1 - epoch / total_iters) to a power."""

    def __init__(
        self,
        optimizer: Optimizer,
        total_iters: int = 5,
        power: float = 1.0,
        last_epoch: int = -1,
    ) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """Compute the rates."""
        self._warn_outside_step()
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._same()
        now = 1.0 - self.last_epoch / self.total_iters
        before = 1.0 - (self.last_epoch - 1) / self.total_iters
        return self._times((now / before) ** self.power)

    def _get_closed_form_lr(self) -> list[Any]:
        left = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * left**self.power for base in self.base_lrs]
