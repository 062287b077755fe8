"""A real Chromium on the built page; what reaches for another origin or breaks fails the test."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from builder import browsers, places, serve
from tests.browser.waiting import PATIENCE, wait_until_ready

FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # No name but the test server's address leads anywhere.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
HARMLESS = ("blob:", "data:", "about:")
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """Serve dist/ and give its address."""
    folder = Path(os.environ.get("AUTOGRAD_PLAYGROUND_DIST") or places.DIST)
    assert (folder / "index.html").exists(), "build first: python3 build.py build"
    with serve.server(folder) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as play:
        program = browsers.browser()
        with play.chromium.launch(executable_path=program, args=[*FLAGS]) as running:
            yield running


@pytest.fixture
def context(browser: Browser, site: str) -> Iterator[BrowserContext]:
    """A fresh profile; its pages, their frames and workers may ask only the test server."""
    wrong: list[str] = []
    new = browser.new_context(viewport={"width": 1440, "height": 900})
    new.set_default_timeout(PATIENCE)

    def request(asked) -> None:  # type: ignore[no-untyped-def]
        if not asked.url.startswith((site, *HARMLESS)):
            wrong.append(f"asked for {asked.url}")

    def console(message) -> None:  # type: ignore[no-untyped-def]
        if message.type == "error":
            wrong.append(f"console: {message.text}")

    new.on("request", request)
    new.on("console", console)
    new.on("weberror", lambda error: wrong.append(f"error: {error.error}"))
    yield new
    new.close()
    assert wrong == []


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.fixture
def playground(page: Page, site: str) -> Page:
    """The page at its start, its Python up and the first example run."""
    page.goto(site)
    wait_until_ready(page)
    return page
