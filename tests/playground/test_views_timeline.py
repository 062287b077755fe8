"""The time line: ticks at places linear in the step, lanes, kinds and states."""

from __future__ import annotations

from itertools import pairwise

import pytest

from playground.views.frame import Selection
from playground.views.timeline import Drawing, margins
from tests.playground import samples
from tests.playground.builders import TraceBuilder
from tests.playground.drawn import frame_at


def drawing(trace, cursor=None, **more):
    return Drawing(frame_at(trace, cursor, **more), 991, 120)


def labels(found):
    return [row[2] for row in found.layers["labels"]]


def long(calls: int):
    b = TraceBuilder("x\n" * 9)
    x = b.leaf("x", 1, [1.0])
    y = b.op("mul", "MulBackward0", 2, [("input", ("t", x)), ("other", 2)], [2.0], name="y")
    for _ in range(calls):
        b.call(3, y)
        b.rule(0, 3, [1.0], [(0, [2.0])])
        b.write(x, 3, [2.0], [2.0])
    return b.build()


@pytest.mark.parametrize("size", ["line", "operation", "message"])
def test_every_stop_has_a_place_at_equal_distances(size: str) -> None:
    trace = samples.composite()
    found = drawing(trace, step_size=size)
    left, right = margins("desktop")
    assert found.x(1) == left == 124
    assert abs(found.x(len(trace.steps)) - (991 - right)) < 1e-9
    shown = [s for s in trace.steps if size == "message" or s.kind != "freed"]
    gaps = {round(found.x(b.index) - found.x(a.index), 6) for a, b in pairwise(shown)}
    assert len(gaps) == 1


def test_what_is_picked_is_ringed_on_the_axis() -> None:
    trace = samples.composite()
    found = drawing(trace, len(trace.steps), selection=Selection("op", 1))
    (ring,) = found.layers["picked"]
    assert ring[0] == found.x(found.frame.state.index.done[1])


def test_lanes_are_the_forward_pass_and_every_call() -> None:
    found = drawing(samples.accumulation())
    assert [row[2] for row in found.layers["words"]] == [
        "Forward",
        "Backward, line 7",
        "Backward, line 8",
    ]
    assert {found.lane(step) for step in found.trace.steps} == {0, 1, 2}


def test_labels_are_names_grad_fns_and_leaves() -> None:
    found = labels(drawing(samples.composite(), 0))
    assert found == ["x", "y", "q", "v", "z", "z", "Mean", "Mul", "Pow", "Add", "x.grad", "print"]


def test_freed_ticks_show_at_step_size_message_only() -> None:
    trace = samples.composite()
    assert len(drawing(trace, step_size="message").layers["strokes"]) == 2 * 2 + 1
    assert len(drawing(trace).layers["strokes"]) == 1


def test_past_is_filled_future_hollow_current_accent() -> None:
    trace = samples.composite()
    found, theme = drawing(trace, 3), frame_at(trace).theme
    fills = [row[3] for row in found.layers["circles"]]
    assert fills == [theme.ink2, theme.accent, theme.bg, theme.bg]
    assert [row[2] for row in found.layers["count"]] == ["3"]


def test_at_cursor_zero_nothing_is_current() -> None:
    found = drawing(samples.composite(), 0)
    assert not found.layers["bubble"] and not found.layers["band"]


def test_more_than_three_lanes_scroll_with_the_cursor() -> None:
    trace = long(9)
    for step in trace.steps:
        found = drawing(trace, step.index)
        assert len(found.ys) == 3 and 0 in found.ys
        assert found.lane(step) in found.ys


def test_a_crowded_line_has_the_same_strokes_at_every_cursor() -> None:
    trace = long(200)
    first, second = drawing(trace, 100), drawing(trace, 104)
    assert len(first.layers["dense"]) <= 3 * 991
    places = [[row[:4] for row in each.layers["dense"]] for each in (first, second)]
    assert first.ys.keys() != second.ys.keys() or places[0] == places[1]
    assert len(labels(first)) == 1


def test_an_error_is_a_warning_sign() -> None:
    trace = samples.twice()
    found = drawing(trace)
    assert frame_at(trace).theme.err in [row[2] for row in found.layers["polygons"]]


def test_an_empty_run_draws_nothing() -> None:
    found = drawing(TraceBuilder("").build())
    assert not any(found.layers.values())


def test_phone_has_no_words_and_narrow_margins() -> None:
    found = Drawing(frame_at(samples.composite(), layout="phone"), 390, 72)
    assert not found.layers["words"] and not found.layers["labels"]
    assert found.x(1) == 24
