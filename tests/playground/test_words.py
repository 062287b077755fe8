"""Numbers as the page writes them."""

from __future__ import annotations

import pytest

from playground.trace import Value
from playground.words import Count, number, numbers, say


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.3333333432674408, "0.333"),
        (6.0, "6"),
        (-1.0, "−1"),
        (-0.0, "0"),
        (1234.0, "1230"),
        (1_000_000.0, "1000000"),
        (12_345_678.0, "1.23e7"),
        (0.00012, "0.00012"),
        (0.0000012, "1.2e−6"),
        (-1.5e-12, "−1.5e−12"),
        (3, "3"),
        (-12345, "−12345"),
        (True, "True"),
        ("nan", "NaN"),
        ("-inf", "−∞"),
        (float("inf"), "∞"),
    ],
)
def test_numbers_have_three_digits_and_a_true_minus(value: float | str, text: str) -> None:
    assert number(value) == text


def test_many_elements_give_way_to_the_shape() -> None:
    assert numbers(Value((3,), "float32", (1.0, 2.5, -3.0))) == "1 2.5 −3"
    assert numbers(Value((3, 4), "float32", tuple([0.0] * 12))) == "(3, 4)"
    assert numbers(Value((0,), "float32", ())) == "(0,)"
    assert numbers(None) == "None"


def test_a_sentence_bends_to_its_count() -> None:
    text = "{n} more {n:pass|passes}"
    assert text.format(n=Count(1)) == "1 more pass"
    assert text.format(n=Count(3)) == "3 more passes"
    assert say("en", "fold.passes", name="7", n=1).endswith("1 more pass")


def test_a_key_without_a_sentence_stands_for_itself() -> None:
    assert say("en", "no.such.key", n=1) == "no.such.key"
