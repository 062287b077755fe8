"""The registry: one record per operation, from which everything about it is made.

`@op(...)` declares the forward on arrays; `@name.vjp("input", ...)` a gradient rule. See
docs/contributing/add-an-op.md for the walk through.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

from engine.ops import calls
from engine.ops.signature import Param, read_parameters
from engine.tensor import Tensor, read_only

Array = Any  # annotation of a tensor argument: forward gets an array, or a numpy scalar for no dims
Arrays = Any  # annotation of a list of tensors

REGISTRY: dict[str, Op] = {}
# Public spelling ("torch.mul", "Tensor.mul_") to what is bound there, ops and plain functions
# alike.
PUBLIC: dict[str, Any] = {}


class Vjp:
    """The gradient rule for one input. The names of its parameters are what the node saves."""

    def __init__(self, op: Op, wrt: str, latex: str, function: Callable[..., Any]) -> None:
        self.wrt = wrt
        self.latex = latex
        self.function = function
        self.names = tuple(inspect.signature(function).parameters)[1:]
        self.saved_names = {n for n in self.names if op.is_tensor_name(n)}

    def on_arrays(self) -> Callable[..., Any]:
        """Return the rule with every record it calls replaced by that record's forward."""
        f = self.function
        names = {**f.__globals__}
        for name in f.__code__.co_names:
            if isinstance(names.get(name), Op):
                names[name] = names[name].forward
        made = FunctionType(f.__code__, names, f.__name__, f.__defaults__, f.__closure__)
        made.__kwdefaults__ = f.__kwdefaults__
        return made


class Op:
    """An operation: forward, gradient rules, formula and spellings.

    Calling a record computes on tensors and records; on plain arrays it only computes.
    """

    def __init__(
        self,
        forward: Callable[..., Any],
        name: str,
        *,
        latex: str,
        grad_fn: str | Callable[..., str] | None = None,
        binds: tuple[str, ...] = (),
        samples: Callable[[], Any] | None = None,
        promote: str | None = None,
        view: bool = False,
        outputs: tuple[str, ...] = ("result",),
        hidden: tuple[str, ...] = (),
        variadic: str | None = None,
        multi_view: bool = False,
        returns: str | None = None,
        numbers: tuple[str, ...] = (),
        same_shape: bool | None = None,
        exact: bool = False,
    ) -> None:
        if name in REGISTRY:
            raise ValueError(f"a second op called {name}")
        if not forward.__doc__:
            raise ValueError(f"op {name} has no docstring")
        self.forward = forward
        self.name = name
        self.latex = latex
        self.grad_fn = grad_fn
        self.binds = binds
        self.samples = samples
        self.promote = promote
        self.view = view or multi_view
        self.outputs = outputs
        self.hidden = hidden
        self.multi_view = multi_view
        self.returns = returns
        self.numbers = numbers  # tensor arguments that may also be Python numbers
        self.exact = exact  # whether rules give each input's shape and type: none to be fitted
        self.params: tuple[Param, ...] = read_parameters(forward, variadic)
        self.tensors = tuple(p for p in self.params if p.is_tensor)
        self.keyword_only = tuple(p.name for p in self.params if p.keyword_only)
        self.vjps: dict[str, Vjp] = {}
        self.preparer: Callable[..., dict[str, Any] | None] | None = None
        # Whether the result has the inputs' shape and type when those agree and are floating, and
        # `prepare` has nothing to do then: such ops get specialised forms (engine/ops/fast.py).
        self.same_shape = promote is not None if same_shape is None else same_shape
        self.rules: dict[Any, Any] = {}  # made at first use (engine/ops/rules.py)
        REGISTRY[name] = self
        self.forms = calls.Forms(self)
        self.on_tensors: Callable[..., Any] = self.forms.function  # the form to call for tensors
        self.on_two: Callable[..., Any] = self.forms.bound["operator"]  # for two, and no more
        for spelling in binds:
            bind(spelling, self.forms.for_spelling(spelling))

    def is_tensor_name(self, name: str) -> bool:
        """Whether a rule's parameter is a tensor that is saved, rather than an attribute."""
        return (
            name in self.outputs or name in self.hidden or any(p.name == name for p in self.tensors)
        )

    def vjp(self, wrt: str, *, latex: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Declare the gradient rule for an input.

        After the gradient, its parameters are names of inputs, of outputs, of attributes, or
        `<input>_shape`.
        """
        if wrt not in {p.name for p in self.tensors}:
            raise ValueError(f"op {self.name} has no input {wrt}")

        def declare(function: Callable[..., Any]) -> Callable[..., Any]:
            self.vjps[wrt] = Vjp(self, wrt, latex, function)
            return function

        return declare

    def prepare(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Declare what is checked and normalised before forward, on tensors and arguments."""
        self.preparer = function
        return function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Compute on tensors and record; on plain arrays only compute."""
        if (args and isinstance(args[0], Tensor)) or not calls.on_arrays(args):
            return self.on_tensors(*args, **kwargs)
        return self.forward(*args, **kwargs)

    @property
    def public(self) -> Callable[..., Any]:
        """The function on tensors."""
        return self.forms.function

    @property
    def in_place(self) -> Callable[..., Any]:
        """The form that writes into its first argument."""
        return self.forms.in_place

    def compute(self, values: list[Any]) -> Any:
        """Run forward on one value per parameter."""
        if not self.keyword_only:
            return self.forward(*values)
        n = len(values) - len(self.keyword_only)
        return self.forward(*values[:n], **dict(zip(self.keyword_only, values[n:], strict=True)))

    def __repr__(self) -> str:
        return f"<op {self.name}>"


def bind(spelling: str, function: Any) -> None:
    """Make something public under a spelling; methods of Tensor are set at once."""
    if spelling in PUBLIC:
        raise ValueError(f"{spelling} is bound twice")
    PUBLIC[spelling] = function
    where, _, name = spelling.rpartition(".")
    if where == "Tensor":
        if isinstance(function, property) and function.fset is None:
            function = read_only(name, function)
        setattr(Tensor, name, function)


def op(name: str, **declaration: Any) -> Callable[[Callable[..., Any]], Op]:
    """Declare an operation by its forward on arrays."""
    return lambda forward: Op(forward, name, **declaration)


def function(*binds: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Bind a plain function on tensors, made of ops, to its public spellings."""

    def declare(f: Callable[..., Any]) -> Callable[..., Any]:
        for spelling in binds:
            name = spelling.rpartition(".")[2]
            if calls.is_operator(name):
                bind(spelling, calls.operator(f, calls.is_reflected(name)))
            else:
                bind(spelling, calls.checked(spelling, f))
        return f

    return declare


def public_names(where: str) -> dict[str, Any]:
    """Return what is bound directly in a namespace such as "torch" or "torch.nn.functional"."""
    return {
        spelling.rpartition(".")[2]: f
        for spelling, f in PUBLIC.items()
        if spelling.rpartition(".")[0] == where
    }
