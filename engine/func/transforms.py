"""torch.func: functions that return gradients, Jacobians and products of other functions.

A transform differentiates with respect to inputs of its own making; what comes out keeps a graph
only when it also depends on something outside.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from engine import grad_mode, gradients
from engine.backward import reachable
from engine.func.checks import JVP, check_cotangents, check_tangents, only_tensors
from engine.func.tree import leaves, mapped, rebuild
from engine.grad_mode import inference_mode
from engine.graph import LEAF, Node, edges_of
from engine.ops.record import PUBLIC
from engine.stand_ins import go_nowhere
from engine.tensor import Tensor

Func = Callable[..., Any]
Argnums = int | tuple[int, ...]


class Level:
    """The inputs one transform made, and what depends on nothing else."""

    def __init__(self) -> None:
        self.own: set[Tensor] = set()
        self.recorded = grad_mode.enabled  # outside, where the results go

    def input(self, value: Any) -> Any:
        """Return a tensor as the function gets it: an own leaf, or linked to the level outside."""
        if not isinstance(value, Tensor):
            raise ValueError(f"Thing passed to transform API must be Tensor, got {type(value)}")
        if not value.dtype.is_floating_point:
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        given: Any = value
        if given.is_inference():
            given = given.clone()
        if given.requires_grad:
            return given.view_as(given)
        fresh = given.detach()
        self.own.add(fresh.requires_grad_())
        return fresh

    def leave(self, value: Any) -> Any:
        """Return a result without its graph, unless that leads outside."""
        if not isinstance(value, Tensor):
            raise RuntimeError(f"Expected tensors, got unsupported type {type(value)}")
        fn = value._fn
        if fn is None:
            return value
        if not self.recorded:
            return value.detach()  # type: ignore[attr-defined]
        if fn is LEAF:
            return value.detach() if value in self.own else value  # type: ignore[attr-defined]
        for node in reachable([fn]):
            if node.run is go_nowhere:
                return value
            for edge in edges_of(node):
                if edge is not None and not isinstance(edge, Node) and edge not in self.own:
                    return value
        return value.detach()  # type: ignore[attr-defined]


def chosen(argnums: Argnums, args: tuple[Any, ...]) -> tuple[int, ...]:
    """Return which positional arguments to differentiate, checked."""
    count = len(args)
    given = argnums if isinstance(argnums, tuple) else (argnums,)
    if isinstance(argnums, tuple) and not argnums:
        raise RuntimeError("argnums must be non-empty")
    for n in given:
        if not isinstance(n, int):
            raise RuntimeError(f"argnum must be int, got: {type(n)}")
        if not -count <= n < count:
            raise RuntimeError(f"Got argnum={n}, but only {count} positional inputs")
    places = tuple(n % count for n in given)
    if len(set(places)) != len(places):
        raise RuntimeError(f"argnums elements must be unique, got {argnums}")
    return places


def entered(level: Level, args: tuple[Any, ...], places: tuple[int, ...]) -> tuple[Any, ...]:
    """Return the arguments with the chosen ones as the level's inputs."""
    return tuple(mapped(level.input, a) if i in places else a for i, a in enumerate(args))


def split_aux(output: Any, has_aux: bool, where: str) -> tuple[Any, Any]:
    """Return output and auxiliary data apart."""
    if not has_aux:
        return output, None
    if not (isinstance(output, tuple) and len(output) == 2):
        raise RuntimeError(
            f"{where}: output of function f should be a tuple: (output, aux) if has_aux is True"
        )
    return output


def gradients_of(outputs: list[Any], inputs: list[Tensor], starts: list[Any]) -> list[Tensor]:
    """Return gradients that can be differentiated again, zeros where there is none."""
    zeros_like = PUBLIC["torch.zeros_like"]
    pairs = [(o, s) for o, s in zip(outputs, starts, strict=True) if o.requires_grad]
    if not pairs:
        return [zeros_like(x) for x in inputs]
    found = gradients.grad(
        [o for o, _ in pairs],
        inputs,
        [s for _, s in pairs],
        create_graph=True,
        allow_unused=True,
    )
    return [zeros_like(x) if g is None else g for g, x in zip(found, inputs, strict=True)]


def grad_and_value(func: Func, argnums: Argnums = 0, has_aux: bool = False) -> Func:
    """Make a function that returns the gradient of `func` and its value."""
    where = "grad_and_value(f)(*args)"

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        level = Level()
        places = chosen(argnums, args)
        with inference_mode(False):
            inner = entered(level, args, places)
            output, aux = split_aux(func(*inner, **kwargs), has_aux, where)
            if not isinstance(output, Tensor):
                raise RuntimeError(
                    f"{where}: Expected f(*args) to return a Tensor, got {type(output)}"
                )
            if output.ndim:
                raise RuntimeError(
                    f"{where}: Expected f(*args) to return a scalar Tensor, got tensor with"
                    f" {output.ndim} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
                )
            wanted = [inner[p] for p in places]
            flat = leaves(wanted)
            found = gradients_of([output], flat, [None])
            parts = rebuild(wanted, iter([level.leave(g) for g in found]))
        result = tuple(parts) if isinstance(argnums, tuple) else parts[0]
        if has_aux:
            return result, (level.leave(output), mapped(level.leave, aux))
        return result, level.leave(output)

    return wrapper


def grad(func: Func, argnums: Argnums = 0, has_aux: bool = False) -> Func:
    """Make a function that returns the gradient of `func`, which returns one number.

    >>> torch.func.grad(lambda x: x ** 2)(torch.tensor(3.0))
    tensor(6.)
    """
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        result, value = both(*args, **kwargs)
        return (result, value[1]) if has_aux else result

    return wrapper


def vjp(func: Func, *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """Return `func(*primals)` and a function from cotangents to their product with the Jacobian."""
    level = Level()
    with inference_mode(False):
        inner = entered(level, primals, tuple(range(len(primals))))
        output, aux = split_aux(func(*inner), has_aux, "vjp(f, *primals)")
        only_tensors(output)

    def pull(cotangents: Any, retain_graph: bool = True, create_graph: Any = None) -> Any:
        check_cotangents(cotangents, output)
        starts = leaves(cotangents)
        flat = leaves(list(inner))
        with inference_mode(False):
            found = gradients_of(leaves(output), flat, starts)
        return rebuild(tuple(inner), iter([level.leave(g) for g in found]))

    result = mapped(level.leave, output)
    return (result, pull, mapped(level.leave, aux)) if has_aux else (result, pull)


def jvp(
    func: Func, primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False
) -> tuple[Any, ...]:
    """Return `func(*primals)` and its derivative along `tangents`.

    Computed by two backward passes: the gradient is linear in what it starts from.
    """
    if not isinstance(primals, tuple):
        raise RuntimeError(
            f"{JVP}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        )
    check_tangents(primals, tangents)
    zeros_like = PUBLIC["torch.zeros_like"]
    level = Level()
    with inference_mode(False):
        inner = entered(level, primals, tuple(range(len(primals))))
        output, aux = split_aux(func(*inner), has_aux, JVP)
        only_tensors(output, JVP)
        outs = leaves(output)
        starts = [zeros_like(o).requires_grad_() for o in outs]
        level.own.update(starts)
        back = gradients_of(outs, leaves(list(inner)), starts)
        along = gradients_of(back, starts, leaves(tangents))
    derivative = rebuild(output, iter([level.leave(t) for t in along]))
    value = mapped(level.leave, output)
    return (value, derivative, mapped(level.leave, aux)) if has_aux else (value, derivative)


def jacrev(
    func: Func,
    argnums: Argnums = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Func:
    """Make a function that returns the Jacobian of `func`: output's shape, then input's."""
    return jacobian(func, argnums, has_aux, "vjp(f, *primals)")


def jacobian(func: Func, argnums: Argnums, has_aux: bool, where: str) -> Func:
    """Make that function; `where` begins its messages."""

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        level = Level()
        places = chosen(argnums, args)
        with inference_mode(False):
            inner = entered(level, args, places)
            output, aux = split_aux(func(*inner, **kwargs), has_aux, where)
            only_tensors(output, where)
            wanted = [inner[p] for p in places]
            flat = leaves(wanted)
            tables = [jacobian_of(o, flat, level) for o in leaves(output)]
        parts = [rebuild(wanted, iter(table)) for table in tables]
        shaped = [tuple(p) if isinstance(argnums, tuple) else p[0] for p in parts]
        result = rebuild(output, iter(shaped))
        return (result, mapped(level.leave, aux)) if has_aux else result

    return wrapper


def jacobian_of(output: Tensor, inputs: list[Tensor], level: Level) -> list[Tensor]:
    """Return the Jacobian of one output with respect to each input."""
    stack, zeros = PUBLIC["torch.stack"], PUBLIC["torch.zeros"]
    if not output.shape.numel():
        return [zeros((*output.shape, *x.shape), dtype=x.dtype) for x in inputs]
    rows = [
        gradients_of([number], inputs, [None])
        for number in output.reshape(-1).unbind()  # type: ignore[attr-defined]
    ]
    return [
        level.leave(stack([row[i] for row in rows]).reshape((*output.shape, *x.shape)))
        for i, x in enumerate(inputs)
    ]


def jacfwd(
    func: Func, argnums: Argnums = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Func:
    """Make a function that returns the Jacobian of `func`; the same numbers as `jacrev`."""
    return jacobian(func, argnums, has_aux, JVP)


def hessian(func: Func, argnums: Argnums = 0) -> Func:
    """Make a function that returns the second derivatives of `func`."""
    return jacfwd(jacrev(func, argnums), argnums)
