"""State at a cursor: what changed by then, and nothing of what comes."""

from __future__ import annotations

from playground.state import State, state_at, stops
from playground.trace import Trace
from tests.playground.builders import value
from tests.playground.samples import accumulation, broadcast, composite, twice


def cursor_of(trace: Trace, kind: str, count: int = 1) -> int:
    return [step.index for step in trace.steps if step.kind == kind][count - 1]


def at(trace: Trace, kind: str, count: int = 1) -> State:
    return state_at(trace, cursor_of(trace, kind, count))


def test_before_the_first_step_nothing_exists() -> None:
    state = state_at(composite(), 0)
    assert state.step is None
    assert not any(state.exists(tensor.id) for tensor in state.trace.tensors)
    assert state.leaves() == [] and state.names() == {} and state.stdout() == ""


def test_the_cursor_is_kept_inside_the_trace() -> None:
    trace = composite()
    assert state_at(trace, -5).cursor == 0
    assert state_at(trace, 10_000).cursor == len(trace.steps)


def test_a_gradient_is_none_until_it_is_written() -> None:
    trace = composite()
    write = cursor_of(trace, "write")
    assert state_at(trace, write - 1).grad(0) is None
    assert state_at(trace, write - 1).next_write(0) == write
    assert state_at(trace, write).grad(0) == value([6.0, 8.0, 10.0])
    assert state_at(trace, write).next_write(0) is None


def test_messages_appear_with_their_step() -> None:
    trace = composite()
    pow_rule = cursor_of(trace, "rule", 3)
    assert state_at(trace, pow_rule - 1).message(1, 0) is None
    sent = state_at(trace, pow_rule).message(1, 0)
    assert sent is not None and sent.call == 1
    assert sent.message.value == value([6.0, 8.0, 10.0])


def test_only_ops_that_saved_something_are_freed() -> None:
    trace = composite()
    end = state_at(trace, len(trace.steps))
    assert [end.freed(op) for op in range(4)] == [False, True, True, False]
    assert not state_at(trace, cursor_of(trace, "freed") - 1).freed(2)


def test_the_ledger_tells_two_calls_and_the_zeroing() -> None:
    trace = accumulation()
    entries = state_at(trace, len(trace.steps)).ledger(0)
    assert [(entry.how, entry.call, entry.line) for entry in entries] == [
        ("set", 1, 7),
        ("add", 2, 8),
        ("zero", None, 9),
    ]
    assert entries[1].before == value([2.0] * 4) and entries[1].added == value([2.0] * 4)
    assert [entry.total for entry in entries] == [value([n] * 4) for n in (2.0, 4.0, 0.0)]
    assert len(state_at(trace, entries[1].step - 1).ledger(0)) == 1


def test_an_edge_shows_the_last_message_and_its_call() -> None:
    trace = accumulation()
    assert at(trace, "write", 2).message(0, 0) == at(trace, "write", 1).message(0, 0)
    sent = at(trace, "write", 2).message(3, 0)
    assert sent is not None and sent.call == 2


def test_writing_in_place_changes_value_and_version() -> None:
    trace = broadcast()
    w = 1
    before, after = at(trace, "op", 5), at(trace, "inplace")
    assert (before.version(w), after.version(w)) == (0, 1)
    assert before.value(w) == value(2.0) and after.value(w) == value(1.7333333492279053)
    assert after.writer(w) == 5 and before.writer(w) is None
    assert after.is_leaf(w) and after.requires_grad(w)


def test_a_reduction_is_told_apart_from_the_message_before_it() -> None:
    trace = broadcast()
    end = state_at(trace, len(trace.steps))
    whole, summed = end.message(0, 0), end.reduction(0, 0)
    assert whole is not None and whole.message.value.shape == (3,)
    assert summed is not None and summed.message.value == value(2.6666665077209473)


def test_leaves_are_those_of_the_program_in_its_order() -> None:
    trace = broadcast()
    end = state_at(trace, len(trace.steps))
    assert [(leaf.name, end.requires_grad(leaf.id)) for leaf in end.leaves()] == [
        ("x", False),
        ("w", True),
        ("b", True),
    ]


def test_step_sizes_nest_and_end_at_the_end() -> None:
    for trace in (composite(), accumulation(), twice(), broadcast()):
        sizes = stops(trace)
        assert set(sizes["line"]) <= set(sizes["operation"]) <= set(sizes["message"])
        assert {size[0] for size in sizes.values()} == {0}
        assert {size[-1] for size in sizes.values()} == {len(trace.steps)}
    assert len(stops(composite())["operation"]) - 1 == 12
    assert len(stops(twice())["operation"]) - 1 == 10
    assert len(stops(accumulation())["operation"]) - 1 == 16
    assert len(stops(broadcast())["operation"]) - 1 == 18
