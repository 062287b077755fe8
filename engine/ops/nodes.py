"""Recording an applied op: which inputs need a gradient, the node, and what it saves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import dtypes
from engine.autograd import anomaly_mode, packing
from engine.dtypes import Size
from engine.errors import fail
from engine.graph import LEAF, Edge, Node
from engine.ops.rules import layout, many_node, rule_for
from engine.stand_ins import no_node, stand_in
from engine.tensor import Tensor
from engine.views import check_fresh

if TYPE_CHECKING:
    from engine.ops.record import Op


# Ops whose integer results PyTorch refuses to record, where all others leave them out of the graph.
REFUSES_INTEGERS = frozenset(["masked_fill_tensor", "index_fill_tensor"])


def numbers_alone(op: Op, by_name: dict[str, Any]) -> tuple[str, ...]:
    """Return the numbers given for tensors that have no edge, not even an empty one.

    PyTorch makes a tensor of a number, except where the op has a form of its own for numbers; such
    a form names its node otherwise.
    """
    own_name = isinstance(op.grad_fn, str) and not op.grad_fn.endswith("NotImplemented")
    if own_name or op.promote is None:
        return ()
    return tuple(p.name for p in op.tensors if isinstance(by_name[p.name], (int, float)))


def tensors_of(op: Op, values: list[Any], without: tuple[str, ...] = ()) -> list[Any]:
    """Return the tensor arguments in order, lists flattened; numbers and None among them."""
    found: list[Any] = []
    for p, v in zip(op.params, values, strict=True):
        if p.name in without:
            continue
        if p.kind == "list":
            found.extend(v)
        elif p.is_tensor:
            found.append(v)
    return found


def any_needs(op: Op, values: list[Any]) -> bool:
    """Whether any argument requires grad."""
    return any(isinstance(v, Tensor) and v._fn is not None for v in tensors_of(op, values))


def edge_of(value: Any) -> Edge:
    """Return where the gradient of an argument goes."""
    if not isinstance(value, Tensor):
        return None
    fn = value._fn
    if fn is LEAF:
        return value
    if value._meta is not None and value._meta.view_kind is not None:
        check_fresh(fn)
    return fn


def record(op: Op, values: list[Any], outputs: list[Tensor], hidden: list[Any]) -> Node | None:
    """Make the node of an applied op and hang it on its outputs."""
    if not any(t.dtype.is_floating_point for t in outputs):
        if op.name in REFUSES_INTEGERS:
            name = dtypes.LEGACY_NAMES[outputs[0].dtype]
            raise fail("integer-with-grad", f"Autograd not support dtype: {name}")
        return None
    node = new_node(op, values, [t._array for t in outputs], hidden)
    if anomaly_mode.enabled:
        anomaly_mode.remember(node)
    hang(node, outputs)
    return node


def new_node(op: Op, values: list[Any], arrays: list[Any], hidden: list[Any]) -> Node:
    """Make the node of an op applied to `values`."""
    names = [p.name for p in op.params]
    by_name = dict(zip(names, values, strict=True))
    wanted = tuple(
        p.name
        for p, v in zip(op.params, values, strict=True)
        if p.is_tensor and any(edge_of(x) is not None for x in (v if p.kind == "list" else [v]))
    )
    grad_fn = op.grad_fn
    assert grad_fn is not None
    name = grad_fn if isinstance(grad_fn, str) else grad_fn(**by_name)
    without = numbers_alone(op, by_name)
    rule = rule_for(op, name, wanted, without)
    check_inference(op, rule, by_name)
    by_name.update(zip(op.outputs, arrays, strict=False))
    by_name.update(zip(op.hidden, hidden, strict=True))
    tensors = tensors_of(op, values, without)
    edges = tuple(map(edge_of, tensors))
    targets = tuple(
        None if e is None else (t.shape, t.dtype) for e, t in zip(edges, tensors, strict=True)
    )
    node = many_node(rule, edges, targets)
    if rule.saves:
        node.saved = tuple(_saved(by_name, n) for n in rule.saves)
        if packing.stack:
            kept = zip(rule.saves, node.saved, strict=True)
            node.saved = tuple(
                packing.pack(rule.as_tensor(n, v, node) if n in op.outputs else v) for n, v in kept
            )
            node.run = rule.run_packed
    if rule.attributes:
        node.saved2 = tuple(_saved(by_name, n) for n in rule.attributes)
    return node


def _saved(by_name: dict[str, Any], name: str) -> Any:
    """Return what a node keeps for a name in a rule's signature."""
    if name in by_name:
        value = by_name[name]
        many = isinstance(value, tuple) and value and isinstance(value[0], Tensor)
        return list(value) if many else value
    input_name, _, what = name.rpartition("_")
    value = by_name[input_name]
    facts = {"shape": _shape, "layout": layout}[what]
    return [facts(v) for v in value] if isinstance(value, (list, tuple)) else facts(value)


def _shape(value: Any) -> Size:
    return value.shape if isinstance(value, Tensor) else Size()


def check_inference(op: Op, rule: Any, by_name: dict[str, Any]) -> None:
    """Refuse to save an inference tensor for a backward pass."""
    for n in rule.saves:
        v = by_name.get(n)
        if isinstance(v, Tensor) and v._meta is not None and v._meta.inference:
            raise fail(
                "inference-saved",
                "Inference tensors cannot be saved for backward. Please do not use Tensors created"
                " in inference mode in computation tracked by autograd. To work around this, you"
                " can make a clone to get a normal tensor and use it in autograd, or use"
                " `torch.no_grad()` instead of `torch.inference_mode()`.",
                op=op.name,
            )


def hang(node: Node, outputs: list[Tensor]) -> None:
    """Make a node the origin of its outputs; several differentiable ones get a stand-in each."""
    differentiable = [t for t in outputs if t.dtype.is_floating_point]
    if len(outputs) == 1 or (len(differentiable) == 1 and outputs[0] is differentiable[0]):
        outputs[0]._fn = node
        return
    node.more().outputs = [(t.shape, t.dtype, no_node) for t in outputs]  # type: ignore[misc]
    for i, t in enumerate(outputs):
        if t.dtype.is_floating_point:
            t._fn = stand_in(node, i)
