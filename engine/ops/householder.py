"""Reflectors: QR as LAPACK packs it, and the product of what is packed."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dtypes import LEGACY_NAMES
from engine.errors import fail
from engine.ops.arrange import tril
from engine.ops.expanding import unsqueeze
from engine.ops.joining import cat
from engine.ops.matrices import times, turned
from engine.ops.pieces import slice_dim
from engine.ops.record import Array, op
from engine.ops.samples import Sample, t
from engine.tensor import Tensor, make


@op(
    "geqrf",
    latex=r"\val{input} = Q R \text{, packed into } \val{a}, \val{tau}",
    grad_fn="GeqrfBackward0",
    binds=("torch.geqrf", "Tensor.geqrf"),
    samples=lambda: [Sample((t(*shape),)) for shape in ((3, 3), (3, 2), (2, 3), (2, 3, 2))],
    outputs=("a", "tau"),
    returns="geqrf",
)
def geqrf(input: Array) -> tuple[Array, Array]:
    """Factor into orthogonal columns, kept as reflectors below the diagonal, and a triangle.

    >>> torch.geqrf(torch.tensor([[3., 0.], [4., 1.]])).tau
    tensor([1.6000, 0.0000])
    """
    packed, tau = np.linalg.qr(input, "raw")
    return np.ascontiguousarray(np.swapaxes(packed, -1, -2)), tau


@geqrf.prepare
def _(input: Tensor) -> None:
    if input.ndim < 2:
        raise fail("linalg-dims", "torch.geqrf: input must have at least 2 dimensions.")


@geqrf.vjp("input", latex=r"\grad{input} \text{ undefined for } \grad{a}, \grad{tau}")
def _(grad: Any) -> Any:
    raise fail(
        "no-derivative", "the derivative for 'geqrf' is not implemented.", NotImplementedError
    )


def _packed() -> list[Sample]:
    some = [((3, 3), (3,)), ((3, 2), (2,)), ((4, 3), (2,)), ((2, 3, 2), (2, 2))]
    return [Sample((t(*a), t(*b, seed=1, low=0.5))) for a, b in some]


@op(
    "linalg_householder_product",
    latex=r"\val{result} = H_1 \cdots H_k,\ H_i = I - \val{tau}_i v_i v_i^{\mathsf T}"
    r" \text{ with } v_i \text{ from } \val{input}",
    grad_fn="LinalgHouseholderProductBackward0",
    binds=("torch.linalg.householder_product", "torch.orgqr", "Tensor.orgqr"),
    samples=_packed,
)
def product(input: Array, tau: Array) -> Array:
    """Multiply reflectors, whose vectors lie below the diagonal: the first columns.

    >>> torch.linalg.householder_product(torch.tensor([[3.], [1.]]), torch.tensor([1.]))
    tensor([[ 0.],
            [-1.]])
    """
    wide = input.astype(np.float64)
    return np.asarray(_products(wide, tau.astype(np.float64))[0]).astype(input.dtype)


@product.prepare
def _(input: Tensor, tau: Tensor) -> None:
    wrong = ""
    if input.ndim < 2:
        wrong = "input must have at least 2 dimensions."
    elif input.shape[-2] < input.shape[-1]:
        wrong = "input.shape[-2] must be greater than or equal to input.shape[-1]"
    elif input.shape[-1] < tau.shape[-1]:
        wrong = "input.shape[-1] must be greater than or equal to tau.shape[-1]"
    elif input.ndim != tau.ndim + 1:
        wrong = (
            "Expected tau to have one dimension less than input, but got tau.ndim equal to"
            f" {tau.ndim} and input.ndim is equal to {input.ndim}"
        )
    elif tau.shape[:-1] != input.shape[:-2]:
        wrong = (
            "Expected batch dimensions of tau to be equal to input.shape[:-2], but got"
            f" {list(tau.shape[:-1])}"
        )
    elif tau.dtype is not input.dtype:
        kinds = LEGACY_NAMES[tau.dtype], LEGACY_NAMES[input.dtype]
        wrong = "tau dtype {} does not match input dtype {}".format(*kinds)
    if wrong:
        raise fail("linalg-reflectors", "torch.linalg.householder_product: " + wrong)


def _reflectors(input: Any, tau: Any) -> list[tuple[Any, Any]]:
    """Return the vector, as a column, and the factor of each reflector."""
    n, count = len(input.shape), tau.shape[-1]
    columns = tril(input, -1) + _eye(input)
    return [
        (
            slice_dim(columns, n - 1, i, i + 1, 1),
            unsqueeze(slice_dim(tau, n - 2, i, i + 1, 1), n - 1),
        )
        for i in range(count)
    ]


def _eye(like: Any, scale: float = 1.0) -> Any:
    """Return the first columns of the identity as what `like` is: an array or a tensor."""
    is_tensor = isinstance(like, Tensor)
    eye: Any = np.eye(*like.shape[-2:], dtype=like.dtype.np if is_tensor else like.dtype)
    eye = np.broadcast_to(eye * eye.dtype.type(scale), tuple(like.shape))
    return make(eye) if is_tensor else eye


def _products(input: Any, tau: Any) -> list[Any]:
    """Return the products of the reflectors from the i-th on, for every i, and of none."""
    found = [_eye(input)]
    for v, factor in reversed(_reflectors(input, tau)):
        found.insert(0, found[0] - v * factor * times(turned(v), found[0]))
    return found


def _backwards(grad: Any, input: Any, tau: Any) -> tuple[list[Any], list[Any]]:
    """Return the gradients of the reflectors' vectors and of their factors."""
    vectors, factors = [], []
    after = _products(input, tau)[1:]
    for (v, factor), rest in zip(_reflectors(input, tau), after, strict=True):
        right, left = times(turned(rest), v), times(turned(grad), v)
        vectors.append(-(times(grad, right) + times(rest, left)) * factor)
        factors.append(-times(turned(left), right))
        grad = grad - v * factor * turned(left)
    return vectors, factors


@product.vjp(
    "input",
    latex=r"\grad{input} \text{: each reflector's share of } \grad{result} \text{, below the"
    r" diagonal of } \val{input} \text{, by } \val{tau}",
)
def _(grad: Any, input: Any, tau: Any) -> Any:
    n, count = len(input.shape), tau.shape[-1]
    vectors, _ = _backwards(grad, input, tau)
    rest = _eye(slice_dim(input, n - 1, count, input.shape[-1], 1), 0.0)
    return tril(cat([*vectors, rest], n - 1), -1)


@product.vjp(
    "tau",
    latex=r"\grad{tau}_i = -v_i^{\mathsf T} (H_{i-1} \cdots H_1 \grad{result})"
    r" (H_{i+1} \cdots H_k)^{\mathsf T} v_i \text{ with } v_i, H_i \text{ from } \val{input},"
    r" \val{tau}",
)
def _(grad: Any, input: Any, tau: Any) -> Any:
    _, factors = _backwards(grad, input, tau)
    return cat(factors, len(input.shape) - 1).reshape(tuple(tau.shape))
