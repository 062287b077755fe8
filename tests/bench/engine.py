"""How long the engine takes, beside hand-written numpy, PyTorch, HIPS autograd and micrograd.

    python -m tests.bench.engine [--rounds N] [--only a,b]

Contenders that cannot be imported are left out with a note. Gradients are compared before anything
is timed. Figures are ratios of CPU time on one thread, taken in turns: the engine's median over the
other's; below 1 the engine is faster.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import sys
import time
import tracemalloc
from collections.abc import Callable
from statistics import median
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import engine
from tests.bench.networks import NETWORKS
from tests.bench.workloads import CHAINS, VectorChain, Work

OTHERS = ("numpy", "torch", "hips", "micrograd")
WIDTH = 24  # of a column
verdicts: dict[str, bool] = {}  # whether each target was met
TARGETS = {  # engine's time over numpy's, torch's, HIPS autograd's and micrograd's
    "a": (10, 0.30, 0.09, 0.80), "b": (5, 0.58, 0.23, None), "c": (3, 0.38, 0.20, 0.001),
    "d": (1.35, 0.80, 0.45, None), "e": (20, 0.28, 0.10, 0.50), "f": (17, 0.20, 0.07, None),
    "g": (14, 0.27, 0.05, 0.55), "h": (2.6, None, 0.22, 0.52),
}  # fmt: skip


def contenders() -> dict[str, Any]:
    """Import who is there."""
    found: dict[str, Any] = {"numpy": np, "engine": engine}
    wanted = {"torch": "torch", "hips": "autograd.numpy", "micrograd": "micrograd.engine"}
    for name, module in wanted.items():
        try:
            imported = importlib.import_module(module)
        except ImportError:
            print(f"{name} is not installed and left out")
            continue
        found[name] = imported.Value if name == "micrograd" else sys.modules[module.split(".")[0]]
    if "torch" in found:
        found["torch"].set_num_threads(1)
    return found


def works(workload: Any, who: dict[str, Any]) -> dict[str, Work]:
    """Return what each contender does for a workload."""
    made: dict[str, Work] = {}
    for name, module in who.items():
        method = getattr(workload, "torchlike" if name in ("torch", "engine") else name, None)
        if method is not None:
            made[name] = method() if name == "numpy" else method(module)
    return made


def as_array(value: Any) -> Any:
    """Return a gradient of any contender as an array."""
    return np.asarray(value.tolist() if hasattr(value, "tolist") else value, np.float64)


def check_equal(title: str, made: dict[str, Work]) -> None:
    """Refuse to time contenders that compute different gradients."""
    expected = [as_array(g) for g in made["numpy"]()]
    for name, work in made.items():
        for want, got in zip(expected, work(), strict=False):
            if not np.allclose(as_array(got), want, rtol=2e-3, atol=1e-5):
                raise SystemExit(f"{title}: {name} computes other gradients than numpy")


def cpu_time(work: Callable[[], Any], times: int) -> float:
    """Return the CPU time of one call, over several."""
    gc.collect()
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times


def measure(made: dict[str, Work], rounds: int) -> dict[str, float]:
    """Return each contender's median CPU time, taken in turns."""
    times = {}
    for name, work in made.items():
        work()
        once = max(cpu_time(work, 1), 1e-6)
        times[name] = max(1, min(200, int(0.05 / once)))
    taken: dict[str, list[float]] = {name: [] for name in made}
    for _ in range(rounds):
        for name, work in made.items():
            taken[name].append(cpu_time(work, times[name]))
    return {name: median(values) for name, values in taken.items()}


def row(title: str, ratios: dict[str, float | None]) -> str:
    """Return a line of the table, with the target beside each ratio."""
    cells = []
    for name, target in zip(OTHERS, TARGETS[title[0]], strict=True):
        ratio = ratios.get(name)
        if ratio is None:
            cells.append(" " * WIDTH)
            continue
        verdict = "" if target is None else f" of {target:g} {judged(title, name, ratio <= target)}"
        cells.append(f"{f'{ratio:.3g}{verdict}':>{WIDTH}}")
    return f"{title:<38}" + "".join(cells)


def judged(title: str, name: str, met: bool) -> str:
    """Return the verdict on a ratio, and remember it for the last line."""
    verdicts[f"{title[0]} / {name}"] = met
    return "met   " if met else "MISSED"


def recorded_bytes(work: Callable[[], Any]) -> float:
    """Return the traced memory that the result of a forward pass holds."""
    work()
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = work()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del kept
    return after - before


def memory(who: dict[str, Any]) -> str:
    """Return the line about memory: a (4,) chain, and for micrograd a chain of numbers."""
    chain = VectorChain()
    x, w, b = chain.arrays

    def by_hand() -> Any:
        kept = [x]
        for _ in range(chain.loops):
            kept.append(kept[-1] * w)
            kept.append(kept[-1] + b)
            kept.append(np.tanh(kept[-1]))
            kept.append(kept[-1] * np.float32(0.9))
        return kept

    def tensors(shape: tuple[int, ...], ops: bool) -> Any:
        leaves = [engine.full(shape, v, requires_grad=True) for v in (0.5, 0.9, 0.1)]
        if ops:
            return lambda: chain.forward(*leaves, engine.tanh)
        return lambda: CHAINS[0]().forward(*leaves)

    mine = recorded_bytes(tensors((4,), True))
    ratios: dict[str, float | None] = {"numpy": mine / recorded_bytes(by_hand)}
    if "hips" in who:
        ratios["hips"] = mine / recorded_bytes(lambda: hips_graph(who["hips"], chain))
    if "micrograd" in who:
        values = [who["micrograd"](v) for v in (0.5, 0.9, 0.1)]
        theirs = recorded_bytes(lambda: CHAINS[0]().forward(*values))
        ratios["micrograd"] = recorded_bytes(tensors((), False)) / theirs
    return row("h. traced bytes per recorded node", ratios)


def hips_graph(autograd: Any, chain: VectorChain) -> Any:
    """Record the chain with HIPS autograd, without its backward pass."""
    core = importlib.import_module("autograd.core")
    anp = autograd.numpy
    return core.make_vjp(lambda y: chain.forward(y, *chain.arrays[1:], anp.tanh), chain.arrays[0])


def cost_of_watching(rounds: int) -> str:
    """Return what the test for an observer costs when there is none, in percent.

    It is little, so the least of many short times is compared, and both sides are made anew.
    """
    from engine.ops import fast

    head = fast.OPERATOR_HEAD
    operators = {"__mul__": "mul", "__add__": "add"}
    forms: list[dict[str, Any]] = []
    for tested in (True, False):
        fast.OPERATOR_HEAD = head if tested else head.splitlines(keepends=True)[0]
        ops = {name: engine.ops.record.REGISTRY[op] for name, op in operators.items()}
        forms.append({n: fast.build(op, op.forms.general)["operator"] for n, op in ops.items()})
    fast.OPERATOR_HEAD = head
    before = {name: engine.Tensor.__dict__[name] for name in operators}
    work = CHAINS[0]().torchlike(engine)
    least = [float("inf"), float("inf")]
    for _ in range(rounds * 20):
        for side in (0, 1):
            for name, form in forms[side].items():
                setattr(engine.Tensor, name, form)
            work()
            least[side] = min(least[side], cpu_time(work, 2))
    for name, form in before.items():
        setattr(engine.Tensor, name, form)
    percent = 100 * (least[0] / least[1] - 1)
    return f"recording with no observer costs {percent:.1f} % (at most 3)"


def main(arguments: list[str] | None = None) -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", default="abcdefgh", help="letters of the workloads")
    options = parser.parse_args(arguments)
    sys.setrecursionlimit(200_000)  # micrograd sorts its graph recursively
    who = contenders()
    gc.collect()
    gc.freeze()
    print("the engine's CPU time over that of …, of the most it may be")
    print(f"{'':<38}" + "".join(f"{name:>{WIDTH}}" for name in OTHERS))
    for kind in sorted((*CHAINS, *NETWORKS), key=lambda k: k.title):
        if kind.title[0] not in options.only:
            continue
        made = works(kind(), who)
        check_equal(kind.title, made)
        slow = made.pop("micrograd") if "micrograd" in made and kind.title[0] == "c" else None
        taken = measure(made, options.rounds)
        if slow is not None:
            taken["micrograd"] = cpu_time(slow, 1)
        ratios = {name: taken["engine"] / t for name, t in taken.items() if name != "engine"}
        print(row(kind.title, ratios), flush=True)
    if "h" in options.only:
        print(memory(who))
        print(cost_of_watching(options.rounds))
    missed = [name for name, met in verdicts.items() if not met]
    print(
        f"{len(verdicts) - len(missed)} of {len(verdicts)} met; missed: {', '.join(missed) or '-'}"
    )


if __name__ == "__main__":
    main()
