"""Where the largest and the smallest elements are."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.record import Array, op
from engine.ops.samples import Sample, t
from engine.ops.sharing import TIES, dim_with_elements
from engine.tensor import Tensor


def _places() -> list[Sample]:
    return [Sample((t(2, 3),)), Sample((t(2, 3), 0)), Sample((t(2, 3), 1, True)), Sample((TIES, 1))]


def _arg(which: str, input: Any, dim: Any, keepdim: bool) -> Any:
    if not input.ndim:
        return np.int64(0)
    found = getattr(input, which)(dim)
    if keepdim:
        found = found.reshape((1,) * input.ndim) if dim is None else np.expand_dims(found, dim)
    return found.astype(np.int64)


@op(
    "argmax",
    latex=r"\val{result} = \arg\max \val{input}",
    binds=("torch.argmax", "Tensor.argmax"),
    samples=_places,
)
def argmax(input: Array, dim: int | None = None, keepdim: bool = False) -> Array:
    """Find where the largest element is.

    >>> torch.argmax(torch.tensor([1., 3., 2.]))
    tensor(1)
    """
    return _arg("argmax", input, dim, keepdim)


@op(
    "argmin",
    latex=r"\val{result} = \arg\min \val{input}",
    binds=("torch.argmin", "Tensor.argmin"),
    samples=_places,
)
def argmin(input: Array, dim: int | None = None, keepdim: bool = False) -> Array:
    """Find where the smallest element is.

    >>> torch.argmin(torch.tensor([1., 3., 2.]))
    tensor(0)
    """
    return _arg("argmin", input, dim, keepdim)


def _arg_dim(name: str, input: Tensor, dim: Any) -> dict[str, Any] | None:
    if dim is None:
        if input.shape.numel() == 0:
            raise fail(
                "extreme-of-nothing",
                f"{name}(): Expected reduction dim to be specified for input.numel() == 0.",
                IndexError,
            )
        return None
    return {"dim": dim_with_elements(name, input, dim)}


@argmax.prepare
def _(input: Tensor, dim: Any, keepdim: bool) -> dict[str, Any] | None:
    return _arg_dim("argmax", input, dim)


@argmin.prepare
def _(input: Tensor, dim: Any, keepdim: bool) -> dict[str, Any] | None:
    return _arg_dim("argmin", input, dim)
