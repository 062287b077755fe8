"""Tensors that a Module registers when they are assigned to an attribute of it."""

from __future__ import annotations

from typing import Any

from engine import events
from engine.errors import fail
from engine.graph import LEAF
from engine.tensor import Tensor, make, new


class _Marked(type):
    """Lets a tensor of another class count as a Parameter or Buffer by its mark."""

    _mark = ""

    def __instancecheck__(cls, instance: Any) -> bool:
        return type.__instancecheck__(cls, instance) or (
            isinstance(instance, Tensor) and bool(getattr(instance, cls._mark, False))
        )


class Parameter(Tensor, metaclass=_Marked):
    """A leaf that a Module counts among its parameters; shares memory with `data`.

    Raises RuntimeError when `data` is not floating point and `requires_grad` is True.
    """

    _mark = "_is_param"

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Any:
        """Make a parameter; a tensor subclass stays what it is and is only marked."""
        if data is None:
            data = Tensor(0)
        if type(data) not in (Tensor, Parameter):
            marked = data.detach().requires_grad_(requires_grad)
            if type(marked) is not type(data):
                raise RuntimeError(
                    f"Creating a Parameter from an instance of type {type(data).__name__} "
                    "requires that detach() returns an instance of the same type, but return "
                    f"type {type(marked).__name__} was found instead. To use the type as a "
                    "Parameter, please correct the detach() semantics defined by its "
                    "__torch_dispatch__() implementation."
                )
            marked._is_param = True
            return marked
        if requires_grad and not data.dtype.is_floating_point:
            raise fail(
                "requires-grad-of-integers",
                "Only Tensors of floating point and complex dtype can require gradients",
                dtype=data.dtype.name,
            )
        parameter: Parameter = new(cls)
        parameter._meta = None
        parameter._more().storage = data._shared()
        parameter._array = data._array
        parameter.shape = data.shape
        parameter.dtype = data.dtype
        parameter._fn = LEAF if requires_grad else None
        if events.observer is not None:
            line, facts = events.learner_line(), events.facts_of(parameter)
            events.observer(events.TensorCreated(line, facts, "Parameter"))
        return parameter

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if id(self) not in memo:
            copied = make(self._array.copy())
            memo[id(self)] = type(self)(copied, self.requires_grad)
        return memo[id(self)]

    def __reduce_ex__(self, protocol: Any) -> Any:
        return Parameter, (make(self._array.copy()), self.requires_grad)

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return "Parameter containing:\n" + super().__repr__()


class Buffer(Tensor, metaclass=_Marked):
    """A tensor that a Module counts among its buffers; it stays a plain Tensor that is marked."""

    _mark = "_is_buffer"
    persistent: bool

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Any:
        """Mark a tensor that shares memory with `data`."""
        buffer = (Tensor(0) if data is None else data).detach()
        buffer.requires_grad_(False if data is None else data.requires_grad)
        buffer.persistent = persistent
        buffer._is_buffer = True
        return buffer


Parameter.__module__ = Buffer.__module__ = "torch.nn.parameter"
