"""`build.py test`: style, types, tests on this Python and in Pyodide, then a real browser."""

import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from . import archives, assemble, browsers, cut, inputs, machine, page
from .places import ROOT, WORK, Failure, say

# Run inside Pyodide or tied to Panel: not held to strict types.
UNTYPED = r"(_job\.py$|playground/views/|playground/app\.py)"


def run(sections: list[str], arguments: list[str]) -> bool:
    """Run the named sections, or all; return whether everything passed."""
    chosen = {name: SECTIONS[name] for name in (sections or SECTIONS)}
    machine.require(ROOT / "tests/requirements.txt")
    results = {}
    for name, section in chosen.items():
        say(f"\n== {name}")
        begun = time.monotonic()
        passed = section(arguments)
        results[name] = f"{'passed' if passed else 'FAILED'} in {time.monotonic() - begun:.0f} s"
    say("")
    for name, result in results.items():
        say(f"{name:12} {result}")
    return not any(result.startswith("FAILED") for result in results.values())


def _call(command: list[str], **extra: str) -> bool:
    """Run a tool with its output on the terminal; numerical libraries get one thread each."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1", **extra}
    return subprocess.run(command, cwd=ROOT, env=environment).returncode == 0


def _tool(*command: str) -> bool:
    return _call([str(machine.venv_python()), "-m", *command])


def style(_arguments: list[str]) -> bool:
    """Check Python with ruff and JavaScript with Biome."""
    entries = [e for e in inputs.locked() if e.platform == machine.platform_name()]
    inputs.fetch(entries)
    biome = page.tool(entries, "@biomejs/cli", "biome")
    python = _tool("ruff", "check") and _tool("ruff", "format", "--check", "--quiet")
    return _call([biome, "check", "web", "--reporter=summary"]) and python


def types(_arguments: list[str]) -> bool:
    """Check types strictly, wherever neither Panel nor Pyodide is imported."""
    return _tool(
        "mypy", "--exclude", UNTYPED, "engine", "web/playground", "web/builder", "build.py"
    )


def _pytest(folder: str) -> Callable[[list[str]], bool]:
    def section(arguments: list[str]) -> bool:
        return _tool("pytest", f"tests/{folder}", *arguments)

    return section


def playground(arguments: list[str]) -> bool:
    """Run the page's tests that need no browser; those of the layout call the layout library."""
    entries = [e for e in inputs.locked() if e.file.endswith(".tgz") and e.use == "page"]
    inputs.fetch(entries)
    page.node_modules(entries)
    # Panel and Bokeh are not installed here: the views are tested in Pyodide, where they run.
    return _tool("pytest", "tests/playground", "--ignore-glob=*/test_views_*", *arguments)


def pyodide(arguments: list[str]) -> bool:
    """Run the tests of engine and playground inside Pyodide, where they have to hold."""
    entries = [e for e in inputs.locked() if e.file.endswith(".whl") or e.name == "pyodide"]
    inputs.fetch(entries)
    runtime = next(e for e in entries if e.name == "pyodide")
    wheels = [e for e in entries if e.file.endswith(".whl")]
    site = cut.site(archives.packages(wheels, runtime), {})
    tools = next(machine.venv_python().parents[1].rglob("site-packages"))
    job = WORK / "pytest.json"
    WORK.mkdir(exist_ok=True)
    mounts = {"/repo": ROOT, "/site": site, "/tools": tools}
    archives.write_job(
        job,
        pyodide=archives.unpacked(runtime),
        script=Path(__file__).with_name("pytest_job.py"),
        mounts={inside: str(outside) for inside, outside in mounts.items()},
        path=["/repo", "/repo/web", "/site"],
        # The layout's tests start Node.js, which nothing inside Pyodide can.
        input=["tests/engine", "tests/playground", "--ignore-glob=*/test_layout*", *arguments],
    )
    return _call([machine.node(), str(archives.RUNNER), str(job)])


def browser(arguments: list[str]) -> bool:
    """Build dist/ and test it in a real browser, and the main things in Firefox too."""
    browsers.fonts()
    found = browsers.browser()
    if not browsers.firefox(fetch=True):
        say(f"No Firefox: its tests are skipped. Install it, or set {browsers.FIREFOX}")
    assemble.build()
    say(f"Testing in {found}")
    python = str(machine.venv_python())
    return _call(
        [python, "-m", "pytest", "tests/browser", *arguments], **{browsers.VARIABLE: found}
    )


def fuzz(arguments: list[str]) -> None:
    """Compare random programs with PyTorch, in the environment of whoever has PyTorch installed."""
    if importlib.util.find_spec("torch") is None:
        raise Failure(f"{sys.executable} has no PyTorch: start build.py fuzz with one that has it")
    if not _call([sys.executable, "-m", "tests.fuzz", *arguments]):
        raise Failure("the fuzzer found differences")


SECTIONS: dict[str, Callable[[list[str]], bool]] = {
    "style": style,
    "types": types,
    "engine": _pytest("engine"),
    "playground": playground,
    "build": _pytest("build"),
    "pyodide": pyodide,
    "browser": browser,
}


def check_names(names: list[str]) -> None:
    """Raise Failure for a section that does not exist."""
    for name in names:
        if name not in SECTIONS:
            raise Failure(f"There is no section {name}; there are {', '.join(SECTIONS)}")
