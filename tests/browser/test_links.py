"""Links carry the program and run nothing by themselves; what is typed is kept."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, FrameLocator, Page, expect

from builder.places import WEB
from tests.browser.waiting import wait_until_ready

EXAMPLES = sorted((WEB / "examples").glob("*.py"))
CHINESE = "# " + "梯度会累加，而不是被覆盖；每次反向传播之前先清零。" * 290 + "\nimport torch\n"
PROGRAM = (
    "import torch\nx = torch.ones(2, requires_grad=True)\n(x * 3).sum().backward()\nprint(x.grad)"
)
PACK = "text => { playground.setCode(text); return playground.link() }"


def guest(page: Page) -> FrameLocator:
    return page.frame_locator("#guest")


def opened(page: Page, address: str) -> dict[str, Any]:
    page.goto("about:blank")
    page.goto(address)
    wait_until_ready(page)
    return page.evaluate("playground.state()")


@pytest.fixture
def link(playground: Page) -> Callable[[str], str]:
    return lambda text: playground.evaluate(PACK, text)


def test_every_program_comes_back_from_its_link(
    playground: Page, link: Callable[[str], str], context: BrowserContext
) -> None:
    programs = [path.read_text("utf-8") for path in EXAMPLES]
    assert len(CHINESE.encode()) > 20_000
    reader = context.new_page()
    for program in [*programs, CHINESE, "", "\n", "x = '\\u0000 \" <b> & %41 # ? \t'\n"]:
        address = link(program)
        assert len(address) < len(program.encode()) + 200
        reader.goto("about:blank")
        reader.goto(address)
        # The address is read before Python is up.
        reader.wait_for_function("text => playground.getCode() === text", arg=program)


def test_a_link_is_shown_and_runs_on_run_at_its_step(
    playground: Page, context: BrowserContext
) -> None:
    playground.evaluate("text => { playground.setCode(text); return playground.run() }", PROGRAM)
    playground.evaluate("playground.goto(2)")
    playground.evaluate("playground.setLanguage('zh')")
    address = playground.evaluate("playground.link()")
    playground.evaluate("playground.setLanguage('en')")
    page = context.new_page()
    state = opened(page, address)
    assert state["code"] == PROGRAM
    assert (state["steps"], state["stdout"], state["language"]) == (0, "", "zh")
    guest(page).get_by_role("button", name="运行", exact=True).click()
    page.wait_for_function("() => playground.state().steps > 0 && playground.state().step === 2")


def test_the_frame_reaches_nothing_of_the_site(link: Callable[[str], str], page: Page) -> None:
    opened(page, link(PROGRAM))
    frame = next(frame for frame in page.frames if frame is not page.main_frame)
    assert frame.evaluate("self.origin") == "null"
    assert frame.evaluate(
        "(() => { try { return localStorage } catch (e) { return e.name } })()"
    ) == ("SecurityError")
    assert frame.evaluate(
        "(() => { try { return parent.document } catch (e) { return e.name } })()"
    ) == ("SecurityError")
    script = "import js\nprint(js.location.href, js.self.origin, hasattr(js, 'localStorage'))"
    page.evaluate("text => playground.setCode(text)", script)
    result = page.evaluate("playground.run()")
    assert "127.0.0.1" not in result["stdout"]


@pytest.mark.parametrize(("fragment", "words"), [("1:AAAA", "not complete"), ("9:abc", "newer")])
def test_a_link_that_cannot_be_read_says_so(
    page: Page, site: str, fragment: str, words: str
) -> None:
    opened(page, f"{site}#{fragment}")
    expect(guest(page).locator("#notice-text")).to_contain_text(words)


def kept(page: Page) -> None:
    # A part of a page has no room to say it, but it is said all the same.
    expect(guest(page).locator("#saved")).not_to_have_attribute("hidden", "")


def typed(page: Page, text: str) -> None:
    page.evaluate("text => playground.setCode(text)", text)
    kept(page)


def test_work_is_kept_and_a_newer_program_does_not_hide_it(page: Page, site: str) -> None:
    address = f"{site}?embed&id=course/3#program="
    assert opened(page, address + "first%20=%201")["code"] == "first = 1"
    typed(page, "mine = 1")
    # The same program again: the work goes on, the original is offered.
    assert opened(page, address + "first%20=%201")["code"] == "mine = 1"
    offer = guest(page).locator("#offer")
    offer.get_by_role("button", name="Show the original").click()
    page.wait_for_function("() => playground.getCode() === 'first = 1'")
    kept(page)
    # Left while the original is looked at: the work is still there.
    assert opened(page, address + "first%20=%201")["code"] == "first = 1"
    offer.get_by_role("button", name="Show your version").click()
    page.wait_for_function("() => playground.getCode() === 'mine = 1'")
    kept(page)
    # The teacher's newer one: it is shown, the work is offered, and typing does not lose it.
    assert opened(page, address + "second%20=%202")["code"] == "second = 2"
    typed(page, "second = 22")
    assert opened(page, address + "second%20=%202")["code"] == "second = 22"
    record = page.evaluate("localStorage.getItem('autograd-playground.work./ course/3')")
    assert json.loads(record)["older"]["mine"] == "mine = 1"


def test_share_by_keyboard(playground: Page) -> None:
    # Headless browsers keep the clipboard to themselves unless told.
    playground.context.grant_permissions(["clipboard-read", "clipboard-write"])
    keyboard = playground.keyboard
    playground.get_by_role("button", name="Share", exact=True).focus()
    keyboard.press("Enter")
    dialog = playground.get_by_role("dialog", name="Share")
    expect(dialog.get_by_role("button", name="Copy", exact=True).first).to_be_focused()
    keyboard.press("Enter")
    expect(dialog.get_by_text("Copied")).to_be_visible()
    address = playground.evaluate("navigator.clipboard.readText()")
    assert address == dialog.get_by_role("textbox", name="Link").input_value()
    for _ in range(12):
        keyboard.press("Tab")
        inside = "!document.hasFocus() || document.activeElement === document.body"
        outside = f"{inside} || document.activeElement.closest('#share-dialog') !== null"
        assert playground.evaluate(outside)
    language = dialog.get_by_role("checkbox", name="In this language")
    language.focus()
    keyboard.press("Space")
    expect(dialog.get_by_role("textbox", name="Link")).not_to_have_value(address)
    expect(dialog.locator("#share-embed")).to_contain_text('lang="en"')
    keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(playground.get_by_role("button", name="Share", exact=True)).to_be_focused()
