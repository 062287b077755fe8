"""The playground in pages of another origin: elements, a plain iframe, a sandboxed one."""

import html
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from builder import serve

PROGRAM = (
    "import torch\nx = torch.ones(2, requires_grad=True)\n(x * 3).sum().backward()\nprint(x.grad)"
)
OUTPUT = "tensor([3., 3.])\n"
PAGE = """<!doctype html><title>Course</title>
<link rel="icon" href="data:,">
<script src="{site}embed.js"></script>
<h1>One</h1>
<autograd-playground id="one" heading="Sum" step="2" program="{attribute}"></autograd-playground>
<div style="height: 3000px"></div>
<autograd-playground id="two" lang="zh" theme="dark" load="visible" readonly><pre>
{text}
</pre></autograd-playground>
<iframe id="plain" title="Plain" width="900" height="520" loading="lazy"
  src="{site}?embed&panels=graph,console&id=plain&origins={listed}#program={escaped}"></iframe>
<iframe id="closed" title="Closed" sandbox="allow-scripts" width="500" height="600" loading="lazy"
  src="{site}?embed&id=closed#program={escaped}"></iframe>
"""
ASK = """([id, verb]) => new Promise((resolve) => {
  const frame = document.getElementById(id).contentWindow;
  addEventListener("message", ({ source, data }) => {
    if (source === frame && data.id === verb) resolve(data);
  });
  frame.postMessage({ playground: verb, args: [], id: verb }, "*");
})"""


@pytest.fixture
def course(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder on a server of another origin, and its address."""
    with serve.server(tmp_path) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield tmp_path, f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with browser.new_context(viewport={"width": 1000, "height": 800}) as context:
        context.set_default_timeout(120_000)
        yield context.new_page()


def written(folder: Path, site: str, listed: str) -> None:
    escaped = PROGRAM.replace("\n", "%0A").replace(" ", "%20").replace("=", "%3D")
    facts = {
        "site": site,
        "listed": listed,
        "attribute": html.escape(PROGRAM).replace("\n", "&#10;"),
        "text": html.escape(PROGRAM),
        "escaped": escaped,
    }
    (folder / "index.html").write_text(PAGE.format(**facts), encoding="utf-8")


def asked(page: Page, frame: str, verb: str) -> Any:
    return page.evaluate(ASK, [frame, verb])


def test_several_on_one_page(page: Page, site: str, course: tuple[Path, str]) -> None:
    folder, address = course
    written(folder, site, listed=address)
    seen: list[str] = []
    page.on("request", lambda request: seen.append(request.url))
    page.goto(address)
    one = page.locator("#one")
    expect(one.get_by_role("button", name="Run")).to_be_visible()
    # Until somebody wants it, there is its program and no more.
    expect(one).to_contain_text("requires_grad=True")
    assert [url for url in seen if url.startswith(site)] == [f"{site}embed.js"]
    one.get_by_role("button", name="Run").click()
    page.evaluate("one.call('ready')")
    inside = page.frame_locator("#one iframe").frame_locator("#guest")
    expect(inside.locator("#position-short")).to_have_text(re.compile(r"^2 / "), timeout=120_000)
    assert page.locator("#one iframe").get_attribute("title") == "Sum"
    height = page.locator("#one iframe").bounding_box()
    assert height and 400 < height["height"] < 700

    # Scrolled to, the second comes up and waits; nobody has to have pressed anything.
    page.locator("#two").scroll_into_view_if_needed()
    state = page.evaluate("two.call('ready')")
    assert (state["code"], state["steps"], state["language"]) == (PROGRAM, 0, "zh")
    assert page.evaluate("two.call('run')")["stdout"] == OUTPUT
    second = page.frame_locator("#two iframe").frame_locator("#guest")
    expect(second.get_by_role("textbox", name="程序")).to_have_attribute("aria-readonly", "true")

    page.locator("#plain").scroll_into_view_if_needed()
    assert asked(page, "plain", "run")["result"]["stdout"] == OUTPUT
    page.locator("#closed").scroll_into_view_if_needed()
    assert asked(page, "closed", "run")["result"]["stdout"] == OUTPUT


def test_only_listed_origins_are_answered(page: Page, site: str, course: tuple[Path, str]) -> None:
    folder, address = course
    written(folder, site, listed="https://course.example,https://other.example")
    page.goto(address)
    page.evaluate(
        "heard = []; addEventListener('message', ({ source, data }) =>"
        " source === document.getElementById('plain').contentWindow && heard.push(data))"
    )
    page.locator("#plain").scroll_into_view_if_needed()
    frame = page.frame_locator("#plain").frame_locator("#guest")
    page.evaluate(
        "document.getElementById('plain').contentWindow"
        ".postMessage({ playground: 'run', args: [], id: 1 }, '*')"
    )
    run = frame.get_by_role("button", name="Run", exact=True)
    run.click()
    expect(frame.get_by_role("region", name="Console")).to_contain_text("tensor([3., 3.])")
    assert page.evaluate("heard") == []
