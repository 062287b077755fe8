"""Modules without initial values (torch.nn.utils.skip_init)."""

from __future__ import annotations

from typing import Any

from engine.random import fork_rng

from ..modules.module import Module


def skip_init(module_cls: type[Module], *args: Any, **kwargs: Any) -> Module:
    """Make a module whose parameters hold whatever they hold; nothing is drawn."""
    with fork_rng():
        return module_cls(*args, **kwargs)
