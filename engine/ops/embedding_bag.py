"""Rows looked up by number and combined by bags: sum, mean or maximum."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.compare import where
from engine.ops.embedding import _shrink_rows, embedding
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, T, t
from engine.ops.shape import reshape
from engine.ops.slices import index_add
from engine.ops.widths import narrowed
from engine.ops.zeros import fresh_zeros
from engine.tensor import Tensor, make

MODES = {"sum": 0, "mean": 1, "max": 2}
ROWS = T([0, 2, 2, 1], "int64")
BAGS = T([0, 1, 1, 1], "int64")


def _samples() -> list[Sample]:
    weight = t(3, 2, low=0.2)
    weights = T([0.5, -1.0, 0.3, 2.0])
    ways = [Sample((weight, ROWS, BAGS, 3, mode)) for mode in MODES]
    return [*ways, Sample((weight, ROWS, BAGS, 2, "sum", weights))]


def _counts(bags: Any, number: int, like: Any) -> Any:
    counts = np.maximum(np.bincount(narrowed(_numbers(bags)), minlength=number), 1)
    column = counts[:, None].astype(like.dtype.np if isinstance(like, Tensor) else like.dtype)
    return make(column) if isinstance(like, Tensor) else column


def _numbers(x: Any) -> Any:
    return x._array if isinstance(x, Tensor) else x


@op(
    "embedding_bag",
    latex=r"\val{result}_b = \operatorname{combine}_{i \in b} \val{weight}[\val{rows}_i]",
    grad_fn="EmbeddingBagBackward0",
    samples=_samples,
)
def embedding_bag(
    weight: Array, rows: Array, bags: Array, number: int, mode: str,
    per_sample_weights: Array | None = None,
) -> Array:  # fmt: skip
    """Look rows up and combine those of each bag.

    >>> rows = torch.tensor([[0, 1]])
    >>> torch.nn.functional.embedding_bag(rows, torch.tensor([[1., 2.], [3., 4.]]), mode="sum")
    tensor([[4., 6.]])
    """
    picked = weight[rows]
    if per_sample_weights is not None:
        picked = picked * per_sample_weights[:, None]
    if mode == "max":
        whole = np.full((number, weight.shape[1]), -np.inf, weight.dtype)
        np.maximum.at(whole, bags, picked)
        return np.where(np.isinf(whole), weight.dtype.type(0), whole)
    whole = np.zeros((number, weight.shape[1]), weight.dtype)
    np.add.at(whole, bags, picked)
    return whole / _counts(bags, number, whole) if mode == "mean" else whole


@embedding_bag.vjp(
    "weight",
    latex=r"\grad{weight} = \grad{result}[\val{bags}] \text{, shared as }"
    r" \val{per_sample_weights}, \val{weight}, \val{result} \text{ say, added up at rows }"
    r" \val{rows}",
)
def _(
    grad: Any, weight: Any, rows: Any, bags: Any, result: Any, number: int, mode: str,
    per_sample_weights: Any,
) -> Any:  # fmt: skip
    if mode == "mean":
        grad = grad / _counts(bags, number, grad)
    back = embedding(grad, bags)
    if mode == "max":
        first = _first_extremes(weight, rows, bags, result)
        back = where(make(first) if isinstance(back, Tensor) else first, back, back * 0)
    if per_sample_weights is not None:
        back = back * per_sample_weights.reshape((-1, 1))
    return index_add(fresh_zeros(grad, weight.shape), 0, rows, back)


def _first_extremes(weight: Any, rows: Any, bags: Any, result: Any) -> Any:
    """Return where a row is the first of its bag to hold the maximum of a column."""
    equal = _numbers(weight)[_numbers(rows)] == _numbers(result)[_numbers(bags)]
    first = np.zeros_like(equal)
    for b in np.unique(_numbers(bags)):
        inside = np.flatnonzero(_numbers(bags) == b)
        first[inside[np.argmax(equal[inside], 0)], np.arange(equal.shape[1])] = True
    return first & equal


@embedding_bag.vjp(
    "per_sample_weights",
    latex=r"\grad{per_sample_weights}_i = \grad{result}[\val{bags}_i] \cdot"
    r" \val{weight}[\val{rows}_i]",
)
def _(grad: Any, weight: Any, rows: Any, bags: Any) -> Any:
    return (embedding(grad, bags) * embedding(weight, rows)).sum(-1)


@function("torch.nn.functional.embedding_bag")
def embedding_bags(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """Look rows up and combine those of each bag.

    A row of a 2-d `input` is a bag; a 1-d one is cut at `offsets`.
    """
    starts = _starts(input, offsets, per_sample_weights)
    if mode not in MODES:
        raise ValueError("mode has to be one of sum, mean or max")
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported"
            f" for mode='sum' (got mode='{mode}'). Please open a feature request on GitHub."
        )
    rows = np.ravel(input._array)
    if max_norm is not None:
        _shrink_rows(weight, input, max_norm, norm_type)
    _check(rows, starts, weight.shape[0])
    number = len(starts) - 1 if include_last_offset else len(starts)
    bags = np.searchsorted(starts[:number], np.arange(rows.size), "right") - 1
    kept = np.ones(rows.size, bool)
    if padding_idx is not None:
        kept = rows != padding_idx % weight.shape[0]
    factors = None if per_sample_weights is None else reshape(per_sample_weights, (-1,))
    if factors is not None and not kept.all():
        factors = factors[make(kept)]
    places = (make(rows[kept].astype(np.int64)), make(bags[kept].astype(np.int64)))
    result: Tensor = embedding_bag(weight, *places, number, mode, factors)
    return result


def _starts(input: Tensor, offsets: Tensor | None, per_sample_weights: Tensor | None) -> Any:
    """Return where each bag starts among the rows, or refuse the arguments."""
    if per_sample_weights is not None and per_sample_weights.shape != input.shape:
        raise ValueError(
            f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then"
            f" it must have the same shape as the input ({input.shape})"
        )
    if input.ndim == 2:
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch"
                f" of fixed length sequences. However, found offsets of type {type(offsets)}"
            )
        return np.arange(input.shape[0]) * input.shape[1]
    if input.ndim != 1:
        raise ValueError(
            f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.ndim}"
        )
    if offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    if offsets.ndim != 1:
        raise ValueError("offsets has to be a 1D Tensor")
    return offsets._array


def _check(rows: Any, starts: Any, number: int) -> None:
    if starts.size and starts[0] != 0:
        raise fail(
            "bag-offsets",
            "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from"
            f" position 0. However, got {int(starts[0])}\n[ torch.LongTensor{{}} ]",
        )
    bad = np.flatnonzero((rows < 0) | (rows >= number))
    if bad.size:
        raise fail(
            "index-out-of-range",
            f"Index {int(bad[0])} of input takes value {int(rows[bad[0]])} which is not in the"
            f" valid range [0, {number})",
            size=number,
        )
