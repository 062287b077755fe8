"""What `evaluate` waits for has no end of its own; a page that never comes up has to fail."""

from playwright.sync_api import Page

# Two interpreters start on shared cores; a hang is what this ends, slowness is not its business.
PATIENCE = 120_000
READY = """patience => Promise.race([
  window.playground.ready,
  new Promise((_, fail) => setTimeout(fail, patience, new Error("the page never came up"))),
])"""


def wait_until_ready(page: Page) -> None:
    """Wait for the page's Python, and for the run its program had at the start."""
    page.evaluate(READY, PATIENCE)
