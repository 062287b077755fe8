"""The page as one file, opened from a disk with no network at all."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from builder import onefile, places
from tests.browser.waiting import wait_until_ready
from tests.golden.play import normalise, programs

pytestmark = pytest.mark.browser
PROGRAM = next(path for path in programs("seeds") if path.stem.startswith("10_"))
PATIENCE = 120_000


@pytest.fixture
def alone(browser: Browser) -> Iterator[Page]:
    """A page without a network; whatever it asks for besides its own file fails the test."""
    context = browser.new_context(offline=True, accept_downloads=True)
    context.set_default_timeout(PATIENCE)
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    yield context.new_page()
    context.close()
    assert errors == []
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []


def open_file(page: Page, path: Path) -> None:
    page.goto(path.as_uri())
    wait_until_ready(page)


def test_one_file_runs_steps_and_saves_itself_again(alone: Page, tmp_path: Path) -> None:
    folder = Path(os.environ.get("AUTOGRAD_PLAYGROUND_DIST") or places.DIST)
    open_file(alone, folder / onefile.NAME)
    source = PROGRAM.read_text(encoding="utf-8")
    alone.evaluate("text => playground.setCode(text)", source)
    result = alone.evaluate("playground.run()")
    printed = PROGRAM.with_suffix(".out").read_text(encoding="utf-8")
    assert normalise(result["stdout"]) == normalise(printed)
    alone.evaluate("playground.goto(3)")
    shown = alone.evaluate("playground.state()")
    assert shown["step"] == 3

    alone.get_by_role("button", name="Share").click()
    with alone.expect_download() as saved:
        alone.locator("[data-does=file]").click()
    copy = tmp_path / onefile.NAME
    saved.value.save_as(copy)
    open_file(alone, copy)
    assert alone.evaluate("playground.getCode()") == source
    assert alone.evaluate("playground.state()") == shown
    alone.evaluate("playground.goto(playground.state().steps)")
    assert alone.evaluate("playground.state().stdout") == result["stdout"]

    alone.get_by_role("button", name="Help").click()
    link = alone.get_by_role("link", name="Licences")
    expect(link).to_have_attribute("href", re.compile("blob:"))
    with alone.expect_download() as licences:
        link.click()
    assert "numpy 2.0.2, BSD License" in licences.value.path().read_text(encoding="utf-8")


def test_a_linked_program_lives_in_a_frame_of_its_own(alone: Page, tmp_path: Path) -> None:
    folder = Path(os.environ.get("AUTOGRAD_PLAYGROUND_DIST") or places.DIST)
    source = "import torch\nprint(torch.ones(2))"
    address = (folder / onefile.NAME).as_uri() + "#program=" + quote(source)
    alone.goto(address)
    wait_until_ready(alone)
    guest = alone.frame_locator("#guest")
    assert "allow-same-origin" not in (alone.locator("#guest").get_attribute("sandbox") or "")
    assert alone.evaluate("playground.state().stdout") == ""
    assert alone.evaluate("playground.run()")["stdout"] == "tensor([1., 1.])\n"

    guest.get_by_role("button", name="Share").click()
    with alone.expect_download() as saved:
        guest.locator("[data-does=file]").click()
    copy = tmp_path / onefile.NAME
    saved.value.save_as(copy)
    open_file(alone, copy)
    assert alone.evaluate("playground.getCode()") == source
    assert alone.evaluate("playground.state().stdout") == "tensor([1., 1.])\n"
