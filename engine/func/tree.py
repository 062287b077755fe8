"""Nested tuples, lists and dicts of values, taken apart and put together again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


def leaves(tree: Any) -> list[Any]:
    """Return the values of a tree in order; a dict's in the order of its keys' making."""
    if isinstance(tree, tuple | list):
        return [leaf for part in tree for leaf in leaves(part)]
    if isinstance(tree, dict):
        return [leaf for part in tree.values() for leaf in leaves(part)]
    return [tree]


def rebuild(tree: Any, values: Iterator[Any]) -> Any:
    """Return a tree of the same structure with other values."""
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*(rebuild(part, values) for part in tree))
    if isinstance(tree, tuple | list):
        return type(tree)(rebuild(part, values) for part in tree)
    if isinstance(tree, dict):
        return type(tree)((key, rebuild(part, values)) for key, part in tree.items())
    return next(values)


def mapped(function: Callable[[Any], Any], tree: Any) -> Any:
    """Return the tree with the function applied to each value."""
    return rebuild(tree, iter([function(leaf) for leaf in leaves(tree)]))


def structure(tree: Any, indent: int = 2) -> str:
    """Return a tree's structure as the messages have it."""
    if not isinstance(tree, tuple | list | dict):
        return "*"
    parts = tree.values() if isinstance(tree, dict) else tree
    shown = (",\n" + " " * indent).join(structure(part, indent + 2) for part in parts)
    keys = list(tree) if isinstance(tree, dict) else None
    return f"TreeSpec({type(tree).__name__}, {keys}, [{shown}])"
