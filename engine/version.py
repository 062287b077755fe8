"""torch.version: which release this stands in for."""

from __future__ import annotations

__version__ = "2.13.0"
cuda = None
hip = None
debug = False
