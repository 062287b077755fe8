"""torch.linalg.pinv: inverting as far as a matrix can be inverted."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.matrices import check_matrix, times, turned
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, t
from engine.tensor import Tensor


@op(
    "linalg_pinv",
    latex=r"\val{result} = \val{A}^{+}",
    grad_fn="LinalgPinvBackward0",
    samples=lambda: [Sample((t(3, 2),)), Sample((t(2, 3),))],
)
def pseudo_inverse(A: Array, rcond: float | None = None) -> Array:
    """Invert as far as a matrix can be inverted.

    >>> torch.linalg.pinv(torch.tensor([[2.], [0.]]))
    tensor([[0.5000, 0.0000]])
    """
    limit = max(A.shape[-2:]) * float(np.finfo(A.dtype).eps) if rcond is None else rcond
    return np.linalg.pinv(A, limit).astype(A.dtype)


@pseudo_inverse.prepare
def _(A: Tensor, rcond: Any) -> None:
    check_matrix("pinv", A, square=False)


@pseudo_inverse.vjp(
    "A",
    latex=r"\grad{A} = -P^{\mathsf T} \grad{result} P^{\mathsf T} + \ldots"
    r" \text{ with } P = \val{result} \text{ and what lies outside the span of } \val{A}",
)
def _(grad: Any, A: Any, result: Any) -> Any:
    back = turned(result)
    through = -times(times(back, grad), back)
    outer = turned(grad) - times(times(A, result), turned(grad))
    first = times(outer, times(result, back))
    inner = turned(grad) - times(turned(grad), times(result, A))
    second = times(times(back, result), inner)
    return through + first + second


@function("torch.linalg.pinv")
def pinv(
    A: Any, rcond: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None
) -> Tensor:
    """Compute the pseudo-inverse."""
    result: Tensor = pseudo_inverse(A, rtol if rcond is None else rcond)
    return result


@function("torch.pinverse", "Tensor.pinverse")
def pinverse(input: Any, rcond: float = 1e-15) -> Tensor:
    """Compute the pseudo-inverse, by the old name."""
    result: Tensor = pseudo_inverse(input, rcond)
    return result
