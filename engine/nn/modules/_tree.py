"""Walking a module's tree, looking members up by path, and converting all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar, cast

from engine.nn._torch import Tensor, TensorClass, torch

from ..parameter import Parameter

if TYPE_CHECKING:
    from .module import Module

Self = TypeVar("Self", bound="Tree")
Members = Callable[[Any], Iterable[tuple[str, Any]]]


class Tree:
    """The part of Module that knows its children."""

    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Module | None]

    # -- walks; every object once, in order of registration, parents before children

    def children(self) -> Iterator[Module]:
        """Yield the direct children."""
        for _, module in self.named_children():
            yield module

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """Yield the direct children with their names."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def modules(self, remove_duplicate: bool = True) -> Iterator[Module]:
        """Yield the module itself and everything below it."""
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """Yield the module itself (named `prefix`) and everything below it, with dotted paths."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self  # type: ignore[misc]
        for name, module in self._modules.items():
            if module is not None:
                path = f"{prefix}.{name}" if prefix else name
                yield from module.named_modules(memo, path, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """Yield the parameters; only the module's own when not `recurse`."""
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Yield the parameters with dotted paths."""
        yield from self._named_members(
            lambda module: module._parameters.items(), prefix, recurse, remove_duplicate
        )

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Yield the buffers; only the module's own when not `recurse`."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Yield the buffers with dotted paths."""
        yield from self._named_members(
            lambda module: module._buffers.items(), prefix, recurse, remove_duplicate
        )

    def _named_members(
        self,
        get_members_fn: Members,
        prefix: str = "",
        recurse: bool = True,
        remove_duplicate: bool = True,
    ) -> Iterator[tuple[str, Any]]:
        seen = set()
        owners: Iterable[tuple[str, Any]] = [(prefix, self)]
        if recurse:
            owners = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
        for path, module in owners:
            for name, member in get_members_fn(module):
                if member is None or id(member) in seen:
                    continue
                if remove_duplicate:
                    seen.add(id(member))
                yield (f"{path}.{name}" if path else name), member

    # -- look-ups by dotted path

    def get_submodule(self, target: str) -> Module:
        """Return the module at a path; "" is the module itself."""
        from .module import Module

        module: Any = self
        for name in target.split(".") if target else ():
            if not hasattr(module, name):
                raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
            module = getattr(module, name)
            if not isinstance(module, Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module  # type: ignore[no-any-return]

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Put a module at a path; when `strict`, one has to be there already."""
        from .module import Module as Base

        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Base):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if hasattr(parent, name):
            if not isinstance(getattr(parent, name), Base):
                raise AttributeError(f"`{name}` is not an nn.Module")
        elif strict:
            raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
        setattr(parent, name, module)

    def get_parameter(self, target: str) -> Parameter:
        """Return the parameter at a path."""
        parameter = self._get_member(target)
        if not isinstance(parameter, Parameter):
            raise AttributeError(f"`{target.rpartition('.')[2]}` is not an nn.Parameter")
        return parameter

    def get_buffer(self, target: str) -> Tensor:
        """Return the buffer at a path."""
        path, _, name = target.rpartition(".")
        buffer: Tensor = self._get_member(target)
        if name not in self.get_submodule(path)._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return buffer

    def _get_member(self, target: str) -> Any:
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        return getattr(module, name)

    # -- conversions, in place: a Parameter stays the same object

    def _apply(self: Self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        if recurse:
            for module in self.children():
                module._apply(fn)
        for parameter in self._parameters.values():
            if parameter is None:
                continue
            with torch.no_grad():
                parameter, grad = cast(Any, parameter), cast(Any, parameter.grad)
                converted = None if grad is None else fn(grad)
                parameter.data = fn(parameter)
            if grad is not None:
                grad.data = converted
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def to(self: Self, *args: Any, **kwargs: Any) -> Self:
        """Convert floating point parameters and buffers to a dtype (`to(dtype)`, `to("cpu")`)."""
        dtype = kwargs.get("dtype")
        for argument in args:
            if isinstance(argument, TensorClass):
                dtype = argument.dtype
            elif isinstance(argument, torch.dtype):
                dtype = argument
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(
                "nn.Module.to only accepts floating point or complex dtypes, but got desired "
                f"dtype={dtype}"
            )
        torch.empty(0).to(*args, **kwargs)  # refuses what tensors refuse
        return self if dtype is None else self._apply(lambda t: _floating_to(t, dtype))

    def type(self: Self, dst_type: Any) -> Self:
        """Convert every parameter and buffer to a type."""
        return self._apply(lambda t: t.type(dst_type))

    def float(self: Self) -> Self:
        """Convert floating point parameters and buffers to float32."""
        return self._apply(lambda t: _floating_to(t, torch.float32))

    def double(self: Self) -> Self:
        """Convert floating point parameters and buffers to float64."""
        return self._apply(lambda t: _floating_to(t, torch.float64))

    def half(self: Self) -> Self:
        """Convert floating point parameters and buffers to float16."""
        return self._apply(lambda t: _floating_to(t, torch.float16))

    def cpu(self: Self) -> Self:
        """Return self: everything is on the CPU already."""
        return self

    def cuda(self: Self, device: Any = None) -> Self:
        """Refuse, as tensors do: there is no GPU here."""
        return self._apply(lambda t: t.cuda(device))

    def share_memory(self: Self) -> Self:
        """Return self: there is one process."""
        return self


def _floating_to(tensor: Tensor, dtype: Any) -> Tensor:
    return tensor.to(dtype) if tensor.is_floating_point() else tensor


def clear_grad(parameter: Tensor, set_to_none: bool) -> None:
    """Set `.grad` to None, or cut it from its graph and fill it with zeros."""
    grad = parameter.grad
    if grad is None:
        return
    if set_to_none:
        parameter.grad = None
        return
    if grad.grad_fn is not None:
        grad.detach_()
    else:
        grad.requires_grad_(False)
    grad.zero_()
