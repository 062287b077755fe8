"""Rows looked up by number, one-hot codes, and channels moved into space."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes
from engine.dtypes import LEGACY_NAMES
from engine.errors import fail
from engine.ops.inplace import fill_from
from engine.ops.permuting import permute
from engine.ops.pointwise import mul
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, T, t
from engine.ops.shape import reshape
from engine.ops.widths import narrowed
from engine.tensor import Tensor, make

PLACES = T([[0, 2], [2, 1]], "int64")


@op(
    "embedding",
    latex=r"\val{result} = \val{weight}[\val{indices}]",
    grad_fn="EmbeddingBackward0",
    binds=("torch.embedding",),
    samples=lambda: [Sample((t(3, 2), PLACES))],
)
def embedding(
    weight: Array,
    indices: Array,
    padding_idx: int = -1,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Array:
    """Look rows of a matrix up by number.

    >>> torch.embedding(torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([1, 0]))
    tensor([[3., 4.],
            [1., 2.]])
    """
    return np.array(weight[indices])


@embedding.prepare
def _(weight: Tensor, indices: Tensor, padding_idx: int, **_: Any) -> None:
    if weight.ndim != 2:
        raise fail("embedding", "'weight' must be 2-D")
    if indices.dtype not in (dtypes.int64, dtypes.int32):
        raise fail(
            "index-type",
            "Expected tensor for argument #1 'indices' to have one of the following scalar types:"
            f" Long, Int; but got torch.{LEGACY_NAMES[indices.dtype]}Tensor instead (while checking"
            " arguments for embedding)",
        )
    if np.any((indices._array < 0) | (indices._array >= weight.shape[0])):
        raise fail(
            "index-out-of-range", "index out of range in self", IndexError, size=weight.shape[0]
        )


@embedding.vjp(
    "weight", latex=r"\grad{weight} = \grad{result} \text{ added up at rows } \val{indices}"
)
def _(
    grad: Any, indices: Any, weight_shape: Any, padding_idx: int, scale_grad_by_freq: bool
) -> Any:
    return embedding_dense_backward(grad, indices, weight_shape[0], padding_idx, scale_grad_by_freq)


@op(
    "embedding_dense_backward",
    latex=r"\val{result} = \val{grad_output} \text{ added up at rows } \val{indices}",
    grad_fn="EmbeddingDenseBackwardBackward0",
    samples=lambda: [Sample((t(2, 2, 3), PLACES, 4, -1, False)),
                     Sample((t(2, 2, 3), PLACES, 4, 2, True))],
)  # fmt: skip
def embedding_dense_backward(
    grad_output: Array, indices: Array, rows: int, padding_idx: int, scale_grad_by_freq: bool
) -> Array:
    """Add gradients up at the rows that were looked up."""
    width = grad_output.shape[-1]
    whole = np.zeros((rows, width), grad_output.dtype)
    flat = np.ravel(indices)
    added = grad_output.reshape(-1, width) * _share(flat, rows, padding_idx, scale_grad_by_freq)
    np.add.at(whole, flat, added.astype(whole.dtype))
    return whole


def _share(flat: Any, rows: int, padding_idx: int, by_frequency: bool) -> Any:
    """Return the factor of each looked-up row: none for padding, less for frequent ones."""
    factor = (flat != padding_idx).astype(np.float64)
    if by_frequency and flat.size:
        factor = factor / np.bincount(narrowed(flat), minlength=rows)[flat]
    return factor[:, None]


@embedding_dense_backward.vjp(
    "grad_output", latex=r"\grad{grad_output} = \grad{result}[\val{indices}]"
)
def _(grad: Any, indices: Any, padding_idx: int, scale_grad_by_freq: bool) -> Any:
    picked: Any = embedding(grad, indices)
    flat = indices._array if isinstance(indices, Tensor) else indices
    factor = _share(np.ravel(flat), grad.shape[0], padding_idx, scale_grad_by_freq)
    factor = factor.reshape((*flat.shape, 1))
    if isinstance(picked, Tensor):
        return mul(picked, make(factor.astype(picked.dtype.np)))
    return picked * factor.astype(picked.dtype)


@function("torch.nn.functional.embedding")
def embedding_lookup(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """Look rows of a matrix up by number; `max_norm` first shrinks long rows, in place."""
    if weight.ndim != 2:
        raise fail("embedding", "'weight' must be 2-D")
    n = weight.shape[0]
    row = -1
    if padding_idx is not None:
        if not -n <= padding_idx < n:
            raise AssertionError("Padding_idx must be within num_embeddings")
        row = padding_idx % n
    if max_norm is not None:
        _shrink_rows(weight, input, max_norm, norm_type)
    result: Tensor = embedding(weight, input, row, scale_grad_by_freq, sparse)
    return result


def _shrink_rows(weight: Tensor, indices: Tensor, max_norm: float, norm_type: float) -> None:
    from engine import grad_mode

    array = np.array(weight._array)
    for i in np.unique(indices._array):
        size = (np.abs(array[i]) ** norm_type).sum() ** (1 / norm_type)
        if size > max_norm:
            array[i] *= max_norm / (size + 1e-7)
    was, grad_mode.enabled = grad_mode.enabled, False
    try:
        fill_from(weight, array, "embedding_renorm_")
    finally:
        grad_mode.enabled = was


@op(
    "one_hot",
    latex=r"\val{result}_{ij} = [j = \val{input}_i]",
    binds=("torch.nn.functional.one_hot",),
    samples=lambda: [Sample((T([0, 2, 1], "int64"),)), Sample((T([0, 1], "int64"), 4))],
)
def one_hot(input: Array, num_classes: int = -1) -> Array:
    """Give each number a row with a single one.

    >>> torch.nn.functional.one_hot(torch.tensor([0, 2]))
    tensor([[1, 0, 0],
            [0, 0, 1]])
    """
    n = int(input.max()) + 1 if num_classes == -1 else num_classes
    return (np.asarray(input)[..., None] == np.arange(n)).astype(np.int64)


@one_hot.prepare
def _(input: Tensor, num_classes: int) -> None:
    if input.dtype is not dtypes.int64:
        raise fail("one-hot", "one_hot is only applicable to index tensor of type LongTensor.")
    if input.shape.numel() == 0:
        if num_classes <= 0:
            raise fail("one-hot", "Can not infer total number of classes from empty tensor.")
        return
    if np.any(input._array < 0):
        raise fail("one-hot", "Class values must be non-negative.")
    if num_classes != -1:
        if num_classes < 1:
            raise fail("one-hot", "num_classes should be positive")
        if np.any(input._array >= num_classes):
            raise fail("one-hot", "Class values must be smaller than num_classes.")


@op(
    "pixel_shuffle",
    latex=r"\val{result} = \text{channels of } \val{input} \text{ moved into space}",
    grad_fn="PixelShuffleBackward0",
    binds=("torch.pixel_shuffle", "torch.nn.functional.pixel_shuffle"),
    samples=lambda: [Sample((t(1, 8, 2, 3), 2))],
)
def pixel_shuffle(input: Array, upscale_factor: int) -> Array:
    """Move channels into space: (*, C r r, H, W) becomes (*, C, H r, W r).

    >>> torch.pixel_shuffle(torch.ones(1, 4, 2, 2), 2).shape
    torch.Size([1, 1, 4, 4])
    """
    r, lead = upscale_factor, input.shape[:-3]
    c, h, w = input.shape[-3:]
    n = len(lead)
    wide = input.reshape((*lead, c // (r * r), r, r, h, w))
    moved = wide.transpose((*range(n), n, n + 3, n + 1, n + 4, n + 2))
    return moved.reshape((*lead, c // (r * r), h * r, w * r))


@pixel_shuffle.prepare
def _(input: Tensor, upscale_factor: int) -> None:
    if input.ndim < 3:
        raise fail(
            "pixel-shuffle",
            "pixel_shuffle expects input to have at least 3 dimensions, but got input with"
            f" {input.ndim} dimension(s)",
        )
    if upscale_factor <= 0:
        raise fail(
            "pixel-shuffle",
            f"pixel_shuffle expects a positive upscale_factor, but got {upscale_factor}",
        )
    if input.shape[-3] % (upscale_factor**2):
        raise fail(
            "pixel-shuffle",
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of"
            f" upscale_factor, but input.size(-3)={input.shape[-3]} is not divisible by"
            f" {upscale_factor**2}",
        )


@pixel_shuffle.vjp("input", latex=r"\grad{input} = \grad{result} \text{ moved back}")
def _(grad: Any, upscale_factor: int) -> Any:
    return pixel_unshuffle(grad, upscale_factor)


@op(
    "pixel_unshuffle",
    latex=r"\val{result} = \text{space of } \val{input} \text{ moved into channels}",
    grad_fn="PixelUnshuffleBackward0",
    binds=("torch.pixel_unshuffle", "torch.nn.functional.pixel_unshuffle"),
    samples=lambda: [Sample((t(1, 2, 4, 6), 2))],
)
def pixel_unshuffle(input: Array, downscale_factor: int) -> Array:
    """Move space into channels: (*, C, H r, W r) becomes (*, C r r, H, W).

    >>> torch.pixel_unshuffle(torch.ones(1, 1, 4, 4), 2).shape
    torch.Size([1, 4, 2, 2])
    """
    r, lead = downscale_factor, input.shape[:-3]
    c, h, w = input.shape[-3:]
    n = len(lead)
    wide = input.reshape((*lead, c, h // r, r, w // r, r))
    moved = wide.transpose((*range(n), n, n + 2, n + 4, n + 1, n + 3))
    return moved.reshape((*lead, c * r * r, h // r, w // r))


@pixel_unshuffle.vjp("input", latex=r"\grad{input} = \grad{result} \text{ moved back}")
def _(grad: Any, downscale_factor: int) -> Any:
    return pixel_shuffle(grad, downscale_factor)


@function("torch.channel_shuffle", "torch.nn.functional.channel_shuffle")
def channel_shuffle(input: Any, groups: int) -> Tensor:
    """Deal channels round, group by group."""
    n, c, *rest = input.shape
    if c % groups:
        raise fail(
            "channel-shuffle",
            f"Number of channels must be divisible by groups. Got {c} channels and {groups}"
            " groups.",
        )
    wide = reshape(input, (n, groups, c // groups, math.prod(rest)))
    result: Tensor = reshape(permute(wide, (0, 2, 1, 3)), tuple(input.shape))
    return result
