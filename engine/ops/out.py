"""What `out=` asks for: results written into tensors that are there already."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import events, grad_mode
from engine.errors import fail
from engine.ops.returns import named
from engine.tensor import Tensor

Function = Callable[..., Any]


def has_out(function: Function) -> bool:
    """Whether a plain function sees to `out` itself, or hands all keywords on to one that does."""
    parameters = inspect.signature(function).parameters
    return "out" in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


def into(out: Any, function: Function, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Write a result into a given tensor, or several into several: what `out=` asks for."""
    several = isinstance(out, (tuple, list))
    wanted = list(out) if several else [out]
    if not all(isinstance(o, Tensor) for o in wanted):
        raise TypeError(
            f"{function.__name__}(): argument 'out' must be Tensor, not {type(out).__name__}"
        )
    tensors = [a for a in (*args, *kwargs.values(), *wanted) if isinstance(a, Tensor)]
    if grad_mode.enabled and any(t.requires_grad for t in tensors):
        raise fail(
            "out-with-grad",
            f"{function.__name__}(): functions with out=... arguments don't support automatic"
            " differentiation, but one of the arguments requires grad.",
        )
    result = function(*args, **kwargs)
    if not several:
        return deliver(result, out)
    parts = [deliver(r, o) for r, o in zip(result, wanted, strict=True)]
    kind = type(result)  # torch.return_types.sort becomes torch.return_types.sort_out
    fields = [n for n, v in vars(kind).items() if isinstance(v, property)]
    return named(kind.__name__ + "_out", tuple(fields))(*parts) if fields else tuple(parts)


def deliver(result: Any, out: Any) -> Tensor:
    """Write a result into a tensor, which is resized where its shape differs."""
    from engine.ops.inplace import check_cast, tell_copied, write

    check_cast(result.dtype, out.dtype)
    if out.shape != result.shape:
        if out.shape.numel():
            warnings.warn(
                RESIZED.format(list(out.shape), list(result.shape)), UserWarning, stacklevel=4
            )
        out._array, out.shape = np.empty(result.shape, out.dtype.np), result.shape
    before = events.facts_of(out) if events.observer is not None else None
    write(out, result._array)
    if before is not None:
        tell_copied(out, result, before)
    return out  # type: ignore[no-any-return]


RESIZED = (
    "An output with one or more elements was resized since it had shape {}, which does not match"
    " the"
    " required output shape {}. This behavior is deprecated, and in a future PyTorch release"
    " outputs"
    " will not be resized unless they have zero elements. You can explicitly reuse an out tensor"
    " t by"
    " resizing it, inplace, to zero elements with t.resize_(0)."
)
