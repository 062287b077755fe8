"""Asking for gradients: backward() and grad(), and what they refuse."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import events, grad_mode, graph, hooks, shown, stand_ins
from engine.autograd import anomaly_mode
from engine.backward import Pass
from engine.errors import fail
from engine.graph import LEAF, Edge
from engine.ops.record import bind
from engine.quick import run_unseen
from engine.tensor import Tensor, make

Tensors = Tensor | Sequence[Tensor]
ONLY_INPUTS = (
    "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate"
    " gradient for other parts of the graph, please use torch.autograd.backward."
)


def backward(
    tensors: Tensors,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Add the gradients of `tensors` to the `.grad` of the leaves they were computed from.

    A tensor with more than one element needs its gradient in `grad_tensors`. What the graph saved
    is freed on the way unless `retain_graph`. With `inputs`, only those get a `.grad`.
    """
    if grad_variables is not None:
        warnings.warn(
            "`grad_variables` is deprecated. Use `grad_tensors` instead.",
            FutureWarning,
            stacklevel=2,
        )
        if grad_tensors is not None:
            raise RuntimeError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to"
                " `backward()`. Please only use `grad_tensors`."
            )
        grad_tensors = grad_variables
    wanted = None if inputs is None else inputs_of(inputs)
    if wanted is not None and not wanted:
        raise fail("empty-inputs", "`inputs` argument to `backward()` cannot be empty.")
    roots = as_list(tensors)
    grads = root_gradients(roots, grad_tensors, create_graph)
    retain = create_graph if retain_graph is None else retain_graph
    for t in wanted or ():
        if t._fn is not LEAF:
            t.retain_grad()  # type: ignore[attr-defined]
    run(roots, grads, retain, create_graph, wanted, True)


def tensor_backward(
    self: Tensor,
    gradient: Tensor | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Add the gradient of this tensor to the `.grad` of every leaf it was computed from."""
    fn = self._fn
    if (
        gradient is None and inputs is None and not create_graph and fn is not None and not
        self.shape and not graph.hooks_seen and not events.careful
    ):  # fmt: skip
        was = grad_mode.enabled
        grad_mode.enabled = False
        try:
            one = self.dtype.scalars.get(1)  # type: ignore[union-attr]
            root = self if fn is LEAF else fn
            run_unseen([(root, self.dtype.np.type(1) if one is None else one)], bool(retain_graph))
        finally:
            grad_mode.enabled = was
        return
    backward(self, gradient, retain_graph, create_graph, inputs=inputs)


tensor_backward.__name__ = "backward"
tensor_backward.__qualname__ = "Tensor.backward"
bind("Tensor.backward", tensor_backward)


def grad(
    outputs: Tensors,
    inputs: Tensors,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor | None, ...]:
    """Return the gradients of `outputs` with respect to `inputs`; no `.grad` is touched."""
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got:"
            " allow_unused=False."
        )
    allow = materialize_grads if allow_unused is None else allow_unused
    if not only_inputs:
        warnings.warn(ONLY_INPUTS, FutureWarning, stacklevel=2)
    roots, wanted = as_list(outputs), inputs_of(inputs)
    if not wanted:
        raise fail("empty-inputs", "`inputs` argument to `grad()` cannot be empty.")
    retain = create_graph if retain_graph is None else retain_graph
    if is_grads_batched:
        return batched(roots, wanted, grad_outputs, retain, create_graph, allow, materialize_grads)
    grads = root_gradients(roots, grad_outputs, create_graph)
    if any(t._fn is None for t in wanted):
        text = "One of the differentiated Tensors does not require grad"
        raise fail("input-without-grad", text)
    found = run(roots, grads, retain, create_graph, wanted, False)
    if not create_graph:  # what went through the graph untouched comes back as what was given
        given = {id(g._array): g for g in grads}
        found = [given.get(id(f), f) for f in found]
    return tuple(
        one_result(i, t, g, allow, materialize_grads, create_graph)
        for i, (t, g) in enumerate(zip(wanted, found, strict=True))
    )


def one_result(
    index: int, t: Tensor, g: Any, allow: bool, materialize: bool, create: bool
) -> Tensor | None:
    """Return a gradient as the tensor a caller gets."""
    if g is not None:
        return g if isinstance(g, Tensor) else make(g)
    if not allow:
        raise fail(
            "unused-input",
            f"The differentiated Tensor at index {index} appears to not have been used in the"
            f" graph."
            " Set allow_unused=True if this is the desired behavior.",
            index=index,
        )
    return make(np.zeros(t.shape, t.dtype.np), create) if materialize else None


def batched(
    roots: list[Tensor], wanted: list[Tensor], grads: Any, retain: bool, create: bool, *flags: bool
) -> tuple[Tensor | None, ...]:
    """Do one pass for each row of the given gradients, and stack the results."""
    from engine.ops.record import PUBLIC

    given = as_list(grads)
    count = given[0].shape[0]
    for i, (t, g) in enumerate(zip(roots, given, strict=True)):
        if g is not None and g.shape[1:] != t.shape:
            raise fail(
                "gradient-shape",
                "If `is_grads_batched=True`, we interpret the first dimension of each grad_output"
                " as the"
                " batch dimension. The sizes of the remaining dimensions are expected to match the"
                " shape of corresponding output, but a mismatch was detected:"
                f" grad_output[{i}] has a shape of {g.shape[2:]} and output[{i}] has a shape of"
                f" {t.shape}. If you only want some tensors in `grad_output` to be considered"
                f" batched,"
                " consider using vmap.",
            )
    rows = []
    for i in range(count):
        row = [g if g is None else g[i] for g in given]  # type: ignore[index]
        keep = retain or i < count - 1
        rows.append(grad(roots, wanted, row, keep, create, True, *(flags[0], False, flags[1])))
    stack = PUBLIC["torch.stack"]
    return tuple(None if col[0] is None else stack(list(col)) for col in zip(*rows, strict=True))


def as_list(tensors: Any) -> list[Tensor]:
    """Return one tensor or a sequence of them as a list; a gradient edge stands for its tensor."""
    if isinstance(tensors, Tensor):
        return [tensors]
    if hasattr(tensors, "ownership_token"):
        return [tensors.ownership_token]
    return [getattr(t, "ownership_token", t) for t in tensors]


def inputs_of(inputs: Any) -> list[Tensor]:
    """Return what gradients are wanted of as a list, refusing what has none."""
    found = as_list(inputs)
    for t in found:
        if not isinstance(t, Tensor):
            raise RuntimeError(
                f"all inputs have to be Tensors or GradientEdges, but got {type(t).__name__}"
            )
    return found


def root_gradients(roots: list[Tensor], given: Any, create: bool) -> list[Tensor]:
    """Return the gradient each root starts from, after PyTorch's checks."""
    if given is None:
        gradients: list[Any] = [None] * len(roots)
    else:
        gradients = as_list(given)
    for g in gradients:
        if g is not None and not isinstance(g, Tensor):
            raise TypeError(f"gradients can be either Tensors or None, but got {type(g).__name__}")
    if len(gradients) != len(roots):
        raise fail("gradient-count", f"got {len(roots)} tensors and {len(gradients)} gradients")
    return [root_gradient(i, t, g) for i, (t, g) in enumerate(zip(roots, gradients, strict=True))]


def root_gradient(index: int, t: Tensor, given: Tensor | None) -> Tensor:
    """Return the gradient a root starts from: given, or 1 for a single number."""
    if given is not None and given.shape != t.shape:
        raise fail(
            "gradient-shape",
            f"Mismatch in shape: grad_output[{index}] has a shape of {given.shape} and"
            f" output[{index}] has a shape of {t.shape}.",
        )
    if given is None and t._fn is not None and t.shape.numel() != 1:
        raise fail(
            "backward-of-a-vector",
            "grad can be implicitly created only for scalar outputs",
            shape=list(t.shape),
        )
    if t._fn is None or (t._fn is not LEAF and t._fn.run is stand_ins.go_nowhere):
        raise fail(
            "no-graph",
            f"element {index} of tensors does not require grad and does not have a grad_fn",
            tensor=events.identify(t) if events.observer is not None else None,
        )
    if given is None:
        return make(t.dtype.np.type(1) if not t.shape else np.ones(t.shape, t.dtype.np))
    return given if given.dtype is t.dtype else given.to(t.dtype)  # type: ignore[attr-defined]


def edge_to(t: Tensor) -> Edge:
    """Return the edge by which gradients reach a tensor."""
    return t if t._fn is LEAF else t._fn


def run(
    roots: list[Tensor],
    grads: list[Tensor],
    retain: bool,
    create: bool,
    wanted: list[Tensor] | None,
    accumulate: bool,
) -> list[Any]:
    """Drain a pass; return what arrived at each wanted tensor."""
    starts = [(edge_to(t), g if create else g._array) for t, g in zip(roots, grads, strict=True)]
    was = grad_mode.enabled
    grad_mode.enabled = create
    tracked = {id(g._array): g for g in grads if g._fn is not None}
    hooks.given_tensors.update(tracked)
    try:
        seen = graph.hooks_seen or events.observer is not None or anomaly_mode.enabled
        if not (create or seen or wanted is not None):
            run_unseen(starts, retain)
            return []
        edges = None if wanted is None else [edge_to(t) for t in wanted]
        call = events.next_call()
        tell_start(call, roots, grads, retain, create, accumulate)
        the_pass = Pass(starts, retain, create, call, edges, accumulate)
        for _ in the_pass.steps():
            pass
        if events.observer is not None:
            events.observer(events.BackwardFinished(events.learner_line(), call))
        return [the_pass.captured[e] for e in edges] if edges and the_pass.captured else []
    finally:
        grad_mode.enabled = was
        for key in tracked:
            hooks.given_tensors.pop(key, None)


def tell_start(
    call: int,
    roots: list[Tensor],
    grads: list[Tensor],
    retain: bool,
    create: bool,
    accumulate: bool,
) -> None:
    """Tell the observer that a pass begins."""
    if events.observer is None:
        return
    ends = tuple((shown.edge_seq(edge_to(t)) or 0, events.identify(t)) for t in roots)
    values = tuple(events.value_of(g._array) for g in grads)
    kind = "backward" if accumulate else "grad"
    line = events.learner_line()
    events.observer(events.BackwardStarted(line, call, kind, ends, values, retain, create))
