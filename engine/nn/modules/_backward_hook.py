"""How a module's backward hooks see its gradients.

The tensors that enter the module, and those that leave it, pass through an identity of their own.
A hook on the node of each identity meets the gradients of all outputs, and of all inputs, at once.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from engine.autograd import Function
from engine.nn._torch import TensorClass, torch

Hook = Callable[..., Any]


class BackwardHookFunction(Function):  # type: ignore[misc]
    """Pass tensors on unchanged."""

    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any:
        """Return the arguments."""
        ctx.mark_non_differentiable(*[arg for arg in args if not arg.requires_grad])
        return args

    @staticmethod
    def backward(ctx: Any, *args: Any) -> Any:
        """Return the gradients."""
        return args


class BackwardHook:
    """One call of a module whose backward somebody watches."""

    def __init__(self, module: Any, after: list[Hook], before: list[Hook]) -> None:
        self._module = module
        self._after = after
        self._before = before
        self._grad_outputs: tuple[Any, ...] | None = None
        self._inputs_watched = False
        self._input_count = 0

    def watch_inputs(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments, tensors replaced by their identities."""
        self._input_count = len(args)

        def watch(node: Any, places: list[int]) -> None:
            self._inputs_watched = True
            node.register_hook(lambda grads, _: self._inputs_done(grads, places))

        return _watched(args, watch)

    def watch_outputs(self, result: Any) -> Any:
        """Return the result, tensors replaced by their identities."""
        alone = not isinstance(result, tuple)

        def watch(node: Any, places: list[int]) -> None:
            count = 1 if alone else len(result)
            node.register_hook(lambda _, grads: self._outputs_begun(grads, places, count))

        watched = _watched((result,) if alone else result, watch)
        return watched[0] if alone else watched

    def _outputs_begun(
        self, grads: tuple[Any, ...], places: list[int], count: int
    ) -> tuple[Any, ...]:
        full = _spread(grads, places, count)
        for hook in self._before:
            answer = hook(self._module, full)
            if answer is not None:
                full = _checked(answer, full, "Backward pre hook", "grad_output")
        self._grad_outputs = full
        if not self._inputs_watched:
            self._run_without_inputs(full)
        return tuple(full[i] for i in places)

    def _run_without_inputs(self, grad_outputs: tuple[Any, ...]) -> None:
        warnings.warn(
            "Full backward hook is firing when gradients are computed with respect to module "
            "outputs since no inputs require gradients. See https://docs.pytorch.org/docs/main/"
            "generated/torch.nn.Module.html#torch.nn.Module.register_full_backward_hook for more "
            "details.",
            stacklevel=5,
        )
        nothing = (None,) * self._input_count
        for hook in self._after:
            answer = hook(self._module, nothing, grad_outputs)
            silent = isinstance(answer, tuple) and all(g is None for g in answer)
            if answer is not None and not silent:
                raise RuntimeError(
                    "Backward hook for Modules where no input requires gradient should always "
                    "return None or None for all gradients."
                )
        self._grad_outputs = None

    def _inputs_done(self, grads: tuple[Any, ...], places: list[int]) -> tuple[Any, ...]:
        if self._grad_outputs is None:
            raise RuntimeError(
                "Module backward hook for grad_input is called before the grad_output one. This "
                "happens because the gradient in your nn.Module flows to the Module's input "
                "without passing through the Module's output. Make sure that the output depends "
                "on the input and that the loss is computed based on the output."
            )
        full = _spread(grads, places, self._input_count)
        for hook in self._after:
            answer = hook(self._module, full, self._grad_outputs)
            if answer is not None:
                full = _checked(answer, full, "Backward hook", "grad_input")
        self._grad_outputs = None
        return tuple(full[i] for i in places)


def _checked(answer: Any, full: tuple[Any, ...], name: str, what: str) -> tuple[Any, ...]:
    given: tuple[Any, ...] = answer if isinstance(answer, tuple) else (answer,)
    if len(given) != len(full):
        raise RuntimeError(
            f"{name} returned an invalid number of {what}, got {len(given)}, "
            f"but expected {len(full)}"
        )
    return given


def _watched(values: tuple[Any, ...], watch: Callable[[Any, list[int]], None]) -> tuple[Any, ...]:
    places = [i for i, value in enumerate(values) if isinstance(value, TensorClass)]
    if not torch.is_grad_enabled() or not any(values[i].requires_grad for i in places):
        return values
    passed: Any = BackwardHookFunction.apply(*[values[i] for i in places])
    passed = passed if isinstance(passed, tuple) else (passed,)
    nodes = [tensor.grad_fn for tensor in passed if tensor.grad_fn is not None]
    if not nodes:
        raise RuntimeError(
            "Error while setting up backward hooks. Please open an issue "
            "with a code sample to reproduce this."
        )
    watch(nodes[0], places)
    out = list(values)
    for i, tensor in zip(places, passed, strict=True):
        out[i] = tensor
    return tuple(out)


def _spread(grads: tuple[Any, ...], places: list[int], count: int) -> tuple[Any, ...]:
    full: list[Any] = [None] * count
    for i, grad in zip(places, grads, strict=True):
        full[i] = grad
    return tuple(full)
