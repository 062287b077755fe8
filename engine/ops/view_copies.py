"""What views show, as memory of its own: torch.view_copy and its like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.ops.record import PUBLIC, function
from engine.tensor import Tensor

VIEWS = (
    "alias", "as_strided", "detach", "expand", "narrow", "permute", "select", "slice",
    "split", "split_with_sizes", "squeeze", "t", "transpose", "unbind", "unfold", "unsqueeze",
    "view",
)  # fmt: skip


def _alias(input: Tensor) -> Tensor:
    return input.view(input.shape)  # type: ignore[attr-defined, no-any-return]


def _slice(
    input: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Tensor:
    return input[(slice(None),) * (dim % input.ndim) + (slice(start, end, step),)]  # type: ignore[index, no-any-return]


OWN = {"alias": _alias, "slice": _slice}


def copy_of(name: str) -> Callable[..., Any]:
    """Return the function that copies what a view of a name shows."""

    def copied(input: Tensor, *args: Any, **kwargs: Any) -> Any:
        look = OWN.get(name) or PUBLIC["Tensor." + name]
        seen: Any = look(input, *args, **kwargs)
        if isinstance(seen, (tuple, list)):
            return tuple(part.clone() for part in seen)
        return seen.clone()

    copied.__name__ = copied.__qualname__ = name + "_copy"
    copied.__doc__ = f"Return what `{name}` shows as memory of its own."
    return copied


for _name in VIEWS:
    function(f"torch.{_name}_copy", *(["Tensor.narrow_copy"] if _name == "narrow" else []))(
        copy_of(_name)
    )
