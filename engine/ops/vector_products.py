"""Cross products and products of vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.dims import broadcast_shapes, wrap_dim
from engine.ops.expanding import expand
from engine.ops.pointwise import mul
from engine.ops.record import Array, function, op
from engine.ops.reduce import sum_dims
from engine.ops.samples import Sample, t
from engine.tensor import Tensor


@op(
    "linalg_cross",
    latex=r"\val{result} = \val{input} \times \val{other}",
    grad_fn="LinalgCrossBackward0",
    samples=lambda: [Sample((t(2, 3), t(2, 3, seed=1), -1)), Sample((t(3), t(3, seed=1), 0))],
)
def cross_product(input: Array, other: Array, dim: int = -1) -> Array:
    """Compute the vector perpendicular to two others.

    >>> torch.linalg.cross(torch.tensor([1., 0., 0.]), torch.tensor([0., 1., 0.]))
    tensor([0., 0., 1.])
    """
    a, b = np.moveaxis(input, dim, 0), np.moveaxis(other, dim, 0)
    parts = [a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3] for i in range(3)]
    return np.ascontiguousarray(np.moveaxis(np.stack(parts), 0, dim))


@cross_product.prepare
def _(input: Tensor, other: Tensor, dim: int) -> dict[str, Any]:
    if input.ndim != other.ndim:
        raise fail(
            "cross-dims",
            "linalg.cross: inputs must have the same number of dimensions.",
        )
    if not input.ndim:
        text = f"Dimension specified as {dim} but tensor has no dimensions"
        raise fail("dim-out-of-range", text, IndexError, dim=dim, ndim=0)
    at = wrap_dim(dim, input.ndim)
    n, m = input.shape[at], other.shape[at]
    if n != 3 or m != 3:
        raise fail(
            "cross-size",
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {n} and {m}",
        )
    shape = broadcast_shapes(input.shape, other.shape)
    changed: dict[str, Any] = {"dim": at}
    for name, x in (("input", input), ("other", other)):
        if tuple(x.shape) != shape:
            changed[name] = expand(x, shape)
    return changed


@cross_product.vjp("input", latex=r"\grad{input} = \val{other} \times \grad{result}")
def _(grad: Any, other: Any, dim: int) -> Any:
    return cross_product(other, grad, dim)


@cross_product.vjp("other", latex=r"\grad{other} = \grad{result} \times \val{input}")
def _(grad: Any, input: Any, dim: int) -> Any:
    return cross_product(grad, input, dim)


@function("torch.linalg.cross")
def cross(input: Tensor, other: Tensor, *, dim: int = -1) -> Tensor:
    """Compute cross products along a dim of size 3."""
    result: Tensor = cross_product(input, other, dim)
    return result


@function("torch.cross", "Tensor.cross")
def cross_old(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """Compute cross products along a dim of size 3: the first one, if none is named."""
    if dim is None:
        fitting = [i for i, n in enumerate(input.shape) if n == 3]
        if not fitting:
            raise fail("cross-size", "no dimension of size 3 in input")
        dim = fitting[0]
    result: Tensor = cross_product(input, other, dim)
    return result


@function("torch.linalg.vecdot")
def vecdot(x: Any, y: Any, *, dim: int = -1) -> Tensor:
    """Add up products along a dim."""
    result: Tensor = sum_dims(mul(x, y), dim)
    return result
