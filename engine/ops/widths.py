"""Indices in numpy's own integer type, which has 32 bits where Python runs as WebAssembly."""

from __future__ import annotations

from typing import Any

import numpy as np


def narrowed(index: Any) -> Any:
    """Return indices, or counts, as those of numpy's functions want them that never narrow."""
    return np.asarray(index).astype(np.intp, copy=False)
