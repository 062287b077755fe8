"""Layers that are products: linear, bilinear."""

from __future__ import annotations

import math
from typing import Any

from engine.dtypes import SCALAR_NAMES
from engine.errors import fail
from engine.ops.added_products import addmm
from engine.ops.expanding import unsqueeze
from engine.ops.matmul import matmul
from engine.ops.mm import mm
from engine.ops.permuting import matrix_t
from engine.ops.record import function
from engine.ops.shape import reshape, view
from engine.tensor import Tensor


@function("torch.nn.functional.linear")
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Multiply by the transposed weight matrix (out, in) and add the bias."""
    result: Any
    if not input.shape or not weight.shape:
        raise RuntimeError(
            "both arguments to linear need to be at least 1D, but they are "
            f"{input.ndim}D and {weight.ndim}D"
        )
    if bias is None:
        result = matmul(input, matrix_t(weight))
    elif input.ndim == 2:
        result = addmm(bias, input, matrix_t(weight))
    else:
        shape = tuple(input.shape)
        rows = reshape(input, (math.prod(shape[:-1]), shape[-1] if shape else 1))
        flat = addmm(bias, rows, matrix_t(weight))
        result = view(flat, (*shape[:-1], weight.shape[0]))
    out: Tensor = result
    return out


def _check_bilinear(input1: Tensor, input2: Tensor, weight: Tensor) -> None:
    kinds = [x.dtype for x in (input1, input2, weight)]
    if len(set(kinds)) > 1:
        a, b, c = (SCALAR_NAMES[kind] for kind in kinds)
        raise fail(
            "dtypes-differ",
            f"All tensors must have the same dtype, got input1: {a}, input2: {b}, weight: {c}",
        )
    if input1.ndim != input2.ndim:
        raise fail(
            "bilinear",
            f"bilinear(): input dimensions do not match: got {input1.ndim} and {input2.ndim}",
        )
    for d in range(input1.ndim - 1):
        if input1.shape[d] != input2.shape[d]:
            raise fail(
                "bilinear",
                f"bilinear(): input batch dimensions do not match at dim {d}: got"
                f" {input1.shape[d]} and {input2.shape[d]}",
            )
    for i, x in enumerate((input1, input2), 1):
        if x.shape[-1] != weight.shape[i]:
            raise fail(
                "bilinear",
                f"bilinear(): input{i} size does not match weight size: got {x.shape[-1]} but"
                f" expected {weight.shape[i]}",
            )


@function("torch.bilinear", "torch.nn.functional.bilinear")
def bilinear(input1: Any, input2: Any, weight: Any, bias: Any = None) -> Tensor:
    """Multiply two inputs through a weight (out, in1, in2) and add the bias."""
    _check_bilinear(input1, input2, weight)
    a = reshape(input1, (-1, input1.shape[-1]))
    b = reshape(input2, (-1, input2.shape[-1]))
    out, n, m = weight.shape
    crossed = reshape(unsqueeze(a, 2) * unsqueeze(b, 1), (-1, n * m))
    result: Any = mm(crossed, matrix_t(reshape(weight, (out, n * m))))
    result = view(result, (*input1.shape[:-1], out))
    return result if bias is None else result + bias  # type: ignore[no-any-return]
