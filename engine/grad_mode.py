"""Whether operations are recorded: no_grad, enable_grad, set_grad_enabled, inference_mode."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from engine import events

# Read by every operation, so plain module globals. The playground runs one thread.
enabled = True
inference = False


def is_grad_enabled() -> bool:
    """Return whether operations are recorded now."""
    return enabled


def is_inference_mode_enabled() -> bool:
    """Return whether inference mode is on now."""
    return inference


def _set(on: bool, in_inference: bool, mode: str, entered: bool) -> None:
    global enabled, inference
    enabled = on
    if in_inference is not inference:
        inference = in_inference
        events.be_careful("inference", in_inference)
    if events.observer is not None:
        events.observer(events.GradModeChanged(events.learner_line(), mode, on, entered))


class _Mode:
    """A grad mode, usable as a context manager and as a decorator."""

    mode = ""
    on = False
    in_inference = False

    def __init__(self) -> None:
        self._before: list[tuple[bool, bool]] = []

    def __enter__(self) -> None:
        self._before.append((enabled, inference))
        _set(self.on, self.in_inference or inference, self.mode, True)

    def __exit__(self, *exc: object) -> None:
        _set(*self._before.pop(), self.mode, False)

    def clone(self) -> _Mode:
        """Make a fresh context of the same kind, for each call of a decorated function."""
        return type(self)()

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.isgeneratorfunction(function):
            return _wrap_generator(self, function)

        @functools.wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return function(*args, **kwargs)

        return wrapped


def _wrap_generator(mode: _Mode, function: Callable[..., Any]) -> Callable[..., Any]:
    """Run only the generator's own steps in the mode, not what happens between them."""

    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        generator = function(*args, **kwargs)
        sent = None
        while True:
            with mode.clone():
                try:
                    value = generator.send(sent)
                except StopIteration as stop:
                    return stop.value
            sent = yield value

    return wrapped


class no_grad(_Mode):
    """Stop recording inside the block or the decorated function."""

    mode = "no_grad"

    def __new__(cls, function: Callable[..., Any] | None = None) -> Any:
        """Decorate at once when used as `@torch.no_grad` without parentheses."""
        self = super().__new__(cls)
        if function is None:
            return self
        _Mode.__init__(self)
        return self(function)

    def __init__(self, function: Callable[..., Any] | None = None) -> None:
        super().__init__()


class enable_grad(no_grad):
    """Record inside the block or the decorated function, also within no_grad."""

    mode = "enable_grad"
    on = True


class set_grad_enabled(_Mode):
    """Set recording on or off at once; as a context manager, only for the block."""

    mode = "set_grad_enabled"

    def __init__(self, mode: bool) -> None:
        super().__init__()
        if not isinstance(mode, bool):
            raise TypeError(
                "set_grad_enabled(): argument 'enabled' (position 1) must be bool, not"
                f" {type(mode).__name__}"
            )
        self.on = bool(mode)
        self._at_construction: tuple[bool, bool] | None = (enabled, inference)
        _set(self.on, inference, self.mode, True)

    def __enter__(self) -> None:
        before = self._at_construction or (enabled, inference)
        self._at_construction = None
        self._before.append(before)
        if enabled != self.on:
            _set(self.on, inference, self.mode, True)

    def clone(self) -> _Mode:
        """Make a fresh context that sets the same."""
        return set_grad_enabled(self.on)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.on})"

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorate a function."""
        if self._at_construction is not None:  # as a decorator it changes nothing by itself
            _set(*self._at_construction, self.mode, False)
            self._at_construction = None
        return super().__call__(function)


class inference_mode(_Mode):
    """Stop recording and make inference tensors, which autograd refuses later."""

    mode = "inference_mode"
    in_inference = True

    def __new__(cls, mode: Any = True) -> Any:
        """Decorate at once when used as `@torch.inference_mode` without parentheses."""
        if isinstance(mode, bool):
            return super().__new__(cls)
        return cls()(mode)

    def __init__(self, mode: bool = True) -> None:
        super().__init__()
        self.on = not mode
        self.in_inference = mode

    def __enter__(self) -> None:
        self._before.append((enabled, inference))
        if self.in_inference:
            _set(False, True, self.mode, True)
        else:  # inference_mode(False) brings ordinary tensors and recording back
            _set(True, False, self.mode, True)

    def clone(self) -> _Mode:
        """Make a fresh context that sets the same."""
        return inference_mode(self.in_inference)
