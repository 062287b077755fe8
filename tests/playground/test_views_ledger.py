"""The ledger: what every write adds to what, on an axis that belongs to the run."""

from __future__ import annotations

import pytest

from playground.session import run
from playground.state import state_at
from playground.views.ledger import Drawing, Ledger
from playground.views.ledger_data import bar_at, caption, columns, followed, scale
from tests.playground import samples
from tests.playground.builders import TraceBuilder
from tests.playground.drawn import frame_at


def drawing(trace, cursor=None, **more):
    return Drawing(frame_at(trace, cursor, leaf=0, **more), 391, 312)


def written(found, layer="values"):
    return [row[2] for row in found.layers[layer]]


def test_accumulation_is_kept_and_added() -> None:
    found = columns(state_at(samples.accumulation(), 99), 0)
    assert [each.entry.how for each in found] == ["set", "add", "zero"]
    assert found[0].kept == (0.0,) * 4 and found[0].added == (2.0,) * 4
    assert found[1].kept == (2.0,) * 4 and found[1].added == (2.0,) * 4
    assert found[1].total == (4.0,) * 4
    assert [caption(each, 14, 0) for each in found] == ["2", "2 + 2 = 4", ""]


def test_what_is_not_finite_is_named_and_crossed() -> None:
    trace = run(
        "import torch\n"
        "x = torch.tensor([0., 1., float('inf')], requires_grad=True)\n"
        "(x.sqrt() * x.log()).sum().backward()\n"
        "x.sum().backward()\n"
    )
    found = columns(state_at(trace, len(trace.steps)), 0)
    assert [caption(each, 14, 0) for each in found] == ["nan  1  nan", "nan  2  nan"]
    assert [caption(each, 6, 0) for each in found] == ["nan", "nan"]
    drawn = drawing(trace, len(trace.steps))
    assert len(drawn.layers["crossed"]) == 2 * 2 * 2
    assert not drawn.layers["question"]


def test_axis_is_round_and_holds_everything() -> None:
    assert scale(columns(state_at(samples.composite(), 99), 0)) == (0.0, 10.0, 2.0)
    assert scale(columns(state_at(samples.accumulation(), 99), 0)) == (0.0, 4.0, 1.0)
    assert scale([]) == (0.0, 1.0, 1.0)


def test_line_follows_the_largest_element_or_the_one_clicked() -> None:
    found = columns(state_at(samples.composite(), 99), 0)
    assert followed(found) == 2
    largest, first = drawing(samples.composite()), drawing(samples.composite(), element=0)
    assert largest.layers["line"][0] != first.layers["line"][0]


def test_before_the_first_write_nothing_is_given_away() -> None:
    early = drawing(samples.accumulation(), 3)
    assert "x.grad is None" in written(early, "words")
    assert not early.layers["added"] and not early.layers["line"]
    assert not any(text.isdigit() for text in written(early))


def test_nothing_is_laid_out_again_when_the_cursor_moves() -> None:
    trace = samples.accumulation()
    ends = [drawing(trace, cursor) for cursor in range(12, len(trace.steps) + 1)]
    assert len(ends) > 3
    assert all(each.places == ends[0].places for each in ends)
    axes = [[row[:4] for row in each.layers["axes"]] for each in ends]
    assert all(each == axes[0] for each in axes)


def test_a_column_to_come_is_hollow() -> None:
    trace = samples.accumulation()
    step = next(step.index for step in trace.steps if step.kind == "write")
    now = drawing(trace, step)
    assert len(now.layers["dotted"]) == 2
    assert len(now.layers["added"]) == 4 + 1  # the bars and the legend


def test_zero_and_none_end_the_line() -> None:
    b = TraceBuilder("x\n" * 9)
    x = b.leaf("x", 1, [1.0])
    y = b.op("mul", "MulBackward0", 2, [("input", ("t", x)), ("other", 2)], [2.0], name="y")
    for line in (3, 5):
        b.call(line, y)
        b.rule(0, line, [1.0], [(0, [2.0])])
        b.write(x, line, [2.0], [2.0])
        b.none(x, line + 1)
    found = drawing(b.build())
    assert len(found.layers["gone"]) == 2
    assert len(found.layers["line"]) == 2 + 1  # a line for each life of .grad, and the legend


def test_the_question_stands_where_something_was_kept() -> None:
    assert written(drawing(samples.accumulation(), 17), "question") == ["Why 4 and not 2?"]
    assert not written(drawing(samples.composite()), "question")


@pytest.mark.parametrize("count", [1, 3, 40, 200])
def test_many_writes_stay_inside(count: int) -> None:
    b = TraceBuilder("x\n" * 9)
    x = b.leaf("x", 1, [1.0, 2.0])
    y = b.op("mul", "MulBackward0", 2, [("input", ("t", x)), ("other", 2)], [2.0, 4.0], name="y")
    total = [0.0, 0.0]
    for _ in range(count):
        b.call(3, y)
        b.rule(0, 3, [1.0, 1.0], [(0, [2.0, 1.0])])
        before, total = total, [total[0] + 2, total[1] + 1]
        b.write(x, 3, [2.0, 1.0], total, before=before if before[0] else None)
    found = drawing(b.build())
    for left, right, _ in found.places:
        assert 0 <= left < right <= 391
    assert any(each.entry.step == len(b.steps) for _, _, each in found.places)


def test_large_gradients_are_a_mean_with_its_range() -> None:
    b = TraceBuilder("x\n" * 9)
    x = b.leaf("x", 1, [float(i) for i in range(12)])
    y = b.op("sum", "SumBackward0", 2, [("input", ("t", x))], 66.0, name="y")
    b.call(3, y)
    grad = [float(i) for i in range(12)]
    b.rule(0, 3, 1.0, [(0, grad)])
    b.write(x, 3, grad, grad)
    (column,) = columns(state_at(b.build(), 99), x)
    assert column.total == (5.5,) and column.spread == (0.0, 11.0)


def test_a_click_finds_column_and_element() -> None:
    ledger = Ledger()
    ledger.show(frame_at(samples.composite(), leaf=0))
    (left, right, found), *_ = ledger.places
    middle = ledger.hit((left + right) / 2, 100)
    assert middle == (found, 1)
    assert bar_at(found, left + 1, left, right) is None
    assert ledger.hit(0, 0) is None
