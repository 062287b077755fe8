"""Limiting the size of gradients."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from typing import Any

from engine.nn._torch import Tensor, TensorClass, torch


def _as_list(parameters: Any) -> list[Tensor]:
    if isinstance(parameters, TensorClass):
        return [parameters]
    return list(parameters)


def get_total_norm(
    tensors: Any,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Return the p-norm of all elements of all tensors, as a 0-d tensor."""
    norm_type = float(norm_type)
    norms = [torch.linalg.vector_norm(t, norm_type) for t in _as_list(tensors)]
    if not norms:
        return torch.tensor(0.0)
    total: Tensor = torch.linalg.vector_norm(torch.stack(norms), norm_type)
    if error_if_nonfinite and not math.isfinite(total.item()):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, "
            "so it cannot be clipped. To disable this error and scale the gradients by the "
            "non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    return total


def clip_grads_with_norm_(
    parameters: Any, max_norm: float, total_norm: Tensor, foreach: bool | None = None
) -> None:
    """Multiply every gradient by max_norm / total_norm, unless that is above 1."""
    grads = [p.grad for p in _as_list(parameters) if p.grad is not None]
    if not grads:
        return
    factor = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
    for grad in grads:
        grad.mul_(factor)


def clip_grad_norm_(
    parameters: Any,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale all gradients together so that their p-norm is at most `max_norm`.

    Returns the norm before. Pascanu et al., "On the difficulty of training recurrent neural
    networks" (2012).
    """
    with torch.no_grad():
        if isinstance(parameters, Iterable) and not isinstance(parameters, TensorClass):
            exhausted = not isinstance(parameters, (list, tuple))
            parameters = list(parameters)
            if exhausted and not parameters:
                warnings.warn(
                    "`parameters` is an empty generator, no gradient clipping will occur.",
                    stacklevel=3,
                )
        parameters = _as_list(parameters)
        grads = [p.grad for p in parameters if p.grad is not None]
        total = get_total_norm(grads, norm_type, error_if_nonfinite)
        clip_grads_with_norm_(parameters, max_norm, total)
    return total


def clip_grad_norm(
    parameters: Any,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Do what `clip_grad_norm_` does, under its old name."""
    warnings.warn(
        "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of "
        "`torch.nn.utils.clip_grad_norm_`.",
        FutureWarning,
        stacklevel=2,
    )
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite)


def clip_grad_value_(parameters: Any, clip_value: float, foreach: bool | None = None) -> None:
    """Cut every element of every gradient to [-clip_value, clip_value]."""
    clip_value = float(clip_value)
    with torch.no_grad():
        for parameter in _as_list(parameters):
            if parameter.grad is not None:
                parameter.grad.clamp_(min=-clip_value, max=clip_value)
