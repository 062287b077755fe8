"""Recurrent layers: a cell applied along a sequence, in layers, in one or both directions."""

from __future__ import annotations

import math
import warnings
from typing import Any

from engine.nn._torch import Tensor, torch

from .. import init
from ..parameter import Parameter
from ._cells import gru_cell, lstm_cell, rnn_cell
from ._packed import Input, Walk
from .module import Module

_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


class RNNBase(Module):
    """Parameters weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0 … for each layer and direction.

    All start uniform in ±1/sqrt(hidden_size). Input is (L, N, input_size), (N, L, input_size) with
    `batch_first`, or (L, input_size).
    """

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        _check_options(self)
        directions = 2 if bidirectional else 1
        rows = _GATES[mode] * hidden_size
        for layer in range(num_layers):
            columns = input_size if layer == 0 else (proj_size or hidden_size) * directions
            for suffix in self._suffixes(layer):
                shapes: dict[str, Any] = {
                    "weight_ih": (rows, columns),
                    "weight_hh": (rows, proj_size or hidden_size),
                }
                if bias:
                    shapes.update(bias_ih=rows, bias_hh=rows)
                if proj_size:
                    shapes["weight_hr"] = (proj_size, hidden_size)
                for name, shape in shapes.items():
                    parameter = Parameter(torch.empty(shape, device=device, dtype=dtype))
                    setattr(self, name + suffix, parameter)
        self.reset_parameters()

    def _suffixes(self, layer: int) -> list[str]:
        return [f"_l{layer}", f"_l{layer}_reverse"][: 2 if self.bidirectional else 1]

    @property
    def all_weights(self) -> list[list[Parameter]]:
        """The parameters of each layer and direction."""
        kinds = ["weight_ih", "weight_hh"] + (["bias_ih", "bias_hh"] if self.bias else [])
        kinds += ["weight_hr"] if self.proj_size else []
        return [
            [getattr(self, kind + suffix) for kind in kinds]
            for layer in range(self.num_layers)
            for suffix in self._suffixes(layer)
        ]

    def reset_parameters(self) -> None:
        """Draw all parameters."""
        bound = 1.0 / math.sqrt(self.hidden_size)
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def flatten_parameters(self) -> None:
        """Do nothing: only GPUs want the parameters in one piece."""

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        if self.proj_size != 0:
            text += f", proj_size={self.proj_size}"
        if self.num_layers != 1:
            text += f", num_layers={self.num_layers}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        if self.batch_first is not False:
            text += f", batch_first={self.batch_first}"
        if self.dropout != 0:
            text += f", dropout={self.dropout}"
        if self.bidirectional is not False:
            text += f", bidirectional={self.bidirectional}"
        return text

    # -- running

    def _step(self, x: Tensor, state: Any, suffix: str) -> Any:
        """Return the state after one element of the sequence."""
        own: dict[str, Any] = self._parameters
        weights = (own["weight_ih" + suffix], own["weight_hh" + suffix])
        biases = (own.get("bias_ih" + suffix), own.get("bias_hh" + suffix))
        if self.mode == "LSTM":
            h, c = lstm_cell(x, state, *weights, *biases)
            return (h @ own["weight_hr" + suffix].t() if self.proj_size else h), c
        if self.mode == "GRU":
            return gru_cell(x, state, *weights, *biases)
        return rnn_cell(x, state, *weights, *biases, relu=self.mode == "RNN_RELU")

    def _output(self, state: Any) -> Tensor:
        return state[0] if self.mode == "LSTM" else state

    def _run(
        self, input: Tensor, states: list[Any], counts: list[int] | None = None
    ) -> tuple[Tensor, list[Any]]:
        """Run all layers over (L, N, C), from one state for each layer and direction.

        With `counts` the input is packed: so many rows for each step.
        """
        last: list[Any] = []
        join = torch.stack if counts is None else torch.cat
        for layer in range(self.num_layers):
            elements = list(input.unbind(0) if counts is None else input.split(counts))
            outputs = []
            for direction, suffix in enumerate(self._suffixes(layer)):
                state = states[len(last)]
                seen = []
                walk = Walk(elements, state, bool(direction), counts is not None)
                for x in walk:
                    walk.state = self._step(x, walk.state, suffix)
                    seen.append(self._output(walk.state))
                last.append(walk.whole())
                outputs.append(join(seen[::-1] if direction else seen))
            input = outputs[0] if len(outputs) == 1 else torch.cat(outputs, -1)
            if self.dropout and layer < self.num_layers - 1:
                input = torch.dropout(input, self.dropout, self.training)
        return input, last

    def _check_input(self, input: Tensor) -> None:
        weight = self.weight_ih_l0
        if input.dtype is not weight.dtype:
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({weight.dtype}). "
                f"Convert input: input.to({weight.dtype}), or convert model: "
                f"model.to({input.dtype})"
            )
        if input.dim() not in (2, 3):
            raise ValueError(
                f"{type(self).__name__}: Expected input to be 2D or 3D, got {input.dim()}D instead"
            )
        if input.size(-1) != self.input_size:
            raise RuntimeError(
                "input.size(-1) must be equal to input_size. "
                f"Expected {self.input_size}, got {input.size(-1)}"
            )

    def _start(self, given: Tensor | None, like: Input, name: str) -> list[Tensor]:
        """Split an initial state into those of the layers; zeros when none was given."""
        count = self.num_layers * (2 if self.bidirectional else 1)
        own = self.proj_size if self.proj_size and name != "hidden[1]" else self.hidden_size
        size = (count, like.rows, own)
        if given is None:
            return list(torch.zeros(size, dtype=like.data.dtype).unbind(0))
        if not like.batched:
            given = given.unsqueeze(1)
        if tuple(given.shape) != size:
            raise RuntimeError(f"Expected {name} size {size}, got {list(given.size())}")
        return list(like.sorted(given).unbind(0))

    def _forward(self, input: Any, hx: Tensor | None) -> tuple[Any, Tensor]:
        """Run with a state that is one tensor."""
        like = Input(self, input)
        output, last = self._run(like.data, self._start(hx, like, "hidden"), like.counts)
        return like.output(output), like.state(torch.stack(last))


def _check_options(rnn: RNNBase) -> None:
    for name in ("bias", "batch_first"):
        if not isinstance(getattr(rnn, name), bool):
            kind = type(getattr(rnn, name)).__name__
            raise TypeError(f"{name} should be of type bool, got: {kind}")
    for name in ("input_size", "hidden_size"):
        if not isinstance(getattr(rnn, name), int):
            kind = type(getattr(rnn, name)).__name__
            raise TypeError(f"{name} should be of type int, got: {kind}")
        if getattr(rnn, name) <= 0:
            raise ValueError(f"{name} must be greater than zero")
    if rnn.num_layers <= 0:
        raise ValueError("num_layers must be greater than zero")
    if not 0 <= rnn.dropout <= 1:
        raise ValueError(
            "dropout should be a number in range [0, 1] representing the probability of an element "
            "being zeroed"
        )
    if rnn.dropout > 0 and rnn.num_layers == 1:
        warnings.warn(
            "dropout option adds dropout after all but last recurrent layer, so non-zero dropout "
            f"expects num_layers greater than 1, but got dropout={rnn.dropout} and num_layers=1",
            stacklevel=4,
        )
    if rnn.proj_size < 0:
        raise ValueError("proj_size should be a positive integer or zero to disable projections")
    if rnn.proj_size >= rnn.hidden_size:
        raise ValueError("proj_size has to be smaller than hidden_size")
    if rnn.proj_size and rnn.mode != "LSTM":
        raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")


class RNN(RNNBase):
    """h = tanh(W_ih x + b_ih + W_hh h + b_hh), or relu.

    Returns the outputs of the last layer for the whole sequence, and the last state of each layer.
    Elman, "Finding Structure in Time" (1990).
    """

    def __init__(self, *args: Any, nonlinearity: str = "tanh", **kwargs: Any) -> None:
        arguments = list(args)
        if len(arguments) > 3:  # the fourth positional argument is the nonlinearity
            nonlinearity = arguments.pop(3)
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(
                f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'."
            )
        self_mode = "RNN_TANH" if nonlinearity == "tanh" else "RNN_RELU"
        super().__init__(self_mode, *arguments, **kwargs)
        self.nonlinearity = nonlinearity

    def forward(self, input: Any, hx: Tensor | None = None) -> tuple[Any, Tensor]:
        return self._forward(input, hx)


class GRU(RNNBase):
    """Gated recurrent units; the reset gate acts on W_hn h + b_hn.

    Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder" (2014).
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("GRU", *args, **kwargs)

    def forward(self, input: Any, hx: Tensor | None = None) -> tuple[Any, Tensor]:
        return self._forward(input, hx)


class LSTM(RNNBase):
    """Long short-term memory; the state is a pair (h, c).

    Hochreiter and Schmidhuber, "Long Short-Term Memory" (1997).
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def forward(self, input: Any, hx: Any = None) -> tuple[Any, tuple[Tensor, Tensor]]:
        like = Input(self, input)
        hidden, cell = (None, None) if hx is None else hx
        starts = zip(
            self._start(hidden, like, "hidden[0]"),
            self._start(cell, like, "hidden[1]"),
            strict=True,
        )
        output, last = self._run(like.data, list(starts), like.counts)
        h, c = (like.state(torch.stack([state[i] for state in last])) for i in (0, 1))
        return like.output(output), (h, c)
