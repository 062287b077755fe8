"""The graph of recorded operations: nodes, what they saved, and where their gradients go."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine import events, storage
from engine.errors import fail

if TYPE_CHECKING:
    from engine.dtypes import Size, dtype
    from engine.tensor import Tensor

# An edge leads to the node that made the tensor, or, for a leaf, to the leaf itself: a leaf and an
# accumulator object that hold each other would be a cycle, and cycles wait for the collector.
Edge = Any  # Node | Tensor | None
Target = tuple["Size", "dtype"]  # what a gradient is summed and converted to


class Extra:
    """What few nodes have: hooks, retained gradients, several outputs, written results.

    The defaults are the class's, which makes an instance as cheap as one attribute.
    """

    hooks: dict[int, Any] | None = None  # on the tensor this node made
    retains: weakref.ref[Tensor] | None = None  # that tensor, when it retains its grad
    node_hooks: dict[int, Any] | None = None
    prehooks: dict[int, Any] | None = None
    storage: storage.Storage | None = None  # of the saved result, once it has one
    # Of each output, when there are several: shape, dtype, and the stand-in node for it.
    outputs: list[tuple[Size, dtype, weakref.ref[Node]]] | None = None
    parent: Node | None = None  # for the stand-in of one output
    index = 0
    metadata: dict[Any, Any] | None = None
    where: Any = None  # the line an observer or anomaly mode wants to tell
    stack: list[str] | None = None  # of the forward call, for anomaly mode
    freed_line: int | None = None
    context: Any = None  # ctx of a custom Function


class Node:
    """An operation that was recorded.

    Up to two edges have slots of their own; a node with more keeps a tuple of them in `edge`, and
    in `edge2` what each expects. `saved` is what was saved: None when no tensor was, `FREED` when
    it was freed. A second tensor is in `saved2`; where `saved` is a tuple of all of them, `saved2`
    is a tuple of what else the rule needs. `run(node, grad)` is the rule on plain arrays; it
    returns a bare gradient when there is one edge. Slots a rule does not use are left unset: making
    nodes is what the engine does most, and keeping them is most of its memory.
    """

    __slots__ = ("edge", "edge2", "extra", "rank", "run", "saved", "saved2")

    rank: int
    run: Callable[[Node, Any], Any]
    edge: Any
    edge2: Any
    saved: Any
    saved2: Any
    extra: Extra | None

    @property
    def seq(self) -> int:
        """The number of the node, counting up from 1 as nodes are made in an observed run."""
        return events.origin - self.rank

    def name(self) -> str:
        """Return the name PyTorch gives to this kind of node."""
        name: str = self.run.rule.name  # type: ignore[attr-defined]
        # Nodes of PyTorch's own that no derivative formula made go by their full names.
        return f"torch::autograd::{name}" if name in ("CopySlices", "CopyBackwards") else name

    def more(self) -> Extra:
        """Return the rare attributes, made at first need."""
        if self.extra is None:
            self.extra = Extra()
        return self.extra

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """The nodes this one's gradients go to, one per differentiable input, and which output."""
        from engine.shown import public_edge, shown_places

        edges = edges_of(self)
        places = shown_places(self)
        return tuple(map(public_edge, edges if places is None else [edges[at] for at in places]))

    @property
    def metadata(self) -> dict[Any, Any]:
        """A dict for whatever the user wants to keep with the node."""
        extra = self.more()
        if extra.metadata is None:
            extra.metadata = {}
        return extra.metadata

    def register_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(grad_inputs, grad_outputs)` after the node's rule ran."""
        extra = self.more()
        extra.node_hooks = {} if extra.node_hooks is None else extra.node_hooks
        return RemovableHandle(extra.node_hooks, hook)

    def register_prehook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(grad_outputs)` before the node's rule runs."""
        extra = self.more()
        extra.prehooks = {} if extra.prehooks is None else extra.prehooks
        return RemovableHandle(extra.prehooks, hook)

    def _sequence_nr(self) -> int:
        return self.seq

    def __repr__(self) -> str:
        return f"<{self.name().rpartition('::')[2]} object at {id(self):#x}>"


LEAF: Any = Node()  # in a tensor's `_fn`: it requires grad and nothing computed it
FREED: Any = Node()  # in `saved`: a backward pass freed it


hooks_seen = False  # whether any hook was ever registered: only then order can be observed


class RemovableHandle:
    """What registering a hook returns; `remove()` takes the hook off again."""

    _next = 0

    def __init__(self, hooks: dict[int, Any], hook: Any) -> None:
        global hooks_seen
        hooks_seen = True
        self.id = RemovableHandle._next
        RemovableHandle._next += 1
        self._hooks = hooks
        hooks[self.id] = hook

    def remove(self) -> None:
        """Take the hook off; a second time does nothing."""
        self._hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exc: object) -> None:
        self.remove()


def edges_of(node: Node) -> tuple[Edge, ...]:
    """Return the edges of a node, None for an argument that needs no gradient."""
    if node.edge.__class__ is tuple:
        return node.edge
    return node.run.rule.edges(node)  # type: ignore[attr-defined, no-any-return]


def targets_of(node: Node) -> tuple[Target | None, ...]:
    """Return the shape and type each edge expects, None where the rule's gradient always fits."""
    if node.edge.__class__ is tuple:
        return node.edge2  # type: ignore[no-any-return]
    return node.run.rule.targets(node)  # type: ignore[attr-defined, no-any-return]


def freed(node: Node) -> Exception:
    """Refuse to use what a backward pass already freed."""
    where = node.extra.where if node.extra is not None else None
    return fail(
        "backward-twice",
        "Trying to backward through the graph a second time (or directly access saved tensors after"
        " they have already been freed). Saved intermediate values of the graph are freed when you"
        " call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward"
        " through the graph a second time or if you need to access saved tensors after calling"
        " backward.",
        node=node.seq,
        grad_fn=node.name(),
        line=where,
        freed_line=node.extra.freed_line if node.extra is not None else None,
    )


RemovableHandle.__module__ = "torch.utils.hooks"
