"""After the first visit the page needs no server; a new release replaces the old one whole."""

import json
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from builder import offline, places, serve
from tests.browser.waiting import wait_until_ready

pytestmark = pytest.mark.browser
KEPT = "navigator.serviceWorker.ready.then(registration => registration.active.state)"
RELEASES = "caches.keys().then(names => names.filter(name => name.startsWith('autograd-')))"


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    new = browser.new_context(viewport={"width": 1440, "height": 900})
    new.set_default_timeout(120_000)
    yield new
    new.close()


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A copy of dist/ that a test may change."""
    folder = Path(os.environ.get("AUTOGRAD_PLAYGROUND_DIST") or places.DIST)
    shutil.copytree(folder, tmp_path / "sub/path", ignore=shutil.ignore_patterns("*.gz"))
    return tmp_path


class Site:
    def __init__(self, folder: Path) -> None:
        self.server = serve.server(folder)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/sub/path/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    wait_until_ready(page)
    return page


def test_the_second_visit_needs_no_server(context: BrowserContext, release: Path) -> None:
    site = Site(release)
    first = opened(context.new_page(), site.address)
    first.evaluate(KEPT)
    first.close()
    site.stop()
    again = opened(context.new_page(), site.address)
    source = (
        "import torch\nx = torch.tensor(3., requires_grad=True)\n(x * x).backward()\nprint(x.grad)"
    )
    again.evaluate("text => playground.setCode(text)", source)
    assert again.evaluate("playground.run()")["stdout"] == "tensor(6.)\n"


def renew(release: Path) -> None:
    """Put another release in the place of this one: its first element tells."""
    folder = release / "sub/path"
    index = folder / "index.html"
    text = index.read_text(encoding="utf-8")
    index.write_text(text.replace("<html ", '<html data-newer="" ', 1), encoding="utf-8")
    (folder / offline.NAME).unlink()
    offline.write(folder)


def test_a_new_release_comes_whole_or_not_at_all(context: BrowserContext, release: Path) -> None:
    site = Site(release)
    page = opened(context.new_page(), site.address)
    page.evaluate(KEPT)
    [old] = page.evaluate(RELEASES)
    renew(release)
    installed = """navigator.serviceWorker.getRegistration().then(async registration => {
        await registration.update()
        const coming = registration.installing ?? registration.waiting
        if (coming.state !== "installed") await new Promise(done =>
          coming.addEventListener("statechange", done, {once: true}))
        return coming.state})"""
    assert page.evaluate(installed) == "installed"
    assert old in page.evaluate(RELEASES)
    watcher = context.new_page()  # outside the scope, so no page of the old release
    watcher.goto(site.address.removesuffix("sub/path/"))
    activated = """navigator.serviceWorker.getRegistration('/sub/path/').then(({waiting}) =>
        new Promise(done => {
          waiting.addEventListener("statechange", () =>
            waiting.state === "activated" && done("activated"))
          document.title = "watching"}))"""
    watcher.evaluate(f"window.activated = {activated}; 0")
    watcher.wait_for_function("document.title === 'watching'")
    page.close()  # the last page of the old release
    assert watcher.evaluate("window.activated") == "activated"
    assert old not in watcher.evaluate(RELEASES)
    site.stop()
    after = opened(context.new_page(), site.address)
    assert after.evaluate("'newer' in document.documentElement.dataset")


def test_a_release_that_lacks_a_file_is_not_taken(context: BrowserContext, release: Path) -> None:
    site = Site(release)
    page = opened(context.new_page(), site.address)
    page.evaluate(KEPT)
    before = page.evaluate(RELEASES)
    worker = release / "sub/path" / offline.NAME
    first, rest = worker.read_text(encoding="utf-8").split("\n", 1)
    told = json.loads(first.removeprefix("self.RELEASE = ").removesuffix(";"))
    told = {"version": "half", "files": [*told["files"], "assets/missing.js"]}
    worker.write_text(f"self.RELEASE = {json.dumps(told)};\n{rest}", encoding="utf-8")
    refused = """navigator.serviceWorker.getRegistration().then(async registration => {
        await registration.update()
        const coming = registration.installing
        while (coming.state === "installing") await new Promise(done =>
          coming.addEventListener("statechange", done, {once: true}))
        return coming.state})"""
    assert page.evaluate(refused) == "redundant"
    assert page.evaluate(RELEASES) == before
    site.stop()


def test_reset_leaves_nothing_behind(context: BrowserContext, release: Path) -> None:
    site = Site(release)
    page = opened(context.new_page(), site.address)
    page.evaluate(KEPT)
    page.close()
    after = opened(context.new_page(), f"{site.address}?reset")
    assert after.evaluate(RELEASES) == []
    site.stop()
