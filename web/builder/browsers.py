"""Browsers for the tests: a Chrome, Chromium or Edge, and Firefox; installed, or to be had."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from . import machine
from .places import VENV, Failure, say

VARIABLE = "AUTOGRAD_PLAYGROUND_BROWSER"
COMMANDS = (
    "google-chrome",
    "google-chrome-stable",
    "chromium",
    "chromium-browser",
    "microsoft-edge",
    "msedge",
)
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
FIREFOX = "AUTOGRAD_PLAYGROUND_FIREFOX"
FIREFOX_PLACES = (
    "/Applications/Firefox.app/Contents/MacOS/firefox",
    r"C:\Program Files\Mozilla Firefox\firefox.exe",
)
MISSING = (
    "No Chrome, Chromium or Edge was found and none could be installed. Install one (on Debian: "
    f"apt-get install chromium fonts-noto-cjk), or set {VARIABLE} to the path of its program."
)


def browser() -> str:
    """Return a Chromium-like browser's program, installing one if the machine allows it."""
    quick = _installed() or _of_playwright(fetch=False)
    return quick or _from_apt() or _of_playwright(fetch=True) or _missing()


def firefox(fetch: bool = False) -> str:
    """Return an installed Firefox's program, or one from apt if wanted; "" where there is none."""
    if given := os.environ.get(FIREFOX):
        if not Path(given).exists():
            raise Failure(f"{FIREFOX} says {given}, which does not exist")
        return given
    names = ("firefox-esr", "firefox")
    places = [path for name in names if (path := shutil.which(name))]
    found = next((path for path in (*places, *FIREFOX_PLACES) if Path(path).exists()), "")
    if not found and fetch and _from_apt_possible() and _apt(["firefox-esr"]):
        return firefox()
    return found


def _missing() -> str:
    raise Failure(MISSING)


def _installed() -> str:
    given = os.environ.get(VARIABLE)
    if given:
        if not Path(given).exists():
            raise Failure(f"{VARIABLE} says {given}, which does not exist")
        return given
    found = next((path for name in COMMANDS if (path := shutil.which(name))), "")
    return found or next((path for path in PLACES if Path(path).exists()), "")


def _of_playwright(fetch: bool) -> str:
    """Return Playwright's own Chromium, fetched if wanted and if its server answers."""
    code = (
        "from playwright.sync_api import sync_playwright as p\n"
        "with p() as play: print(play.chromium.executable_path)"
    )
    python = str(machine.venv_python())
    path = machine.run([python, "-c", code], "Asking Playwright for its browser").strip()
    # Once refused, the next run would wait for the same refusal again.
    refused = VENV / "no-playwright-browser"
    if fetch and not Path(path).exists() and not refused.exists():
        say("No browser is installed; trying Playwright's own")
        try:
            command = [python, "-m", "playwright", "install", "chromium"]
            subprocess.run(command, timeout=600, capture_output=True, check=False)
        except subprocess.TimeoutExpired:
            refused.touch()
    return path if Path(path).exists() else ""


def _from_apt_possible() -> bool:
    return bool(shutil.which("apt-get")) and hasattr(os, "geteuid") and os.geteuid() == 0


def _from_apt() -> str:
    if not _from_apt_possible() or not _apt(["chromium", "fonts-noto-cjk"]):
        return ""
    return shutil.which("chromium") or ""


def fonts() -> None:
    """See to it that Chinese text has glyphs, or say that it has none."""
    if not sys.platform.startswith("linux") or not shutil.which("fc-list"):
        return
    listed = subprocess.run(["fc-list", ":lang=zh"], capture_output=True, text=True).stdout
    if listed.strip() or (_from_apt_possible() and _apt(["fonts-noto-cjk"])):
        return
    say("No font with Chinese characters is installed: pictures of Chinese pages will show boxes")


def _apt(packages: list[str]) -> bool:
    say(f"Installing {' '.join(packages)} with apt-get")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "--yes", "--no-install-recommends", *packages]
    for command in (["apt-get", "update"], install):
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode:
            say(f"  {' '.join(command)} failed: {done.stderr.strip()[-300:]}")
            return False
    return True
