"""The node of a base that was written through one of its views."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import storage
from engine.dtypes import Size
from engine.graph import Edge, Extra, Node, edges_of, targets_of
from engine.tensor import Tensor


def geometry(view: Tensor, base: Tensor) -> tuple[Size, tuple[int, ...], int]:
    """Return size, stride and offset of a view in its base's memory, in elements."""
    array = view._array
    item = array.itemsize
    offset = (address(array) - address(base._array)) // item
    return view.shape, tuple(step // item for step in array.strides), offset


def address(array: Any) -> int:
    """Return where an array's first element lies."""
    return array.__array_interface__["data"][0]  # type: ignore[no-any-return]


class CopySlices:
    """The rule of a base that was written through a view: the view's part goes through the write.

    The node of the write is kept in `saved2`, what it saved in this node's `saved`, where the pass
    checks and frees it.
    """

    def __init__(self, inner: Node) -> None:
        self.name = "CopySlices"
        self.inner: Any = inner.run.rule  # type: ignore[attr-defined]
        self.saves = self.inner.saves
        self.op = self.inner.op

        def run(node: Node, grad: Any) -> Any:
            return self.run_all(node, grad)

        run.rule = self  # type: ignore[attr-defined]
        self.run = run

    def run_all(self, node: Node, grad: Any) -> tuple[Any, ...]:
        """Apply the write's rule to the view's part of a gradient."""
        from engine.ops.strided import slot, with_layout

        inner, size, stride, offset, layout = node.saved2
        whole = with_layout(grad, *layout)
        part = slot(whole, size, stride, offset)
        passed = self._inner(node, inner, "run_all", np.array(part) if size else part[()])
        part[...] = 0 if passed[0] is None else passed[0]
        return (whole, *passed[1:])

    def run_tensors(self, node: Node, grad: Any) -> tuple[Any, ...]:
        """Do the same on tensors, recorded."""
        inner, size, stride, offset, _ = node.saved2
        whole = grad.clone()
        part = whole.as_strided(size, stride, offset)
        passed = self._inner(node, inner, "run_tensors", part.clone())
        if passed[0] is None:
            part.zero_()
        else:
            part.copy_(passed[0])
        return (whole, *passed[1:])

    def _inner(self, node: Node, inner: Node, how: str, grad: Any) -> Any:
        inner.saved = node.saved
        passed = getattr(self.inner, how)(inner, grad)
        inner.saved = None
        return passed

    def edges(self, node: Node) -> tuple[Edge, ...]:
        """Return the edges."""
        return node.edge  # type: ignore[no-any-return]

    def saved_items(self, node: Node) -> list[tuple[str, Any]]:
        """Return what the write saved."""
        inner = node.saved2[0]
        inner.saved = node.saved
        items = self.inner.saved_items(inner)
        inner.saved = None
        return items  # type: ignore[no-any-return]

    def as_tensor(self, name: str, value: Any, node: Node) -> Any:
        """Return a saved value as a tensor."""
        return self.inner.as_tensor(name, value, node.saved2[0])

    def replace_result(self, node: Node, array: Any, index: int = 0) -> None:
        """Do nothing: the base is not what the write saved."""


def copy_slices(base: Tensor, view: Tensor, inner: Node) -> Node:
    """Make the node of a base that was written through a view."""
    from engine.ops.nodes import edge_of

    size, stride, offset = geometry(view, base)
    node = Node()
    node.rank = storage.tick()
    node.run = CopySlices(inner).run
    node.edge = (edge_of(base), *edges_of(inner)[1:])
    node.edge2 = (None, *targets_of(inner)[1:])
    node.saved = inner.saved
    inner.saved = None
    layout = base.shape, tuple(step // base._array.itemsize for step in base._array.strides)
    node.saved2 = (inner, size, stride, offset, layout)
    node.extra = Extra()
    node.extra.storage = base._shared()
    return node
