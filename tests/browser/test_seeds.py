"""Every seed program in the page prints what PyTorch printed; going back shows the same again."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.golden.play import normalise, programs

pytestmark = pytest.mark.browser

# To the end and back in at most 24 strides: what the page shows at each, shadow roots included.
WALK = """async () => {
  const text = node => [...node.childNodes].map(child =>
    child.nodeType === 3 ? child.data
      : child.localName === "style" ? ""
      : text(child.shadowRoot ?? child)).join("|")
  const seen = async step => {
    await playground.goto(step)
    const {node, leaves} = playground.state()
    const places = ["view-leaves", "view-console", "view-inspector", "view-error"]
    const views = places.map(id => document.getElementById(id))
    const words = views.filter(view => view.checkVisibility()).map(text)
    return JSON.stringify([node, leaves, words])
  }
  const {steps} = playground.state(), there = [], back = []
  const stride = Math.ceil(steps / 24), last = Math.floor(steps / stride)
  for (let i = 0; i <= last; i++) there.push(await seen(i * stride))
  for (let i = last; i >= 0; i--) back.unshift(await seen(i * stride))
  return {there, back}
}"""


def run(page: Page, path: Path) -> dict[str, Any]:
    page.evaluate("text => playground.setCode(text)", path.read_text(encoding="utf-8"))
    return page.evaluate("playground.run()")


def test_seeds_print_what_pytorch_printed_and_step_both_ways(playground: Page) -> None:
    seeds = programs("seeds")
    assert len(seeds) >= 25
    for path in seeds:
        result = run(playground, path)
        printed = result["stdout"]
        if error := result["error"]:
            printed += f"{error['type']}: {error['message']}"
        expected = path.with_suffix(".out").read_text(encoding="utf-8")
        assert normalise(printed) == normalise(expected), path.name
        walk = playground.evaluate(WALK)
        assert walk["there"] == walk["back"], path.name
        assert len(set(walk["there"])) > 2, path.name
