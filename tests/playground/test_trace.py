"""Traces travel as JSON, and nothing but a trace is taken for one."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from playground.codec import SchemaError
from playground.trace import Trace, Value
from tests.playground.samples import SAMPLES, composite


@pytest.mark.parametrize("make", SAMPLES.values(), ids=SAMPLES)
def test_a_trace_survives_the_way_through_json(make: Callable[[], Trace]) -> None:
    trace = make()
    assert Trace.from_json(trace.to_json()) == trace


def spoiled(change: Callable[[Any], Any]) -> str:
    data = json.loads(composite().to_json())
    change(data)
    return json.dumps(data)


SPOILERS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "unknown field": (lambda d: d.update(onload="x"), "no field 'onload'"),
    "missing field": (lambda d: d.pop("source"), "lacks the field 'source'"),
    "wrong type": (lambda d: d.update(seed="0"), "seed: expected a whole number, got a text"),
    "true is no number": (lambda d: d.update(seed=True), "seed: expected a whole number"),
    "other format": (lambda d: d.update(format=99), "format 99"),
    "unknown kind": (
        lambda d: d["steps"][0].update(kind="script"),
        r"steps\[0\].kind: expected one",
    ),
    "markup in place of an object": (lambda d: d["ops"].insert(0, "<b>"), r"ops\[0\]: expected Op"),
    "elements do not fill": (
        lambda d: d["tensors"][0]["value"]["data"].append(1.0),
        r"tensors\[0\].value.data: 4 elements do not fill \(3,\)",
    ),
    "id leads nowhere": (lambda d: d["ops"][1].update(outputs=[77]), r"ops\[1\].outputs"),
    "negative index": (lambda d: d["steps"][1].update(op=-1), r"steps\[1\].op"),
    "call zero": (lambda d: d["steps"][6].update(call=0), r"steps\[6\].call"),
    "steps out of order": (lambda d: d["steps"].reverse(), r"steps\[0\]: expected index 1"),
    "rule without op": (lambda d: d["steps"][6].pop("op"), "needs 'op'"),
    "operand leads nowhere": (
        lambda d: d["steps"][6]["messages"][0].update(operand=5),
        r"steps\[6\].messages",
    ),
    "no summary of a large value": (
        lambda d: d["tensors"][0]["value"].update(data=None),
        r"tensors\[0\].value.stats",
    ),
    "huge number": (lambda d: d.update(seed=10**40), "out of range"),
}


@pytest.mark.parametrize(("change", "message"), SPOILERS.values(), ids=SPOILERS)
def test_what_is_not_a_trace_is_refused_with_its_place(
    change: Callable[[Any], Any], message: str
) -> None:
    with pytest.raises(SchemaError, match=message):
        Trace.from_json(spoiled(change))


@pytest.mark.parametrize("text", ["", "[]", "null", "{", "[" * 100_000, '{"seed": NaN}', "1e999"])
def test_text_that_is_no_trace_is_refused(text: str) -> None:
    with pytest.raises(SchemaError):
        Trace.from_json(text)


def test_numbers_that_are_not_finite_travel_as_words() -> None:
    odd = Value((3,), "float32", ("nan", "inf", "-inf"))
    trace = composite()
    changed = type(trace)(
        **{name: getattr(trace, name) for name in trace.__slots__}
        | {
            "tensors": (
                type(trace.tensors[0])(
                    **{name: getattr(trace.tensors[0], name) for name in trace.tensors[0].__slots__}
                    | {"value": odd}
                ),
                *trace.tensors[1:],
            )
        }
    )
    assert Trace.from_json(changed.to_json()).tensors[0].value == odd
