"""Sequences of a recurrent layer: its input, packed or not, and the state along the steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.nn._torch import Tensor, torch

from .._packed_sequence import PackedSequence


def rows(state: Any, start: int, end: int | None) -> Any:
    """Return some rows of a state, which for LSTM is a pair."""
    if isinstance(state, tuple):
        return tuple(part[start:end] for part in state)
    return state[start:end]


def joined(states: list[Any]) -> Any:
    """Return the rows of several states as one."""
    if len(states) == 1:
        return states[0]
    if isinstance(states[0], tuple):
        return tuple(torch.cat(parts) for parts in zip(*states, strict=True))
    return torch.cat(states)


class Walk:
    """The elements of a sequence, one after the other; set `state` to what comes after each.

    Sequences that are over leave, last rows first; backwards they join, with their first state.
    """

    def __init__(self, elements: list[Tensor], state: Any, backwards: bool, packed: bool) -> None:
        self.elements = elements[::-1] if backwards else elements
        self.first = state
        self.state = state
        self.packed = packed
        self.over: list[Any] = []

    def __iter__(self) -> Iterator[Tensor]:
        have = len(self.elements[0]) if self.packed else 0
        if self.packed:
            self.state = rows(self.first, 0, have)
        for x in self.elements:
            if self.packed and len(x) < have:
                self.over.append(rows(self.state, len(x), None))
                self.state = rows(self.state, 0, len(x))
            elif self.packed and len(x) > have:
                self.state = joined([self.state, rows(self.first, have, len(x))])
            have = len(x) if self.packed else 0
            yield x

    def whole(self) -> Any:
        """Return the last state of every sequence."""
        return joined([self.state, *self.over[::-1]])


class Input:
    """A layer's input as (L, N, C) or packed rows, and the way back to what the caller has."""

    def __init__(self, rnn: Any, input: Any) -> None:
        self.given = input
        self.packed = isinstance(input, PackedSequence)
        self.data: Tensor = input.data if self.packed else input
        self.counts: list[int] | None = None
        self.batched = True
        self.first = rnn.batch_first
        self.lstm = rnn.mode == "LSTM"
        if self.packed:
            self.counts = input.batch_sizes.tolist()
            self.rows = self.counts[0]
            return
        rnn._check_input(input)
        self.batched = input.dim() == 3
        if not self.batched:
            self.data = input.unsqueeze(1)
        elif rnn.batch_first:
            self.data = input.transpose(0, 1)
        self.rows = self.data.size(1)

    def output(self, output: Tensor) -> Any:
        """Give the output the input's form."""
        if self.packed:
            return self.given._replace(data=output)
        if not self.batched:
            return output.squeeze(1)
        if not self.first:
            return output
        # PyTorch's LSTM, of oneDNN, makes a view; the others turn their result in place.
        return output.transpose(0, 1) if self.lstm else output.transpose_(0, 1)

    def state(self, state: Tensor) -> Tensor:
        """Give a state the form and order of the input's batch."""
        if self.packed and self.given.unsorted_indices is not None:
            return state.index_select(1, self.given.unsorted_indices)
        return state if self.batched else state.squeeze(1)

    def sorted(self, state: Tensor) -> Tensor:
        """Give a state the order of packed rows."""
        if self.packed and self.given.sorted_indices is not None:
            return state.index_select(1, self.given.sorted_indices)
        return state
