"""Views: tensors that share memory with a base, its version counter and its history.

A write through a view makes `CopySlices` the origin of the base, and every differentiable view of
it then starts anew from the base with `AsStridedBackward0`, as in PyTorch.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import events, grad_mode, storage
from engine.copy_slices import address, copy_slices, geometry
from engine.dtypes import BY_NUMPY, sized
from engine.errors import fail
from engine.graph import FREED, LEAF, Edge, Node
from engine.stand_ins import dead_end
from engine.tensor import Tensor, new

if TYPE_CHECKING:
    from engine.ops.record import Op

MULTI = (
    " This view is the output of a function that returns multiple views. Such functions do not"
    " allow"
    " the output views to be modified inplace. You should replace the inplace operation by an"
    " out-of-place one."
)
AMBIGUOUS = (
    " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your"
    " code by moving both the view and the inplace either both inside the {mode} block (if you"
    " don't want the inplace to be tracked) or both outside (if you want the inplace to be"
    " tracked)."
)
MODES = {"no_grad": "grad mode enabled", "inference": "normal mode"}  # and in what it is refused
ITSELF = "is being"
STALE = "stale views"
THE_BASE = "its base or another view of its base has been"
Origin = tuple[int, str] | None  # which output of what kind of node made a view


def share(array: Any, source: Tensor) -> Tensor:
    """Make a tensor of `source`'s memory, with its version counter and no history."""
    shared = source._shared()
    t: Tensor = new(Tensor)
    t._array = array if array.__class__ is np.ndarray else np.asarray(array)
    t.shape = sized(array.shape)
    t.dtype = BY_NUMPY[array.dtype]
    t._fn = None
    t._meta = None
    t._more().storage = shared
    return t


def wrap_view(array: Any, source: Tensor, op: Op) -> Tensor:
    """Make the tensor of a differentiable view of `source`."""
    t = share(array, source)
    meta, origin = t._more(), source._more()
    meta.base = source if origin.base is None else origin.base
    meta.view_kind = origin.view_kind
    meta.inference = origin.inference
    if not grad_mode.enabled:
        meta.view_kind = "inference" if grad_mode.inference else "no_grad"
        if source.requires_grad:
            t._fn = dead_end()
    elif op.multi_view:
        meta.view_kind = "many"
    shared = meta.storage
    assert shared is not None
    views = shared.views
    if len(views) > 8 and len(views) & (len(views) - 1) == 0:  # now and then, drop the dead ones
        views[:] = [ref for ref in views if ref() is not None]
    views.append(weakref.ref(t))
    return t


def origin_of(view: Tensor) -> Origin:
    """Return which output of what a view is, None for a view that has no node."""
    from engine.saved import short_name

    fn = view._fn
    if fn is not None and fn is not LEAF and getattr(fn.run, "rule", None) is _Stale:
        return fn.saved2[1]  # type: ignore[no-any-return]
    node = view._node()
    return None if node is None else (view.output_nr, short_name(node))


def refusal(kind: str, what: str, origin: Origin) -> Exception:
    """Make the error about a view that may not take part in a recorded write.

    `kind` is in which mode it was made, "no_grad" or "inference", or that it is one of "many".
    """
    made = "Output {} of {} is a view".format(*origin) if origin else ""
    if kind == "many" and origin:
        head = f"{made} and {what} modified inplace."
    else:
        mode = "no_grad" if kind == "many" else kind
        begin = f"{made} of a view which was" if origin else "A view was"
        head = f"{begin} created in {mode} mode and {what} modified inplace"
        head += f" {'in' if mode == 'inference' else 'with'} {MODES[mode]}."
    if kind == "many":
        return fail("view-of-many", head + MULTI)
    block = "no_grad" if kind == "no_grad" else "inference_mode"
    return fail("view-made-in-no-grad", head + AMBIGUOUS.format(mode=block))


def known(tensor: Tensor) -> int | None:
    """Return the number of a tensor for the facts of an error, when somebody observes."""
    return None if events.observer is None else events.identify(tensor)


# What PyTorch writes also where elements share memory: all of them get the same.
ONE_VALUE = frozenset(("fill", "zero", "masked_fill", "index_fill", "index_put", "tril", "triu"))


def check_write(target: Tensor, recorded: bool, name: str = "") -> None:
    """Refuse to write where autograd could not follow, or where elements share memory."""
    check_followed(target, recorded)
    if name not in ONE_VALUE:
        check_apart(target)


def check_apart(target: Tensor) -> None:
    """Refuse to write where elements share memory."""
    array = target._array
    if array.__class__ is np.ndarray and 0 in array.strides and overlaps(array):
        raise fail(
            "write-to-expanded",
            "unsupported operation: more than one element of the written-to tensor refers to a"
            " single"
            " memory location. Please clone() the tensor before performing the operation.",
        )


def check_followed(target: Tensor, recorded: bool) -> None:
    """Refuse to change what autograd could not follow."""
    meta = target._meta
    base = None if meta is None else meta.base
    if grad_mode.enabled and (recorded or target.requires_grad):
        if meta is not None and base is not None:
            if meta.view_kind is not None:
                raise refusal(meta.view_kind, ITSELF, origin_of(target))
            if base._fn is LEAF:
                raise fail(
                    "leaf-view-in-place",
                    "a view of a leaf Variable that requires grad is being used in an in-place"
                    " operation.",
                    tensor=known(target),
                    base=known(base),
                )
        if target._fn is LEAF:
            raise fail(
                "leaf-in-place",
                "a leaf Variable that requires grad is being used in an in-place operation.",
                tensor=known(target),
            )


def check_written(target: Tensor) -> None:
    """Refuse to have written to an inference tensor: PyTorch, too, finds out only afterwards."""
    meta = target._meta
    if meta is not None and meta.inference and not grad_mode.inference:
        raise fail(
            "inference-in-place",
            "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a"
            " clone to get a normal tensor before doing inplace update.See"
            " https://github.com/pytorch/rfcs/pull/17 for more details.",
        )


def overlaps(array: Any) -> bool:
    """Whether several elements are one place in memory."""
    pairs = zip(array.shape, array.strides, strict=True)
    return array.size > 0 and any(size > 1 and step == 0 for size, step in pairs)


def overlap(a: Any, b: Any) -> str:
    """Say how two arrays of one memory overlap: "none", "full", "partial", or "unknown"."""
    if a is b or not isinstance(a, np.ndarray):
        return "full"
    if not (a.size and b.size):
        return "none"
    if not (dense(a) and dense(b)):
        return "unknown"
    start, other = address(a), address(b)
    end, other_end = start + a.nbytes, other + b.nbytes
    if (start, end) == (other, other_end):
        return "full" if a.strides == b.strides else "partial"
    return "partial" if start < other_end and other < end else "none"


def dense(array: Any) -> bool:
    """Whether the elements fill a piece of memory, each once, in whatever order."""
    step = array.itemsize
    for stride, size in sorted(zip(array.strides, array.shape, strict=True)):
        if size == 1:
            continue
        if stride != step:
            return False
        step *= size
    return True


def rebase(target: Tensor, node: Node) -> tuple[Node, list[Tensor]]:
    """Make the node of a write the origin of the tensor, and of what shares its memory.

    Returns the node the pass will run, and the views that start anew.
    """
    shared = target._shared()
    node.more().storage = shared
    base = target._more().base
    if base is None:
        target._fn = node
        return node, refresh_views(target)
    base._fn = node = copy_slices(base, target, node)
    return node, refresh_views(base)


def noticed(target: Tensor, but: Tensor | None = None) -> list[Tensor]:
    """After a write that was not recorded: views of a base with history still start anew.

    All `but` one, whose new node is known.
    """
    shared = target._shared()
    if not shared.views:
        return []
    bases = {id(b): b for b in (view._more().base for view in alive(shared.views)) if b is not None}
    refreshed = []
    for base in bases.values():
        if base._fn is not None:
            refreshed.extend(refresh_views(base, but))
    return refreshed


def alive(refs: list[weakref.ref[Tensor]]) -> list[Tensor]:
    """Return the tensors that are still there."""
    return [t for t in (ref() for ref in refs) if t is not None]


def refresh_views(base: Tensor, but: Tensor | None = None) -> list[Tensor]:
    """Let the views of a base that was written start from what it is now; return those that do."""
    from engine.ops.nodes import new_node
    from engine.ops.strided import as_strided

    refreshed = []
    for ref in base._shared().views:
        view = ref()
        if view is None or view is but or view._more().base is not base:
            continue
        kind = view._more().view_kind
        if kind is not None:
            view._fn = stale(kind, origin_of(view))
            continue
        size, stride, offset = geometry(view, base)
        view._fn = new_node(as_strided, [base, size, stride, offset], [view._array], [])
        refreshed.append(view)
    return refreshed


class _Stale:
    """The rule of a view that may not be used after its base was written."""

    name = "Stale"
    saves = ()

    @staticmethod
    def edges(node: Node) -> tuple[Edge, ...]:
        """Return no edges."""
        return ()


def stale(kind: str, origin: Origin) -> Node:
    """Make the node of a view that became unusable; `saved2` says why."""

    def run(node: Node, grad: Any) -> Any:
        raise refusal(kind, THE_BASE, origin)

    run.rule = _Stale  # type: ignore[attr-defined]
    events.be_careful(STALE, True)  # to the end of the program: only the general way looks for them
    node = Node()
    node.rank = storage.tick()
    node.run = run
    node.edge = node.edge2 = node.saved = node.extra = None
    node.saved2 = kind, origin
    return node


def check_fresh(node: Node | None) -> None:
    """Refuse to look at a view whose base was written in a way it may not follow."""
    if node is not None and node is not LEAF and getattr(node.run, "rule", None) is _Stale:
        raise refusal(node.saved2[0], THE_BASE, node.saved2[1])


__all__ = ["FREED", "check_fresh", "check_write", "rebase", "share", "wrap_view"]
