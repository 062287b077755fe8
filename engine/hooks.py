"""Hooks on tensors and nodes: registering them, and running them during the pass."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from engine import dtypes, events, graph
from engine.errors import fail
from engine.graph import LEAF, RemovableHandle
from engine.tensor import Tensor, make

Hook = Callable[..., Any]


def hooks_of(tensor: Tensor) -> dict[int, Hook]:
    """Return the tensor's hooks: a leaf keeps them, a result's node does."""
    keeper: Any = tensor._more() if tensor._fn is LEAF else tensor._fn.more()  # type: ignore[union-attr]
    if keeper.hooks is None:
        keeper.hooks = {}
    return keeper.hooks  # type: ignore[no-any-return]


def register_hook(tensor: Tensor, hook: Hook) -> RemovableHandle:
    """Call `hook(grad)` when the tensor's gradient is known; what it returns replaces it."""
    if tensor._fn is None:
        raise fail(
            "hook-without-grad", "cannot register a hook on a tensor that doesn't require gradient"
        )
    return RemovableHandle(hooks_of(tensor), hook)


def register_post_accumulate_grad_hook(tensor: Tensor, hook: Hook) -> RemovableHandle:
    """Call `hook(leaf)` after a gradient was accumulated into the leaf's `.grad`."""
    if tensor._fn is None:
        raise fail(
            "hook-without-grad", "cannot register a hook on a tensor that doesn't require gradient"
        )
    if not tensor.is_leaf:
        raise fail(
            "post-hook-on-result",
            "post accumulate grad hooks cannot be registered on non-leaf tensors",
        )
    meta = tensor._more()
    if meta.post_hooks is None:
        meta.post_hooks = {}
    return RemovableHandle(meta.post_hooks, hook)


def retain_grad(tensor: Tensor) -> None:
    """Keep the gradient of a result in its `.grad`, as a leaf's."""
    if tensor._fn is None:
        raise fail(
            "retain-without-grad", "can't retain_grad on Tensor that has requires_grad=False"
        )
    if tensor.is_leaf:
        return
    tensor._more().retains = True
    tensor._fn.more().retains = weakref.ref(tensor)
    graph.hooks_seen = True


# What a pass under way was given that requires grad, by its array: a hook sees that very tensor.
given_tensors: dict[int, Tensor] = {}


def as_given(array: Any) -> Tensor:
    """Return a gradient as a tensor: the one the pass was given, if no rule has touched it."""
    found = given_tensors.get(id(array))
    return make(array) if found is None else found


def run_tensor_hooks(
    hooks: dict[int, Hook], grad: Any, create: bool, call: int, node: int | None, tensor: int | None
) -> Any:
    """Run tensor hooks on a gradient (a tensor when `create`, else an array); return the last."""
    for hook in list(hooks.values()):
        given = grad if create else as_given(grad)
        before = events.value_of(given._array) if events.observer is not None else None
        got = hook(given)
        if got is not None:
            check_replacement(hook, given, got)
            given = got
        grad = given if create else given._array
        if events.observer is not None:
            after = events.value_of(given._array)
            line = events.learner_line()
            events.emit(events.HookRan(line, call, node, tensor, "tensor", before, after))
    return grad


def check_replacement(hook: Hook, was: Tensor, got: Any) -> None:
    """Refuse a hook's result that could not stand for the gradient."""
    name = getattr(hook, "__name__", "<unknown>")
    if not isinstance(got, Tensor):
        raise TypeError(f"expected Variable, but hook returned '{type(got).__name__}'")
    if got.dtype is not was.dtype:
        kinds = [f"torch.{dtypes.LEGACY_NAMES[d]}Tensor" for d in (was.dtype, got.dtype)]
        raise fail(
            "hook-type",
            f"hook '{name}' has changed the type of value (was {kinds[0]} got {kinds[1]})",
            hook=name,
        )
    if got.shape != was.shape:
        raise fail("hook-shape", f"hook '{name}' has changed the size of value", hook=name)


def as_tensors(grads: Any, create: bool) -> tuple[Any, ...]:
    """Return gradients as the tensors a hook on a node is given."""
    return tuple(g if create or g is None else as_given(g) for g in grads)


def run_prehooks(hooks: dict[int, Hook], grads: tuple[Any, ...], create: bool) -> tuple[Any, ...]:
    """Run hooks that see a node's incoming gradients before its rule."""
    for hook in list(hooks.values()):
        given = as_tensors(grads, create)
        got = hook(given)
        if got is not None:
            given = got if isinstance(got, tuple) else (got,)
        grads = given if create else tuple(None if t is None else t._array for t in given)
    return grads


def run_node_hooks(
    hooks: dict[int, Hook], passed: tuple[Any, ...], grads: tuple[Any, ...], create: bool
) -> tuple[Any, ...]:
    """Run hooks that see what a node passes on; what they return replaces it."""
    for hook in list(hooks.values()):
        given = as_tensors(passed, create)
        got = hook(given, as_tensors(grads, create))
        if got is not None:
            given = got if isinstance(got, tuple) else (got,)
        passed = given if create else tuple(None if t is None else t._array for t in given)
    return passed
