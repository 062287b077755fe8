"""Questions about each number: is it finite, negative, among others."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, T, any_shape
from engine.tensor import Tensor


@op(
    "isnan",
    latex=r"\val{result} = [\val{input} \text{ is nan}]",
    binds=("torch.isnan", "Tensor.isnan"),
    samples=lambda: [Sample((T([1.0, float("nan"), float("inf")]),)), *any_shape()],
)
def isnan(input: Array) -> Array:
    """Tell which elements are no number.

    >>> torch.isnan(torch.tensor([1., float("nan")]))
    tensor([False,  True])
    """
    return np.not_equal(input, input)


@op(
    "isinf",
    latex=r"\val{result} = [\val{input} = \pm\infty]",
    binds=("torch.isinf", "Tensor.isinf"),
    samples=isnan.samples,
)
def isinf(input: Array) -> Array:
    """Tell which elements are infinite.

    >>> torch.isinf(torch.tensor([1., float("-inf")]))
    tensor([False,  True])
    """
    return np.isinf(input)


@op(
    "isfinite",
    latex=r"\val{result} = [\val{input} \in \mathbb{R}]",
    binds=("torch.isfinite", "Tensor.isfinite"),
    samples=isnan.samples,
)
def isfinite(input: Array) -> Array:
    """Tell which elements are neither infinite nor nan.

    >>> torch.isfinite(torch.tensor([1., float("nan")]))
    tensor([ True, False])
    """
    return np.isfinite(input)


@op(
    "isposinf",
    latex=r"\val{result} = [\val{input} = \infty]",
    binds=("torch.isposinf", "Tensor.isposinf"),
    samples=isnan.samples,
)
def isposinf(input: Array) -> Array:
    """Tell which elements are plus infinity.

    >>> torch.isposinf(torch.tensor([1., float("inf")]))
    tensor([False,  True])
    """
    return np.equal(input, np.inf)


@op(
    "isneginf",
    latex=r"\val{result} = [\val{input} = -\infty]",
    binds=("torch.isneginf", "Tensor.isneginf"),
    samples=isnan.samples,
)
def isneginf(input: Array) -> Array:
    """Tell which elements are minus infinity.

    >>> torch.isneginf(torch.tensor([1., float("-inf")]))
    tensor([False,  True])
    """
    return np.equal(input, -np.inf)


@op(
    "isreal",
    latex=r"\val{result} = [\val{input} \text{ has no imaginary part}]",
    binds=("torch.isreal", "Tensor.isreal"),
    samples=any_shape,
)
def isreal(input: Array) -> Array:
    """Tell which elements are real: here, all.

    >>> torch.isreal(torch.tensor([1., 2.]))
    tensor([True, True])
    """
    return np.ones(input.shape, np.bool_)


@op(
    "signbit",
    latex=r"\val{result} = [\val{input} < 0 \text{ or } \val{input} = -0]",
    binds=("torch.signbit", "Tensor.signbit"),
    samples=any_shape,
)
def signbit(input: Array) -> Array:
    """Tell whose sign bit is set, -0. included.

    >>> torch.signbit(torch.tensor([1., -0.]))
    tensor([False,  True])
    """
    return np.signbit(input) if input.dtype.kind == "f" else input < 0


@op(
    "isin",
    latex=r"\val{result} = [\val{elements} \in \val{test_elements}]",
    samples=lambda: [Sample((T([[1, 2], [3, 4]], "int64"), T([2, 3], "int64")))],
)
def isin(
    elements: Array, test_elements: Array, *, assume_unique: bool = False, invert: bool = False
) -> Array:
    """Tell which elements occur among the others.

    >>> torch.isin(torch.tensor([1, 2, 3]), torch.tensor([2, 3]))
    tensor([False,  True,  True])
    """
    return np.isin(elements, test_elements, invert=invert)


@function("torch.isin")
def is_in(elements: Any, test_elements: Any, **kwargs: Any) -> Tensor:
    """Tell which elements occur among the others; either may be a number."""
    from engine.ops.compare import number_beside

    result: Tensor = isin(
        number_beside(elements, test_elements), number_beside(test_elements, elements), **kwargs
    )
    return result
