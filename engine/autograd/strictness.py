"""What torch.autograd.functional checks: kinds of arguments, sizes, and `strict=True`."""

from __future__ import annotations

from typing import Any

from engine.errors import fail
from engine.gradients import grad
from engine.ops.record import PUBLIC
from engine.tensor import Tensor

Tensors = tuple[Tensor, ...]
INDEPENDENT_OUTPUT = (
    "The output of the user-provided function is independent of input {i}. This is not allowed in"
    " strict mode."
)
NOT_STRICT = {
    "hessian": "The hessian of the user-provided function with respect to input {i} is independent"
    " of the input. This is not allowed in strict mode. You should ensure that your function is"
    " thrice differentiable and that the hessian depends on the inputs.",
    "jacobian": "While computing the hessian, found that the jacobian of the user-provided function"
    " with respect to input {i} is independent of the input. This is not allowed in strict mode."
    " You should ensure that your function is twice differentiable and that the jacobian depends on"
    " the inputs (this would be violated by a linear function for example).",
    "grad_inputs": "The gradient with respect to input {i} is independent of the inputs of the"
    " user-provided function. This is not allowed in strict mode.",
    "outputs": "Output {i} of the user-provided function does not require gradients. The outputs"
    " must be computed in a differentiable manner from the input when running in strict mode.",
}
MISSING = {
    "back": INDEPENDENT_OUTPUT,
    "back_trick": "The gradient with respect to the input is independent of entry {i} in the"
    " grad_outputs when using the double backward trick to compute forward mode gradients. This is"
    " not allowed in strict mode.",
    "double_back": "The jacobian of the user-provided function is independent of input {i}. This is"
    " not allowed in strict mode.",
    "double_back_trick": "The hessian of the user-provided function is independent of entry {i} in"
    " the grad_jacobian. This is not allowed in strict mode as it prevents from using the double"
    " backward trick to replace forward mode AD.",
}
NO_GRAPH = (
    "The {what} of the user-provided function is independent of input {i}. This is not allowed in"
    " strict mode when create_graph=True."
)


def refuse(text: str, index: int, **more: Any) -> Exception:
    """Make a strict mode's error."""
    return fail("strict-functional", text.format(i=index, **more), index=index)


def as_tuple(value: Any, what: str, function: str) -> tuple[bool, Tensors]:
    """Return whether a tuple was given, and it as one; refuse what holds something else."""
    given = value if isinstance(value, tuple) else (value,)
    for i, item in enumerate(given):
        if not isinstance(item, Tensor):
            where = f"value at index {i}" if isinstance(value, tuple) else f"given {what}"
            raise TypeError(
                f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but"
                f" the {where} has type {type(item)}."
            )
    return isinstance(value, tuple), given


def inputs_for(inputs: Tensors, create_graph: bool, need_graph: bool = True) -> Tensors:
    """Return the inputs as the function gets them: cut off, or linked when a graph is wanted."""
    return tuple(
        t.view_as(t)  # type: ignore[attr-defined]
        if create_graph and t.requires_grad
        else t.detach().requires_grad_(need_graph)  # type: ignore[attr-defined]
        for t in inputs
    )


def cut(results: Any, create_graph: bool) -> Any:
    """Return results (nested tuples) without their graph, unless it is wanted."""
    if isinstance(results, tuple):
        return tuple(cut(r, create_graph) for r in results)
    return results if create_graph else results.detach()


def check_direction(v: Tensors, other: Tensors, is_tuple: bool) -> None:
    """Refuse a direction that does not have the sizes of what it belongs to."""
    if len(v) != len(other):
        text = f"v is a tuple of invalid length: should be {len(other)} but got {len(v)}."
        raise fail("direction", text if is_tuple else "The given v should contain a single Tensor.")
    for i, (a, b) in enumerate(zip(v, other, strict=True)):
        if a.shape != b.shape:
            lead = f"Entry {i} in " if is_tuple else ""
            raise fail(
                "direction", f"{lead}v has invalid size: should be {b.shape} but got {a.shape}."
            )


def check_grad(tensors: Any, kind: str, strict: bool) -> None:
    """In strict mode, refuse what does not depend on the inputs."""
    if not strict:
        return
    for i, t in enumerate(tensors):
        if t is None:
            raise refuse(INDEPENDENT_OUTPUT, i)
        if not t.requires_grad:
            raise refuse(NOT_STRICT[kind], i)


def grads_of(
    outputs: Any, inputs: Tensors, given: Any = None, create_graph: bool = False
) -> tuple[Tensor | None, ...]:
    """Return gradients, None for each input when no output has a graph."""
    given = (None,) * len(outputs) if given is None else given
    pairs = [
        (o, g) for o, g in zip(outputs, given, strict=True) if o is not None and o.requires_grad
    ]
    if not pairs:
        return (None,) * len(inputs)
    found: tuple[Tensor | None, ...] = grad(
        [o for o, _ in pairs],
        list(inputs),
        [g for _, g in pairs],
        create_graph=create_graph,
        allow_unused=True,
    )
    return found


def fill_in(
    grads: tuple[Tensor | None, ...], like: Tensors, strict: bool, create_graph: bool, stage: str
) -> Tensors:
    """Return zeros for missing gradients; in strict mode refuse them."""
    zeros_like = PUBLIC["torch.zeros_like"]
    out: list[Tensor] = []
    for i, g in enumerate(grads):
        if g is None:
            if strict:
                raise refuse(MISSING[stage], i)
            g = zeros_like(like[i])
        elif strict and create_graph and not g.requires_grad:
            raise refuse(NO_GRAPH, i, what="hessian" if "double" in stage else "jacobian")
        out.append(g)
    return tuple(out)
