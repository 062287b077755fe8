"""Edits of what stands after a dot, and the errors they are offered for."""

from __future__ import annotations

import pytest

from playground import edits
from playground.explain import explain_error
from playground.session import run

START = "import torch\nx = torch.tensor([1., 2.], requires_grad=True)\n"


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("x.sum.backward()", "x.sum().backward()"),
        ("(2 * x).numpy()", "(2 * x).detach().numpy()"),
        ("y = x.numpy().tolist()", "y = x.detach().numpy().tolist()"),
        ("x.summ().backward()", "x.sum().backward()"),
        ("w = torch.tenser([1.])", "w = torch.tensor([1.])"),
        ("net = torch.nn.Linaer(2, 1)", "net = torch.nn.Linear(2, 1)"),
        (
            "w = torch.tensor([1, 2], requires_grad=True)",
            "w = torch.tensor([1, 2], dtype=torch.float32, requires_grad=True)",
        ),
    ],
)
def test_an_error_with_one_place_to_mend_is_mended(wrong: str, right: str) -> None:
    failure = explain_error(run(START + wrong + "\n"))
    assert failure is not None and failure.line == 3
    (remedy,) = failure.remedies
    assert remedy.edit.text == START + right + "\n"
    assert run(remedy.edit.text).error is None


@pytest.mark.parametrize(
    "wrong",
    [
        "x.summ() + x.summ()",  # which of the two?
        "import numpy\nnumpy.array(x)",
        "loss = torch.nn.MSELoss()\nloss.backward()",  # would be called without its arguments
        "torch.sum.backward()",
        "torch.tensor([1, 2], dtype=torch.int64, requires_grad=True)",
        "torch.tensor([1, 2]).requires_grad_()",
    ],
)
def test_where_it_is_not_plain_what_was_meant_nothing_is_offered(wrong: str) -> None:
    failure = explain_error(run(START + wrong + "\n"))
    assert failure is not None and not failure.remedies


def test_an_edit_without_a_place_says_so() -> None:
    with pytest.raises(edits.EditError):
        edits.rename("y = 1\n", 1, "summ", "sum")
