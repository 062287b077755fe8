"""How a call of a custom Function enters the graph, and how the pass runs its backward."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import events, stand_ins, storage
from engine.autograd import packing
from engine.errors import fail
from engine.graph import FREED, LEAF, Edge, Node
from engine.tensor import Tensor, make
from engine.views import rebase, share


class Call:
    """The state behind one `ctx`."""

    def __init__(self, rule: FunctionRule, inputs: tuple[Any, ...]) -> None:
        self.rule = rule
        self.is_tensor = tuple(isinstance(a, Tensor) for a in inputs)
        self.inputs: tuple[Any, ...] | None = inputs  # until the outputs are made
        self.to_save: tuple[Any, ...] = ()
        self.for_forward: tuple[Any, ...] = ()
        self.dirty: tuple[Any, ...] = ()
        self.non_differentiable: tuple[Any, ...] = ()
        self.materialize = True
        self.node: Node | None = None
        self.outputs: list[Any] = []  # (shape, dtype) of each, None for what is no tensor

    def made(self) -> Node:
        """Return the node; there is none while forward runs or when nothing was recorded."""
        if self.node is None:
            raise RuntimeError("the node of this call was not recorded")
        return self.node

    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """Return what was saved as tensors."""
        node = self.made()
        return tuple(self.rule.as_tensor("", v, node) for v in node.saved or ())


class SavedOutput:
    """An output that was saved: its array, or what a hook made of it; a tensor would be a cycle."""

    def __init__(self, array: Any, index: int) -> None:
        self.array, self.index = array, index


class FunctionRule:
    """What the pass knows of a Function: the `run.rule` of its nodes."""

    attributes: tuple[str, ...] = ()

    def __init__(self, cls: Any, name: str) -> None:
        self.cls = cls
        self.name = name
        self.saves: tuple[str, ...] = ("saved_tensors",)
        self.op: Any = self
        self.outputs: tuple[str, ...] = ()

        def run(node: Node, grad: Any) -> Any:
            return self.run_all(node, grad)

        run.rule = self  # type: ignore[attr-defined]
        self.run = run

    def user_backward(self, ctx: Any, *grads: Any) -> Any:
        """Call `backward`, or `vjp` where the class has that instead."""
        from engine.autograd.function import Function

        backward, vjp = self.cls.backward, self.cls.vjp
        if backward is not Function.backward and vjp is not Function.vjp:
            raise RuntimeError(
                "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You"
                " should only implement one of them."
            )
        return (vjp if vjp is not Function.vjp else backward)(ctx, *grads)

    def run_all(self, node: Node, grad: Any) -> tuple[Any, ...]:
        """Run backward on arrays."""
        grads = grad if isinstance(grad, list) else [grad]
        passed = self.run_tensors(node, [None if g is None else make(g) for g in grads])
        return tuple(None if g is None else g._array for g in passed)

    def run_tensors(self, node: Node, grad: Any) -> tuple[Any, ...]:
        """Run backward on tensors; return one gradient per edge."""
        assert node.extra is not None
        ctx = node.extra.context
        call: Call = ctx._call
        grads = list(grad) if isinstance(grad, list) else [grad]
        if call.materialize:
            for i, (g, facts) in enumerate(zip(grads, call.outputs, strict=True)):
                if g is None and facts is not None:
                    grads[i] = make(np.zeros(facts[0], facts[1].np))
        got = self.user_backward(ctx, *grads)
        got = got if isinstance(got, tuple) else (got,)
        return tuple(self._checked(node, call, got))

    def _checked(self, node: Node, call: Call, got: tuple[Any, ...]) -> list[Any]:
        """Check what backward returned against the inputs."""
        expected = len(call.is_tensor)
        if len(got) > expected and all(g is None for g in got[expected:]):
            got = got[:expected]
        if len(got) != expected:
            raise fail(
                "function-gradient-count",
                f"function {self.name} returned an incorrect number of gradients (expected"
                f" {expected}, got {len(got)})",
            )
        passed: list[Any] = []
        for i, (g, is_tensor) in enumerate(zip(got, call.is_tensor, strict=True)):
            if is_tensor:
                if g is not None and not isinstance(g, Tensor):
                    raise RuntimeError(f"expected Variable or None (got {type(g).__name__})")
                passed.append(g)
            elif g is not None:
                raise fail(
                    "function-gradient-of-constant",
                    f"function {self.name} returned a gradient different from None at position"
                    f" {i + 1}, but the corresponding forward input was not a Variable",
                )
        for i, (g, target) in enumerate(zip(passed, node.edge2, strict=True)):
            if g is not None and target is not None and not _fits(g.shape, target[0]):
                raise fail(
                    "function-gradient-shape",
                    f"Function {self.name} returned an invalid gradient at index {i} - got"
                    f" {list(g.shape)} but expected shape compatible with {list(target[0])}",
                )
        return passed

    def edges(self, node: Node) -> tuple[Edge, ...]:
        """Return the edges, one per tensor argument."""
        return node.edge  # type: ignore[no-any-return]

    def saved_items(self, node: Node) -> list[tuple[str, Any]]:
        """Return what was saved."""
        if node.saved is None or node.saved is FREED:
            return []
        return [("saved_tensors", v.array if isinstance(v, SavedOutput) else v) for v in node.saved]

    def as_tensor(self, name: str, value: Any, node: Node) -> Any:
        """Return a saved value as the tensor backward sees."""
        from engine.ops.rules import result_tensor

        kept = value.array if isinstance(value, SavedOutput) else value
        if isinstance(kept, packing.Packed):
            kept = kept.unpack()
            kept = kept._array if isinstance(value, SavedOutput) else kept
        return result_tensor(kept, node, value.index) if isinstance(value, SavedOutput) else kept

    def is_tensor_name(self, name: str) -> bool:
        """Every saved value is a tensor."""
        return True

    def replace_result(self, node: Node, array: Any, index: int = 0) -> None:
        """Make a saved output the array the output tensor now shares with others."""
        if node.saved is not None and node.saved is not FREED:
            for value in node.saved:
                is_array = isinstance(value, SavedOutput) and isinstance(value.array, np.ndarray)
                if is_array and value.array.shape == array.shape:
                    value.array = array


def _fits(shape: Any, target: Any) -> bool:
    """Whether a gradient of this shape can be summed to the target's."""
    if len(target) > len(shape):
        return False
    lead = len(shape) - len(target)
    return all(t in (1, s) for s, t in zip(shape[lead:], target, strict=True))


def finish(ctx: Any, call: Call, output: Any, recorded: bool) -> Any:
    """Make the outputs of a call results of its node."""
    single = not isinstance(output, tuple)
    raw = [output] if single else list(output)
    assert call.inputs is not None
    check_dirty(call, raw)
    if recorded:
        check_saved(call)
    node = make_node(ctx, call, raw) if recorded else None
    made = [attach(call, v, i, node) for i, v in enumerate(raw)]
    if node is not None:
        node.saved = tuple(saved_value(v, raw, made, node) for v in call.to_save) or None
    inputs, call.inputs = call.inputs, None
    call.to_save = call.dirty = call.non_differentiable = ()
    if events.observer is not None:
        from engine.autograd.telling import tell

        tell(call, inputs, made, node)
    return made[0] if single else tuple(made)


def check_dirty(call: Call, raw: list[Any]) -> None:
    """Refuse a change in place that is not returned."""
    if any(all(d is not v for v in raw) for d in call.dirty):
        raise fail(
            "dirty-not-returned",
            "Some elements marked as dirty during the forward method were not returned as output."
            " The inputs that are modified inplace must all be outputs of the Function.",
        )


def check_saved(call: Call) -> None:
    """Refuse to save what is no tensor."""
    for i, value in enumerate(call.to_save):
        if value is not None and not isinstance(value, Tensor):
            raise TypeError(
                f"save_for_backward can only save variables, but argument {i} is of type"
                f" {type(value).__name__}"
            )


def make_node(ctx: Any, call: Call, raw: list[Any]) -> Node:
    """Make the node of a call, with an edge for each tensor argument."""
    from engine.ops.nodes import edge_of

    assert call.inputs is not None
    tensors = [a for a in call.inputs if isinstance(a, Tensor)]
    node = Node()
    node.rank = storage.tick()
    node.run = call.rule.run
    node.edge = tuple(map(edge_of, tensors))
    node.edge2 = tuple(
        None if e is None else (t.shape, t.dtype) for e, t in zip(node.edge, tensors, strict=True)
    )
    node.saved = node.extra = None
    node.saved2 = ()
    extra = node.more()
    extra.context = ctx
    call.node = node
    call.outputs = [(v.shape, v.dtype) if isinstance(v, Tensor) else None for v in raw]
    if len(raw) > 1:
        nothing = make(np.float32(0))
        facts = [v if isinstance(v, Tensor) else nothing for v in raw]
        extra.outputs = [(t.shape, t.dtype, stand_ins.no_node) for t in facts]  # type: ignore[misc]
    return node


def attach(call: Call, value: Any, index: int, node: Node | None) -> Any:
    """Return one output as the program gets it."""
    if not isinstance(value, Tensor):
        return value
    assert call.inputs is not None
    is_input = any(value is a for a in call.inputs)
    is_dirty = any(value is d for d in call.dirty)
    skipped = any(value is n for n in call.non_differentiable)
    if node is None or skipped or not value.dtype.is_floating_point:
        if is_input and not is_dirty:
            return share(value._array, value)
        return value
    origin = node if len(call.outputs) == 1 else stand_ins.stand_in(node, index)
    if is_dirty:
        if value._fn is LEAF:
            raise fail(
                "leaf-in-place",
                "a leaf Variable that requires grad has been used in an in-place operation.",
            )
        value._shared().wrote()  # besides the writes that forward itself made
        rebase(value, origin)
        return value
    if is_input or (value._meta is not None and value._meta.base is not None):
        value = share(value._array, value)
    value._fn = origin
    return value


def saved_value(value: Any, raw: list[Any], made: list[Any], node: Node) -> Any:
    """Return what a node keeps of a tensor that was saved."""
    from engine.ops.rules import result_tensor

    packs = bool(packing.stack) and value is not None
    for i, (before, after) in enumerate(zip(raw, made, strict=True)):
        if value is before and isinstance(after, Tensor) and after._fn not in (None, LEAF):
            array = after._array
            return SavedOutput(packing.pack(result_tensor(array, node, i)) if packs else array, i)
    return packing.pack(value) if packs else value
