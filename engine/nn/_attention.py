"""Attention."""

from __future__ import annotations

import math

from engine.nn._torch import Tensor, torch


def additive_mask(mask: Tensor | None, like: Tensor) -> Tensor | None:
    """Return a mask to be added: minus infinity where a boolean mask is True."""
    if mask is None or mask.is_floating_point():
        return mask
    if mask.dtype is not torch.bool:
        raise AssertionError("only bool and floating types of attn_mask are supported")
    return torch.zeros(mask.shape, dtype=like.dtype).masked_fill(mask, -math.inf)


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """Return softmax(q kᵀ / sqrt(E) + mask) v, from (…, L, E), (…, S, E), (…, S, Ev) to (…, L, Ev).

    A boolean mask is True where attention is allowed. Vaswani et al., "Attention Is All You Need"
    (2017).
    """
    if is_causal:
        if attn_mask is not None:
            raise RuntimeError(
                "_scaled_dot_product_attention: Explicit attn_mask should not be set when "
                "is_causal=True"
            )
        size = (query.size(-2), key.size(-2))
        attn_mask = torch.ones(size, dtype=torch.bool).tril()
    if attn_mask is not None and attn_mask.dtype is torch.bool:
        attn_mask = additive_mask(~attn_mask, query)
    if enable_gqa:
        times = query.size(-3) // key.size(-3)
        key = key.repeat_interleave(times, -3)
        value = value.repeat_interleave(times, -3)
    # Both factors get half of the scale, as in PyTorch: the product stays in range.
    root = math.sqrt(1.0 / math.sqrt(query.size(-1)) if scale is None else scale)
    scores = (query * root) @ (key.transpose(-2, -1) * root)
    if attn_mask is not None:
        scores = scores + attn_mask
    weights = torch.softmax(scores, -1)
    if dropout_p > 0.0:
        weights = torch.dropout(weights, dropout_p, True)
    return weights @ value


def attend(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, dropout_p: float
) -> tuple[Tensor, Tensor]:
    """Return attention of (heads, length, size) and its weights."""
    scaled = q * math.sqrt(1.0 / float(q.size(-1)))
    if mask is None:
        scores = torch.bmm(scaled, k.transpose(-2, -1))
    else:
        scores = torch.baddbmm(mask, scaled, k.transpose(-2, -1))
    weights = torch.softmax(scores, -1)
    if dropout_p > 0.0:
        weights = torch.dropout(weights, dropout_p, True)
    return torch.bmm(weights, v), weights
