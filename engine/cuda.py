"""torch.cuda: there is none, and programs that ask are told so."""

from __future__ import annotations

from typing import Any


def is_available() -> bool:
    """Return False."""
    return False


def device_count() -> int:
    """Return 0."""
    return 0


def is_initialized() -> bool:
    """Return False."""
    return False


def manual_seed(seed: int) -> None:
    """Do nothing: there is no such generator."""


def manual_seed_all(seed: int) -> None:
    """Do nothing: there is no such generator."""


def empty_cache() -> None:
    """Do nothing."""


def current_device() -> int:
    """Refuse: there is no device."""
    raise AssertionError("Torch not compiled with CUDA enabled")


def synchronize(device: Any = None) -> None:
    """Refuse: there is no device."""
    raise AssertionError("Torch not compiled with CUDA enabled")


def get_device_name(device: Any = None) -> str:
    """Refuse: there is no device."""
    raise AssertionError("Torch not compiled with CUDA enabled")
