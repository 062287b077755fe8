"""The interface as a whole: messages in, patches and state out."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree

import pytest
from bokeh.document import Document

from playground import app
from tests.playground import samples
from tests.playground.builders import TraceBuilder
from tests.playground.drawn import Talk

ROOTS = {
    "graph",
    "timeline",
    "ledger",
    "contour",
    "leaves",
    "console",
    "inspector",
    "error",
    "table",
    "why",
}
CODE = re.compile(r'"(?:js_event_callbacks|js_property_callbacks)":(?!\{"type":"map"\})')


def write_of(trace: Any) -> int:
    return next(step.index for step in trace.steps if step.kind == "write")


def events(talk: Talk) -> list[dict[str, Any]]:
    return [
        event
        for message in talk.heard
        if message["type"] == "patch"
        for event in json.loads(message["patch"])["events"]
    ]


def test_ready_places_every_root_and_asks_for_nothing() -> None:
    ready = Talk().ready
    assert ready["type"] == "ready"
    (item,) = json.loads(ready["render_items"])
    assert set(item["roots"].values()) == {f"view-{name}" for name in ROOTS}
    assert json.loads(ready["root_ids"]) == list(item["roots"])
    assert "http" not in ready["docs_json"]
    assert "CustomJS" not in ready["docs_json"] and not CODE.search(ready["docs_json"])


def test_every_message_ends_with_done() -> None:
    talk = Talk()
    for heard in (
        talk.say("trace", trace=samples.composite().to_json(), keep=False),
        talk.say("goto", step=3),
        talk.intent("no such intent"),
        talk.say("theme", theme="dark"),
        talk.say("viewport", viewport={"layout": "phone", "graph": {"width": 390, "height": 514}}),
    ):
        assert heard[-1] == {"type": "done", "id": talk.count}
        assert [m["type"] for m in heard].count("state") == 1


def test_a_trace_that_is_none_is_refused_and_nothing_changes() -> None:
    talk = Talk(samples.composite())
    with pytest.raises(ValueError):
        talk.say("trace", trace='{"format": 1}', keep=False)
    talk.say("goto", step=3)
    assert talk.state["steps"] == len(samples.composite().steps)


def test_state_says_what_the_page_contract_needs() -> None:
    trace = samples.composite()
    talk = Talk(trace)
    state = talk.state
    assert state["step"] == state["steps"] == len(trace.steps)
    assert state["leaves"] == [
        {
            "name": "x",
            "shape": [3],
            "requires_grad": True,
            "is_leaf": True,
            "grad": "tensor([ 6.,  8., 10.])",
        }
    ]
    assert state["stdout"] == trace.stdout
    assert state["error"] is None
    assert state["ledger"] == {"names": ["x"], "selected": "x"}
    assert state["sizes"].keys() == {"line", "operation", "message"}
    talk.say("goto", step=2)
    assert "sizes" not in talk.state and talk.state["leaves"][0]["grad"] is None


def test_a_step_says_its_sentence_and_what_moves() -> None:
    trace = samples.composite()
    rule = next(s.index for s in trace.steps if s.kind == "rule" and s.op == 1)
    talk = Talk(trace)
    talk.say("goto", step=rule)
    state = talk.state
    assert state["sentence"] and state["node"] == "PowBackward0"
    assert (state["running_line"], state["made_line"]) == (9, 5)
    assert state["made_label"] == state["inspector"]["tag"] == "PowBackward0"
    path = state["motion"]["path"]
    assert path[0][0] > path[-1][0] and state["motion"]["sign"] == "pos"
    talk.say("goto", step=1)
    assert talk.state["motion"] is None


def test_models_are_built_once_and_updated_by_data_only() -> None:
    trace = samples.broadcast()
    talk = Talk(trace)
    kinds, attributes = set(), set()
    for cursor in range(len(trace.steps), -1, -1):
        talk.say("goto", step=cursor)
        kinds |= {event["kind"] for event in events(talk)}
        attributes |= {event["attr"] for event in events(talk) if event["kind"] == "ModelChanged"}
    assert kinds <= {"ModelChanged", "ColumnDataChanged", "ColumnsPatched"}
    assert attributes <= {"text", "data", "start", "end", "border_radius"}


def test_going_back_and_forth_ends_at_the_same_picture() -> None:
    trace = samples.accumulation()
    talk, straight = Talk(trace), Talk(trace)
    for cursor in (3, 9, 0, 14):
        talk.say("goto", step=cursor)
    straight.say("goto", step=14)
    for name, layer in talk.app.graph.layers.items():
        other = straight.app.graph.layers[name].source.data
        assert {k: list(v) for k, v in layer.source.data.items()} == {
            k: list(v) for k, v in other.items()
        }
    for name in ("leaves", "console", "inspector"):
        assert talk.html(name) == straight.html(name)


def test_the_same_cursor_sends_no_patch() -> None:
    talk = Talk(samples.composite())
    talk.say("goto", step=5)
    talk.say("goto", step=5)
    assert events(talk) == []


def test_cursor_outside_the_run_is_brought_back() -> None:
    talk = Talk(samples.composite())
    talk.say("goto", step=999)
    assert talk.state["step"] == talk.state["steps"]
    talk.say("goto", step=-4)
    assert talk.state["step"] == 0


def test_switch_of_requires_grad_edits_the_program() -> None:
    trace = samples.composite()
    talk = Talk(trace)
    assert 'role="switch"' in talk.html("leaves")
    assert 'aria-label="requires_grad of x"' in talk.html("leaves")
    talk.intent("requires_grad", name="x", on=False, source=trace.source)
    code = talk.only("code")
    assert "requires_grad" not in code["text"] and code["line"] == 3
    talk.intent("requires_grad", name="x", on=True, source=code["text"])
    assert talk.only("code")["text"] == trace.source


def test_no_grad_of_lines_edits_the_program_and_back() -> None:
    trace = samples.composite()
    talk = Talk(trace)
    talk.intent("no_grad", first=5, last=5, on=True, source=trace.source)
    edited = talk.only("code")["text"]
    assert "torch.no_grad()" in edited
    talk.intent("no_grad", first=6, last=6, on=False, source=edited)
    assert talk.only("code")["text"] == trace.source


def test_an_edit_without_a_place_is_said() -> None:
    talk = Talk(samples.composite())
    talk.intent("no_grad", first=5, last=5, on=True, source="x = = 3")
    assert talk.only("error")["message"]
    assert not [m for m in talk.heard if m["type"] == "code"]


def test_keep_finds_the_matching_step() -> None:
    trace = samples.composite()
    talk = Talk(trace)
    rule = next(s.index for s in trace.steps if s.kind == "rule" and s.op == 2)
    talk.say("goto", step=rule)
    talk.say("trace", trace=trace.to_json(), keep=True)
    assert talk.state["step"] == rule
    shorter = TraceBuilder("x = 1\n")
    shorter.leaf("x", 1, [1.0])
    talk.say("trace", trace=shorter.build().to_json(), keep=True)
    assert talk.state["step"] == 1


def test_selecting_does_not_move_the_cursor_and_a_step_lets_go() -> None:
    trace = samples.accumulation()
    talk = Talk(trace)
    talk.intent("select", what="write", index=17)
    assert talk.state["step"] == len(trace.steps)
    assert talk.state["inspector"]["tag"] == "call 2 · line 8"
    assert "Why 4 and not 2?" in talk.html("inspector")
    talk.say("goto", step=3)
    assert "Why 4" not in talk.html("inspector")


def test_why_none_lists_causes_and_its_remedy_edits() -> None:
    trace = samples.composite()
    talk = Talk(trace)
    talk.intent("why", name="y")
    said = talk.state
    left, top = said["why"]["box"][:2]
    plan = talk.app.desk.plan()
    tensor = next(t.id for t in trace.tensors if t.name == "y")
    spot = plan.spots[plan.of_op(trace.tensors[tensor].op)]
    assert (left, top) == pytest.approx(spot.plate, abs=0.1)
    html = talk.html("why")
    assert "y is not a leaf (line 4)" in html and html.count("<li") == 5
    talk.intent("remedy", index=0, of="why", source=trace.source)
    assert "y.retain_grad()" in talk.only("code")["text"]
    talk.intent("close")
    assert talk.html("why") == "" and talk.state["why"] is None


def test_an_error_is_explained_and_its_remedy_applied() -> None:
    trace = samples.twice()
    talk = Talk(trace)
    html = talk.html("error")
    assert "Trying to backward through the graph a second time" in html
    assert talk.state["error"]["key"] == "error.backward-twice"
    assert {mark["line"] for mark in talk.state["line_marks"]} == {4, 7, 8}
    talk.intent("remedy", index=0, of="error", source=trace.source)
    assert "retain_graph=True" in talk.only("code")["text"]
    talk.intent("remedy", index=0, of="error", source=trace.source + "# more\n")
    assert talk.only("error")["message"]
    talk.say("goto", step=2)
    assert talk.state["line_marks"] == []


def test_the_expression_box_keeps_its_answer_while_the_cursor_stays() -> None:
    talk = Talk(samples.composite())
    talk.intent("value", expression="y.grad", text="None", error=None)
    assert ">None</output>" in talk.html("leaves")
    assert "Why None?" in talk.html("leaves")
    talk.say("goto", step=3)
    assert ">None</output>" not in talk.html("leaves")
    assert 'value="y.grad"' in talk.html("leaves")


def test_what_a_program_says_is_text_and_never_markup() -> None:
    b = TraceBuilder("x\n")
    b.leaf("x", 1, [1.0])
    b.output(1, "<img src=x onerror=alert(1)>\n")
    talk = Talk(b.build())
    assert "<img" not in talk.html("console")
    assert "&lt;img" in talk.html("console")
    talk.intent("value", expression='"><b>', text="<script>", error=None)
    assert "<script>" not in talk.html("leaves") and '"><b>' not in talk.html("leaves")


def test_language_changes_every_view() -> None:
    talk = Talk(samples.composite())
    talk.say("language", language="zh")
    assert "名称" in talk.html("leaves")
    words = talk.app.timeline.words.source.data["text"]
    assert list(words) == ["前向", "反向，第 9 行"]
    talk.say("language", language="tlh")
    assert "名称" in talk.html("leaves")


def test_theme_changes_colours_and_nothing_else() -> None:
    talk = Talk(samples.composite())
    before = list(talk.app.graph.layers["pills"].source.data["x"])
    talk.say("theme", theme="dark")
    pills = talk.app.graph.layers["pills"].source.data
    assert list(pills["x"]) == before
    assert talk.app.graph.root.background_fill_color == "#101318"


def test_tools_zoom_flip_fit_and_table() -> None:
    talk = Talk(samples.composite())
    talk.intent("graph-tool", tool="zoomin")
    assert talk.state["graph"]["zoom"] == 125
    talk.intent("graph-tool", tool="fit")
    assert talk.state["graph"]["zoom"] == 100
    talk.intent("graph-tool", tool="flip")
    assert talk.app.desk.plan().vertical
    talk.intent("graph-tool", tool="table")
    assert talk.state["graph"]["table"] is True
    assert talk.html("table").count("<tr") == 1 + 5
    talk.intent("graph-tool", tool="table")
    assert talk.html("table") == ""


def test_a_tap_on_the_figure_selects() -> None:
    talk = Talk(samples.composite())
    spot = talk.app.desk.plan().spots[talk.app.desk.plan().of_op(2)]
    model = {"id": talk.app.graph.root.id}
    values = {"model": model, "sx": 0, "sy": 0, "x": spot.cx, "y": spot.cy}
    values["modifiers"] = {"type": "map", "entries": [["alt", False]]}
    event = {
        "type": "event",
        "name": "tap",
        "values": {"type": "map", "entries": list(values.items())},
    }
    message = {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": event}
    talk.say("patch", patch=json.dumps({"events": [message]}))
    assert talk.state["inspector"]["tag"] == "MulBackward0"


def test_the_page_panning_is_believed() -> None:
    talk = Talk(samples.composite())
    axis = talk.app.graph.root.x_range
    change = [
        {"kind": "ModelChanged", "model": {"id": axis.id}, "attr": "start", "new": axis.start + 50},
        {"kind": "ModelChanged", "model": {"id": axis.id}, "attr": "end", "new": axis.end + 50},
    ]
    talk.say("patch", patch=json.dumps({"events": change}))
    assert talk.app.desk.camera.fitted is False
    assert talk.app.desk.camera.zoom == 1
    assert [e for e in events(talk) if e.get("attr") in ("start", "end")] == []


def test_keys_in_graph_and_ledger() -> None:
    trace = samples.accumulation()
    talk = Talk(trace)
    talk.intent("graph-key", key="ArrowRight")
    first = talk.app.desk.focus
    talk.intent("graph-key", key="ArrowRight")
    assert talk.app.desk.focus != first
    talk.intent("graph-key", key="Enter")
    assert talk.app.desk.selection is not None
    talk.intent("ledger-key", key="End")
    talk.intent("ledger-key", key="ArrowLeft")
    chosen = talk.app.desk.selection
    assert chosen is not None and (chosen.what, chosen.index) == ("write", 17)


def test_copying_latex() -> None:
    trace = samples.composite()
    talk = Talk(trace)
    talk.say("goto", step=2)
    talk.intent("copy-latex")
    assert "=" in talk.only("copy")["text"]


def test_patches_of_a_step_are_small() -> None:
    b = TraceBuilder("x\n" * 9)
    cur = b.leaf("x", 1, [1.0, 2.0, 3.0])
    count = 30
    for i in range(count):
        operands = [("input", ("t", cur)), ("other", 2)]
        cur = b.op("mul", "MulBackward0", 2, operands, [1.0] * 3, name=f"h{i}")
    b.call(3, cur)
    for i in reversed(range(count)):
        b.rule(i, 3, [1.0] * 3, [(0, [1.0] * 3)])
    b.write(0, 3, [1.0] * 3, [1.0] * 3)
    talk = Talk(b.build())
    sizes = []
    for cursor in range(count + 5, count + 25):
        talk.say("goto", step=cursor)
        sizes.append(sum(len(m["patch"]) for m in talk.heard if m["type"] == "patch"))
    assert sorted(sizes)[len(sizes) // 2] < 40_000


def test_the_picture_is_a_well_formed_drawing_of_the_whole_graph() -> None:
    talk = Talk(samples.broadcast())
    talk.intent("graph-tool", tool="zoomin")
    talk.intent("graph-tool", tool="save")
    file = talk.only("download")
    assert (file["name"], file["mime"]) == ("graph.svg", "image/svg+xml")
    root = ElementTree.fromstring(file["text"])
    said = {element.text for element in root.iter() if element.tag.endswith("text")}
    assert {"w", "b", "loss", "MulBackward0", "v1", "no_grad · line 12"} <= said


def test_there_is_no_picture_of_nothing() -> None:
    talk = Talk()
    talk.intent("graph-tool", tool="save")
    assert not [m for m in talk.heard if m["type"] == "download"]


def test_an_edge_is_cut_and_a_graph_retained_by_edits() -> None:
    trace = samples.composite()
    talk = Talk(trace)
    rule = next(s.index for s in trace.steps if s.kind == "rule" and s.op == 1)
    talk.intent("select", what="message", index=rule, operand=0)
    talk.intent("detach", source=trace.source)
    assert "y.detach() ** 2" in talk.only("code")["text"]
    call = next(s.index for s in trace.steps if s.kind == "call")
    talk.say("goto", step=call)
    assert 'aria-label="retain_graph of line 9"' in talk.html("inspector")
    talk.intent("retain_graph", line=9, on=True, source=trace.source)
    assert "z.backward(retain_graph=True)" in talk.only("code")["text"]


def values(document: Document) -> dict[str, str]:
    """Every model's properties by its name; other models are shown as their names."""
    return {model.id: str(_sorted(model.properties_with_values())) for model in document.models}


def _sorted(properties: dict[str, Any]) -> dict[str, Any]:
    """Sets in an order that does not depend on how they were filled."""
    return {k: sorted(v) if isinstance(v, set) else v for k, v in properties.items()}


def test_an_interface_drawn_ahead_is_followed_by_what_differs() -> None:
    app.draw_ahead('{"language": "en", "theme": "light"}')
    sizes = {"graph": {"width": 700, "height": 400}, "ledger": {"width": 600, "height": 140}}
    around = {"language": "zh", "theme": "dark", "viewport": {"layout": "phone", **sizes}}
    heard: list[dict[str, Any]] = []
    app.start(lambda text: heard.append(json.loads(text)), json.dumps(around))
    assert [message["type"] for message in heard] == ["ready", "patch"]
    (sent,) = json.loads(heard[0]["docs_json"]).values()
    page = Document.from_json(sent)
    before = values(page)
    page.apply_json_patch(json.loads(heard[1]["patch"]))
    assert values(page) == values(app.shown().page.document) != before


def test_a_run_that_had_to_be_ended_is_told_beside_the_picture_of_the_run_before() -> None:
    trace = samples.composite()
    talk = Talk(trace)
    why = {"key": "run.lateAt", "facts": {"seconds": 20, "line": 7}}
    talk.say("ended", line=7, key="error.budget-seconds", why=why, other=True)
    assert talk.state["ended"] and talk.state["steps"] == len(trace.steps)
    assert talk.state["error"]["type"] == "Stopped" and talk.state["error"]["line"] == 7
    assert "20 seconds in line 7" in talk.state["error"]["message"]
    assert [mark["line"] for mark in talk.state["line_marks"]] == [7]
    assert talk.state["running_line"] is None
    talk.say("goto", step=3)  # the run before, looked at again
    assert not talk.state["ended"] and talk.state["error"] is None
    assert talk.state["running_line"] == trace.steps[2].line
