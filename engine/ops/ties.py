"""The larger and the smaller of two: of equal ones (0 and -0 are) the second, on every machine.

What numpy takes depends on the processor's instructions, and where there are none, as in
WebAssembly, it takes the first.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def settled(choose: Any) -> Any:
    """Return a function like np.maximum or np.minimum that takes the second of equal ones."""
    zero, negative = np.float32(0), np.float32(-0.0)
    if np.signbit(choose(zero, negative)) and not np.signbit(choose(negative, zero)):
        return choose
    if np.signbit(choose(negative, zero)) and not np.signbit(choose(zero, negative)):
        return lambda first, second: choose(second, first)
    return lambda first, second: np.where(first == second, second, choose(first, second))[()]


larger: Any = settled(np.maximum)
smaller: Any = settled(np.minimum)
