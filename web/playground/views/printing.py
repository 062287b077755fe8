"""Values as PyTorch prints them, from the trace's copies."""

from __future__ import annotations

import numpy as np

from playground.trace import Value


def printed(value: Value) -> str:
    """PyTorch's text of a tensor with that value; shape and extremes where only those are known."""
    if value.text is not None:
        return value.text
    if value.data is None:
        low, high = (value.stats or (0, 0))[:2]
        return (
            f"tensor(shape={tuple(value.shape)}, min={low}, max={high}, dtype=torch.{value.dtype})"
        )
    # Only here: the engine need not be there before the first gradient is.
    from engine.printing import tensor_suffixes, tensor_text

    array = np.array([float(n) if isinstance(n, str) else n for n in value.data])
    array = array.astype(value.dtype if value.dtype != "bfloat16" else "float32")
    suffixes = tensor_suffixes(value.shape, f"torch.{value.dtype}", "torch.float32")
    return tensor_text(array.reshape(value.shape), suffixes)
