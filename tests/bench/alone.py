"""The engine's time for each workload without other contenders, for comparing two Pythons.

    python -m tests.bench.alone [ROUNDS]

prints seconds by title as JSON. The least of several rounds: inside Pyodide there is no clock of
CPU time, and whatever else the machine does only ever adds to the time on the wall.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import engine
from tests.bench.networks import NETWORKS
from tests.bench.workloads import CHAINS

LONG_ENOUGH = 0.004  # seconds; shorter than the turn a busy machine gives a process


def one_round(work: Callable[[], Any], times: int) -> float:
    """Return the time of one call, over several."""
    start = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - start) / times


def times(rounds: int = 25) -> dict[str, float]:
    """Return the least time of each workload, by its title."""
    found = {}
    for kind in sorted((*CHAINS, *NETWORKS), key=lambda k: k.title):
        work = kind().torchlike(engine)
        for _ in range(3):  # until every operation has its specialised form
            work()
        gc.collect()
        often = max(1, int(LONG_ENOUGH / one_round(work, 1)))
        found[kind.title] = min(one_round(work, often) for _ in range(rounds))
    return found


if __name__ == "__main__":
    print(json.dumps(times(*map(int, sys.argv[1:]))))
