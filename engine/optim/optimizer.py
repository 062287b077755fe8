"""The base of every optimizer: parameter groups, state, hooks, and the walk of a step."""

from __future__ import annotations

import functools
import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from engine import events
from engine.graph import RemovableHandle
from engine.nn._torch import Tensor, TensorClass
from engine.nn.modules._tree import clear_grad
from engine.nn.modules._typename import typename

from ._groups import cast_state, split_names

Group = dict[str, Any]


class _Required:
    def __repr__(self) -> str:
        return "<required parameter>"


required = _Required()


class Optimizer:
    """Holds parameters in groups, each with its own options, and what an algorithm remembers.

    `params` are tensors, pairs of name and tensor, or dicts with "params" and options. Subclasses
    of a program override `step`; those of the engine say how one array is updated (`_update`).
    """

    _hooks: dict[str, OrderedDict[int, Callable[..., Any]]]
    _opt_called: bool

    def __init__(self, params: Any, defaults: Group) -> None:
        if isinstance(params, TensorClass):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, "
                f"but got {typename(params)}"
            )
        self.defaults = defaults
        self.state: defaultdict[Any, Any] = defaultdict(dict)
        self.param_groups: list[Group] = []
        self._hooks = {}
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.__module__.startswith("engine."):
            cls.__module__ = "torch" + cls.__module__[len("engine") :]
        if "step" in cls.__dict__:
            cls.step = _with_hooks(cls.__dict__["step"])  # type: ignore[method-assign]

    # -- parameter groups

    def add_param_group(self, param_group: Group) -> None:
        """Add parameters with options of their own; what is not given is the default.

        Raises ValueError for a tensor that is not a leaf or is in a group already.
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the "
                "ordering of tensors in sets will change between runs. Please use a list instead."
            )
        split_names(param_group, [params] if isinstance(params, TensorClass) else list(params))
        for parameter in param_group["params"]:
            self._check_parameter(parameter)
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(
                    "parameter group didn't specify a value of required optimization parameter "
                    + name
                )
            param_group.setdefault(name, default)
        self._check_disjoint(param_group)
        self.param_groups.append(param_group)

    def _check_parameter(self, parameter: Any) -> None:
        if not isinstance(parameter, TensorClass):
            raise TypeError(
                f"optimizer can only optimize Tensors, but one of the params is "
                f"{typename(parameter)}"
            )
        if not self.defaults.get("differentiable") and not (
            parameter.is_leaf or parameter.retains_grad
        ):
            raise ValueError("can't optimize a non-leaf Tensor")

    def _check_disjoint(self, new: Group) -> None:
        ids = [id(p) for p in new["params"]]
        if len(ids) != len(set(ids)):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this "
                "will cause an error; see github.com/pytorch/pytorch/issues/40967 for more "
                "information",
                stacklevel=4,
            )
        for group in self.param_groups:
            if ("param_names" in new) != ("param_names" in group):
                which = "with names" if "param_names" in new else "without names"
                raise ValueError(
                    "all optimizer param groups should be with/without names. cannot add param "
                    f"group {which} to the optimizer"
                )
            if any(id(p) in ids for p in group["params"]):
                raise ValueError("some parameters appear in more than one parameter group")

    def __repr__(self) -> str:
        text = f"{type(self).__name__} ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            for key in sorted(group):
                if key != "params":
                    text += f"    {key}: {group[key]}\n"
        return text + ")"

    # -- what programs call

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Set the `.grad` of every parameter to None, or fill it with zeros."""
        if events.observer is not None:
            _tell(self, "zero_grad", True)
        for group in self.param_groups:
            for parameter in group["params"]:
                meta = parameter._meta
                if meta is None or meta.grad is None:
                    continue
                if set_to_none and events.observer is None:
                    meta.grad = None
                else:
                    clear_grad(parameter, set_to_none)
        if events.observer is not None:
            _tell(self, "zero_grad", False)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update every parameter once; `closure` computes the loss again and is returned."""
        raise NotImplementedError

    # -- saving

    def state_dict(self) -> dict[str, Any]:
        """Return the state and the groups, parameters replaced by their numbers."""
        for hook in self._all("save_pre"):
            hook(self)
        numbers: dict[int, int] = {}
        groups = []
        for group in self.param_groups:
            packed = {key: value for key, value in group.items() if key != "params"}
            for parameter in group["params"]:
                numbers.setdefault(id(parameter), len(numbers))
            packed["params"] = [numbers[id(p)] for p in group["params"]]
            groups.append(packed)
        state = {
            numbers[id(key)] if isinstance(key, TensorClass) else key: value
            for key, value in self.state.items()
        }
        result: dict[str, Any] = {"state": state, "param_groups": groups}
        for hook in self._all("save_post"):
            result = hook(self, result) or result
        return result

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned; groups must have as many parameters."""
        state_dict = state_dict.copy()
        for hook in self._all("load_pre"):
            state_dict = hook(self, state_dict) or state_dict
        saved = deepcopy(state_dict["param_groups"])
        if len(saved) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        by_number: dict[int, Tensor] = {}
        for group, new in zip(self.param_groups, saved, strict=True):
            if len(group["params"]) != len(new["params"]):
                raise ValueError(
                    "loaded state dict contains a parameter group that doesn't match the size of "
                    "optimizer's group"
                )
            by_number.update(zip(new["params"], group["params"], strict=True))
            new["params"] = group["params"]
            if "param_names" in group:
                new.setdefault("param_names", group["param_names"])
        state: defaultdict[Any, Any] = defaultdict(dict)
        for key, value in state_dict["state"].items():
            parameter = by_number.get(key)
            state[key if parameter is None else parameter] = (
                value if parameter is None else cast_state(parameter, value)
            )
        self.state = state
        self.param_groups = saved
        for hook in self._all("load_post"):
            hook(self)

    # -- hooks

    def _all(self, kind: str) -> list[Callable[..., Any]]:
        return list(self._hooks.get(kind, {}).values())

    def _add_hook(self, kind: str, hook: Any, prepend: bool = False) -> RemovableHandle:
        table = self._hooks.setdefault(kind, OrderedDict())
        handle = RemovableHandle(table, hook)
        if prepend:
            table.move_to_end(handle.id, last=False)
        return handle

    def register_step_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` before each step; it may return both, changed."""
        return self._add_hook("pre", hook)

    def register_step_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` after each step."""
        return self._add_hook("post", hook)

    def register_state_dict_pre_hook(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer)` before the state is saved."""
        return self._add_hook("save_pre", hook, prepend)

    def register_state_dict_post_hook(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` after; what it returns replaces the dict."""
        return self._add_hook("save_post", hook, prepend)

    def register_load_state_dict_pre_hook(
        self, hook: Any, prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` before loading; what it returns replaces the dict."""
        return self._add_hook("load_pre", hook, prepend)

    def register_load_state_dict_post_hook(
        self, hook: Any, prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer)` after loading."""
        return self._add_hook("load_post", hook, prepend)


def _tell(optimizer: Optimizer, method: str, entered: bool) -> None:
    name = type(optimizer).__name__
    events.emit(events.OptimizerCalled(events.learner_line(), name, method, entered))


def _with_hooks(step: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a class's `step` with its hooks and the observer's two events."""

    @functools.wraps(step)
    def wrapped(self: Optimizer, *args: Any, **kwargs: Any) -> Any:
        self._opt_called = True  # a learning rate schedule wants to know
        if events.observer is None and not self._hooks:
            return step(self, *args, **kwargs)
        for hook in self._all("pre"):
            changed = hook(self, (self, *args), kwargs)
            if changed is None:
                continue
            if not isinstance(changed, tuple) or len(changed) != 2:
                raise RuntimeError(
                    f"{step} must return None or a tuple of (new_args, new_kwargs), "
                    f"but got {changed}."
                )
            (_, *args), kwargs = changed
        if events.observer is not None:
            _tell(self, "step", True)
        try:
            result = step(self, *args, **kwargs)
        finally:
            if events.observer is not None:
                _tell(self, "step", False)
        for hook in self._all("post"):
            hook(self, (self, *args), kwargs)
        return result

    return wrapped


Optimizer.__module__ = "torch.optim.optimizer"
