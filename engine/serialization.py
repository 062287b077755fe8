"""torch.save and torch.load: objects of tensors to a file and back."""

from __future__ import annotations

import pickle
from typing import Any

from engine.ops.record import function


@function("torch.save")
def save(obj: Any, f: Any, pickle_module: Any = pickle, pickle_protocol: int = 2, **_: Any) -> None:
    """Write an object of tensors to a path or an open file.

    The format is this engine's own: PyTorch does not read it.
    """
    if hasattr(f, "write"):
        pickle_module.dump(obj, f, protocol=max(pickle_protocol, 2))
        return
    with open(f, "wb") as file:
        pickle_module.dump(obj, file, protocol=max(pickle_protocol, 2))


@function("torch.load")
def load(f: Any, map_location: Any = None, pickle_module: Any = pickle, **_: Any) -> Any:
    """Read what `save` wrote; like any pickle, from sources one trusts only."""
    if hasattr(f, "read"):
        return pickle_module.load(f)
    with open(f, "rb") as file:
        return pickle_module.load(file)
