"""What an observer is told, and that it may stop a program."""

from __future__ import annotations

from typing import Any

import pytest

import engine as torch
from engine import events

PROGRAM = """
x = torch.tensor([1., 2.], requires_grad=True)
b = torch.tensor(3., requires_grad=True)
y = x * b
y.sum().backward()
x.grad.zero_()
b.grad = None
"""


def observe(source: str) -> list[Any]:
    seen: list[events.Event] = []
    code = compile(source, "<program>", "exec")
    with events.observe(seen.append, "<program>"):
        exec(code, {"torch": torch})
    return seen


def of_kind(seen: list[Any], kind: str) -> list[Any]:
    return [e for e in seen if type(e).__name__ == kind]


def test_story_of_a_small_program() -> None:
    seen = observe(PROGRAM)
    assert [(type(e).__name__, e.line) for e in seen] == [
        ("TensorCreated", 2),
        ("TensorCreated", 3),
        ("OpApplied", 4),
        ("OpApplied", 5),
        ("BackwardStarted", 5),
        ("VjpApplied", 5),
        ("VjpApplied", 5),
        ("SavedFreed", 5),
        ("ReducedToShape", 5),
        ("GradWritten", 5),
        ("GradWritten", 5),
        ("BackwardFinished", 5),
        ("OpApplied", 6),
        ("GradCleared", 7),
    ]


def test_two_runs_give_equal_events() -> None:
    assert observe(PROGRAM) == observe(PROGRAM)


def test_operation_names_its_tensors_nodes_and_what_it_saved() -> None:
    (mul, total, zero) = of_kind(observe(PROGRAM), "OpApplied")
    assert (mul.op, mul.grad_fn, mul.node) == ("mul", "MulBackward0", 1)
    assert [(name, facts.id) for name, facts in mul.arguments] == [("input", 1), ("other", 2)]
    assert [(s.name, s.tensor) for s in mul.saved] == [("other", 2), ("input", 1)]
    assert mul.outputs[0].value.data == (3.0, 6.0) and mul.outputs[0].node == 1
    assert total.edges == (1,)
    assert zero.inplace and zero.arguments[0][1].value.data == (3.0, 3.0)
    assert zero.outputs[0].value.data == (0.0, 0.0) and zero.outputs[0].version == 1


def test_messages_lead_from_node_to_node() -> None:
    seen = observe(PROGRAM)
    total, mul = of_kind(seen, "VjpApplied")
    assert [(at, to) for at, to, _ in total.passed] == [(0, mul.node)]
    assert mul.incoming[0].data == (1.0, 1.0)
    (reduced,) = of_kind(seen, "ReducedToShape")
    assert (reduced.before, reduced.after, reduced.dims, reduced.value.data) == (
        (2,),
        (),
        (0,),
        (3.0,),
    )
    written = of_kind(seen, "GradWritten")
    leaves = {to for _, to, _ in mul.passed}
    assert {w.node for w in written} == leaves
    assert [(w.leaf, w.how, w.grad.value.data) for w in written] == [
        (1, "set", (3.0, 3.0)),
        (2, "set", (3.0,)),
    ]


def test_accumulation_tells_what_was_there() -> None:
    seen = observe(
        "x = torch.ones(2, requires_grad=True)\nfor _ in range(2):\n    (x * 3).sum().backward()"
    )
    first, second = of_kind(seen, "GradWritten")
    assert (first.how, second.how) == ("set", "add")
    assert second.before.data == (3.0, 3.0) and second.contribution.data == (3.0, 3.0)
    assert second.grad.value.data == (6.0, 6.0) and first.grad.id == second.grad.id


def test_write_through_a_view_tells_the_nodes_the_pass_will_run() -> None:
    seen = observe(
        "x = torch.ones(3, requires_grad=True)\n"
        "y = x * 1\n"
        "v = y[1:]\n"
        "v.mul_(2)\n"
        "(y.sum() + v.sum()).backward()\n"
    )
    write, again = of_kind(seen, "OpApplied")[2:4]
    assert (write.op, write.grad_fn, write.inplace) == ("mul", "CopySlices", True)
    assert (again.op, again.grad_fn, again.edges) == (
        "as_strided",
        "AsStridedBackward0",
        (write.node,),
    )
    ran = {e.node for e in of_kind(seen, "VjpApplied")}
    assert {write.node, again.node} <= ran


def test_refusal_carries_its_key_and_facts() -> None:
    source = (
        "x = torch.ones(2, requires_grad=True)\n"
        "y = (x * x).sum()\n"
        "y.backward()\n"
        "try:\n"
        "    y.backward()\n"
        "except RuntimeError:\n"
        "    pass\n"
    )
    (raised,) = of_kind(observe(source), "Raised")
    facts = dict(raised.facts)
    assert raised.key == "error.backward-twice" and raised.line == 5
    assert (facts["grad_fn"], facts["line"], facts["freed_line"]) == ("MulBackward0", 2, 3)


def test_written_saved_tensor_names_both_lines() -> None:
    source = (
        "x = torch.ones(2, requires_grad=True)\na = x + 1\ny = a * a\na.add_(1)\ny.sum().backward()"
    )
    with pytest.raises(RuntimeError) as caught:
        observe(source)
    error: Any = caught.value
    assert error.key == "error.modified-in-place"
    assert (error.facts["saved_line"], error.facts["written_line"]) == (3, 4)
    assert (error.facts["found"], error.facts["expected"]) == (1, 0)


def test_observer_may_stop_a_program_and_the_engine_goes_on() -> None:
    class Enough(Exception):
        pass

    left = [5]

    def count(event: events.Event) -> None:
        left[0] -= 1
        if not left[0]:
            raise Enough

    x = torch.ones(2, requires_grad=True)
    with pytest.raises(Enough), events.observe(count, "nowhere"):
        while True:
            (x * 2).sum().backward()
    assert events.observer is None and not events.careful and torch.is_grad_enabled()
    x.grad = None
    (x * 2).sum().backward()
    assert x.grad.tolist() == [2, 2]


def test_large_values_are_summarised() -> None:
    value = events.value_of(torch.arange(100.0)._array)
    assert value.data is None
    assert value.stats is not None and value.stats[:3] == (0, 99, 49.5)
    assert value.sample is not None and len(value.sample) == events.SAMPLE


@pytest.mark.parametrize(
    ("statement", "op", "value"),
    [
        ("w.data = torch.tensor([5., 6.])", "copy", (5.0, 6.0)),
        ("torch.add(w, 1, out=w)", "copy", (2.0, 3.0)),
        ("F.embedding(torch.tensor([0]), m, max_norm=1.)", "embedding_renorm", None),
    ],
)
def test_values_that_no_operation_writes_are_told_too(
    statement: str, op: str, value: tuple[float, ...] | None
) -> None:
    begin = "F = torch.nn.functional\nw = torch.tensor([1., 2.])\nm = torch.full((1, 2), 3.)\n"
    seen = observe(begin + statement)
    written = [e for e in of_kind(seen, "OpApplied") if e.inplace]
    assert [e.op for e in written] == [op]
    assert value is None or written[0].outputs[0].value.data == value
    assert written[0].outputs[0].id == of_kind(seen, "TensorCreated")[0 if value else 1].tensor.id
