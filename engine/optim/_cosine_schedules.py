"""Schedules that follow a cosine wave."""

from __future__ import annotations

import math
from typing import Any

from ._schedule import LRScheduler
from .optimizer import Optimizer


class CosineAnnealingLR(LRScheduler):
    """Half a cosine wave from the initial rate to `eta_min` in `T_max` epochs, and back.

    Loshchilov and Hutter, "SGDR: Stochastic Gradient Descent with Warm Restarts" (2016), without
    the restarts.
    """

    def __init__(
        self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """Compute the rates."""
        self._warn_outside_step()
        period, least, epoch = self.T_max, self.eta_min, self.last_epoch
        groups = self.optimizer.param_groups
        if self._is_initial:
            return self._same()
        if self._step_count == 1 and epoch > 0:
            wave = 1 + math.cos(epoch * math.pi / period)
            return [least + (base - least) * wave / 2 for base in self.base_lrs]
        if (epoch - 1 - period) % (2 * period) == 0:  # the rate before is the least: no ratio
            wave = 1 - math.cos(math.pi / period)
            return [
                group["lr"] + (base - least) * wave / 2
                for base, group in zip(self.base_lrs, groups, strict=True)
            ]
        now = 1 + math.cos(math.pi * epoch / period)
        before = 1 + math.cos(math.pi * (epoch - 1) / period)
        return [now / before * (group["lr"] - least) + least for group in groups]

    def _get_closed_form_lr(self) -> list[Any]:
        wave = 1 + math.cos(math.pi * self.last_epoch / self.T_max)
        return [self.eta_min + (base - self.eta_min) * wave / 2 for base in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half a cosine wave again and again, each `T_mult` times as long as the one before.

    Loshchilov and Hutter, "SGDR: Stochastic Gradient Descent with Warm Restarts" (2016).
    """

    def __init__(
        self,
        optimizer: Optimizer,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, (float, int)):
            raise ValueError(
                f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}"
            )
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """Compute the rates."""
        self._warn_outside_step()
        wave = 1 + math.cos(math.pi * self.T_cur / self.T_i)
        return [self.eta_min + (base - self.eta_min) * wave / 2 for base in self.base_lrs]

    def step(self, epoch: Any = None) -> None:
        """Go to the next epoch, or to a given one, which may be a fraction."""
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        elif epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        else:
            self._go_to(epoch)
        self.last_epoch = math.floor(epoch) - 1
        self._update_lr()

    def _go_to(self, epoch: float) -> None:
        first, times = self.T_0, self.T_mult
        self.T_i, self.T_cur = first, epoch
        if epoch >= first and times == 1:
            self.T_cur = epoch % first
        elif epoch >= first:
            n = int(math.log(epoch / first * (times - 1) + 1, times))
            self.T_cur = epoch - first * (times**n - 1) / (times - 1)
            self.T_i = first * times**n
