"""What nodes saved: whether it is still what it was, freeing it, and showing it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import events, graph
from engine.autograd import anomaly_mode
from engine.dtypes import BY_NUMPY, LEGACY_NAMES
from engine.errors import fail
from engine.graph import FREED, Node
from engine.storage import Storage
from engine.tensor import Tensor, make

HINT = (
    "enable anomaly detection to find the operation that failed to compute its gradient, with"
    " torch.autograd.set_detect_anomaly(True, check_nan=False)."
)
HINT_IN_ANOMALY = (
    "the backtrace further above shows the operation that failed to compute its gradient. The"
    " variable in question was changed in there or anywhere later. Good luck!"
)


def check_versions(node: Node) -> None:
    """Refuse to run a rule on something that was written since it was saved."""
    rule = node.run.rule  # type: ignore[attr-defined]
    for name, value in rule.saved_items(node):
        for v in value if isinstance(value, list) else [value]:
            changed = storage_of(node, name, v)
            if changed is not None and changed.written_since(node.rank):
                raise modified(node, name, v, changed)


def storage_of(node: Node, name: str, value: Any) -> Storage | None:
    """Return the version counter of a saved value; a saved result's is kept with the node."""
    if isinstance(value, Tensor):
        return None if value._meta is None else value._meta.storage
    outputs, extra = node.run.rule.op.outputs, node.extra  # type: ignore[attr-defined]
    if name not in outputs or extra is None:
        return None
    index = outputs.index(name)
    if extra.outputs is None:
        return extra.storage if index == 0 else None
    origin = extra.outputs[index][2]()  # the stand-in of that output knows
    return None if origin is None or origin.extra is None else origin.extra.storage


def modified(node: Node, name: str, value: Any, changed: Storage) -> Exception:
    """Make the error about a saved tensor that was written."""
    is_tensor = isinstance(value, Tensor)
    kind = value.dtype if is_tensor else BY_NUMPY[value.dtype]
    maker = value._node() if is_tensor else node
    origin = ""
    if maker is not None:
        index = value.output_nr if is_tensor else 0
        origin = f", which is output {index} of {short_name(maker)},"
    found, expected = changed.version, changed.version_at(node.rank)
    hint = HINT_IN_ANOMALY if anomaly_mode.enabled else HINT
    where = node.extra.where if node.extra is not None else None
    return fail(
        "modified-in-place",
        "one of the variables needed for gradient computation has been modified by an inplace"
        f" operation: [torch.{LEGACY_NAMES[kind]}Tensor {list(value.shape)}]{origin} is at version"
        f" {found}; expected version {expected} instead. Hint: {hint}",
        node=node.seq,
        grad_fn=node.name(),
        name=name,
        tensor=events.identify(value) if is_tensor else None,
        found=found,
        expected=expected,
        saved_line=where,
        written_line=changed.line_of_last_write(),
    )


def short_name(node: Node) -> str:
    """Return a node's name as that error says it: without "Backward" and a number 0."""
    head, _, number = node.name().rpartition("Backward")
    return node.name() if not head or "::" in head else head + number.removeprefix("0")


def free(node: Node) -> None:
    """Free what the node saved."""
    if node.saved.__class__ is not tuple:
        node.saved2 = None
    node.saved = FREED


def release(node: Node, call: int) -> None:
    """Free what the node saved; afterwards it refuses to run. See Note [Freed only if saved]."""
    if node.saved is None or node.saved is FREED:
        return
    names = node.run.rule.saves  # type: ignore[attr-defined]
    free(node)
    if events.observer is not None:
        line = events.learner_line()
        node.more().freed_line = line
        events.observer(events.SavedFreed(line, call, node.seq, tuple(names)))


def look_up(node: Node, name: str) -> Any:
    """Return `_saved_<name>` of a node, by the names PyTorch uses."""
    rule = node.run.rule  # type: ignore[attr-defined]
    if node.saved is FREED and rule.saves:
        raise graph.freed(node)
    for n, value in rule.saved_items(node):
        if public_name(n) == name:
            check_versions(node)
            shown = rule.as_tensor(n, value, node)
            if isinstance(shown, float) and shown.is_integer() and not hasattr(rule, "attributes"):
                shown = int(shown)  # such a node forgot which it was; a whole number is likelier
            if not isinstance(shown, (int, float)):
                return shown
            # numpy's own integers are narrower than PyTorch's in a browser.
            return make(np.asarray(shown, np.int64 if type(shown) is int else None))
    attributes = shown_attributes(node)
    if name in attributes:
        return attributes[name]
    if name in unneeded(rule):
        return None
    raise AttributeError(f"'{node.name()}' object has no attribute '_saved_{name}'")


REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}  # at::Reduction
SCALED = {"AddBackward0", "SubBackward0"}  # they show alpha, also where it changes nothing
WHOLE = {"SumBackward0", "MeanBackward0", "ProdBackward0"}  # they go over everything


def unneeded(rule: Any) -> set[str]:
    """Return what other rules of the same operation read, and this one did not need: None."""
    vjps = rule.op.vjps.values()
    return {public_name(name) for vjp in vjps for name in vjp.saved_names}


def public_name(name: str) -> str:
    """Return what PyTorch calls what a rule names."""
    owner, _, what = name.rpartition("_")
    if what == "shape" and owner:
        return ("self" if owner == "input" else owner) + "_sym_sizes"
    return {"input": "self", "base": "self", "order": "ord"}.get(name, name)


def shown_attributes(node: Node) -> dict[str, Any]:
    """Return what a node keeps beside tensors, as PyTorch shows it."""
    rule = node.run.rule  # type: ignore[attr-defined]
    found: dict[str, Any] = {}
    names = getattr(rule, "attributes", ())
    for n, value in zip(names, node.saved2 if names else (), strict=False):
        if n == "tensors_shape" or (rule.name in WHOLE and n in ("dim", "keepdim")):
            continue
        if n == "reduction" and isinstance(value, str):
            value = REDUCTIONS.get(value, value)
        if n in ("order", "ord") and math.isfinite(value) and value == int(value):
            value = int(value)
        if n == "input_shape" and rule.name == "MeanBackward0":
            found["self_sym_numel"] = value.numel()
        found[public_name(n)] = tuple(value) if isinstance(value, (tuple, list)) else value
    if rule.name in SCALED:
        found.setdefault("alpha", 1)
    return found
