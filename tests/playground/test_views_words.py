"""Numbers, symbols and writing as the views draw them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from string import Formatter

import pytest

from playground.trace import Op, Operand, Value
from playground.views import numbers, symbols
from playground.views.writing import cut, cut_name, fitted, width_of, wrap
from playground.words import LOCALES, sentences

VIEWS = Path(numbers.__file__).parent


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (6.0, "6"),
        (-1.5, "−1.5"),
        (1 / 3, "0.333"),
        (0.0, "0"),
        (1234.5, "1234"),
        (99.96, "100"),
        (2_500_000.0, "2.5e6"),
        (0.0000123, "1.23e−5"),
        (True, "True"),
        ("nan", "nan"),
        ("-inf", "−inf"),
        (float("inf"), "inf"),
        (12, "12"),
    ],
)
def test_show(number: float | str | bool, text: str) -> None:
    assert numbers.show(number) == text


def test_row_narrows_before_it_gives_up() -> None:
    assert numbers.row([1.0, 2.0, 3.0], 7) == "1  2  3"
    assert numbers.row([1.0, 2.0, 3.0], 5) == "1 2 3"
    assert numbers.row([1.0, 2.0, 3.0], 4) is None


@pytest.mark.parametrize(
    ("data", "sign"),
    [
        ((1.0, 0.0), "pos"),
        ((-1.0, 0.0), "neg"),
        ((0.0,), "zero"),
        ((1.0, -1.0), "mixed"),
        ((1.0, "nan"), "nan"),
        ((), "zero"),
    ],
)
def test_sign(data: tuple[float | str, ...], sign: str) -> None:
    assert numbers.sign(Value((len(data),), "float32", data)) == sign


def test_sign_of_a_summary_comes_from_its_extremes() -> None:
    value = Value((1000,), "float32", None, (-1.0, 2.0, 0.1, 30.0), (0.5, 0.7))
    assert numbers.sign(value) == "mixed"


def made(op: str, *operands: object, inplace: bool = False) -> Op:
    given = tuple(
        Operand(f"o{i}", 0 if item is None else None, 0, item, None)
        for i, item in enumerate(operands)
    )
    return Op(0, op, "X", 1, given, (0,), (), inplace, None, ())


@pytest.mark.parametrize(
    ("op", "text"),
    [
        (made("add", None, 2), "( ) + 2"),
        (made("mul", None, 3), "3 × ( )"),
        (made("mul", None, None), "( ) × ( )"),
        (made("pow", None, 2), "( )²"),
        (made("pow", None, 0.5), "( )^0.5"),
        (made("pow", 2, None), "2^( )"),
        (made("rsub", None, 1), "1 − ( )"),
        (made("mean", None), "mean"),
        (made("neg", None), "−( )"),
        (made("sub", None, None, inplace=True), "( ) −= ( )"),
        (made("zero_", None, inplace=True), "zero_"),
        (made("log_softmax", None), "log softmax"),
        (made("to_copy", None, "torch.float64"), "→ float64"),
        (made("permute", None, (1, 0)), "( )ᵀ"),
        (made("permute", None, (0, 2, 1)), "permute"),
    ],
)
def test_symbol(op: Op, text: str) -> None:
    assert symbols.symbol(op) == text


def test_writing_is_cut_and_wrapped() -> None:
    assert cut("abcdef", 4) == "abc…"
    assert fitted("abc", 200) == "abc"
    assert width_of(fitted("a long line of words", 60)) <= 60
    lines = wrap("Nothing written yet. The first write comes at step 11.", 160)
    assert len(lines) > 1
    assert all(width_of(line) <= 160 for line in lines)
    assert (
        "".join(wrap("尚未写入。第一次写入在第十一步。", 60)) == "尚未写入。第一次写入在第十一步。"
    )


def test_every_sentence_the_views_use_exists_with_the_same_facts_in_every_language() -> None:
    used = set()
    for path in [*VIEWS.glob("*.py"), VIEWS.parent / "app.py"]:
        source = path.read_text("utf-8")
        used |= set(re.findall(r'\bsay\(\s*"([a-z.]+)"', source))
    assert len(used) > 20
    for language in ("en", "zh"):
        known = sentences(language)
        assert used <= known.keys(), used - known.keys()


def test_the_views_sentences_take_the_same_facts_in_every_language() -> None:
    files = [
        json.loads((LOCALES / lang / "views.json").read_text("utf-8")) for lang in ("en", "zh")
    ]
    assert files[0].keys() == files[1].keys()
    for key, english in files[0].items():
        facts = [
            {name for _, name, _, _ in Formatter().parse(text) if name}
            for text in (english, files[1][key])
        ]
        assert facts[0] == facts[1], key


@pytest.mark.parametrize(
    ("letters", "text"),
    [
        (14, "net.fc1.weight"),
        (10, "fc1.weight"),
        (9, "…1.weight"),
        (8, "weight"),
        (5, "weig…"),
    ],
)
def test_a_dotted_name_is_cut_at_its_front(letters: int, text: str) -> None:
    assert cut_name("net.fc1.weight", letters * 8, 8) == text


def test_a_plain_name_is_cut_at_its_end() -> None:
    assert cut_name("momentum", 5 * 8, 8) == "mome…"
