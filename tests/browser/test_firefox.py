"""The built page in Firefox: both starts, the one file from a disk, a link, two embeds."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from builder import browsers, onefile, places, serve
from tests.browser.firefox import Tab, firefox
from tests.browser.waiting import PATIENCE

PROGRAM = browsers.firefox()
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not PROGRAM, reason=f"no Firefox; {browsers.FIREFOX} can name one"),
]
SOURCE = (
    "import torch\nx = torch.ones(2, requires_grad=True)\n(x * 3).sum().backward()\nprint(x.grad)"
)
IN_TIME = """Promise.race([%s,
  new Promise((_, fail) => setTimeout(fail, %d, new Error("waited in vain")))])"""


# Whether the graph's figure has painted something in its place.
SHOWN = """(() => {
  const canvases = node => [...node.children].flatMap(child =>
    [...(child.localName === "canvas" ? [child] : []), ...canvases(child.shadowRoot ?? child)]);
  return canvases(document.getElementById("view-graph")).some(canvas => canvas.width > 100 &&
    canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean));
})()"""


@pytest.fixture
def tab() -> Iterator[Tab]:
    """A Firefox with a fresh profile; an error on its console fails the test."""
    with firefox(PROGRAM) as opened:
        opened.resize(1440, 900)
        yield opened
        assert opened.errors == []


def wait(tab: Tab, promise: str) -> object:
    return tab.evaluate(IN_TIME % (promise, PATIENCE))


def steps_both_ways(tab: Tab) -> None:
    """Press Previous and Next: Python moves the cursor and the page shows it."""
    state = tab.evaluate("playground.state()")
    assert state["step"] == state["steps"] > 4
    for button, step in (("#prev", state["steps"] - 1), ("#next", state["steps"])):
        tab.click(button)
        wait(
            tab,
            f"""(async () => {{
          while (playground.state().step !== {step}) await new Promise(requestAnimationFrame);
        }})()""",
        )


@pytest.mark.parametrize("start", ["", "?start=plain"])
def test_an_example_runs_and_steps(tab: Tab, site: str, start: str) -> None:
    tab.open(site + start)
    wait(tab, "playground.ready.then(() => null)")
    state = tab.evaluate("playground.state()")
    assert state["stdout"] == "tensor([ 6.,  8., 10.])\n"
    steps_both_ways(tab)
    assert tab.evaluate(SHOWN)
    wait(tab, f"playground.setCode({SOURCE!r}) ?? playground.run()")
    assert tab.evaluate("playground.state()")["stdout"] == "tensor([3., 3.])\n"


def test_an_endless_program_is_stopped_and_the_next_runs(tab: Tab, site: str) -> None:
    tab.open(site)
    wait(tab, "playground.ready.then(() => null)")
    tab.evaluate("playground.setCode('import itertools\\nsum(itertools.count())')")
    tab.evaluate("void (window.ended = playground.run()) ?? null")
    wait(
        tab,
        """(async () => {
      const stop = document.querySelector("#stop");
      while (stop.disabled) await new Promise(requestAnimationFrame);
    })()""",
    )
    tab.click("#stop")
    assert wait(tab, "window.ended")["error"]["type"] == "Stopped"  # type: ignore[index]
    wait(tab, f"playground.setCode({SOURCE!r}) ?? playground.run()")
    assert tab.evaluate("playground.state()")["stdout"] == "tensor([3., 3.])\n"


def test_the_one_file_runs_from_a_disk(tab: Tab) -> None:
    folder = Path(os.environ.get("AUTOGRAD_PLAYGROUND_DIST") or places.DIST)
    tab.open((folder / onefile.NAME).as_uri())
    wait(tab, "playground.ready.then(() => null)")
    assert tab.evaluate("playground.state()")["stdout"] == "tensor([ 6.,  8., 10.])\n"
    steps_both_ways(tab)


def test_a_linked_program_runs_in_its_frame(tab: Tab, site: str) -> None:
    tab.open(f"{site}#program={quote(SOURCE)}")
    wait(tab, "playground.ready.then(() => null)")
    # Nothing of a link runs before its reader wants it.
    assert tab.evaluate("playground.state()")["steps"] == 0
    assert wait(tab, "playground.run()")["stdout"] == "tensor([3., 3.])\n"  # type: ignore[index]


def test_two_embeds_on_a_page_of_another_origin(tab: Tab, site: str, tmp_path: Path) -> None:
    page = f"""<!doctype html><title>Course</title><script src="{site}embed.js"></script>
<autograd-playground id="one" load="now"><pre>{SOURCE}</pre></autograd-playground>
<autograd-playground id="two" load="now" lang="zh"><pre>{SOURCE}</pre></autograd-playground>"""
    (tmp_path / "index.html").write_text(page, encoding="utf-8")
    with serve.server(tmp_path) as course:
        threading.Thread(target=course.serve_forever, daemon=True).start()
        tab.open(f"http://127.0.0.1:{course.server_address[1]}/")
        for name in ("one", "two"):
            result = wait(tab, f"document.getElementById('{name}').call('run')")
            assert result["stdout"] == "tensor([3., 3.])\n"  # type: ignore[index]
        course.shutdown()
