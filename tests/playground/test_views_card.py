"""Cards of the graph: what they say of nodes and edges that the picture leaves out."""

from __future__ import annotations

from typing import Any

from playground.session import run
from playground.trace import Trace
from playground.views.edges import Edges
from playground.views.pen import Pen
from playground.views.theme import LIGHT
from tests.playground import samples
from tests.playground.drawn import Talk


def told(trace: Trace, step: int | None = None, **where: Any) -> dict[str, Any] | None:
    talk = Talk(trace)
    if step is not None:
        talk.say("goto", step=step)
    talk.say("hover", **where)
    found = talk.only("card")["card"]
    if found is not None:
        found["rows"] = dict(found["rows"])
    return found


def test_a_leaf_tells_value_grad_shape_type_version_and_line() -> None:
    card = told(samples.composite(), key="leaf:x")
    assert card is not None and card["title"] == "x"
    assert card["rows"] == {
        "value": "1  2  3",
        ".grad": "6  8  10",
        "shape": "(3,)",
        "dtype": "torch.float32",
        "version": "0",
        "line": "3",
    }


def test_an_operation_tells_its_result_and_the_gradient_that_arrived() -> None:
    card = told(samples.composite(), key="op:q")
    assert card is not None and card["title"] == "PowBackward0"
    assert card["rows"]["result"] == "q" and card["rows"]["gradient"] == "1  1  1"
    before = told(samples.composite(), 5, key="op:q")
    assert before is not None and "gradient" not in before["rows"]


def test_an_edge_tells_its_message_before_and_after_the_sum() -> None:
    talk = Talk(samples.broadcast())
    plan = talk.app.desk.plan()
    edges = Edges(Pen(LIGHT, 1), talk.app.desk.state())
    link = next(link for link in plan.links if link.sums_at)
    x, y = edges.course(link).at(0.5)
    talk.say("hover", x=x, y=y)
    rows = dict(talk.only("card")["card"]["rows"])
    assert rows["shape"] == "()" and len(rows["before the sum"].split()) == 3
    talk.say("goto", step=5)
    talk.say("hover", x=x, y=y)
    assert "value" in dict(talk.only("card")["card"]["rows"])


def test_nothing_is_told_of_empty_paper_nor_of_what_is_still_to_come() -> None:
    assert told(samples.composite(), x=-500, y=-500) is None
    assert told(samples.composite(), 1, key="op:q") is None
    assert told(samples.composite(), key="") is None


def test_many_numbers_are_told_by_their_extremes_also_when_there_are_none() -> None:
    trace = run("import torch\nx = torch.arange(100.)\nx.requires_grad_()\ny = x * 2\n"
                "z = torch.ones(0, 3) * x.sum()\n")  # fmt: skip
    many = told(trace, key="op:y")
    assert many is not None and many["rows"]["value"].startswith("0 … 198, mean 99, norm ")
    none = told(trace, key="op:z")
    assert none is not None and none["rows"]["value"] == "[ ]"


def test_a_hover_changes_nothing_and_a_row_of_the_table_asks_for_its_card() -> None:
    talk = Talk(samples.composite())
    talk.say("hover", key="leaf:x")
    assert [message["type"] for message in talk.heard] == ["card", "done"]
    talk.intent("graph-tool", tool="table")
    assert 'data-card="op:q"' in talk.html("table")
