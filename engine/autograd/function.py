"""torch.autograd.Function: operations whose forward and gradient a program writes itself."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from types import CodeType
from typing import Any

from engine import grad_mode
from engine.autograd.custom import Call, FunctionRule, finish
from engine.errors import fail
from engine.graph import FREED, edges_of, freed
from engine.shown import public_edge
from engine.tensor import Tensor


class FunctionCtx:
    """What forward hands on to backward: `ctx`, which is also the `grad_fn` of the outputs."""

    _call: Call
    needs_input_grad: tuple[bool, ...]

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for backward, guarded against in-place changes; None is allowed."""
        self._call.to_save = tensors

    def save_for_forward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for a `jvp` method; backward does not see them."""
        self._call.for_forward = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say which inputs forward changed in place; each must be returned."""
        self._call.dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say which outputs have no gradient."""
        self._call.non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Choose whether backward gets zeros (the default) or None where no gradient arrived."""
        self._call.materialize = bool(value)

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """What `save_for_backward` kept, after a check that nobody changed it in place."""
        node = self._call.node
        if node is None:
            return tuple(self._call.to_save)
        if node.saved is FREED:
            raise freed(node)
        return self._call.saved_tensors()

    saved_variables = saved_tensors


class BackwardCFunction(FunctionCtx):
    """The node of one call of a Function."""

    _forward_cls: type

    def apply(self, *args: Any) -> Any:
        """Run the Function's gradient rule."""
        return self._call.rule.user_backward(self, *args)

    __call__ = apply

    def name(self) -> str:
        """Return the name of the node."""
        return type(self).__name__

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """The nodes this one's gradients go to, one per tensor argument."""
        node = self._call.node
        return () if node is None else tuple(map(public_edge, edges_of(node)))

    @property
    def metadata(self) -> dict[Any, Any]:
        """A dict for whatever the user wants to keep with the node."""
        return self._call.made().metadata

    def register_hook(self, hook: Callable[..., Any]) -> Any:
        """Call `hook(grad_inputs, grad_outputs)` after backward ran."""
        return self._call.made().register_hook(hook)

    def register_prehook(self, hook: Callable[..., Any]) -> Any:
        """Call `hook(grad_outputs)` before backward runs."""
        return self._call.made().register_prehook(hook)

    def _sequence_nr(self) -> int:
        return self._call.made().seq

    def __repr__(self) -> str:
        return f"<torch.autograd.function.{type(self).__name__} object at {id(self):#x}>"


class FunctionMeta(type):
    """Gives each Function the class of its nodes: `CubeBackward` for `Cube`."""

    _backward_cls: type[BackwardCFunction]
    _rule: FunctionRule

    def __init__(cls, name: str, bases: tuple[type, ...], members: dict[str, Any]) -> None:
        backward = type(name + "Backward", (BackwardCFunction,), {"_forward_cls": cls})
        backward.__module__ = "torch.autograd.function"
        cls._backward_cls = backward
        cls._rule = FunctionRule(cls, name + "Backward")
        super().__init__(name, bases, members)


class Function(metaclass=FunctionMeta):
    """An operation with its own gradient: static `forward` and `backward`, called by `apply`.

    Reference: torch.autograd.Function.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warnings.warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all"
            " static, so you should invoke them on the class itself. Instantiating an autograd"
            " function will raise an error in a future version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse the form of calling that PyTorch gave up."""
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use"
            " new-style autograd function with static forward method. (Example:"
            " https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    generate_vmap_rule = False

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the outputs from `ctx` and the inputs, or from the inputs with setup_context."""
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Prepare `ctx` after a forward that does not take it."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Return the gradient of each input from the gradients of the outputs."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom"
            " autograd.Function to use it with backward mode AD."
        )

    vjp = backward

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """Return the derivatives of the outputs along the given directions of the inputs."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with"
            " forward mode AD."
        )

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run forward without recording it, and record this Function in its stead."""
        with_setup = cls.setup_context is not Function.setup_context
        if with_setup:
            given = inspect.signature(cls.forward).bind(*args, **kwargs)
            given.apply_defaults()
            args, kwargs = given.args, given.kwargs
        if kwargs:
            args = _in_order(cls.forward.__code__, args, kwargs, 0 if with_setup else 1)
        ctx = cls._backward_cls()
        call = ctx._call = Call(cls._rule, args)
        ctx.needs_input_grad = tuple(isinstance(a, Tensor) and a._fn is not None for a in args)
        was = grad_mode.enabled
        grad_mode.enabled = False
        try:
            if with_setup:
                output = cls.forward(*args)
                cls.setup_context(ctx, args, output)
            else:
                output = cls.forward(ctx, *args)
        finally:
            grad_mode.enabled = was
        return finish(ctx, call, output, was and any(ctx.needs_input_grad))


def _in_order(
    code: CodeType, args: tuple[Any, ...], kwargs: dict[str, Any], skipped: int
) -> tuple[Any, ...]:
    """Put arguments given by name where forward has them; gradients are returned by position."""
    names = code.co_varnames[skipped : code.co_argcount]
    for name in kwargs:
        if name not in names:
            raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
        if name in names[: len(args)]:
            raise TypeError(f"forward() got multiple values for argument '{name}'")
    last = max(map(names.index, kwargs))
    for i, name in enumerate(names[len(args) : last], len(args)):
        if name not in kwargs:
            raise TypeError(f"forward() missing required argument: '{name}' (position {i})")
    return (*args, *(kwargs[name] for name in names[len(args) : last + 1]))


class InplaceFunction(Function):
    """A Function that may work in place: kept for programs written for old releases."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


def once_differentiable(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a backward whose result cannot be differentiated: trying to is an error."""

    @functools.wraps(fn)
    def wrapper(ctx: Any, *args: Any) -> Any:
        with grad_mode.no_grad():
            outputs = fn(ctx, *args)
        if not grad_mode.enabled:
            return outputs
        if not any(isinstance(a, Tensor) and a.requires_grad for a in args):
            return outputs
        given = outputs if isinstance(outputs, tuple) else (outputs,)
        refused = tuple(_Refuse.apply(g) if isinstance(g, Tensor) else g for g in given)
        return refused if isinstance(outputs, tuple) else refused[0]

    return wrapper


class _Refuse(Function):
    """Passes a value on and refuses to be differentiated."""

    @staticmethod
    def apply(*args: Any, **kwargs: Any) -> Any:
        value = args[0].detach().requires_grad_()
        return super(_Refuse, _Refuse).apply(value)

    @staticmethod
    def forward(ctx: Any, value: Tensor) -> Tensor:
        return value.clone()  # type: ignore[attr-defined, no-any-return]

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        raise fail(
            "differentiate-twice",
            "trying to differentiate twice a function that was marked with @once_differentiable",
        )


_Refuse._backward_cls.__name__ = _Refuse._rule.name = "DelayedError"

__all__ = ["BackwardCFunction", "Function", "FunctionCtx", "InplaceFunction", "once_differentiable"]
