"""Times how long pages take to open: `page.py JSON`, called by `build.py bench page`."""

from __future__ import annotations

import json
import sys

from playwright.sync_api import Browser, sync_playwright

FLAGS = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
PATIENCE = 120_000
# The time origin is the navigation; a state with another step came from Python.
MEASURE = """async () => {
  const playground = window.playground;
  await playground.ready;
  const before = playground.state().step;
  document.querySelector("#prev").click();
  while (playground.state().step === before) await new Promise((done) => setTimeout(done, 2));
  await new Promise(requestAnimationFrame);
  return performance.now();
}"""


def opened(browser: Browser, address: str) -> float:
    """Open a page in a fresh profile and return its time in milliseconds."""
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(address)
        return float(page.evaluate(MEASURE))


def main() -> None:
    """Open every address in turn, as often as asked, and print all times."""
    given = json.loads(sys.argv[1])
    times: dict[str, list[float]] = {name: [] for name in given["addresses"]}
    with (
        sync_playwright() as play,
        play.chromium.launch(executable_path=given["browser"], args=FLAGS) as browser,
    ):
        for _ in range(given["runs"]):
            for name, address in given["addresses"].items():
                times[name].append(opened(browser, address))
    print(json.dumps(times))


if __name__ == "__main__":
    main()
