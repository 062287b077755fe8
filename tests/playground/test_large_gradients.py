"""Gradients above the bound of a copy are known by PyTorch's own text of them."""

from __future__ import annotations

import pytest

from playground.session import recorder, run
from playground.state import state_at
from playground.trace import Trace

SOURCE = """\
import torch
w = torch.ones(SIZE, requires_grad=True)
(w * torch.arange(SIZE.)).sum().backward()
print(w.grad)
w.grad.zero_()
print(w.grad)
w.grad += 3
print(w.grad)
"""


def texts(trace: Trace) -> list[str | None]:
    """Of every value the .grad of w had."""
    ledger = state_at(trace, len(trace.steps)).index.ledger
    (history,) = ledger.values()
    return [entry.total.text if entry.total else None for entry in history.values]


@pytest.mark.parametrize("size", [65, 1000, 1001])
def test_the_text_is_what_print_writes(size: int) -> None:
    trace = run(SOURCE.replace("SIZE", str(size)))
    assert trace.error is None
    found = texts(trace)
    printed = [step.text for step in trace.steps if step.kind == "output"]
    assert [f"{found[0]}\n", f"{found[1]}\n", f"{found[-1]}\n"] == printed
    assert ("..." in printed[0]) is (size > 1000)


def test_small_ones_need_none_and_a_zeroed_large_one_is_a_zero() -> None:
    assert set(texts(run(SOURCE.replace("SIZE", "64")))) == {None}
    kinds = [step.kind for step in run(SOURCE.replace("SIZE", "100")).steps]
    assert "zero" in kinds


def test_their_room_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "TEXTS", 10)
    found = texts(run(SOURCE.replace("SIZE", "100")))
    assert found[0] is not None and set(found[1:]) == {None}


def test_it_survives_the_way_to_the_page() -> None:
    trace = run(SOURCE.replace("SIZE", "100"))
    assert texts(Trace.from_json(trace.to_json())) == texts(trace)
