"""Averages of a model's weights over training (torch.optim.swa_utils).

Izmailov et al., "Averaging Weights Leads to Wider Optima and Better Generalization" (2018).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from engine.nn._torch import Tensor, torch
from engine.nn.modules.batchnorm import BatchNorm1d, BatchNorm2d, BatchNorm3d
from engine.nn.modules.module import Module

from .lr_scheduler import LRScheduler

__all__ = [
    "SWALR",
    "AveragedModel",
    "get_ema_avg_fn",
    "get_ema_multi_avg_fn",
    "get_swa_avg_fn",
    "get_swa_multi_avg_fn",
    "update_bn",
]


def _check_decay(decay: float) -> None:
    if decay < 0.0 or decay > 1.0:
        raise ValueError(
            f"Invalid decay value {decay} provided. Please provide a value in [0,1] range."
        )


def get_ema_avg_fn(decay: float = 0.999) -> Callable[..., Tensor]:
    """Return the exponential moving average of one parameter."""
    _check_decay(decay)

    def ema_update(ema_param: Tensor, current_param: Tensor, num_averaged: Any) -> Tensor:
        with torch.no_grad():
            return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn() -> Callable[..., Tensor]:
    """Return the equally weighted average of one parameter."""

    def swa_update(averaged_param: Tensor, current_param: Tensor, num_averaged: Any) -> Tensor:
        with torch.no_grad():
            return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


def get_ema_multi_avg_fn(decay: float = 0.999) -> Callable[..., None]:
    """Return the exponential moving average of a list of parameters, in place."""
    _check_decay(decay)

    def ema_update(ema_params: list[Tensor], current: list[Tensor], _: Any) -> None:
        with torch.no_grad():
            for p_ema, p_model in zip(ema_params, current, strict=True):
                p_ema.copy_(torch.lerp(p_ema, p_model, 1 - decay))

    return ema_update


def get_swa_multi_avg_fn() -> Callable[..., None]:
    """Return the equally weighted average of a list of parameters, in place."""

    def swa_update(averaged: list[Tensor], current: list[Tensor], num_averaged: Any) -> None:
        with torch.no_grad():
            for p_average, p_model in zip(averaged, current, strict=True):
                weight = 1 / (float(num_averaged) + 1)
                p_average.copy_(torch.lerp(p_average, p_model, weight))

    return swa_update


class AveragedModel(Module):
    """A copy of a model that holds the average of what `update_parameters` was given."""

    n_averaged: Tensor

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: Callable[..., Tensor] | None = None,
        multi_avg_fn: Callable[..., None] | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        self.register_buffer("n_averaged", torch.tensor(0, dtype=torch.long, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Run the averaged model."""
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Module) -> None:
        """Take another state of the model into the average."""
        own: Any = self.module.parameters()
        other: Any = model.parameters()
        if self.use_buffers:
            own = itertools.chain(own, self.module.buffers())
            other = itertools.chain(other, model.buffers())
        averaged = [p.detach() for p in own]
        current = [p.detach() for p in other]
        if self.n_averaged == 0:
            for p_average, p_model in zip(averaged, current, strict=True):
                p_average.copy_(p_model)
        elif self.multi_avg_fn is not None:
            self.multi_avg_fn(averaged, current, self.n_averaged)
        else:
            average = self.avg_fn or get_swa_avg_fn()
            for p_average, p_model in zip(averaged, current, strict=True):
                p_average.copy_(average(p_average, p_model, self.n_averaged))
        if not self.use_buffers:
            for b_average, b_model in zip(self.module.buffers(), model.buffers(), strict=True):
                b_average.detach().copy_(b_model.detach())
        self.n_averaged += 1


def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Compute the running statistics of a model's batch norms anew over data."""
    norms = [m for m in model.modules() if isinstance(m, (BatchNorm1d, BatchNorm2d, BatchNorm3d))]
    momenta = {norm: norm.momentum for norm in norms}
    if not momenta:
        return
    training = model.training
    model.train()
    with torch.no_grad():
        for norm in norms:
            norm.reset_running_stats()
            norm.momentum = None
        for input in loader:
            model(input[0] if isinstance(input, (list, tuple)) else input)
    for norm, momentum in momenta.items():
        norm.momentum = momentum
    model.train(training)


class SWALR(LRScheduler):
    """Anneal the rate of each group to a fixed one, and stay there."""

    def __init__(
        self,
        optimizer: Any,
        swa_lr: Any,
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ) -> None:
        groups = optimizer.param_groups
        rates = list(swa_lr) if isinstance(swa_lr, (list, tuple)) else [swa_lr] * len(groups)
        if len(rates) != len(groups):
            raise ValueError(
                "swa_lr must have the same length as optimizer.param_groups: swa_lr has"
                f" {len(rates)}, optimizer.param_groups has {len(groups)}"
            )
        for rate, group in zip(rates, groups, strict=True):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self._anneal_strategy = anneal_strategy
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _share(self, t: float) -> float:
        """How much of the way to the fixed rate is done at a time between 0 and 1."""
        return t if self._anneal_strategy == "linear" else (1 - math.cos(math.pi * t)) / 2

    def get_lr(self) -> list[Any]:
        """Return each group's next rate."""
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before = max(0, min(1, (step - 1) / max(1, self.anneal_epochs)))
        now = max(0, min(1, step / max(1, self.anneal_epochs)))
        done, share = self._share(before), self._share(now)
        rates = []
        for group in self.optimizer.param_groups:
            end, rate = group["swa_lr"], group["lr"]
            start = end if done == 1 else (rate - done * end) / (1 - done)
            rates.append(end * share + start * (1 - share))
        return rates
