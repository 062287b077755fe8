"""Operations by the name the registry knows them under, looked up at first use."""

from __future__ import annotations

from typing import Any

from engine.ops.record import PUBLIC, REGISTRY


class _Bound:
    """`bound.relu` is what is public as torch.nn.functional.relu, torch.relu or Tensor.relu.

    An operation that has no public name is found by its record's name.
    """

    def __getattr__(self, name: str) -> Any:
        for where in ("torch.nn.functional", "torch", "Tensor"):
            found = PUBLIC.get(f"{where}.{name}")
            if found is not None:
                break
        else:
            if name not in REGISTRY:
                raise AttributeError(f"no operation is called {name}")
            found = REGISTRY[name].public
        setattr(self, name, found)
        return found


bound: Any = _Bound()
