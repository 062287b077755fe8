"""torch.autograd: gradients asked for directly."""

from engine.backward import backward

__all__ = ["backward"]
