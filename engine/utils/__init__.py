"""torch.utils: checkpointing and small data sets."""

from __future__ import annotations

from engine.utils import checkpoint, data

__all__ = ["checkpoint", "data"]
