"""torch.autograd.functional: Jacobians, Hessians and their products with vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.autograd.strictness import (
    Tensors,
    as_tuple,
    check_direction,
    check_grad,
    cut,
    fill_in,
    grads_of,
    inputs_for,
    refuse,
)
from engine.errors import fail
from engine.grad_mode import enable_grad
from engine.ops.record import PUBLIC
from engine.tensor import Tensor

Func = Callable[..., Any]
OUTPUTS = "outputs of the user-provided function"
NO_V = "The vector v can only be None if the {0} is a single Tensor with a single element."


def one(value: Tensors, as_given: bool) -> Any:
    """Return a tuple as the caller gave it: as it is, or its only tensor."""
    return value if as_given else value[0]


def vjp(
    func: Func, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Return `func(*inputs)` and the product of `v` with its Jacobian: one backward pass.

    `v` has the sizes of the outputs, and may be left out when the output is a single number.
    """
    with enable_grad():
        is_in, xs = as_tuple(inputs, "inputs", "vjp")
        xs = inputs_for(xs, create_graph)
        is_out, outs = as_tuple(func(*xs), OUTPUTS, "vjp")
        check_grad(outs, "outputs", strict)
        if v is not None:
            _, vs = as_tuple(v, "v", "vjp")
            vs = inputs_for(vs, create_graph, False)
            check_direction(vs, outs, is_out)
        else:
            if len(outs) != 1 or outs[0].shape.numel() != 1:
                raise fail(
                    "direction",
                    "The vector v can only be None if the user-provided function returns a single"
                    " Tensor with a single element.",
                )
            vs = None
    with product_mode(create_graph):
        found = grads_of(outs, xs, vs, create_graph)
        products = fill_in(found, xs, strict, create_graph, "back")
    outs, products = cut(outs, create_graph), cut(products, create_graph)
    return one(outs, is_out), one(products, is_in)


def product_mode(create_graph: bool) -> Any:
    """Return the grad mode a product is computed in: recorded when a graph is wanted."""
    from engine import grad_mode

    return grad_mode.set_grad_enabled(True if create_graph else grad_mode.enabled)


def jvp(
    func: Func, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Return `func(*inputs)` and the product of its Jacobian with `v`.

    Computed by two backward passes: the gradient is linear in what it starts from.
    """
    zeros_like = PUBLIC["torch.zeros_like"]
    with enable_grad():
        is_in, xs = as_tuple(inputs, "inputs", "jvp")
        xs = inputs_for(xs, create_graph)
        vs = direction_of_inputs(v, xs, is_in, create_graph, "jvp")
        is_out, outs = as_tuple(func(*xs), OUTPUTS, "jvp")
        check_grad(outs, "outputs", strict)
        starts = tuple(zeros_like(o).requires_grad_(True) for o in outs)
        found = grads_of(outs, xs, starts, True)
        check_grad(found, "grad_inputs", strict)
    with product_mode(create_graph):
        twice = grads_of(found, starts, vs, create_graph)
        products = fill_in(twice, outs, strict, create_graph, "back_trick")
    outs, products = cut(outs, create_graph), cut(products, create_graph)
    return one(outs, is_out), one(products, is_out)


def direction_of_inputs(
    v: Any, xs: Tensors, is_in: bool, create_graph: bool, function: str
) -> Tensors | None:
    """Return a direction in the inputs; None stands for 1 where that is clear."""
    if v is not None:
        _, vs = as_tuple(v, "v", function)
        vs = inputs_for(vs, create_graph, False)
        check_direction(vs, xs, is_in)
        return vs
    if len(xs) != 1 or xs[0].shape.numel() != 1:
        raise fail("direction", NO_V.format("input to the user-provided function"))
    return None


def jacobian(
    func: Func,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """Return the Jacobian, one backward pass for each number of the output.

    Its shape is the output's followed by the input's; tuples nest, outputs outside.
    """
    check_strategy(strategy, create_graph, strict, vectorize)
    with enable_grad():
        is_in, xs = as_tuple(inputs, "inputs", "jacobian")
        xs = inputs_for(xs, create_graph)
        is_out, outs = as_tuple(func(*xs), OUTPUTS, "jacobian")
        check_grad(outs, "outputs", strict)
        rows = tuple(jacobian_of(i, out, xs, create_graph, strict) for i, out in enumerate(outs))
    rows = cut(rows, create_graph)
    if is_out:
        return rows if is_in else tuple(row[0] for row in rows)
    return rows[0] if is_in else rows[0][0]


def check_strategy(strategy: str, create_graph: bool, strict: bool, vectorize: bool) -> None:
    """Refuse what does not go together."""
    if strategy not in ("reverse-mode", "forward-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your'
            ' function has more outputs than inputs, "forward-mode" tends to be more performant.'
            ' Otherwise, prefer to use "reverse-mode".'
        )
    where = "torch.autograd.functional.jacobian: "
    if strategy == "forward-mode":
        for given, name, other in (
            (create_graph, "create_graph", "False"),
            (strict, "strict", "False"),
        ):
            if given:
                raise NotImplementedError(
                    f'{where}`{name}=True` and `strategy="forward-mode"` are not supported together'
                    f' (yet). Please either set `{name}={other}` or `strategy="reverse-mode"`.'
                )
        if not vectorize:
            raise NotImplementedError(
                "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly"
                " implemented for `vectorize=True`."
            )
    if strict and vectorize:
        raise RuntimeError(
            f"{where}`strict=True` and `vectorized=True` are not supported together. Please either"
            " set `strict=False` or `vectorize=False`."
        )


def jacobian_of(
    index: int, out: Tensor, xs: Tensors, create_graph: bool, strict: bool
) -> tuple[Any, ...]:
    """Return the Jacobian of one output with respect to each input."""
    stack, zeros_like = PUBLIC["torch.stack"], PUBLIC["torch.zeros_like"]
    columns: list[list[Tensor]] = [[] for _ in xs]
    count = out.shape.numel()
    for j in range(count):
        number = out.reshape(-1)[j]  # type: ignore[attr-defined]
        found = retained_grads(number, xs, create_graph)
        for k, (column, x, g) in enumerate(zip(columns, xs, found, strict=True)):
            if g is not None:
                if strict and create_graph and not g.requires_grad:
                    raise refuse(
                        "The jacobian of the user-provided function is independent of input {i}."
                        " This is not allowed in strict mode when create_graph=True.",
                        index,
                    )
                column.append(g)
            else:
                if strict:
                    raise refuse(
                        f"Output {index} of the user-provided function is independent of input"
                        f" {{i}}. This is not allowed in strict mode.",
                        k,
                    )
                column.append(zeros_like(x))
    return tuple(
        stack(column, 0).view((*out.shape, *x.shape)) for column, x in zip(columns, xs, strict=True)
    )


def retained_grads(number: Tensor, xs: Tensors, create_graph: bool) -> tuple[Tensor | None, ...]:
    """Return the gradients of one number of an output, keeping the graph for the next."""
    from engine.gradients import grad

    if not number.requires_grad:
        return (None,) * len(xs)
    return grad(number, list(xs), retain_graph=True, create_graph=create_graph, allow_unused=True)


def single_number(out: Any, function: str) -> tuple[bool, Tensors]:
    """Return the output of a function whose second derivatives are asked for; refuse several."""
    is_out, outs = as_tuple(out, OUTPUTS, function)
    if is_out:
        raise fail(
            "functional-output", f"The function given to {function} should return a single Tensor"
        )
    if outs[0].shape.numel() != 1:
        raise fail(
            "functional-output",
            f"The Tensor returned by the function given to {function} should contain a single"
            " element",
        )
    return is_out, outs


def hessian(
    func: Func,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """Return the second derivatives of a function to a single number."""
    is_in, xs = as_tuple(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in ("reverse-mode", "forward-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')

    def one_number(*args: Tensor) -> Tensor:
        _, outs = single_number(func(*args), "hessian")
        return outs[0].squeeze()  # type: ignore[attr-defined, no-any-return]

    def first(*args: Tensor) -> Any:
        jac = jacobian(one_number, args, create_graph=True)
        check_grad(jac, "jacobian", strict)
        return jac

    rows = jacobian(first, xs, create_graph, strict, vectorize, outer_jacobian_strategy)
    return rows if is_in else rows[0][0]


def vhp(
    func: Func, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Return `func(*inputs)` and the product of `v` with its Hessian."""
    with enable_grad():
        is_in, xs = as_tuple(inputs, "inputs", "vhp")
        xs = inputs_for(xs, create_graph)
        vs = direction_of_inputs(v, xs, is_in, create_graph, "vhp")
        out = func(*xs)
        check_grad(as_tuple(out, OUTPUTS, "vhp")[1], "outputs", strict)
        is_out, outs = single_number(out, "vhp")
        first = grads_of(outs, xs, None, True)
        check_grad(first, "jacobian", strict)
    with product_mode(create_graph):
        found = grads_of(first, xs, vs, create_graph)
        products = fill_in(found, xs, strict, create_graph, "double_back")
    outs, products = cut(outs, create_graph), cut(products, create_graph)
    return one(outs, is_out), one(products, is_in)


def hvp(
    func: Func, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Return `func(*inputs)` and the product of its Hessian with `v`."""
    zeros_like = PUBLIC["torch.zeros_like"]
    with enable_grad():
        is_in, xs = as_tuple(inputs, "inputs", "hvp")
        xs = inputs_for(xs, create_graph)
        vs = direction_of_inputs(v, xs, is_in, create_graph, "hvp")
        out = func(*xs)
        check_grad(as_tuple(out, OUTPUTS, "hvp")[1], "outputs", strict)
        is_out, outs = single_number(out, "hvp")
        first = grads_of(outs, xs, None, True)
        check_grad(first, "jacobian", strict)
        starts = tuple(zeros_like(x).requires_grad_(True) for x in xs)
        back = grads_of(first, xs, starts, True)
        check_grad(back, "hessian", strict)
    with product_mode(create_graph):
        twice = grads_of(back, starts, vs, create_graph)
        products = fill_in(twice, xs, strict, create_graph, "double_back_trick")
    outs, products = cut(outs, create_graph), cut(products, create_graph)
    return one(outs, is_out), one(products, is_in)


__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]
