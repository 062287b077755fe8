"""A pinned run, and what differs from it."""

from __future__ import annotations

import pytest

from playground.compare import changes, same
from playground.session import run
from playground.state import State, state_at
from playground.trace import Value
from tests.playground.drawn import Talk, texts

SOURCE = (
    "import torch\nx = torch.tensor([1., 2.], requires_grad=True)\nk = torch.tensor(3.)\n"
    "y = k * x\ny.sum().backward()\n"
)
OTHER = SOURCE.replace("tensor(3.)", "tensor(4.)")


def end(source: str) -> State:
    trace = run(source)
    return state_at(trace, len(trace.steps))


def test_what_changed_is_named_with_both_values() -> None:
    found = changes(end(OTHER), end(SOURCE))
    assert [(c.name, c.grad) for c in found] == [("x", True), ("k", False), ("y", False)]
    assert found[0].before and found[0].before.data == (3.0, 3.0)
    assert found[0].now and found[0].now.data == (4.0, 4.0)


def test_equal_runs_differ_in_nothing() -> None:
    assert changes(end(SOURCE), end(SOURCE)) == ()


def test_names_that_came_or_went_are_changes() -> None:
    found = changes(end(SOURCE + "z = y + 1\n"), end(SOURCE))
    assert [(c.name, c.before) for c in found] == [("z", None)]
    gone = changes(end(SOURCE), end(SOURCE + "z = y + 1\n"))
    assert [(c.name, c.now, c.tensor) for c in gone] == [("z", None, None)]


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        (Value((1,), "float32", ("nan",)), Value((1,), "float32", ("nan",)), True),
        (Value((1,), "float32", (1.0,)), Value((1,), "float32", (1.0 + 1e-8,)), True),
        (Value((1,), "float32", (1.0,)), Value((1,), "float32", ("inf",)), False),
        (Value((), "float32", (1.0,)), Value((1,), "float32", (1.0,)), False),
        (None, None, True),
        (None, Value((), "float32", (0.0,)), False),
    ],
)
def test_values_are_compared_as_numbers(a: Value | None, b: Value | None, equal: bool) -> None:
    assert same(a, b) is equal


def badges(talk: Talk) -> int:
    return texts(talk.app.scene, "badge_text").count("≠")


def test_a_pin_marks_nodes_and_lists_values_until_it_is_let_go() -> None:
    talk = Talk(run(SOURCE))
    talk.intent("pin")
    assert talk.state["graph"]["pinned"] is True and badges(talk) == 0
    talk.say("trace", trace=run(OTHER).to_json(), keep=False)
    shown = talk.html("leaves")
    assert badges(talk) == 3
    assert "Not as in the pinned run" in shown and "x.grad" in shown and "3  3" in shown
    talk.say("goto", step=1)
    assert badges(talk) == 0 and "Everything is as in the pinned run." in talk.html("leaves")
    talk.say("goto", step=2)
    assert badges(talk) == 1
    talk.intent("pin")
    assert talk.state["graph"]["pinned"] is False and badges(talk) == 0
    assert "pinned" not in talk.html("leaves")


def test_the_same_program_again_is_as_it_was() -> None:
    talk = Talk(run(SOURCE))
    talk.intent("pin")
    talk.say("trace", trace=run(SOURCE).to_json(), keep=False)
    assert badges(talk) == 0 and "Everything is as" in talk.html("leaves")


def ghosts(talk: Talk, layer: str = "ghosts") -> list[float]:
    """Heights of the outlines of the pinned run's bars, that of the legend left out."""
    return list(talk.app.ledger.layers[layer].source.data["height"])[:-1]


def test_the_ledger_shows_the_pinned_bars_behind_its_own() -> None:
    talk = Talk(run(SOURCE))
    talk.intent("pin")
    assert ghosts(talk) == []
    talk.say("trace", trace=run(OTHER).to_json(), keep=False)
    own = list(talk.app.ledger.layers["added"].source.data["height"])[:2]
    assert [round(high - 3, 3) for high in ghosts(talk)] == [round(each * 3 / 4, 3) for each in own]
    assert "pinned" in talk.app.ledger.layers["words"].source.data["text"]
    talk.say("goto", step=2)
    assert ghosts(talk) == []


def test_writes_that_only_the_pinned_run_has_keep_their_place() -> None:
    again = SOURCE + "(k * x).sum().backward()\n"
    talk = Talk(run(again))
    talk.intent("pin")
    talk.say("trace", trace=run(SOURCE).to_json(), keep=False)
    assert len(ghosts(talk)) == 4 and len(talk.app.ledger.places) == 1


def test_the_legend_has_the_colour_of_the_runs_own_bars() -> None:
    talk = Talk(run(SOURCE))
    talk.intent("pin")
    talk.say("trace", trace=run(SOURCE.replace("tensor(3.)", "tensor(-3.)")).to_json(), keep=False)
    colours = set(talk.app.ledger.layers["added"].source.data["fill"])
    assert colours == {talk.app.frame.theme.neg}
