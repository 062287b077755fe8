"""What the panels ask the runner for, and what of them a phone reaches."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.waiting import PATIENCE

pytestmark = pytest.mark.browser

DESCENT = """import torch

w = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(-1.0, requires_grad=True)
sgd = torch.optim.SGD([w, b], lr=0.25)
for i in range(3):
    sgd.zero_grad()
    (w ** 2 + b ** 2).backward()
    sgd.step()
"""
LARGE = """import torch

w = torch.ones(3000, requires_grad=True)
(w * torch.arange(3000.)).sum().backward()
print(w.grad)
"""
# How many pieces the lines of equal height have, once there are any.
PIECES = """async (patience) => {
  const roots = Bokeh.documents.flatMap((each) => each.roots())
  const lines = roots.find((root) => root.name === "view-contour").renderers[1].data_source
  const end = performance.now() + patience
  while (!lines.get_length() && performance.now() < end)
    await new Promise(requestAnimationFrame)
  return lines.get_length()
}"""


def run(page: Page, program: str) -> dict:
    return page.evaluate(
        "async text => { playground.setCode(text); return playground.run() }", program
    )


def test_a_loss_of_two_numbers_is_drawn_around_its_descent(playground: Page):
    button = playground.get_by_role("button", name="Contour", exact=True)
    expect(button).to_be_hidden()
    run(playground, DESCENT)
    button.click()
    expect(playground.locator("#view-contour")).to_be_visible()
    assert playground.evaluate(PIECES, PATIENCE) > 100
    button.click()
    expect(playground.locator("#view-contour")).to_be_hidden()
    assert playground.evaluate("playground.getCode()") == DESCENT


def test_a_gradient_is_checked_by_running_again(playground: Page):
    steps = run(playground, DESCENT)["steps"]
    inspector = playground.get_by_role("region", name="Inspector", exact=True)
    check = inspector.get_by_role("button", name="Check by running again")
    for step in range(1, steps + 1):
        playground.evaluate("step => playground.goto(step)", step)
        if check.is_visible():
            break
    check.click()
    expect(inspector).to_contain_text("run again")
    expect(inspector.get_by_role("row", name="run again")).to_contain_text(
        re.compile(r"−(2|1\.99|2\.00)")
    )


def test_a_large_gradient_is_written_as_print_writes_it(playground: Page):
    result = run(playground, LARGE)
    (leaf,) = [leaf for leaf in result["leaves"] if leaf["name"] == "w"]
    assert f"{leaf['grad']}\n" == result["stdout"] and "..." in leaf["grad"]


def test_a_phone_reaches_pin_and_save(playground: Page):
    playground.set_viewport_size({"width": 390, "height": 844})
    more = playground.get_by_role("button", name="More", exact=True)
    more.click()
    playground.get_by_role("button", name="Pin this run to compare others with it").click()
    pin = playground.locator("#graph-tools [data-tool=pin]")
    expect(pin).to_have_attribute("aria-pressed", "true")
    more.click()
    expect(playground.get_by_role("button", name="Let go of the pinned run")).to_be_visible()
    playground.get_by_role("button", name="Save …").click()
    with playground.expect_download() as download:
        playground.get_by_role("button", name="Trace (JSON)").click()
    assert download.value.suggested_filename == "trace.json"
