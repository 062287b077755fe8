"""torch.autograd.graph: looking at the graph and hooking into what it saves."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from engine.autograd import packing
from engine.autograd.function import BackwardCFunction
from engine.graph import Node as _Node
from engine.graph import RemovableHandle
from engine.shown import AccumulateGrad, public_edge
from engine.tensor import Tensor


class _NodeMeta(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, _Node | AccumulateGrad | BackwardCFunction)


class Node(metaclass=_NodeMeta):
    """What a node of the graph is an instance of."""


class GradientEdge(NamedTuple):
    """Where the gradient of a tensor goes: a node and which of its outputs."""

    node: Any
    output_nr: int
    ownership_token: Any = None

    def __repr__(self) -> str:
        # PyTorch keeps the tensor by other means, and shows none.
        return f"GradientEdge(node={self.node}, output_nr={self.output_nr}, ownership_token=None)"


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """Return the edge that `autograd.grad` and `backward` also take in place of the tensor."""
    if not tensor.requires_grad:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require"
            " gradients"
        )
    node, index = public_edge(tensor if tensor.is_leaf else tensor._fn)
    return GradientEdge(node, index, tensor)


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Count a write that autograd did not see."""
    for t in [tensor] if isinstance(tensor, Tensor) else tensor:
        if t.is_inference():  # type: ignore[attr-defined]
            raise RuntimeError("Inference tensors do not track version counter.")
        t._shared().wrote()


class saved_tensors_hooks:
    """Inside the block, pass every tensor that is saved through `pack_hook`.

    `unpack_hook` makes it a tensor again when the gradient rule needs it.
    """

    def __init__(
        self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]
    ) -> None:
        self.hooks = pack_hook, unpack_hook

    def __enter__(self) -> None:
        packing.push(*self.hooks)

    def __exit__(self, *exc: object) -> None:
        packing.pop()


class save_on_cpu(saved_tensors_hooks):
    """Keep what is saved on the CPU: here a copy of it."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(lambda t: t.cpu(), lambda packed: packed)  # type: ignore[attr-defined]


@contextlib.contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """Refuse hooks on saved tensors inside the block, with this text."""
    before = packing.refused
    packing.refuse(error_message)
    try:
        yield
    finally:
        packing.refused = before


def register_multi_grad_hook(
    tensors: Sequence[Tensor], fn: Callable[[Any], None], *, mode: str = "all"
) -> RemovableHandle:
    """Call `fn` when the gradients of all tensors are there, or with the first ("any")."""
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    found: list[Any] = [None] * len(tensors)
    arrived: set[int] = set()
    wanted: set[int] = set()  # those that this pass reaches
    asking = [i for i, t in enumerate(tensors) if t.requires_grad]

    def seen(i: int, g: Tensor) -> None:
        if mode == "any":
            if not arrived:
                arrived.add(i)
                fn(g)
            return
        if not arrived:
            from engine import backward
            from engine.ops.nodes import edge_of

            run = backward.current
            edges = {j: edge_of(tensors[j]) for j in asking}
            wanted.clear()
            wanted.update(j for j in asking if run is None or run.reaches(edges[j]))
        found[i] = g
        arrived.add(i)
        if arrived >= wanted:
            fn(list(found))
            arrived.clear()
            found[:] = [None] * len(tensors)

    handles = [
        tensors[i].register_hook(lambda g, i=i: seen(i, g))  # type: ignore[attr-defined]
        for i in asking
    ]
    return _Several(handles)


class _Several(RemovableHandle):
    """Removes several hooks at once."""

    def __init__(self, handles: list[RemovableHandle]) -> None:
        self.handles = handles

    def remove(self) -> None:
        """Take all of them off."""
        for handle in self.handles:
            handle.remove()


__all__ = [
    "GradientEdge",
    "Node",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]
