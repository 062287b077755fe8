"""torch.autograd: gradients asked for directly, custom Functions, and what helps to find errors.

The gradient functions are looked up late: the pass itself imports anomaly mode from here.
"""

from __future__ import annotations

from typing import Any

from engine.autograd import anomaly_mode
from engine.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from engine.errors import unsupported

_LATE = {
    "backward": "engine.gradients",
    "grad": "engine.gradients",
    "Function": "engine.autograd.function",
    "Variable": "engine.autograd.variable",
    "gradcheck": "engine.autograd.gradcheck",
    "gradgradcheck": "engine.autograd.gradcheck",
    "no_grad": "engine.grad_mode",
    "enable_grad": "engine.grad_mode",
    "set_grad_enabled": "engine.grad_mode",
    "inference_mode": "engine.grad_mode",
}
_MODULES = ("function", "functional", "graph", "variable", "grad_mode")


def __getattr__(name: str) -> Any:
    """Import what was asked for, and keep it."""
    import importlib

    if name in _LATE:
        found: Any = getattr(importlib.import_module(_LATE[name]), name)
    elif name in _MODULES:
        found = importlib.import_module(f"engine.autograd.{name}")
    elif name in ("profiler", "forward_ad"):
        raise unsupported(f"torch.autograd.{name}")
    else:
        raise AttributeError(f"module 'torch.autograd' has no attribute '{name}'")
    globals()[name] = found
    return found


__all__ = ["anomaly_mode", "detect_anomaly", "set_detect_anomaly", *_LATE, *_MODULES]
