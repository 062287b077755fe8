"""What `evaluate` waits for has no end of its own; a page that never comes up has to fail."""

from playwright.sync_api import Page

# Two interpreters start on shared cores; a hang is what this ends, slowness is not its business.
PATIENCE = 120_000
READY = "window.playground.ready"
KEPT = """navigator.serviceWorker.controller ?? new Promise(done =>
  navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }))"""
IN_TIME = """patience => Promise.race([
  Promise.resolve(%s).then(() => null),
  new Promise((_, fail) => setTimeout(fail, patience, new Error("waited in vain"))),
])"""


def wait_until_ready(page: Page) -> None:
    """Wait for the page's Python, and for the run its program had at the start."""
    page.evaluate(IN_TIME % READY, PATIENCE)


def wait_until_kept(page: Page) -> None:
    """Wait until the page needs no network: nothing of it is on its way any more."""
    page.evaluate(IN_TIME % KEPT, PATIENCE)
