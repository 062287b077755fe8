"""Neural networks: modules, functions, initial values, utilities (torch.nn)."""

from . import functional, init, modules, parameter, utils
from .modules import *  # noqa: F403
from .parameter import Buffer, Parameter

__all__ = [
    "Buffer",
    "Parameter",
    "functional",
    "init",
    "modules",
    "parameter",
    "utils",
    *modules.__all__,
]


def __getattr__(name: str) -> None:
    raise AttributeError(f"module 'torch.nn' has no attribute '{name}'")
