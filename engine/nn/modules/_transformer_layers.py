"""Layers of a Transformer: attention and a small network, each added to its input and normalised.

Vaswani et al., "Attention Is All You Need" (2017); `norm_first`: Xiong et al., "On Layer
Normalization in the Transformer Architecture" (2020).
"""

from __future__ import annotations

from typing import Any

from engine.nn._torch import Tensor

from .. import functional as F
from .._attention import additive_mask
from ._attention import MultiheadAttention
from .activation import GELU, ReLU
from .dropout import Dropout
from .linear import Linear
from .module import Module
from .normalization import LayerNorm


def _activation(activation: Any) -> Any:
    if not isinstance(activation, str):
        return activation
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    return getattr(F, activation)


class _Layer(Module):
    """What encoder and decoder layers share: their parts, in PyTorch's order, and the network."""

    _attentions: tuple[str, ...] = ()

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        options = {"device": device, "dtype": dtype}
        super().__init__()
        for name in self._attentions:
            attention = MultiheadAttention(
                d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first, **options
            )
            setattr(self, name, attention)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **options)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **options)
        self.norm_first = norm_first
        count = len(self._attentions) + 1
        for i in range(1, count + 1):
            norm = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **options)
            setattr(self, f"norm{i}", norm)
        for i in range(1, count + 1):
            setattr(self, f"dropout{i}", Dropout(dropout))
        self.activation = _activation(activation)
        known = {F.relu: 1, F.gelu: 2}.get(self.activation, 0)
        kinds = {ReLU: 1, GELU: 2}
        self.activation_relu_or_gelu = known or kinds.get(type(self.activation), 0)

    def _add(self, x: Tensor, number: int, block: Any) -> Tensor:
        """Add what a block makes of x; normalise before it or after."""
        norm = getattr(self, f"norm{number}")
        return x + block(norm(x)) if self.norm_first else norm(x + block(x))

    def _attend(
        self, number: int, x: Tensor, memory: Tensor, mask: Any, padding: Any, causal: bool
    ) -> Tensor:
        attention = getattr(self, self._attentions[number - 1])
        found, _ = attention(
            x,
            memory,
            memory,
            attn_mask=mask,
            key_padding_mask=padding,
            need_weights=False,
            is_causal=causal,
        )
        return getattr(self, f"dropout{number}")(found)

    def _network(self, x: Tensor) -> Tensor:
        x = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return getattr(self, f"dropout{len(self._attentions) + 1}")(x)


class TransformerEncoderLayer(_Layer):
    """Self-attention, then a network of two layers; (S, N, E) to the same shape."""

    _attentions = ("self_attn",)

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        mask = additive_mask(src_mask, src)
        padding = additive_mask(src_key_padding_mask, src)
        x = self._add(src, 1, lambda x: self._attend(1, x, x, mask, padding, is_causal))
        return self._add(x, 2, self._network)


class TransformerDecoderLayer(_Layer):
    """Self-attention, attention to the encoder's output, then a network of two layers."""

    _attentions = ("self_attn", "multihead_attn")

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        own = (tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        other = (memory_mask, memory_key_padding_mask, memory_is_causal)
        x = self._add(tgt, 1, lambda x: self._attend(1, x, x, *own))
        x = self._add(x, 2, lambda x: self._attend(2, x, memory, *other))
        return self._add(x, 3, self._network)
