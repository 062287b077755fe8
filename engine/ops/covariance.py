"""Covariance and correlation of variables in rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.clamping import clamp
from engine.ops.expanding import squeeze, unsqueeze
from engine.ops.mm import mm
from engine.ops.permuting import matrix_t
from engine.ops.record import function
from engine.ops.reduce import sum_dims
from engine.ops.roots import sqrt
from engine.ops.shape import reshape
from engine.tensor import Tensor, make


@function("torch.cov", "Tensor.cov")
def cov(
    input: Tensor,
    *,
    correction: int = 1,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
) -> Tensor:
    """Estimate the covariance matrix; rows are variables, columns observations."""
    if input.ndim > 2:
        raise fail(
            "cov",
            "cov(): expected input to have two or fewer dimensions but got an input with"
            f" {input.ndim} dimensions",
        )
    wide: Any = input if input.ndim == 2 else reshape(input, (1, -1))
    weights: Any = fweights
    if aweights is not None:
        weights = aweights if weights is None else weights * aweights
    if weights is None:
        total: Any = wide.shape[1]
        middle = unsqueeze(sum_dims(wide, (1,)) / make(np.int64(total)), 1)
        left = max(total - correction, 0)
    else:
        total = sum_dims(weights)
        middle = unsqueeze(sum_dims(wide * weights, (1,)) / total, 1)
        if aweights is None or correction == 0:
            left = total - correction
        else:
            left = total - correction * sum_dims(weights * aweights) / total
    away = wide - middle
    second = away if weights is None else away * weights
    result: Tensor = squeeze(mm(away, matrix_t(second)) / _as_tensor(left))
    return result


def _as_tensor(value: Any) -> Tensor:
    return value if isinstance(value, Tensor) else make(np.int64(value))


@function("torch.corrcoef", "Tensor.corrcoef")
def corrcoef(input: Tensor) -> Tensor:
    """Estimate the matrix of correlation coefficients."""
    if input.ndim > 2:
        raise fail(
            "corrcoef",
            "corrcoef(): expected input to have two or fewer dimensions but got an input with"
            f" {input.ndim} dimensions",
        )
    c: Any = cov(input)
    if c.ndim == 0:
        result: Tensor = c / c
        return result
    d = sqrt(c.diagonal())
    result = clamp(c / reshape(d, (-1, 1)) / reshape(d, (1, -1)), -1, 1)
    return result
