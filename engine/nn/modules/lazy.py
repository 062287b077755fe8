"""Modules that learn their input's size from the first input they see."""

from __future__ import annotations

from typing import Any, ClassVar

from engine.nn._torch import Tensor, torch
from engine.random import fork_rng

from ..parameter import Buffer, Parameter
from .batchnorm import BatchNorm1d, BatchNorm2d, BatchNorm3d
from .conv import Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from .linear import Linear
from .module import Module


class UninitializedTensorMixin:
    """What parameter and buffer without a shape share."""

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return f"<{type(self).__name__}>"


class UninitializedParameter(UninitializedTensorMixin, Parameter):  # type: ignore[misc]
    """A parameter whose shape is not known yet."""

    def __new__(cls, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> Any:
        """Make one without elements."""
        return Parameter.__new__(cls, torch.empty(0, dtype=dtype), requires_grad)


class UninitializedBuffer(UninitializedTensorMixin, Buffer):
    """A buffer whose shape is not known yet."""


UninitializedParameter.__module__ = UninitializedBuffer.__module__ = "torch.nn.parameter"


class LazyModuleMixin(Module):
    """Makes a module of a family without its first argument, which the first input gives.

    After that input the module is one of the plain family.
    """

    cls_to_become: ClassVar[Any] = None
    _counted: ClassVar[str] = ""  # the argument that is missing
    _at = -1  # the dim of the input whose size it is

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        Module.__init__(self)
        self._given = (args, kwargs)
        with fork_rng():  # what is drawn here is thrown away
            plain = self.cls_to_become(1, *args, **kwargs)
        for name, value in vars(plain).items():
            if not name.startswith("_"):
                self.__dict__[name] = value
        self.__dict__[self._counted] = 0
        for name, value in plain._parameters.items():
            self.register_parameter(name, None if value is None else UninitializedParameter())
        for name, value in plain._buffers.items():
            self.register_buffer(name, value)

    def has_uninitialized_params(self) -> bool:
        """Whether the size is still unknown."""
        return any(isinstance(p, UninitializedParameter) for p in self._parameters.values())

    def initialize_parameters(self, input: Tensor) -> None:
        """Take the size from an input and become the plain module."""
        args, kwargs = self._given
        made = self.cls_to_become(input.shape[self._at], *args, **kwargs)
        hooks, training = self._hooks, self.training
        self.__dict__.clear()
        self.__dict__.update(made.__dict__)
        self.__dict__.update(_hooks=hooks, training=training)
        self.__class__ = self.cls_to_become

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Learn the size, then run as the plain module."""
        self.initialize_parameters(*args, **kwargs)
        return self(*args, **kwargs)


def _lazy(plain: Any, counted: str, at: int) -> Any:
    members = {
        "cls_to_become": plain,
        "_counted": counted,
        "_at": at,
        "__doc__": f"A {plain.__name__} whose `{counted}` the first input tells.",
        "__module__": plain.__module__,
        "_dims": getattr(plain, "_dims", 0),
        "extra_repr": lambda self: plain.extra_repr(self),
    }
    return type(f"Lazy{plain.__name__}", (LazyModuleMixin,), members)


LazyLinear = _lazy(Linear, "in_features", -1)
LazyConv1d = _lazy(Conv1d, "in_channels", -2)
LazyConv2d = _lazy(Conv2d, "in_channels", -3)
LazyConv3d = _lazy(Conv3d, "in_channels", -4)
LazyConvTranspose1d = _lazy(ConvTranspose1d, "in_channels", -2)
LazyConvTranspose2d = _lazy(ConvTranspose2d, "in_channels", -3)
LazyConvTranspose3d = _lazy(ConvTranspose3d, "in_channels", -4)
LazyBatchNorm1d = _lazy(BatchNorm1d, "num_features", 1)
LazyBatchNorm2d = _lazy(BatchNorm2d, "num_features", 1)
LazyBatchNorm3d = _lazy(BatchNorm3d, "num_features", 1)
