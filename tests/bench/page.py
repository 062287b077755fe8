"""Times how long pages take to open: `page.py JSON`, called by `build.py bench page`."""

from __future__ import annotations

import json
import sys

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

FLAGS = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
PATIENCE = 120_000
# The time origin is the navigation. Who speaks another language before anything ran: words in the
# panels are Python's, so they change when the press has gone through it.
FIRST_CLICK = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const chinese = (node) => [...(node.shadowRoot ?? node).childNodes].some((child) =>
    child.nodeType === 3 ? /[\\u4e00-\\u9fff]/.test(child.data)
      : child.localName !== "style" && chinese(child));
  while (!window.playground) await frame();
  document.querySelector("[data-language=zh]").click();
  while (![...document.querySelectorAll("[id^=view-]")].some(chinese)) await frame();
  await frame();
  return performance.now();
}"""
READY = (
    "playground.ready.then(() => new Promise(requestAnimationFrame)).then(() => performance.now())"
)
# A state with another step came from Python.
STEP = """async () => {
  const before = playground.state().step;
  document.querySelector("#prev").click();
  while (playground.state().step === before) await new Promise((done) => setTimeout(done, 2));
  await new Promise(requestAnimationFrame);
  return performance.now();
}"""
# From a press of Stop, of a program without end, to the result of the next.
STOP = """async () => {
  playground.setCode("import itertools\\nsum(itertools.count())");
  const ended = playground.run();
  const stop = document.querySelector("#stop");
  while (stop.disabled) await new Promise(requestAnimationFrame);
  await new Promise((done) => setTimeout(done, 500));
  const begun = performance.now();
  stop.click();
  await ended;
  playground.setCode("import torch\\nprint(torch.ones(1))");
  await playground.run();
  return performance.now() - begun;
}"""
KEPT = """navigator.serviceWorker.controller ? null : new Promise((done) =>
  navigator.serviceWorker.addEventListener("controllerchange", () => done(null), { once: true }))"""


def fresh(browser: Browser) -> BrowserContext:
    """Return a profile that has never seen the page."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(PATIENCE)
    return context


def opened(browser: Browser, address: str) -> dict[str, float]:
    """Open a page in a fresh profile and return its milliseconds."""
    with fresh(browser) as context:
        page = context.new_page()
        page.goto(address)
        return {"drawn": page.evaluate(READY), "step": page.evaluate(STEP)}


def clicked(browser: Browser, address: str) -> dict[str, float]:
    """Press a button of a page that is still opening, in a fresh profile."""
    with fresh(browser) as context:
        page = context.new_page()
        page.goto(address)
        return {"click": page.evaluate(FIRST_CLICK), "then drawn": page.evaluate(READY)}


def later(browser: Browser, address: str) -> dict[str, float]:
    """Press Stop, then open the page a second time, with no network."""
    with fresh(browser) as context:
        page: Page = context.new_page()
        page.goto(address)
        page.evaluate(READY)
        stopped = page.evaluate(STOP)
        page.evaluate(KEPT)
        page.close()
        context.set_offline(True)
        again = context.new_page()
        again.goto(address)
        again.evaluate(READY)
        return {"after Stop": stopped, "second visit": again.evaluate(STEP)}


def main() -> None:
    """Open every address in turn, as often as asked, and print all times."""
    given = json.loads(sys.argv[1])
    times: dict[str, dict[str, list[float]]] = {name: {} for name in given["addresses"]}
    with (
        sync_playwright() as play,
        play.chromium.launch(executable_path=given["browser"], args=FLAGS) as browser,
    ):
        for _ in range(given["runs"]):
            for name, address in given["addresses"].items():
                measures = [opened, clicked, *([later] if name in given["whole"] else [])]
                for measure in measures:
                    for what, value in measure(browser, address).items():
                        times[name].setdefault(what, []).append(float(value))
    print(json.dumps(times))


if __name__ == "__main__":
    main()
