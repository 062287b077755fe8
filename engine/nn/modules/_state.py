"""State dicts: saving a module's tensors by dotted name, and loading them again."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from engine.graph import RemovableHandle
from engine.nn._torch import Tensor, TensorClass, torch

from ..parameter import Parameter

if TYPE_CHECKING:
    from .module import Module

_EXTRA = "_extra_state"


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    """What `load_state_dict` did not find, and what it had no place for."""

    __slots__ = ()

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()

    __str__ = __repr__


class StateDicts:
    """The part of Module that saves and loads."""

    _version = 1
    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Module | None]
    _non_persistent_buffers_set: set[str]

    def get_extra_state(self) -> Any:
        """Return what else belongs into the state dict; subclasses may override."""
        raise RuntimeError(
            "Reached a code path in Module.get_extra_state() that should never be called. "
            "Please file an issue at https://github.com/pytorch/pytorch/issues/new?template="
            "bug-report.yml to report this bug."
        )

    def set_extra_state(self, state: Any) -> None:
        """Take back what `get_extra_state` returned."""
        raise RuntimeError(
            "Reached a code path in Module.set_extra_state() that should never be called. "
            "Please file an issue at https://github.com/pytorch/pytorch/issues/new?template="
            "bug-report.yml to report this bug."
        )

    def _own_state(self) -> dict[str, Tensor]:
        own: dict[str, Tensor | None] = dict(self._parameters)
        for name, buffer in self._buffers.items():
            if name not in self._non_persistent_buffers_set:
                own[name] = buffer
        return {name: value for name, value in own.items() if value is not None}

    # -- saving

    def state_dict(
        self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> dict[str, Any]:
        """Return parameters and persistent buffers by name.

        The tensors are detached but share memory with the module, unless `keep_vars`.
        """
        for value, name in zip(args, ("destination", "prefix", "keep_vars"), strict=False):
            if name == "destination":
                destination = value
            elif name == "prefix":
                prefix = value
            else:
                keep_vars = value
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in self._state_hooks("save_pre"):
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(
                    destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars
                )
        for hook in self._state_hooks("save_post"):
            if hook(self, destination, prefix, metadata) is not None:
                raise RuntimeError("state_dict post-hook must return None")
        return destination  # type: ignore[no-any-return]

    def _save_to_state_dict(
        self, destination: dict[str, Any], prefix: str, keep_vars: bool
    ) -> None:
        for name, value in self._own_state().items():
            destination[prefix + name] = value if keep_vars else value.detach()
        if type(self).get_extra_state is not StateDicts.get_extra_state:
            destination[prefix + _EXTRA] = self.get_extra_state()

    # -- loading

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> _IncompatibleKeys:
        """Copy tensors in by name; with `assign`, take the given tensors themselves.

        Raises RuntimeError listing every missing and unexpected key (when `strict`) and every
        size mismatch. What fits is copied even then.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        missing: list[str] = []
        unexpected: list[str] = []
        errors: list[str] = []
        metadata = getattr(state_dict, "_metadata", {})
        self._load_tree(OrderedDict(state_dict), "", metadata, assign, missing, unexpected, errors)
        if strict and unexpected:
            keys = ", ".join(f'"{key}"' for key in unexpected)
            errors.insert(0, f"Unexpected key(s) in state_dict: {keys}. ")
        if strict and missing:
            keys = ", ".join(f'"{key}"' for key in missing)
            errors.insert(0, f"Missing key(s) in state_dict: {keys}. ")
        if errors:
            raise RuntimeError(
                f"Error(s) in loading state_dict for {type(self).__name__}:\n\t"
                + "\n\t".join(errors)
            )
        return _IncompatibleKeys(missing, unexpected)

    def _load_tree(
        self,
        state: Mapping[str, Any],
        prefix: str,
        metadata: Mapping[str, Any],
        assign: bool,
        missing: list[str],
        unexpected: list[str],
        errors: list[str],
    ) -> None:
        local = dict(metadata.get(prefix[:-1], {}))
        if assign:
            local["assign_to_params_buffers"] = True
        self._load_from_state_dict(state, prefix, local, True, missing, unexpected, errors)
        for name, module in self._modules.items():
            if module is not None:
                path = f"{prefix}{name}."
                below = {key: value for key, value in state.items() if key.startswith(path)}
                module._load_tree(below, path, metadata, assign, missing, unexpected, errors)
        for hook in self._state_hooks("load_post"):
            hook(self, _IncompatibleKeys(missing, unexpected))

    def _load_from_state_dict(
        self,
        state_dict: Mapping[str, Any],
        prefix: str,
        local_metadata: dict[str, Any],
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        report = (missing_keys, unexpected_keys, error_msgs)
        for hook in self._state_hooks("load_pre"):
            hook(self, state_dict, prefix, local_metadata, strict, *report)
        own = self._own_state()
        assign = local_metadata.get("assign_to_params_buffers", False)
        for name, target in own.items():
            key = prefix + name
            if key in state_dict:
                error = self._load_one(name, key, target, state_dict[key], assign)
                error_msgs.extend([error] if error else [])
            elif strict:
                missing_keys.append(key)
        extra = prefix + _EXTRA
        takes_extra = type(self).set_extra_state is not StateDicts.set_extra_state
        if takes_extra and extra in state_dict:
            self.set_extra_state(state_dict[extra])
        elif strict and (takes_extra or extra in state_dict):
            (missing_keys if takes_extra else unexpected_keys).append(extra)
        for key in state_dict if strict else ():
            if key.startswith(prefix) and key != extra:
                name, *below = key[len(prefix) :].split(".", 1)
                if name not in (self._modules if below else own):
                    unexpected_keys.append(key)

    def _load_one(
        self, name: str, key: str, target: Tensor, value: Any, assign: bool
    ) -> str | None:
        """Copy or assign one tensor; return what is wrong with it, if anything."""
        if not isinstance(value, TensorClass):
            return (
                f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like '
                f"object from checkpoint but received {type(value)}"
            )
        if target.dim() == 0 and tuple(value.shape) == (1,):
            value = value[0]
        if value.shape != target.shape:
            return (
                f"size mismatch for {key}: copying a param with shape {value.shape} from "
                f"checkpoint, the shape in current model is {target.shape}."
            )
        with torch.no_grad():
            if not assign:
                target.copy_(value)
                return None
            if isinstance(target, Parameter):
                if isinstance(value, Parameter):
                    value.requires_grad_(target.requires_grad)
                else:
                    value = Parameter(value, target.requires_grad)
            setattr(self, name, value)
        return None

    # -- hooks around both

    def _state_hooks(self, kind: str) -> list[Callable[..., Any]]:
        return list(self.__dict__.get("_state_dict_hooks", {}).get(kind, {}).values())

    def _add_state_hook(self, kind: str, hook: Callable[..., Any]) -> RemovableHandle:
        table = self.__dict__.setdefault("_state_dict_hooks", {})
        return RemovableHandle(table.setdefault(kind, OrderedDict()), hook)

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, prefix, keep_vars)` before the module's state is saved."""
        return self._add_state_hook("save_pre", hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, metadata)` after it was saved."""
        return self._add_state_hook("save_post", hook)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, metadata, strict, missing, …)` before loading."""
        return self._add_state_hook("load_pre", hook)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, incompatible_keys)` after loading; it may edit the two lists."""
        return self._add_state_hook("load_post", hook)
