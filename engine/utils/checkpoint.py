"""torch.utils.checkpoint: run a part of the program again in backward instead of keeping it.

Nothing is spared here, where graphs are small; what a program can see of it is kept: when the part
runs, in which grad mode, and what its gradients are.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from engine import gradients
from engine.autograd.function import Function
from engine.grad_mode import enable_grad, no_grad
from engine.graph import Node
from engine.ops.record import PUBLIC
from engine.tensor import Tensor


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Any = None,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """Call `function(*args)`, and once more in backward to have what its gradients need.

    With `use_reentrant=True` (the old way, and the default with a warning) the first call is not
    recorded; the second one is, and a backward pass of its own runs through it.
    """
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly."
            " Starting in PyTorch 2.9, calling checkpoint without use_reentrant will raise an"
            " exception. use_reentrant=False is recommended, but if you need to preserve the"
            " current default behavior, you can pass use_reentrant=True. Refer to docs for more"
            " details on the differences between the two variants.",
            stacklevel=2,
        )
        use_reentrant = True
    if use_reentrant:
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        return CheckpointFunction.apply(function, preserve_rng_state, *args)
    return recomputed(function, args, kwargs, preserve_rng_state)


def rng_state() -> Any:
    """Return the state of the random stream."""
    return PUBLIC["torch.get_rng_state"]()


class CheckpointFunction(Function):
    """The old way: a custom Function whose backward runs the function again."""

    @staticmethod
    def forward(ctx: Any, function: Any, preserve: bool, *args: Any) -> Any:
        """Run the function without recording it."""
        if not any(isinstance(a, Tensor) and a.requires_grad for a in args):
            warnings.warn(
                "None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2
            )
        ctx.function = function
        ctx.state = rng_state() if preserve else None
        ctx.places = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        ctx.args = [None if isinstance(a, Tensor) else a for a in args]
        ctx.save_for_backward(*(args[i] for i in ctx.places))
        with no_grad():
            return function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """Run the function again, recorded, and a backward pass through it."""
        args = list(ctx.args)
        for i, t in zip(ctx.places, ctx.saved_tensors, strict=True):
            args[i] = t.detach().requires_grad_(t.requires_grad)
        now = rng_state()
        if ctx.state is not None:
            PUBLIC["torch.set_rng_state"](ctx.state)
        with enable_grad():
            outputs = ctx.function(*args)
        if ctx.state is not None:
            PUBLIC["torch.set_rng_state"](now)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        pairs = [
            (o, g)
            for o, g in zip(outputs, grads, strict=True)
            if isinstance(o, Tensor) and o.requires_grad
        ]
        if not pairs:
            raise RuntimeError(
                "none of output has requires_grad=True, this checkpoint() is not necessary"
            )
        gradients.backward([o for o, _ in pairs], [g for _, g in pairs])
        return None, None, *(a.grad if isinstance(a, Tensor) else None for a in args)


def recomputed(function: Any, args: Any, kwargs: Any, preserve: bool) -> Any:
    """Run the function recorded, and let the first node of its part run it again."""
    state = rng_state() if preserve else None
    outputs = function(*args, **kwargs)
    done: list[bool] = []

    def again(_grads: Any) -> None:
        if done:
            return
        done.append(True)
        now = rng_state()
        if state is not None:
            PUBLIC["torch.set_rng_state"](state)
        with enable_grad():
            function(*args, **kwargs)
        PUBLIC["torch.set_rng_state"](now)

    inputs = {id(a._fn) for a in args if isinstance(a, Tensor)}
    for out in outputs if isinstance(outputs, tuple | list) else (outputs,):
        if isinstance(out, Tensor) and not out.is_leaf and id(out._fn) not in inputs:
            assert isinstance(out._fn, Node)
            out._fn.register_prehook(again)
    return outputs


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """Call the parts of a Sequential in `segments` pieces, all but the last checkpointed."""
    parts = list(functions.children()) if hasattr(functions, "children") else list(functions)
    size = len(parts) // segments

    def piece(start: int, end: int) -> Callable[[Any], Any]:
        def run(value: Any) -> Any:
            for part in parts[start:end]:
                value = part(value)
            return value

        return run

    end = 0
    for start in range(0, size * (segments - 1), size):
        end = start + size
        input = checkpoint(piece(start, end), input, use_reentrant=use_reentrant, **kwargs)
    return piece(end, len(parts))(input)


__all__ = ["CheckpointFunction", "checkpoint", "checkpoint_sequential"]
