"""Forward and backward hooks of modules, and the slow way of calling a module that has any."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from engine import events
from engine.graph import RemovableHandle
from engine.nn._torch import TensorClass

from ._backward_hook import BackwardHook

if TYPE_CHECKING:
    from .module import Module

Hook = Callable[..., Any]


@dataclass(frozen=True)
class _Entry:
    hook: Hook
    with_kwargs: bool = False
    always_call: bool = False


class HookTable:
    """The hooks of one module, or the global ones."""

    def __init__(self) -> None:
        self.forward_pre: OrderedDict[int, _Entry] = OrderedDict()
        self.forward: OrderedDict[int, _Entry] = OrderedDict()
        self.backward_pre: OrderedDict[int, _Entry] = OrderedDict()
        self.backward: OrderedDict[int, _Entry] = OrderedDict()


class Shown(MutableMapping[int, Hook]):
    """The hooks of one kind by their numbers, as programs look at them; live, to be cleared too."""

    def __init__(self, entries: OrderedDict[int, _Entry]) -> None:
        self.entries = entries

    def __getitem__(self, number: int) -> Hook:
        return self.entries[number].hook

    def __setitem__(self, number: int, hook: Hook) -> None:
        self.entries[number] = _Entry(hook)

    def __delitem__(self, number: int) -> None:
        del self.entries[number]

    def __iter__(self) -> Iterator[int]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __repr__(self) -> str:
        return repr(OrderedDict(self))


_EMPTY = HookTable()
_global = HookTable()
any_global = False  # whether a global hook was ever registered; read at every call


def _add(hooks: OrderedDict[int, _Entry], entry: _Entry, prepend: bool) -> RemovableHandle:
    handle = RemovableHandle(hooks, entry)
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


class Hooked:
    """The part of Module that registers hooks."""

    _hooks: HookTable | None

    def _table(self) -> HookTable:
        if self._hooks is None:
            self.__dict__["_hooks"] = HookTable()
        return self._hooks  # type: ignore[return-value]

    @property
    def _forward_pre_hooks(self) -> Shown:
        return Shown(self._table().forward_pre)

    @property
    def _forward_hooks(self) -> Shown:
        return Shown(self._table().forward)

    @property
    def _backward_pre_hooks(self) -> Shown:
        return Shown(self._table().backward_pre)

    @property
    def _backward_hooks(self) -> Shown:
        return Shown(self._table().backward)

    def register_forward_pre_hook(
        self, hook: Hook, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` before forward; what it returns replaces the arguments."""
        return _add(self._table().forward_pre, _Entry(hook, with_kwargs), prepend)

    def register_forward_hook(
        self,
        hook: Hook,
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:
        """Call `hook(module, args, output)` after forward; what it returns replaces the output."""
        return _add(self._table().forward, _Entry(hook, with_kwargs, always_call), prepend)

    def register_full_backward_pre_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_output)` before the backward of the module."""
        return _add(self._table().backward_pre, _Entry(hook), prepend)

    def register_full_backward_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` after the backward of the module."""
        return _add(self._table().backward, _Entry(hook), prepend)


def register_module_forward_pre_hook(hook: Hook) -> RemovableHandle:
    """Call `hook(module, args)` before the forward of every module."""
    return _add_global(_global.forward_pre, _Entry(hook))


def register_module_forward_hook(
    hook: Hook, *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    """Call `hook(module, args, output)` after the forward of every module."""
    return _add_global(_global.forward, _Entry(hook, with_kwargs, always_call))


def register_module_full_backward_pre_hook(hook: Hook) -> RemovableHandle:
    """Call `hook(module, grad_output)` before the backward of every module."""
    return _add_global(_global.backward_pre, _Entry(hook))


def register_module_full_backward_hook(hook: Hook) -> RemovableHandle:
    """Call `hook(module, grad_input, grad_output)` after the backward of every module."""
    return _add_global(_global.backward, _Entry(hook))


def _add_global(hooks: OrderedDict[int, _Entry], entry: _Entry) -> RemovableHandle:
    global any_global
    any_global = True
    return _add(hooks, entry, False)


def clear_global() -> None:
    """Forget the hooks of all modules."""
    global _global, any_global
    _global, any_global = HookTable(), False


# -- calling

_numbers: WeakKeyDictionary[Module, tuple[int, int]] = WeakKeyDictionary()
_given = (0, 0)  # the run of the observer, and how many numbers were given in it


def _identify(module: Module) -> int:
    """Return a module's number, given at its first call under an observer."""
    global _given
    run = events.current_run()
    known = _numbers.get(module)
    if known is None or known[0] != run:
        _given = (run, _given[1] + 1 if _given[0] == run else 1)
        known = _numbers[module] = _given
    return known[1]


def number_of(module: Module) -> int | None:
    """Return the number by which this run's events call a module; None before its first call."""
    known = _numbers.get(module)
    return known[1] if known is not None and known[0] == events.current_run() else None


def _told(values: Any) -> tuple[int, ...]:
    items = values if isinstance(values, tuple) else (values,)
    return tuple(events.identify(item) for item in items if isinstance(item, TensorClass))


def call(module: Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run a module's forward with hooks, and tell the observer when it begins and ends."""
    if events.observer is None:
        return _call_with_hooks(module, args, kwargs)
    name, number = type(module).__name__, _identify(module)
    events.emit(events.ModuleCalled(events.learner_line(), name, number, True, _told(args)))
    found: tuple[int, ...] = ()
    try:
        result = _call_with_hooks(module, args, kwargs)
        found = _told(result)
        return result
    finally:
        events.emit(events.ModuleCalled(events.learner_line(), name, number, False, found))


def _call_with_hooks(module: Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    own = module._hooks or _EMPTY
    called: list[_Entry] = []
    result = None
    try:
        for entry in (*_global.forward_pre.values(), *own.forward_pre.values()):
            args, kwargs = _run_pre_hook(entry, module, args, kwargs)
        backward = _backward_hook(module, own)
        if backward is not None:
            args = backward.watch_inputs(args)
        result = module.forward(*args, **kwargs)
        for entry in (*_global.forward.values(), *own.forward.values()):
            called.append(entry)
            changed = _run_hook(entry, module, args, kwargs, result)
            result = result if changed is None else changed
        if backward is not None:
            _check_output(result)
            result = backward.watch_outputs(result)
        return result
    except Exception:
        for entry in (*_global.forward.values(), *own.forward.values()):
            if entry.always_call and entry not in called:
                _run_after_error(entry, module, args, kwargs, result)
        raise


def _run_pre_hook(
    entry: _Entry, module: Module, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if not entry.with_kwargs:
        changed = entry.hook(module, args)
        if changed is None:
            return args, kwargs
        return (changed if isinstance(changed, tuple) else (changed,)), kwargs
    changed = entry.hook(module, args, kwargs)
    if changed is None:
        return args, kwargs
    if isinstance(changed, tuple) and len(changed) == 2:
        return changed
    raise RuntimeError(
        "forward pre-hook must return None or a tuple of (new_args, new_kwargs), "
        f"but got {changed}."
    )


def _run_hook(
    entry: _Entry, module: Module, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any
) -> Any:
    if entry.with_kwargs:
        return entry.hook(module, args, kwargs, result)
    return entry.hook(module, args, result)


def _run_after_error(
    entry: _Entry, module: Module, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any
) -> None:
    try:
        _run_hook(entry, module, args, kwargs, result)
    except Exception as error:
        warnings.warn(
            "module forward hook with ``always_call=True`` raised an exception that was silenced "
            f"as another error was raised in forward: {error}",
            stacklevel=2,
        )


def _backward_hook(module: Module, own: HookTable) -> BackwardHook | None:
    after = [e.hook for e in (*_global.backward.values(), *own.backward.values())]
    before = [e.hook for e in (*_global.backward_pre.values(), *own.backward_pre.values())]
    return BackwardHook(module, after, before) if after or before else None


def _check_output(result: Any) -> None:
    if not isinstance(result, (TensorClass, tuple)):
        warnings.warn(
            "For backward hooks to be called, module output should be a Tensor or a tuple of "
            f"Tensors but received {type(result)}",
            stacklevel=2,
        )
