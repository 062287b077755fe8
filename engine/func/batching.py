"""torch.func.vmap, by a loop over the mapped dim."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any

from engine.func.tree import leaves, rebuild, structure
from engine.ops.record import PUBLIC
from engine.random import Draws, draws
from engine.tensor import Tensor


def name_of(func: Any) -> str:
    """Return a function's name as the messages have it."""
    return getattr(func, "__name__", None) or repr(func)


def spread(dims: Any, tree: Any) -> list[Any] | None:
    """Return one dim per value of the tree; None when the structures do not fit."""
    if dims is None or isinstance(dims, int):
        return [dims] * len(leaves(tree))
    if not isinstance(tree, tuple | list | dict) or len(dims) != len(tree):
        return None
    parts = tree.values() if isinstance(tree, dict) else tree
    dim_parts = dims.values() if isinstance(dims, dict) else dims
    found: list[Any] = []
    for d, part in zip(dim_parts, parts, strict=True):
        below = spread(d, part)
        if below is None:
            return None
        found.extend(below)
    return found


def checked_dims(func: Any, in_dims: Any, args: tuple[Any, ...]) -> list[Any]:
    """Return the mapped dim of each input, after PyTorch's checks."""
    start = f"vmap({name_of(func)}, in_dims={in_dims}, ...)(<inputs>): "
    if not isinstance(in_dims, int | tuple | list):
        raise ValueError(
            f"{start}expected `in_dims` to be int or a (potentially nested) tuple matching the"
            f" structure of inputs, got: {type(in_dims)}."
        )
    if not args:
        raise ValueError(
            f"vmap({name_of(func)})(<inputs>): got no inputs. Maybe you forgot to add inputs, or"
            " you are trying to vmap over a function with no inputs. The latter is unsupported."
        )
    dims = spread(in_dims, args)
    if dims is None:
        raise ValueError(
            f"{start}in_dims is not compatible with the structure of `inputs`. in_dims has"
            f" structure {structure(in_dims)} but inputs has structure {structure(args)}."
        )
    for value, dim in zip(leaves(args), dims, strict=True):
        if dim is not None and not isinstance(dim, int):
            raise ValueError(
                f"{start}Got in_dim={dim} for an input but in_dim must be either an integer"
                " dimension or None."
            )
        if dim is not None and not isinstance(value, Tensor):
            raise ValueError(
                f"{start}Got in_dim={dim} for an input but the input is of type {type(value)}. We"
                " cannot vmap over non-Tensor arguments, please use None as the respective in_dim"
            )
        if dim is not None and not -value.ndim <= dim < value.ndim:
            raise ValueError(
                f"{start}Got in_dim={dim} for some input, but that input is a Tensor of"
                f" dimensionality {value.ndim} so expected in_dim to satisfy -{value.ndim} <="
                f" in_dim < {value.ndim}."
            )
    return dims


ITEM = (
    "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling"
    " .item() on a Tensor, please try to rewrite what you're doing with other operations. If error"
    " is occurring somewhere inside PyTorch internals, please file a bug report."
)
TRUTH = (
    "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. We"
    " don't support that yet, please file an issue at"
    " https://github.com/pytorch/pytorch/issues ."
)
VALUES = {"item": ITEM, "__float__": ITEM, "__int__": ITEM, "__index__": ITEM, "__bool__": TRUTH}


@contextlib.contextmanager
def no_python_values() -> Iterator[None]:
    """Refuse numbers and truths of tensors inside the block, as a row has none of its own."""
    before = {name: Tensor.__dict__[name] for name in VALUES}
    for name, text in VALUES.items():
        setattr(Tensor, name, refusing(before[name], text))
    try:
        yield
    finally:
        for name, method in before.items():
            setattr(Tensor, name, method)


def refusing(method: Callable[..., Any], text: str) -> Callable[..., Any]:
    """Return a method that only the engine itself may call."""

    @functools.wraps(method)
    def call(self: Any, *args: Any) -> Any:
        if not sys._getframe(1).f_globals["__name__"].startswith("engine."):
            raise RuntimeError(text)
        return method(self, *args)

    return call


def vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[..., Any]:
    """Make a function that maps `func` over a dim of its inputs and stacks the results."""
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(
            f"Only allowed values for randomness are 'error', 'different', or 'same'. Got"
            f" {randomness}"
        )

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        dims = checked_dims(func, in_dims, args)
        values = leaves(args)
        pairs = list(zip(values, dims, strict=True))
        sizes = [v.shape[d] for v, d in pairs if d is not None]
        if not sizes:
            raise ValueError("vmap: Expected at least one Tensor to vmap over")
        if len(set(sizes)) > 1:
            raise ValueError(
                "vmap: Expected all tensors to have the same size in the mapped dimension, got"
                f" sizes {sizes} for the mapped dimension"
            )
        results = []
        with draws(Draws(randomness)) as allowed, no_python_values():
            for i in range(sizes[0]):
                allowed.row()
                row = [v if d is None else v.select(d, i) for v, d in pairs]
                results.append(func(*rebuild(args, iter(row)), **kwargs))
        return stacked(func, results, out_dims)

    return wrapper


def stacked(func: Any, results: list[Any], out_dims: Any) -> Any:
    """Stack the results of the single calls."""
    stack = PUBLIC["torch.stack"]
    name = name_of(func)
    for value in leaves(results[0]):
        if not isinstance(value, Tensor):
            raise ValueError(
                f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(value)}. Did"
                " you mean to set out_dims= to None for output?"
            )
    dims = spread(out_dims, results[0])
    if dims is None:
        raise ValueError(
            f"vmap({name}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the"
            " structure of `outputs`."
        )
    columns = zip(*(leaves(r) for r in results), strict=True)
    made = [
        column[0] if d is None else stack(list(column), d)
        for column, d in zip(columns, dims, strict=True)
    ]
    return rebuild(results[0], iter(made))


__all__ = ["vmap"]
