"""torch.autograd.grad_mode: the grad modes under the name of the module they live in."""

from engine.grad_mode import (
    enable_grad,
    inference_mode,
    no_grad,
    set_grad_enabled,
)

__all__ = ["enable_grad", "inference_mode", "no_grad", "set_grad_enabled"]
