"""torch.autograd: gradients asked for directly."""

from engine.gradients import backward, grad

__all__ = ["backward", "grad"]
