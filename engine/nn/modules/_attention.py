"""Attention with several heads, as a module."""

from __future__ import annotations

from typing import Any

from engine.nn._torch import Tensor, torch

from .. import functional as F
from .. import init
from .._attention import additive_mask, attend
from ..parameter import Parameter
from .linear import Linear
from .module import Module

PROJECTIONS = ("q_proj_weight", "k_proj_weight", "v_proj_weight")


class NonDynamicallyQuantizableLinear(Linear):
    """A Linear under the name PyTorch gives it here."""


class MultiheadAttention(Module):
    """softmax(q kᵀ / sqrt(size) + mask) v for each head, joined and projected.

    Query (L, N, E), key (S, N, E) and value (S, N, E), batch first with `batch_first`, or without
    N. Returns the output and, with `need_weights`, the weights averaged over heads. Masks are True
    (or minus infinity) where attention is forbidden. Vaswani et al., "Attention Is All You Need"
    (2017).
    """

    in_proj_weight: Tensor | None
    in_proj_bias: Tensor | None
    bias_k: Any
    bias_v: Any

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                "embed_dim and num_heads must be greater than 0, got "
                f"embed_dim={embed_dim} and num_heads={num_heads} instead"
            )
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == self.vdim == embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")
        options = {"device": device, "dtype": dtype}
        sizes = (embed_dim, self.kdim, self.vdim)
        for name, size in zip(PROJECTIONS, sizes, strict=True):
            weight = None if self._qkv_same_embed_dim else torch.empty(embed_dim, size, **options)
            self.register_parameter(name, None if weight is None else Parameter(weight))
        whole = torch.empty((3 * embed_dim, embed_dim), **options)
        self.register_parameter(
            "in_proj_weight", Parameter(whole) if self._qkv_same_embed_dim else None
        )
        self.register_parameter(
            "in_proj_bias", Parameter(torch.empty(3 * embed_dim, **options)) if bias else None
        )
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias, **options)
        self.bias_k, self.bias_v = (
            Parameter(torch.empty((1, 1, embed_dim), **options)) if add_bias_kv else None
            for _ in range(2)
        )
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        """Draw the projections of query, key and value, then the extra key and value."""
        for name in (*PROJECTIONS, "in_proj_weight"):
            weight = getattr(self, name)
            if weight is not None:
                init.xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            init.constant_(self.in_proj_bias, 0.0)
            init.constant_(self.out_proj.bias, 0.0)
        for extra in (self.bias_k, self.bias_v):
            if extra is not None:
                init.xavier_normal_(extra)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        batched = query.dim() == 3
        if not batched:
            query, key, value = (x.unsqueeze(1) for x in (query, key, value))
            if key_padding_mask is not None:
                key_padding_mask = key_padding_mask.unsqueeze(0)
        elif self.batch_first:
            query, key, value = (x.transpose(1, 0) for x in (query, key, value))
        length, batch, _ = query.shape
        if is_causal and attn_mask is None:
            raise RuntimeError("Need attn_mask if specifying the is_causal hint.")
        q, k, v = self._projected(query, key, value)
        mask = self._mask(query, key, attn_mask, key_padding_mask)
        if self.bias_k is not None:
            k = torch.cat([k, self.bias_k.repeat(1, batch, 1)])
            v = torch.cat([v, self.bias_v.repeat(1, batch, 1)])
            mask = None if mask is None else F.pad(mask, (0, 1))
        q, k, v = (self._heads(x) for x in (q, k, v))
        if self.add_zero_attn:
            k, v = (torch.cat([x, torch.zeros_like(x[:, :1])], dim=1) for x in (k, v))
            mask = None if mask is None else F.pad(mask, (0, 1))
        joined, weights = attend(q, k, v, mask, self.dropout if self.training else 0.0)
        rows = joined.transpose(0, 1).reshape(length * batch, self.embed_dim)
        output = self.out_proj(rows).view(length, batch, self.embed_dim)
        output = output if batched else output.squeeze(1)
        if self.batch_first and batched:
            output = output.transpose(1, 0)
        if not need_weights:
            return output, None
        weights = weights.view(batch, self.num_heads, length, k.size(1))
        weights = weights.mean(dim=1) if average_attn_weights else weights
        return output, weights if batched else weights.squeeze(0)

    def _projected(self, query: Tensor, key: Tensor, value: Tensor) -> list[Tensor]:
        if self.in_proj_weight is None:
            weights = tuple(getattr(self, name) for name in PROJECTIONS)
        else:
            weights = self.in_proj_weight.chunk(3)
        biases = (None,) * 3 if self.in_proj_bias is None else self.in_proj_bias.chunk(3)
        inputs = (query, key, value)
        return [F.linear(x, w, b) for x, w, b in zip(inputs, weights, biases, strict=True)]

    def _heads(self, x: Tensor) -> Tensor:
        """From (L, N, E) to (N * heads, L, E / heads)."""
        length, batch, _ = x.shape
        return x.reshape(length, batch * self.num_heads, self.head_dim).transpose(0, 1)

    def _mask(
        self, query: Tensor, key: Tensor, mask: Tensor | None, padding: Tensor | None
    ) -> Tensor | None:
        length, batch, _ = query.shape
        source = key.size(0)
        heads = self.num_heads
        mask = additive_mask(mask, query)
        if mask is not None and mask.dim() == 2:
            if tuple(mask.shape) != (length, source):
                raise RuntimeError(
                    f"The shape of the 2D attn_mask is {mask.shape}, "
                    f"but should be {(length, source)}."
                )
            mask = mask.unsqueeze(0)
        elif mask is not None and tuple(mask.shape) != (batch * heads, length, source):
            raise RuntimeError(
                f"The shape of the 3D attn_mask is {mask.shape}, "
                f"but should be {(batch * heads, length, source)}."
            )
        padding = additive_mask(padding, query)
        if padding is None:
            return mask
        spread = padding.view(batch, 1, 1, source).expand(-1, heads, -1, -1)
        spread = spread.reshape(batch * heads, 1, source)
        return spread if mask is None else mask + spread
