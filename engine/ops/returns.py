"""The named tuples of ops with several outputs: `torch.return_types.max` and the like."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

_types: dict[str, Any] = {}


def named(name: str, fields: tuple[str, ...]) -> Any:
    """Return the type `torch.return_types.<name>`."""
    made = _types.get(name)
    if made is None:
        made = _types[name] = _make(name, fields)
    return made


def _make(name: str, fields: tuple[str, ...]) -> Any:
    def show(self: Any) -> str:
        parts = ",\n".join(f"{f}={v!r}" for f, v in zip(fields, self, strict=True))
        return f"torch.return_types.{name}(\n{parts})"

    members: dict[str, Any] = {f: property(itemgetter(i)) for i, f in enumerate(fields)}
    members["__repr__"] = show
    members["__new__"] = lambda cls, *values: tuple.__new__(cls, values)
    members["__slots__"] = ()
    members["__module__"] = "torch.return_types"
    members["__reduce__"] = lambda self: (named(name, fields), tuple(self))
    return type(name, (tuple,), members)
