"""Sequences of several lengths, padded or packed step by step (torch.nn.utils.rnn)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.nn._torch import Tensor, torch

from .._packed_sequence import PackedSequence, invert_permutation

__all__ = [
    "PackedSequence",
    "invert_permutation",
    "pack_padded_sequence",
    "pack_sequence",
    "pad_packed_sequence",
    "pad_sequence",
    "unpack_sequence",
    "unpad_sequence",
]


def pack_padded_sequence(
    input: Tensor, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Pack (T, B, …), or (B, T, …) with `batch_first`, leaving the padding out."""
    lengths = torch.as_tensor(lengths, dtype=torch.int64)
    order = None
    if not enforce_sorted:
        lengths, order = torch.sort(lengths, descending=True)
        input = input.index_select(0 if batch_first else 1, order)
    if batch_first:
        input = input.transpose(0, 1)
    sizes = lengths.tolist()
    if input.size(1) != len(sizes):
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(sizes)}"
            f" (batch_size={input.size(1)})"
        )
    if sizes[-1] <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths'"
            " that is <= 0"
        )
    if sizes != sorted(sizes, reverse=True):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You"
            " can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to"
            " sidestep this requirement if you do not need ONNX exportability."
        )
    counts = [sum(n > step for n in sizes) for step in range(sizes[0])]
    data = torch.cat([input[step, :count] for step, count in enumerate(counts)])
    return PackedSequence(data, torch.tensor(counts), order)


def pad_packed_sequence(
    sequence: PackedSequence,
    batch_first: bool = False,
    padding_value: float = 0.0,
    total_length: int | None = None,
) -> tuple[Tensor, Tensor]:
    """Return what was packed as (T, B, …), or (B, T, …), with the lengths."""
    counts = sequence.batch_sizes.tolist()
    longest = len(counts)
    if total_length is not None:
        if total_length < longest:
            raise ValueError(
                "Expected total_length to be at least the length of the longest sequence in input,"
                f" but got total_length={total_length} and max sequence length being {longest}"
            )
        longest = total_length
    sequences = _sequences(sequence.data, counts)
    lengths = torch.tensor([len(s) for s in sequences])
    blank = sequence.data.new_full((longest, *sequence.data.shape[1:]), padding_value)
    columns = [torch.cat([s, blank[len(s) :]]) for s in sequences]
    padded = torch.stack(columns, 0 if batch_first else 1)
    if sequence.unsorted_indices is not None:
        padded = padded.index_select(0 if batch_first else 1, sequence.unsorted_indices)
        lengths = lengths[sequence.unsorted_indices]
    return padded, lengths


def _sequences(data: Tensor, counts: list[int]) -> list[Tensor]:
    """Return the sequences of packed data, longest first."""
    steps = data.split(counts)
    return [torch.stack([s[i] for s in steps if len(s) > i]) for i in range(counts[0])]


def pad_sequence(
    sequences: Any,
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Tensor:
    """Stack sequences (L, …) of several lengths L as (T, B, …), or (B, T, …)."""
    if not isinstance(sequences, Iterable):
        raise RuntimeError(
            "pad_sequence: Expected iterable for input sequences, but got arg of type:"
            f" {type(sequences)}"
        )
    sequences = tuple(sequences)
    longest = max(s.size(0) for s in sequences)
    size = (len(sequences), longest) if batch_first else (longest, len(sequences))
    out = sequences[0].new_full((*size, *sequences[0].shape[1:]), padding_value)
    for i, s in enumerate(sequences):
        column = out[i] if batch_first else out[:, i]
        start = longest - s.size(0) if padding_side == "left" else 0
        column[start : start + s.size(0)] = s
    return out


def unpad_sequence(padded_sequences: Tensor, lengths: Any, batch_first: bool = False) -> Any:
    """Return the sequences that were padded."""
    rows = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    return [row[:n] for row, n in zip(rows, lengths, strict=True)]


def pack_sequence(sequences: Any, enforce_sorted: bool = True) -> PackedSequence:
    """Pack sequences of several lengths."""
    lengths = torch.as_tensor([v.size(0) for v in sequences])
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """Return the sequences that were packed."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)  # type: ignore[no-any-return]
