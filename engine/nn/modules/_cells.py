"""One step of a recurrent network: the functions, and the modules that are a single step."""

from __future__ import annotations

import math
from typing import Any

from engine.nn._torch import Tensor, torch

from .. import functional as F
from .. import init
from ..parameter import Parameter
from .module import Module


def rnn_cell(
    x: Tensor, h: Tensor, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any, relu: bool = False
) -> Tensor:
    """Return the next hidden state of a simple recurrent network."""
    total = F.linear(x, w_ih, b_ih) + F.linear(h, w_hh, b_hh)
    return torch.relu(total) if relu else torch.tanh(total)


def gru_cell(x: Tensor, h: Tensor, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any) -> Tensor:
    """Return the next hidden state of gated recurrent units."""
    reset_x, update_x, new_x = F.linear(x, w_ih, b_ih).chunk(3, -1)
    reset_h, update_h, new_h = F.linear(h, w_hh, b_hh).chunk(3, -1)
    reset = torch.sigmoid(reset_h + reset_x)
    update = torch.sigmoid(update_h + update_x)
    new = torch.tanh(new_x + new_h * reset)
    return (h - new) * update + new


def lstm_cell(
    x: Tensor, state: tuple[Tensor, Tensor], w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any
) -> tuple[Tensor, Tensor]:
    """Return the next hidden and cell state of long short-term memory."""
    h, c = state
    gates = F.linear(h, w_hh, b_hh) + F.linear(x, w_ih, b_ih)
    enter, forget, cell, leave = gates.chunk(4, -1)
    c = torch.sigmoid(forget) * c + torch.sigmoid(enter) * torch.tanh(cell)
    return torch.sigmoid(leave) * torch.tanh(c), c


class RNNCellBase(Module):
    """Parameters weight_ih, weight_hh, bias_ih, bias_hh, uniform in ±1/sqrt(hidden_size)."""

    weight_ih: Tensor
    weight_hh: Tensor

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool,
        num_chunks: int,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = num_chunks * hidden_size
        options = {"device": device, "dtype": dtype}
        self.weight_ih = Parameter(torch.empty((rows, input_size), **options))
        self.weight_hh = Parameter(torch.empty((rows, hidden_size), **options))
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, Parameter(torch.empty(rows, **options)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw all parameters."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        if getattr(self, "nonlinearity", "tanh") != "tanh":
            text += f", nonlinearity={self.nonlinearity}"
        return text

    def _weights(self) -> tuple[Any, Any, Any, Any]:
        return self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh

    def _prepare(self, input: Tensor, *states: Tensor | None) -> tuple[Any, ...]:
        """Return input and states with a batch dim; zeros for states that were not given."""
        name = type(self).__name__
        if input.dim() not in (1, 2):
            raise ValueError(f"{name}: Expected input to be 1D or 2D, got {input.dim()}D instead")
        for state in states:
            if state is not None and state.dim() not in (1, 2):
                raise ValueError(
                    f"{name}: Expected hidden to be 1D or 2D, got {state.dim()}D instead"
                )
        batched = input.dim() == 2
        x = input if batched else input.unsqueeze(0)
        if x.size(1) != self.input_size:
            raise RuntimeError(
                f"input has inconsistent input_size: got {x.size(1)} expected {self.input_size}"
            )
        zeros = torch.zeros(x.size(0), self.hidden_size, dtype=input.dtype)
        given = [zeros if s is None else s if batched else s.unsqueeze(0) for s in states]
        for i, state in enumerate(given):
            label = f"hidden{i}" if len(given) > 1 else "hidden0"
            if state.size(1) != self.hidden_size:
                raise RuntimeError(
                    f"{label} has inconsistent hidden_size: got {state.size(1)}, "
                    f"expected {self.hidden_size}"
                )
            if state.size(0) != x.size(0):
                raise RuntimeError(
                    f"Input batch size {x.size(0)} doesn't match {label} batch size {state.size(0)}"
                )
        return (batched, x, *given)


class RNNCell(RNNCellBase):
    """One step of RNN: (N, input_size) and (N, hidden_size) give (N, hidden_size)."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        batched, x, h = self._prepare(input, hx)
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        result = rnn_cell(x, h, *self._weights(), relu=self.nonlinearity == "relu")
        return result if batched else result.squeeze(0)


class GRUCell(RNNCellBase):
    """One step of GRU: (N, input_size) and (N, hidden_size) give (N, hidden_size)."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        batched, x, h = self._prepare(input, hx)
        result = gru_cell(x, h, *self._weights())
        return result if batched else result.squeeze(0)


class LSTMCell(RNNCellBase):
    """One step of LSTM: the state is a pair (h, c)."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Tensor, hx: Any = None) -> tuple[Tensor, Tensor]:
        batched, x, h, c = self._prepare(input, *((None, None) if hx is None else hx))
        h, c = lstm_cell(x, (h, c), *self._weights())
        return (h, c) if batched else (h.squeeze(0), c.squeeze(0))
