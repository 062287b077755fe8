"""The text of arrays; what PyTorch prints for whole programs is recorded in tests/golden."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from engine import printing
from engine.printing import printoptions, set_printoptions, tensor_suffixes, tensor_text


@pytest.fixture(autouse=True)
def default_options() -> Iterator[None]:
    set_printoptions(profile="default")
    yield
    set_printoptions(profile="default")


def text(values: object, dtype: str = "float32", *suffixes: str) -> str:
    return tensor_text(np.array(values, dtype), suffixes)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1.0, 2.0], "tensor([1., 2.])"),
        ([1.0, -2.5], "tensor([ 1.0000, -2.5000])"),
        ([0.0, -0.0], "tensor([0., -0.])"),
        ([1.0, float("nan")], "tensor([1., nan])"),
        ([1.5, float("-inf")], "tensor([1.5000,   -inf])"),
        ([1e-4], "tensor([1.0000e-04])"),
        ([1001.5, 1.0], "tensor([1.0015e+03, 1.0000e+00])"),
        ([1000.0, 1.0], "tensor([1000.,    1.])"),
        ([], "tensor([])"),
        (3.14159, "tensor(3.1416)"),
        (2.0, "tensor(2.)"),
    ],
)
def test_numbers_of_one_row(values: object, expected: str) -> None:
    assert text(values) == expected


def test_float32_below_a_ten_thousandth_is_scientific_although_float64_is_not() -> None:
    assert text([1e-4], "float64") == "tensor([0.0001])"
    assert text([1e-4], "float32") == "tensor([1.0000e-04])"


def test_hidden_elements_do_not_decide_the_format() -> None:
    values = np.zeros(1100, np.float32)
    values[500] = 123456.789
    assert tensor_text(values) == "tensor([0., 0., 0.,  ..., 0., 0., 0.])"


def test_matrices_of_a_stack_are_separated_by_a_blank_line() -> None:
    assert tensor_text(np.zeros((2, 1, 2), np.int64)) == ("tensor([[[0, 0]],\n\n        [[0, 0]]])")


def test_a_suffix_breaks_two_columns_early() -> None:
    row = np.zeros(12, np.int64)
    used = len(tensor_text(row)) - 1
    fits = "x" * (80 - used - 2 - 2)
    assert "\n" not in tensor_text(row, [fits])
    assert tensor_text(row, [fits + "x"]).split("\n")[1] == " " * 7 + fits + "x)"


def test_suffixes_name_what_is_not_the_default() -> None:
    assert tensor_suffixes((2,), "torch.float32", "torch.float32") == []
    assert tensor_suffixes((0,), "torch.int64", "torch.float32") == ["dtype=torch.int64"]
    assert tensor_suffixes((2, 0), "torch.float32", "torch.float32") == ["size=(2, 0)"]
    assert tensor_suffixes((2,), "torch.float64", "torch.float32", "MulBackward0", True) == [
        "dtype=torch.float64",
        "grad_fn=<MulBackward0>",
    ]
    assert tensor_suffixes((2,), "torch.bool", "torch.float32", None, True) == [
        "requires_grad=True"
    ]


def test_any_call_of_set_printoptions_makes_sci_mode_automatic_again() -> None:
    set_printoptions(sci_mode=True)
    assert text([1.5]) == "tensor([1.5000e+00])"
    set_printoptions(precision=2)
    assert text([1.5]) == "tensor([1.50])"


def test_printoptions_end_with_their_block() -> None:
    with printoptions(precision=1, threshold=2):
        assert text([0.25, 1, 2, 3, 4, 5, 6, 7]) == "tensor([0.2, 1.0, 2.0,  ..., 5.0, 6.0, 7.0])"
    assert printing.get_printoptions() == {
        "precision": 4,
        "threshold": 1000,
        "edgeitems": 3,
        "linewidth": 80,
        "sci_mode": None,
    }
