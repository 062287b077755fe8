"""The Save menu's files, made by the page itself."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.waiting import wait_until_kept

PNG = b"\x89PNG\r\n\x1a\n"


def saved(page: Page, entry: str) -> tuple[str, bytes]:
    """Choose an entry of the menu; name and bytes of the file."""
    page.get_by_role("button", name="Save", exact=True).click()
    with page.expect_download() as waiting:
        page.locator("#save-menu").get_by_role("button", name=entry).click()
    # The button of a menu that has just closed lets a moment pass.
    page.wait_for_function("!document.querySelector('#save-menu').matches(':popover-open')")
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


def test_a_picture_is_saved_in_pixels_twice_as_fine(playground: Page) -> None:
    name, data = saved(playground, "Picture (PNG)")
    assert name == "graph.png" and data.startswith(PNG)
    width = int.from_bytes(data[16:20], "big")
    assert width > 1000


def test_program_and_trace_are_saved(playground: Page) -> None:
    name, data = saved(playground, "Program with checks")
    assert name == "program.py"
    assert b"torch.testing.assert_close(x.grad, torch.tensor([6.0, 8.0, 10.0]))" in data


def test_the_trace_is_saved_as_json(playground: Page) -> None:
    name, data = saved(playground, "Trace (JSON)")
    assert name == "trace.json"
    assert json.loads(data)["final"][0]["name"] == "x"


def test_the_page_about_an_error_opens_without_a_network(playground: Page) -> None:
    playground.evaluate(
        "window.playground.setCode('import torch\\nx = torch.ones(3, requires_grad=True)\\n"
        "(2 * x).backward()\\n')"
    )
    playground.evaluate("window.playground.run()")
    wait_until_kept(playground)
    playground.context.set_offline(True)
    playground.get_by_role("button", name="More about this error").click()
    playground.get_by_role("heading", name="Backward of more than one number").wait_for()
    playground.context.set_offline(False)
