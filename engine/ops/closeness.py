"""Whether tensors are equal, or nearly so."""

from __future__ import annotations

import numpy as np

from engine.errors import fail
from engine.ops.dims import LABELS, broadcast_shapes
from engine.ops.record import Array, function, op
from engine.ops.samples import T, broadcasting_pairs
from engine.tensor import Tensor


@op(
    "isclose",
    latex=r"\val{result} = [\,|\val{input} - \val{other}| \le a + r\,|\val{other}|\,]",
    binds=("torch.isclose", "Tensor.isclose"),
    samples=broadcasting_pairs,
)
def isclose(
    input: Array, other: Array, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Array:
    """Tell where elements are close.

    >>> torch.isclose(torch.tensor([1., 2.]), torch.tensor([1.000001, 3.]))
    tensor([ True, False])
    """
    same = input == other
    if equal_nan and input.dtype.kind == "f":
        same = same | (np.isnan(input) & np.isnan(other))
    if input.dtype.kind == "b":
        return same
    difference = np.abs(input.astype(np.float64) - other.astype(np.float64))
    near = difference <= atol + rtol * np.abs(other.astype(np.float64))
    return same | (near & np.isfinite(difference))


isclose.samples = lambda: [s for s in broadcasting_pairs() if isinstance(s.args[1], T)]


@isclose.prepare
def _(input: Tensor, other: Tensor, rtol: float, atol: float, equal_nan: bool) -> None:
    if input.dtype is not other.dtype:
        raise fail("dtypes-differ", f"{LABELS[input.dtype]} did not match {LABELS[other.dtype]}")
    for name, value in (("rtol", rtol), ("atol", atol)):
        if value < 0:
            raise fail(
                "tolerance", f"{name} must be greater than or equal to zero, but got {value:g}"
            )
    broadcast_shapes(input.shape, other.shape)


@function("torch.allclose", "Tensor.allclose")
def allclose(
    input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> bool:
    """Tell whether all elements are close."""
    return bool(np.all(isclose(input, other, rtol, atol, equal_nan)._array))


@function("torch.equal", "Tensor.equal")
def equal(input: Tensor, other: Tensor) -> bool:
    """Tell whether two tensors have the same shape and the same elements."""
    for position, (name, value) in enumerate((("input", input), ("other", other)), 1):
        if not isinstance(value, Tensor):
            raise TypeError(
                f"equal(): argument '{name}' (position {position}) must be Tensor, not"
                f" {type(value).__name__}"
            )
    return input.shape == other.shape and bool(np.all(input._array == other._array))
