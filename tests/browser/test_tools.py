"""The very lines of docs/how-to/embed.md, in pages made by the tools it names."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from builder import machine, places, serve
from builder.places import Failure

pytestmark = pytest.mark.browser
HOW_TO = places.ROOT / "docs/how-to/embed.md"
REQUIREMENTS = places.ROOT / "tests/browser/tools.txt"
EXAMPLE = "https://example.org/playground/"
PATIENCE = 120_000


def snippet(heading: str, site: str) -> str:
    """The first block of code below a heading, with the address of this site."""
    section = HOW_TO.read_text(encoding="utf-8").split(f"# {heading}\n")[1]
    fence = re.search(r"^(`{3,})\w*\n(.*?)^\1$", section, re.MULTILINE | re.DOTALL)
    assert fence and EXAMPLE in fence[2]
    return fence[2].replace(EXAMPLE, site)


@functools.cache
def tools() -> Path:
    """The folder with the tools, installed once; a test without them is skipped."""
    wanted = places.digest(REQUIREMENTS.read_bytes(), sys.version)[:16]
    folder = places.WORK / f"tools-{wanted}"
    if not folder.exists():
        part = folder.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        into = ["install", "--quiet", "--target", str(part), "-r", str(REQUIREMENTS)]
        try:
            machine.pip(into, "Installing tests/browser/tools.txt")
        except Failure as error:
            pytest.skip(f"the tools cannot be installed here: {str(error)[-200:]}")
        os.replace(part, folder)
    return folder


def made_with(module: str, *arguments: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(tools())}
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def html(lines: str, folder: Path) -> None:
    (folder / "index.html").write_text(f"<!doctype html><title>A</title>{lines}", encoding="utf-8")


def sphinx(name: str, lines: str, folder: Path, extensions: str) -> None:
    source = folder / "source"
    source.mkdir()
    (source / "conf.py").write_text(f"project = 'A'\nextensions = {extensions}\n", encoding="utf-8")
    (source / name).write_text(lines, encoding="utf-8")
    made_with("sphinx", "-q", "-W", str(source), str(folder))


def rst(lines: str, folder: Path) -> None:
    sphinx("index.rst", f"A page\n======\n\n{lines}", folder, "[]")


def myst(lines: str, folder: Path) -> None:
    sphinx("index.md", f"# A page\n\n{lines}", folder, "['myst_parser']")


def mkdocs(lines: str, folder: Path) -> None:
    (folder / "docs").mkdir()
    (folder / "docs/index.md").write_text(f"# A page\n\n{lines}", encoding="utf-8")
    config = folder / "mkdocs.yml"
    config.write_text(f"site_name: A\nsite_dir: {folder / 'site'}\n", encoding="utf-8")
    made_with("mkdocs", "build", "--quiet", "--strict", "--config-file", str(config))
    shutil.copytree(folder / "site", folder, dirs_exist_ok=True)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with browser.new_context(viewport={"width": 1000, "height": 800}) as context:
        context.set_default_timeout(PATIENCE)
        yield context.new_page()


@pytest.fixture
def course(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder on a server of another origin, and its address."""
    with serve.server(tmp_path) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield tmp_path, f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@pytest.mark.parametrize(
    ("heading", "made"),
    [
        ("One tag", html),
        ("Sphinx, reStructuredText", rst),
        ("Sphinx, MyST Markdown", myst),
        ("MkDocs", mkdocs),
    ],
)
def test_the_tag_runs_in_what_the_tool_makes(
    page: Page,
    site: str,
    course: tuple[Path, str],
    heading: str,
    made: Callable[[str, Path], None],
) -> None:
    folder, address = course
    made(snippet(heading, site), folder)
    page.goto(address)
    element = page.locator("autograd-playground")
    element.get_by_role("button", name="Run").click()
    result = element.evaluate("element => element.call('run')")
    assert result["error"] is None
    assert result["stdout"] == "tensor([2., 4., 6.])\n"


def runs(frame: FrameLocator) -> None:
    frame.get_by_role("button", name="Run", exact=True).click()
    expect(frame.locator("#position-short")).to_have_text(re.compile(r"^\d+ / [1-9]"))


def test_the_iframe_runs_in_a_page_that_allows_frames_and_no_scripts(
    page: Page, site: str, course: tuple[Path, str]
) -> None:
    folder, address = course
    policy = f"default-src 'self'; script-src 'none'; frame-src {site}"
    rule = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    html(rule + snippet("An iframe", site), folder)
    page.goto(address)
    runs(page.frame_locator("iframe").frame_locator("#guest"))


def test_the_iframe_runs_where_a_platform_closes_it(
    page: Page, site: str, course: tuple[Path, str]
) -> None:
    folder, address = course
    html(snippet("An iframe", site).replace("<iframe ", '<iframe sandbox="allow-scripts" '), folder)
    page.goto(address)
    runs(page.frame_locator("iframe"))
