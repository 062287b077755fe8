"""The page starts from the snapshot and without, falls back by itself, and gets every module."""

import gzip
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.browser.waiting import wait_until_ready

STARTS = ["", "?start=plain"]
LATE = "import colorsys, statistics\nimport email.mime.text\nprint(statistics.mean([1, 3]))"


def run(page: Page, source: str) -> dict[str, Any]:
    page.evaluate("text => window.playground.setCode(text)", source)
    return page.evaluate("window.playground.run()")


def opened(page: Page, address: str) -> dict[str, Any]:
    page.goto(address)
    wait_until_ready(page)
    return page.evaluate("window.playground.state()")


@pytest.mark.parametrize("start", STARTS)
def test_the_first_example_is_run_and_shown(page: Page, site: str, start: str) -> None:
    state = opened(page, site + start)
    assert state["stdout"] == "tensor([ 6.,  8., 10.])\n"
    assert state["step"] == state["steps"] > 10
    assert [leaf["grad"] for leaf in state["leaves"]] == ["tensor([ 6.,  8., 10.])"]


@pytest.mark.parametrize("start", STARTS)
def test_modules_that_come_later_are_waited_for(page: Page, site: str, start: str) -> None:
    opened(page, site + start)
    assert run(page, LATE)["stdout"] == "2\n"


@pytest.mark.parametrize("start", STARTS)
def test_what_numpy_loads_by_itself_is_there(page: Page, site: str, start: str) -> None:
    opened(page, site + start)
    source = (
        "import numpy as np\nprint(np.linalg.det(np.eye(2)), np.fft.fft(np.ones(2)).real)\n"
        "print(np.random.default_rng(0).integers(9), np.ma.array([1]).sum())"
    )
    result = run(page, source)
    assert result["error"] is None
    assert result["stdout"] == "1.0 [2. 0.]\n7 1\n"


@pytest.mark.parametrize("start", STARTS)
def test_a_program_finds_nothing_of_the_interface(page: Page, site: str, start: str) -> None:
    opened(page, site + start)
    error = run(page, "import panel")["error"]
    assert error["type"] == "ModuleNotFoundError"


def broken(route: Route) -> None:
    route.fulfill(body=gzip.compress(bytes(1 << 20)), content_type="application/octet-stream")


def test_a_snapshot_that_does_not_suit_is_replaced(page: Page, site: str) -> None:
    page.route(re.compile(r"/memory\.\w+\.bin$"), broken)
    state = opened(page, site)
    assert state["stdout"] == "tensor([ 6.,  8., 10.])\n"
    assert run(page, LATE)["stdout"] == "2\n"


def test_later_modules_that_cannot_be_had_are_missing_and_no_more(
    browser: Browser, site: str
) -> None:
    # A context of its own: the browser reports the refused file as an error, as it should.
    with browser.new_context() as context:
        page = context.new_page()
        page.route(re.compile(r"/rest\.\w+\.bin$"), lambda route: route.abort())
        opened(page, site)
        assert run(page, "import wave")["error"]["type"] == "ModuleNotFoundError"
        assert run(page, "import torch\nprint(torch.ones(1))")["stdout"] == "tensor([1.])\n"
