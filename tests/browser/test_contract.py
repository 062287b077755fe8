"""What the verbs refuse, and runs that the page has to end: nothing is lost by either."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

PROGRAM = """import torch

x = torch.tensor([1., 2.], requires_grad=True)
loss = (x * 3).sum()
loss.backward()
print(x.grad)
"""
BAD = {
    "setCode": [[], [None], [3], [["x"]]],
    "goto": [[], [None], ["2"], [1.5]],
    "step": [[None], ["2"], [0.5]],
    "setRequiresGrad": [[], ["x"], ["x", 1], [None, True], ["nothing", True]],
    "setNoGrad": [[], [3, 1, True], [0, 1, True], [1, 99, True], ["1", 2, True], [3, 4, "yes"]],
    "setLanguage": [[], ["fr"], [None]],
    "setTheme": [[], ["pink"], [0]],
    "on": [["nothing"], ["run", 3]],
}
CALLS = [(verb, args) for verb, each in BAD.items() for args in each]


def shown(page: Page) -> dict:
    return page.evaluate("playground.state()")


def test_bad_arguments_are_refused_in_words_and_change_nothing(playground: Page):
    playground.evaluate(
        "async text => { playground.setCode(text); await playground.run() }", PROGRAM
    )
    before = shown(playground)
    for verb, args in CALLS:
        said = playground.evaluate(
            """([verb, args]) => Promise.resolve().then(() => playground[verb](...args))
            .then(() => "done", error => String(error))""",
            [verb, args],
        )
        assert said.startswith(("TypeError", "RangeError", "Error: ")), (verb, args, said)
        assert "Cannot read" not in said and "undefined is not" not in said
    assert shown(playground) == before


def test_bad_arguments_from_a_page_around(page: Page, site: str):
    page.set_content(f'<iframe src="{site}" style="width:1200px;height:800px"></iframe>')
    ask = """([playground, args]) => new Promise(resolve => {
      const id = Math.random()
      addEventListener("message", ({data}) => data.id === id && resolve(data))
      document.querySelector("iframe").contentWindow.postMessage({playground, args, id}, "*")
    })"""
    page.frames[1].wait_for_function("window.playground")
    page.evaluate(ask, ["ready", []])
    before = page.evaluate(ask, ["state", []])["result"]
    for verb, args in [*CALLS, ("run", "abc"), ("goto", 3), ("constructor", []), ("fly", [])]:
        if verb != "on":
            assert page.evaluate(ask, [verb, args])["error"], (verb, args)
    assert page.evaluate(ask, ["state", []])["result"] == before


def test_a_loop_inside_c_is_ended_by_the_page(playground: Page):
    before = shown(playground)
    endless = "# no end\n\nsum(iter(int, 1))\n"
    playground.clock.install()
    playground.evaluate("text => playground.setCode(text)", endless)
    playground.evaluate("() => { playground.run().then(result => { window.ended = result }) }")
    while not (ended := playground.evaluate("window.ended")):
        playground.clock.fast_forward(25_000)
    error = ended["error"]
    assert (error["type"], error["line"], error["key"]) == ("Stopped", 3, "error.budget-seconds")
    assert "20 seconds in line 3" in error["message"]
    expect(playground.locator("#error")).to_contain_text("20 seconds in line 3")
    expect(playground.locator("#notice")).to_be_hidden()
    after = shown(playground)
    assert after["code"] == endless
    assert after["steps"] == before["steps"] and after["leaves"] == before["leaves"]


def test_memory_ends_and_the_next_run_starts_with_little(playground: Page):
    run = "async text => { playground.setCode(text); return playground.run() }"
    full = playground.evaluate(run, "rows = [1]\nwhile True:\n    rows = rows + rows\n")
    assert (full["error"]["type"], full["error"]["key"]) == ("MemoryError", "error.memory")
    assert full["error"]["line"] == 3
    assert playground.evaluate(run, PROGRAM)["stdout"] == "tensor([3., 3.])\n"


def test_the_console_is_found_whichever_tab_is_chosen(playground: Page):
    for name in ("Graph", "Gradients", "Inspector", "Console"):
        expect(playground.get_by_role("region", name=name, exact=True)).to_be_visible()
    console = playground.get_by_role("region", name="Console", exact=True)
    expect(console).to_contain_text("tensor([ 6.,  8., 10.])")
    playground.get_by_role("tab", name="Console").click()
    expect(console).to_be_in_viewport()
