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
    outputs: list[tuple[Size, dtype, weakref.ref[StandIn]]] | None = None
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


class StandIn(Node):
    """One output of a node of several, in place of an edge to that node."""

    __slots__ = ("__weakref__",)


class SeenNode(Node):
    """A node somebody looked at: saved values can be read from it."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_saved_"):
            from engine.saved import look_up

            return look_up(self, name[len("_saved_") :])
        if name.startswith("_raw_saved_"):
            from engine.autograd.saved_tensor import raw_saved

            return raw_saved(self, name[len("_raw_saved_") :])
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __dir__(self) -> list[str]:
        from engine.saved import public_name, shown_attributes, unneeded

        rule: Any = self.run.rule  # type: ignore[attr-defined]
        names = {*map(public_name, rule.saves), *unneeded(rule), *shown_attributes(self)}
        return sorted([*super().__dir__(), *("_saved_" + n for n in names)])

    def __call__(self, *grads: Tensor) -> Any:
        """Run the node's rule on gradients of its outputs."""
        given = list(grads) if self.extra is not None and self.extra.outputs else grads[0]
        if self.saved is FREED:
            raise freed(self)
        passed = self.run.rule.run_tensors(self, given)  # type: ignore[attr-defined]
        return passed[0] if len(passed) == 1 else passed


LEAF: Any = Node()  # in a tensor's `_fn`: it requires grad and nothing computed it
FREED: Any = Node()  # in `saved`: a backward pass freed it


class AccumulateGrad:
    """The end of the graph at a leaf: adds what arrives to its `.grad`."""

    def __init__(self, variable: Tensor) -> None:
        self.variable = variable

    next_functions = ()

    def name(self) -> str:
        """Return the name PyTorch gives to it."""
        return "torch::autograd::AccumulateGrad"

    @property
    def seq(self) -> int:
        """The number by which events know it."""
        return accumulator_seq(self.variable)

    def _hooks(self, kind: str) -> dict[int, Any]:
        meta = self.variable._more()
        if meta.pass_hooks is None:
            meta.pass_hooks = {"pre": {}, "post": {}, "keep": self}
        return meta.pass_hooks[kind]  # type: ignore[no-any-return]

    def register_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(grad_inputs, grad_outputs)` after the gradient was accumulated."""
        return RemovableHandle(self._hooks("post"), hook)

    def register_prehook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(grad_outputs)` before the gradient is accumulated."""
        return RemovableHandle(self._hooks("pre"), hook)

    def __repr__(self) -> str:
        return f"<AccumulateGrad object at {id(self):#x}>"


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


_named: dict[str, type[SeenNode]] = {}


def public(node: Node) -> Node:
    """Give a node the class of its name, as a program that looks at it expects.

    Unseen nodes stay of one class: the pass reads their slots several times faster that way.
    """
    if node.__class__ is Node:
        name = node.name().rpartition("::")[2]
        if name not in _named:
            _named[name] = type(name, (SeenNode,), {"__slots__": (), "__module__": "builtins"})
        node.__class__ = _named[name]
    extra = node.extra
    if extra is not None and extra.context is not None:
        return extra.context  # type: ignore[no-any-return]
    return node


def accumulator_of(leaf: Tensor) -> AccumulateGrad:
    """Return the leaf's AccumulateGrad, the same one as long as somebody holds it."""
    meta = leaf._more()
    found = meta.accumulator() if meta.accumulator is not None else None
    if found is None:
        found = AccumulateGrad(leaf)
        meta.accumulator = weakref.ref(found)
    return found


def accumulator_seq(leaf: Tensor) -> int:
    """Return the number by which events know a leaf's AccumulateGrad."""
    meta = leaf._more()
    if meta.accumulator_rank is None:
        meta.accumulator_rank = storage.tick()
    return events.origin - meta.accumulator_rank


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


def shown_places(node: Node) -> list[int] | None:
    """Return which edges PyTorch has too, None for all: an index or a mask has none there."""
    silent = getattr(node.run.rule, "silent", ())  # type: ignore[attr-defined]
    if not silent:
        return None
    kinds = node.run.rule.kinds  # type: ignore[attr-defined]
    many = len(edges_of(node)) - len(kinds) + 1
    places: list[int] = []
    at = 0
    for kind, quiet in zip(kinds, silent, strict=True):
        width = many if kind == "list" else 1
        if not quiet:
            places.extend(range(at, at + width))
        at += width
    return places


def public_edge(edge: Edge) -> tuple[Any, int]:
    """Return an edge as PyTorch shows it: the node and which of its outputs."""
    if edge is None or (isinstance(edge, Node) and edge.run is go_nowhere):
        return None, 0
    if not isinstance(edge, Node):
        return accumulator_of(edge), 0
    extra = edge.extra
    if extra is not None and extra.parent is not None:
        return public(extra.parent), extra.index
    return public(edge), 0


def edge_seq(edge: Edge) -> int | None:
    """Return the number of the node an edge leads to."""
    if edge is None or (isinstance(edge, Node) and edge.run is go_nowhere):
        return None
    if not isinstance(edge, Node):
        return accumulator_seq(edge)
    extra = edge.extra
    return extra.parent.seq if extra is not None and extra.parent is not None else edge.seq


class _Delivery:
    """The rule of one output of a node of several: hand the gradient on under its index."""

    name = "Output"
    saves = ()

    @staticmethod
    def edges(node: Node) -> tuple[Edge, ...]:
        return (node.edge,)

    @staticmethod
    def targets(node: Node) -> tuple[None]:
        return (None,)

    @staticmethod
    def replace_result(node: Node, array: Any, index: int = 0) -> None:
        """Tell the node which of its outputs that is."""
        node.edge.run.rule.replace_result(node.edge, array, node.more().index)


def deliver(node: Node, grad: Any) -> Any:
    """Stand for the rule of an output; the pass delivers by itself."""
    raise AssertionError("the pass hands an output's gradient to its node")


deliver.rule = _Delivery  # type: ignore[attr-defined]


class _Nowhere:
    """The rule of a view that was made within no_grad of something that requires grad.

    It requires grad itself, but what is computed from it has no way back.
    """

    name = "None"
    saves = ()

    @staticmethod
    def edges(node: Node) -> tuple[Edge, ...]:
        """Return no edges."""
        return ()

    @staticmethod
    def run_all(node: Node, grad: Any) -> tuple[Any, ...]:
        """Pass nothing on."""
        return ()

    run_tensors = run_all

    @staticmethod
    def saved_items(node: Node) -> list[tuple[str, Any]]:
        """Return nothing."""
        return []

    @staticmethod
    def replace_result(node: Node, array: Any, index: int = 0) -> None:
        """Do nothing."""


def go_nowhere(node: Node, grad: Any) -> tuple[Any, ...]:
    """Pass nothing on."""
    return ()


go_nowhere.rule = _Nowhere  # type: ignore[attr-defined]


def dead_end() -> Node:
    """Make the origin of a view made within no_grad."""
    node = Node()
    node.rank = storage.tick()
    node.run = go_nowhere
    node.edge = node.edge2 = node.saved2 = ()
    node.saved = node.extra = None
    return node


def stand_in(parent: Node, index: int) -> Node:
    """Return the stand-in for one output of a node that has several.

    The node holds it weakly: the tensor it is the origin of keeps it, and it keeps the node.
    """
    outputs = parent.more().outputs
    assert outputs is not None
    shape, kind, known = outputs[index]
    node = known()
    if node is None:
        node = StandIn()
        # Between its node and the next newer one, the first output first.
        node.rank = parent.rank - 0.9 * (1 - index / len(outputs))  # type: ignore[assignment]
        node.run = deliver
        node.edge = parent
        node.edge2 = None
        node.saved = None
        extra = node.extra = Extra()
        extra.parent, extra.index = parent, index
        outputs[index] = shape, kind, weakref.ref(node)
    return node


def no_node() -> None:
    """Stand for a weak reference to nothing."""


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
