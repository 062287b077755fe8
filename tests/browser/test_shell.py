"""The page around the panels: start, editor, running and stopping, keys, languages, themes."""

import re

import pytest
from playwright.sync_api import Page, expect

from builder.places import ROOT
from tests.browser.waiting import wait_until_ready

pytestmark = pytest.mark.browser

PROGRAM = """import torch

x = torch.tensor([1., 2.], requires_grad=True)
loss = (x * 3).sum()
loss.backward()
print(x.grad)
"""
# A loop inside C, which no budget of the session sees.
ENDLESS = "sum(iter(int, 1))"


def run(page: Page, program: str) -> dict:
    return page.evaluate(
        "async text => { playground.setCode(text); return playground.run() }", program
    )


def state(page: Page) -> dict:
    return page.evaluate("playground.state()")


def test_first_frame_is_readable_without_scripts(browser, site):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site)
    expect(page.locator("#first-program")).to_contain_text("z.backward()")
    expect(page.locator("#first-frame .wide")).to_be_visible()
    context.close()


def test_opens_with_the_first_example_run(playground: Page):
    shown = state(playground)
    assert shown["error"] is None
    assert shown["stdout"] == "tensor([ 6.,  8., 10.])\n"
    assert shown["step"] == shown["steps"] > 0
    assert [leaf["name"] for leaf in shown["leaves"]] == ["x"]


def test_a_learner_types_runs_and_steps(playground: Page):
    editor = playground.get_by_role("textbox", name="Program", exact=True)
    editor.click()
    playground.keyboard.press("Control+A")
    playground.keyboard.insert_text(PROGRAM)
    playground.get_by_role("button", name="Run", exact=True).click()
    expect(playground.get_by_role("region", name="Leaves")).to_contain_text("3")
    playground.evaluate("playground.goto(1)")
    assert state(playground)["step"] == 1
    following = playground.get_by_role("button", name="Next step", exact=True)
    while (before := state(playground)["step"]) < state(playground)["steps"]:
        following.click()
        expect(playground.locator("#position")).not_to_have_text(re.compile(rf"\b{before} of"))
    assert state(playground)["stdout"] == "tensor([3., 3.])\n"
    playground.get_by_role("button", name="First step", exact=True).click()
    expect(playground.locator("#position")).to_have_text(re.compile(r"^Step [01] of"))
    playground.get_by_role("button", name="Last step", exact=True).click()
    expect(playground.locator("#position")).to_have_text(re.compile(r"^Step (\d+) of \1$"))


def test_keys_on_the_time_line(playground: Page):
    slider = playground.get_by_role("slider", name="Time line", exact=True)
    steps = state(playground)["steps"]
    slider.focus()
    slider.press("ArrowLeft")
    expect(slider).to_have_value(str(steps - 1))
    slider.press("Home")
    expect(slider).not_to_have_value(str(steps - 1))
    slider.press("End")
    expect(slider).to_have_value(str(steps))
    slider.press("Home")
    slider.press(" ")
    expect(playground.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    slider.press(" ")
    expect(playground.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_stop_leaves_no_mark_of_the_run_before(playground: Page):
    run(playground, "import torch\nraise ValueError('mine')\n")
    marked = playground.locator("#editor [data-note]")
    expect(marked).not_to_have_count(0)
    playground.evaluate("text => playground.setCode(text)", ENDLESS)
    playground.evaluate("() => { window.stopped = playground.run() }")
    playground.get_by_role("button", name="Stop", exact=True).click()
    playground.evaluate("window.stopped")
    expect(marked).to_have_count(0)


def test_stop_ends_a_loop_and_the_next_run_works(playground: Page):
    playground.evaluate("text => playground.setCode(text)", ENDLESS)
    playground.evaluate("() => { window.stopped = playground.run() }")
    playground.get_by_role("button", name="Stop", exact=True).click()
    assert playground.evaluate("window.stopped")["error"]["type"] == "Stopped"
    expect(playground.locator("#error")).to_contain_text("The picture still shows the run before")
    assert playground.evaluate("playground.getCode()") == ENDLESS
    assert run(playground, PROGRAM)["stdout"] == "tensor([3., 3.])\n"


def test_a_program_that_ends_its_own_python_is_noticed(playground: Page):
    result = run(playground, "import js\njs.self.close()\nwhile True: pass")
    assert result["error"] is not None
    assert run(playground, PROGRAM)["stdout"] == "tensor([3., 3.])\n"


def test_an_edit_of_the_page_is_one_undo(playground: Page):
    run(playground, PROGRAM)
    playground.evaluate("playground.setRequiresGrad('x', false)")
    assert playground.evaluate("playground.getCode()") != PROGRAM
    playground.get_by_role("textbox", name="Program", exact=True).click()
    playground.keyboard.press("Control+Z")
    assert playground.evaluate("playground.getCode()") == PROGRAM


def test_switching_off_and_on_gives_the_same_text(playground: Page):
    run(playground, PROGRAM)
    for on in (False, True):
        shown = playground.evaluate("on => playground.setRequiresGrad('x', on)", on)
        assert [leaf["requires_grad"] for leaf in shown["leaves"] if leaf["name"] == "x"] == [on]
    assert playground.evaluate("playground.getCode()") == PROGRAM
    for on in (True, False):
        playground.evaluate("on => playground.setNoGrad(4, 4, on)", on)
    assert playground.evaluate("playground.getCode()") == PROGRAM


def test_a_switch_keeps_the_focus_through_its_run(playground: Page):
    switch = playground.get_by_role("switch", name="requires_grad of x", exact=True)
    switch.focus()
    for checked in (False, True):
        playground.keyboard.press("Space")
        expect(switch).to_be_checked(checked=checked)
        expect(switch).to_be_focused()
    assert "requires_grad=True" in playground.evaluate("playground.getCode()")


def test_no_grad_from_the_gutter(playground: Page):
    before = playground.evaluate("playground.getCode()")
    playground.get_by_role("button", name="Turn no_grad on for line 5", exact=True).click()
    expect(playground.locator(".cm-line.nograd")).to_have_text(
        ["with torch.no_grad():", "    q = y ** 2"]
    )
    playground.get_by_role("button", name="Turn no_grad off for line 6", exact=True).click()
    expect(playground.locator(".cm-line.nograd")).to_have_count(0)
    assert playground.evaluate("playground.getCode()") == before


def test_an_expression_in_the_state_of_a_step(playground: Page):
    playground.evaluate("playground.goto(3)")
    box = playground.get_by_role("region", name="Leaves").get_by_role("textbox")
    box.fill("q.sum()")
    box.press("Enter")
    expect(playground.get_by_role("region", name="Leaves")).to_contain_text("tensor(50.")


def test_a_click_chooses_and_a_double_click_goes_there(playground: Page):
    box = playground.locator("#view-graph").bounding_box()
    place = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 - 18)
    playground.mouse.click(*place)
    expect(playground.locator("#inspector-tag")).to_have_text("PowBackward0")
    assert state(playground)["step"] == state(playground)["steps"]
    playground.mouse.dblclick(*place)
    expect(playground.locator("#position")).to_have_text(re.compile("^Step 3 of"))


def test_a_click_on_the_time_line_goes_there(playground: Page):
    box = playground.locator("#view-timeline").bounding_box()
    steps = state(playground)["steps"]
    freed = 2  # steps of the first example that have a place at step size "message" only
    gap = (box["width"] - 124 - 28) / (steps - freed - 1)
    playground.mouse.click(box["x"] + 124 + 4 * gap, box["y"] + 60)
    expect(playground.locator("#position")).to_have_text(f"Step 5 of {steps}")
    expect(playground.get_by_role("slider", name="Time line", exact=True)).to_be_focused()


def test_arrows_in_the_graph_choose_a_node(playground: Page):
    graph = playground.get_by_role("region", name="Graph", exact=True)
    graph.get_by_role("application").focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        playground.keyboard.press(key)
    expect(playground.locator("#inspector-tag")).to_have_text("AddBackward0")
    assert state(playground)["step"] == state(playground)["steps"]


def test_the_verbs_from_a_page_around(page: Page, site: str):
    page.evaluate(
        """site => {
          const frame = document.createElement("iframe")
          frame.src = site
          document.body.append(frame)
          window.ask = (playground, ...args) => new Promise(resolve => {
            const id = Math.random()
            addEventListener("message", ({data}) => data.id === id && resolve(data))
            frame.contentWindow.postMessage({playground, args, id}, "*")
          })
          return new Promise(resolve => { frame.onload = resolve }).then(() => {})
        }""",
        site,
    )
    assert page.evaluate("ask('ready')")["result"]["steps"] > 0
    page.evaluate("text => ask('setCode', text)", PROGRAM)
    assert page.evaluate("ask('run')")["result"]["stdout"] == "tensor([3., 3.])\n"
    assert page.evaluate("ask('goto', 2)")["result"]["step"] == 2
    assert "no verb" in page.evaluate("ask('ready2')")["error"]


def test_what_was_typed_is_there_after_a_reload(playground: Page):
    playground.evaluate("text => playground.setCode(text)", PROGRAM)
    expect(playground.get_by_text("Saved on this device")).to_be_visible()
    playground.reload()
    assert playground.evaluate("playground.getCode()") == PROGRAM


def test_language_and_theme(playground: Page):
    playground.get_by_role("button", name="中文").click()
    expect(playground.get_by_role("button", name="运行", exact=True)).to_be_visible()
    assert state(playground)["language"] == "zh"
    playground.evaluate("playground.setTheme('dark')")
    expect(playground.locator("html")).to_have_attribute("data-theme", "dark")
    playground.reload()
    expect(playground.get_by_role("button", name="示例")).to_be_visible()
    expect(playground.locator("html")).to_have_attribute("data-theme", "dark")


def test_examples_menu(playground: Page):
    playground.get_by_role("button", name="Examples", exact=True).click()
    playground.get_by_role("button", name="Accumulation").click()
    expect(playground.get_by_role("textbox", name="Program", exact=True)).to_contain_text("zero_()")
    expect(playground.locator("#position")).to_have_text(re.compile(r"^Step (\d+) of \1$"))


def test_phone_shows_one_panel_at_a_time(playground: Page):
    playground.set_viewport_size({"width": 390, "height": 844})
    for name, panel in {"Program": "program", "Gradients": "ledger", "Graph": "graph"}.items():
        playground.get_by_role("tab", name=name, exact=True).click()
        expect(playground.locator(f"#{panel}")).to_be_visible()
        assert playground.locator(".panel:visible").count() == 2  # and the time line
        expect(playground.locator("#summary")).to_be_visible(visible=panel == "graph")
    assert playground.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_patch_with_code_is_refused(page: Page):
    source = (ROOT / "web/shell/patch-filter.js").read_text().replace("export ", "")
    ask = f"patches => {{ {source}; return patches.map(reasonToRefuse) }}"
    changed = {"kind": "ModelChanged", "model": {"id": "1"}}
    callback = {"type": "object", "name": "CustomJS", "id": "2", "attributes": {}}
    component = {"type": "object", "name": "panel.models.esm.ReactiveESM", "id": "3"}
    bad = [
        {**changed, "attr": "js_event_callbacks", "new": {"entries": [["tap", [callback]]]}},
        {**changed, "attr": "children", "new": [callback]},
        {**changed, "attr": "child", "new": component},
        {"kind": "MessageSent", "msg_type": "render", "msg_data": {}},
    ]
    good = [{**changed, "attr": "text", "new": "<b>4</b>"}]
    answers = page.evaluate(ask, [{"events": [event]} for event in bad + good])
    assert all(answers[: len(bad)])
    assert answers[len(bad) :] == [None]


def test_borders_move_and_stay(playground: Page):
    program = playground.locator("#program")
    before = program.bounding_box()
    border = playground.get_by_role("separator", name="Width of the program")
    border.focus()
    border.press("ArrowRight")
    assert program.bounding_box()["width"] == before["width"] + 16
    box = border.bounding_box()
    playground.mouse.move(box["x"] + 2, box["y"] + 200)
    playground.mouse.down()
    playground.mouse.move(10, box["y"] + 200)
    playground.mouse.up()
    assert program.bounding_box()["width"] == 320
    playground.reload()
    wait_until_ready(playground)
    assert program.bounding_box()["width"] == 320
    border.press("Home")
    assert program.bounding_box()["width"] == before["width"]


def test_the_leaves_have_their_panel_to_themselves(playground: Page):
    bottom = "name => document.querySelector(name).getBoundingClientRect().bottom"
    left = playground.evaluate(bottom, "#side") - playground.evaluate(bottom, "#leaves")
    assert abs(left) < 2


def test_the_graph_as_a_table(playground: Page):
    playground.get_by_role("button", name="Table view", exact=True).click()
    graph = playground.get_by_role("region", name="Graph", exact=True)
    expect(graph.get_by_role("cell", name="50", exact=True)).to_be_in_viewport()
    playground.get_by_role("button", name="Table view", exact=True).click()
    expect(graph.get_by_role("table")).to_have_count(0)
