"""Sequences of several lengths, packed step by step."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.nn._torch import Tensor, torch


class _Packed(NamedTuple):
    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None
    unsorted_indices: Tensor | None


class PackedSequence(_Packed):
    """Elements of all sequences, step by step; `batch_sizes` says how many each step has."""

    def __new__(
        cls,
        data: Any,
        batch_sizes: Tensor | None = None,
        sorted_indices: Tensor | None = None,
        unsorted_indices: Tensor | None = None,
    ) -> PackedSequence:
        """Make one; the indices that undo the sorting are found where they are not given."""
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes is None:
            data, batch_sizes = data
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """Convert the data, as Tensor.to does."""
        data = self.data.to(*args, **kwargs)
        return self if data is self.data else self._replace(data=data)

    def double(self) -> PackedSequence:
        """Convert the data to float64."""
        return self.to(torch.float64)

    def float(self) -> PackedSequence:
        """Convert the data to float32."""
        return self.to(torch.float32)

    @property
    def is_cuda(self) -> bool:
        """Always False."""
        return False


_Packed.__name__ = "PackedSequence"


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """Return the permutation that undoes another."""
    if permutation is None:
        return None
    places = torch.arange(0, permutation.numel())
    return torch.empty_like(permutation).scatter_(0, permutation, places)


PackedSequence.__module__ = "torch.nn.utils.rnn"
