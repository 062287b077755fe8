"""torch.backends: what programs look at before they choose a device."""

from __future__ import annotations


class _Absent:
    """A backend that is not there; its switches can be set and mean nothing."""

    deterministic = False
    benchmark = False
    enabled = False
    allow_tf32 = False

    @staticmethod
    def is_available() -> bool:
        """Return False."""
        return False

    @staticmethod
    def is_built() -> bool:
        """Return False."""
        return False


class cudnn(_Absent):
    """torch.backends.cudnn."""


class mps(_Absent):
    """torch.backends.mps."""


class mkldnn(_Absent):
    """torch.backends.mkldnn."""


class cuda(_Absent):
    """torch.backends.cuda."""
