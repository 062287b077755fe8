"""The operations, one file per family; importing one registers and binds what it declares."""

from __future__ import annotations

import importlib
import pkgutil

# Order does not matter: rules look up what they call when they first run. Not a family: the rest.
MACHINERY = {
    "accurate", "apply", "argument_kinds", "arguments", "calls", "compact", "expressions", "fast",
    "inplace", "observe", "overwrite", "plain", "plain_arguments", "record", "returns", "rules",
    "samples", "signature", "slot_rule",
}  # fmt: skip


def load() -> None:
    """Import every family, so that every op is in the registry."""
    for found in pkgutil.iter_modules(__path__):
        if found.name not in MACHINERY:
            importlib.import_module(f"{__name__}.{found.name}")
    from engine.ops.kernels import install
    from engine.ops.record import REGISTRY

    install(REGISTRY)
