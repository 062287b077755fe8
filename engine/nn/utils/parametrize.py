"""A module's parameter as a function of other tensors (torch.nn.utils.parametrize)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from engine.nn._torch import Tensor, TensorClass, torch

from ..modules.container import ModuleDict, ModuleList
from ..modules.module import Module
from ..parameter import Parameter

__all__ = [
    "ParametrizationList",
    "cached",
    "is_parametrized",
    "register_parametrization",
    "remove_parametrizations",
    "type_before_parametrizations",
]

_cache: dict[tuple[int, str], Tensor] = {}
_caching = 0


@contextmanager
def cached() -> Iterator[None]:
    """Compute each parametrized tensor once within the block."""
    global _caching
    _caching += 1
    try:
        yield
    finally:
        _caching -= 1
        if not _caching:
            _cache.clear()


class ParametrizationList(ModuleList):
    """The original tensor, or tensors, and the modules that make the parameter of them."""

    def __init__(self, modules: Any, original: Tensor, unsafe: bool = False) -> None:
        if not modules:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        new: Any = original
        with torch.no_grad():
            for module in reversed(list(self)):
                if hasattr(module, "right_inverse"):
                    with suppress(NotImplementedError):
                        new = module.right_inverse(new)
        self.is_tensor = isinstance(new, TensorClass)
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            kept = original if new is original else new
            if kept is not original:
                original.data = new
            _register(self, "original", original)
        else:
            for i, part in enumerate(new):
                kept = Parameter(part) if isinstance(original, Parameter) else part
                _register(self, f"original{i}", kept)
        if not unsafe:
            self._check(original)

    def _check(self, original: Tensor) -> None:
        made = self()
        if made.dtype != original.dtype:
            raise ValueError(
                "The forward method of one parametrization should return a tensor with the same"
                f" dtype as the original: {made.dtype} != {original.dtype}"
            )

    def originals(self) -> list[Tensor]:
        """Return what the parameter is made of."""
        if self.is_tensor:
            return [self.original]
        return [getattr(self, f"original{i}") for i in range(self.ntensors)]

    def right_inverse(self, value: Tensor) -> None:
        """Set the originals so that they make a value."""
        with torch.no_grad():
            new: Any = value
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(
                        f"parametrization {type(module).__name__} does not implement right_inverse."
                    )
                new = module.right_inverse(new)
            parts = [new] if self.is_tensor else new
            for old, part in zip(self.originals(), parts, strict=True):
                old.copy_(part)

    def forward(self) -> Tensor:
        """Compute the parameter."""
        first, *rest = self
        x = first(*self.originals())
        for module in rest:
            x = module(x)
        return x


def _register(module: Module, name: str, tensor: Tensor) -> None:
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


def _parametrized_class(module: Module) -> None:
    """Give a module a class of its own, on which properties can be put."""
    kind = type(module)

    def default_deepcopy(self: Any, memo: dict[int, Any]) -> Any:
        import copy

        found = memo.get(id(self))
        if found is None:
            found = memo[id(self)] = self.__new__(type(self))
            found.__dict__ = copy.deepcopy(self.__dict__, memo)
        return found

    names = {"__deepcopy__": default_deepcopy, "__module__": kind.__module__}
    module.__class__ = type(f"Parametrized{kind.__name__}", (kind,), names)


def _put_property(module: Module, name: str) -> None:
    def get(self: Any) -> Tensor:
        parametrization = self.parametrizations[name]
        if not _caching:
            return parametrization()
        key = (id(self), name)
        if key not in _cache:
            _cache[key] = parametrization()
        return _cache[key]

    def put(self: Any, value: Tensor) -> None:
        self.parametrizations[name].right_inverse(value)

    setattr(type(module), name, property(get, put))


def register_parametrization(
    module: Module, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> Module:
    """Make a parameter or buffer a function of what it was; return the module."""
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        chain: Any = module.parametrizations[tensor_name]
        chain.append(parametrization)
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        original = getattr(module, tensor_name)
        chain = ParametrizationList([parametrization], original, unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _parametrized_class(module)
            module.parametrizations = ModuleDict()
        _put_property(module, tensor_name)
        module.parametrizations[tensor_name] = chain
    else:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with"
            f" name '{tensor_name}'"
        )
    return module


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Whether a module has any parametrization, or one of a name."""
    found = module.__dict__.get("_modules", {}).get("parametrizations")
    if found is None or not isinstance(found, ModuleDict):
        return False
    return len(found) > 0 if tensor_name is None else tensor_name in found


def remove_parametrizations(
    module: Module, tensor_name: str, leave_parametrized: bool = True
) -> Module:
    """Make a parameter a plain one again: its value, or the original."""
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    parametrizations: Any = module.parametrizations
    chain = parametrizations[tensor_name]
    original = chain.originals()[0]
    if leave_parametrized:
        with torch.no_grad():
            value = getattr(module, tensor_name)
        if chain.is_tensor:
            original.data = value
        else:
            original = Parameter(value) if original.requires_grad else value
    elif not chain.is_tensor:
        raise ValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is"
            " parametrized in terms of a sequence of tensors."
        )
    delattr(type(module), tensor_name)
    del parametrizations[tensor_name]
    if not len(parametrizations):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__bases__[0]
    _register(module, tensor_name, original)
    return module


def type_before_parametrizations(module: Module) -> type:
    """Return the class a module had before it was parametrized."""
    return type(module).__bases__[0] if is_parametrized(module) else type(module)
