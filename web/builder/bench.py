"""`build.py bench`: how fast the page opens, and how fast the engine is, as ratios of one run."""

import json
import subprocess
import threading
from contextlib import ExitStack

from . import archives, assemble, browsers, cut, inputs, machine, serve
from .places import DIST, ROOT, WORK, Failure, say

RUNS = 5
ROUNDS = 25  # of each of the engine's workloads
PYODIDE_TARGET = 2.6  # times as long as CPython
ROWS = {
    "snapshot": "this page",
    "cut": "this page without its snapshot",
    "bytecode": "all packages compiled, unpacked and imported",
    "source": "all packages as they are published",
}
BASES = ("bytecode", "source")


def run(what: str, runs: int = RUNS) -> None:
    """Measure the page or the engine and print a table."""
    machine.require(ROOT / "tests/requirements.txt")
    if what == "engine":
        command = [str(machine.venv_python()), "-m", "tests.bench.engine"]
        if subprocess.run(command, cwd=ROOT).returncode:
            raise Failure("The engine's benchmark failed.")
        browser_python()
    elif what == "steps":
        steps(runs)
    else:
        page(runs)


def browser_python() -> None:
    """Print how much longer the engine's workloads take in Pyodide than on this machine's Python.

    Here they are timed before and after, so that a busy minute spoils neither side alone.
    """
    outside = machine_python()
    inside = pyodide()
    outside = {title: min(least, again) for (title, least), again in
               zip(outside.items(), machine_python().values(), strict=True)}  # fmt: skip
    say(
        f"\nThe engine in Pyodide, over the same on this Python; at most {PYODIDE_TARGET} but in d,"
    )
    say("where numpy has no BLAS")
    say(f"{'ms':<38}{'Pyodide':>10}{'CPython':>10}{'ratio':>8}")
    for title, seconds in inside.items():
        ratio = seconds / outside[title]
        verdict = (
            "" if title.startswith("d.") else "  met" if ratio <= PYODIDE_TARGET else "  MISSED"
        )
        columns = f"{1000 * seconds:10.3f}{1000 * outside[title]:10.3f}{ratio:8.2f}"
        say(f"{title:<38}{columns}{verdict}")


def machine_python() -> dict[str, float]:
    """Return seconds by workload on this machine's Python."""
    command = [str(machine.venv_python()), "-m", "tests.bench.alone", str(ROUNDS)]
    found: dict[str, float] = json.loads(machine.run(command, "Timing the engine"))
    return found


def pyodide() -> dict[str, float]:
    """Return seconds by workload in Pyodide under Node.js."""
    entries = [e for e in inputs.locked() if e.file.endswith(".whl") or e.name == "pyodide"]
    inputs.fetch(entries)
    runtime = next(e for e in entries if e.name == "pyodide")
    wheels = [e for e in entries if e.file.endswith(".whl")]
    WORK.mkdir(exist_ok=True)
    found: dict[str, float] = archives.run_in_pyodide(
        archives.unpacked(runtime),
        "bench_job.py",
        "Timing the engine in Pyodide",
        mounts={"/repo": str(ROOT), "/site": str(cut.site(archives.packages(wheels, runtime), {}))},
        path=["/repo", "/site"],
        input=ROUNDS,
    )
    return found


def page(runs: int) -> None:
    """Open every kind of page in turn, each time in a fresh profile, and compare medians.

    Measured is the time from navigation until a press of a button, made while the page was opening,
    has gone through Python and come back; until the first program is drawn, without and with such a
    press; and until a press of Previous step after that has come back. Of this page also: from Stop
    to the next program's result, and a second visit without a network.
    """
    addresses = {}
    with ExitStack() as stack:
        for kind in ROWS:
            folder = DIST if kind == "snapshot" else WORK / "bench" / kind
            folder.parent.mkdir(parents=True, exist_ok=True)
            assemble.build(folder, kind)
            server = stack.enter_context(serve.server(folder))
            threading.Thread(target=server.serve_forever, daemon=True).start()
            stack.callback(server.shutdown)
            addresses[kind] = f"http://127.0.0.1:{server.server_address[1]}/"
        given = {"browser": browsers.browser(), "addresses": addresses, "runs": runs}
        given["whole"] = ["snapshot"]
        script = ROOT / "tests/bench/page.py"
        command = [str(machine.venv_python()), str(script), json.dumps(given)]
        times = json.loads(machine.run(command, "Measuring the page"))
    _table(times, runs)


def steps(runs: int) -> None:
    """Draw graphs of several sizes in the built page, and step through them."""
    assemble.build(DIST)
    with serve.server(DIST) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/"
        given = {"browser": browsers.browser(), "address": address, "runs": runs}
        command = [str(machine.venv_python()), "-m", "tests.bench.steps", json.dumps(given)]
        try:
            if subprocess.run(command, cwd=ROOT).returncode:
                raise Failure("The steps' benchmark failed.")
        finally:
            server.shutdown()


MEASURES = {
    "click": "a press while opening answered",
    "then drawn": "… and the first program drawn",
    "drawn": "the first program drawn",
    "step": "… and a press of Previous answered",
    "after Stop": "from Stop to the next result",
    "second visit": "all of it again, without a network",
}


def _table(times: dict[str, dict[str, list[float]]], runs: int) -> None:
    say(f"\nCold start, milliseconds, median of {runs}, interleaved")
    for what, words in MEASURES.items():
        say(f"\n{words}")
        medians = {k: sorted(t[what])[len(t[what]) // 2] for k, t in times.items() if what in t}
        for kind, median in medians.items():
            values = times[kind][what]
            span = f"{min(values):.0f}..{max(values):.0f}"
            ratios = [f"{median / medians[of]:.2f} of {of}" for of in BASES if of in medians]
            say(f"{median:8.0f} {span:>15}  {kind}: {ROWS[kind]}; {', '.join(ratios)}")
