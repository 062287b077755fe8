"""Sentences a person reads, looked up in web/locales by language and key."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from playground.trace import Value

LOCALES = Path(__file__).parent.parent / "locales"
LANGUAGES = ("en", "zh")


@cache
def sentences(language: str) -> dict[str, str]:
    """Every sentence of a language; the files of its folder share one name space."""
    found: dict[str, str] = {}
    for path in sorted((LOCALES / language).glob("*.json")):
        found.update(json.loads(path.read_text("utf-8")))
    return found


class Count(int):
    """A number a sentence can bend to: `{n} {n:pass|passes}`."""

    def __format__(self, spec: str) -> str:
        one, bar, other = spec.partition("|")
        if not bar:
            return super().__format__(spec)
        return one if abs(self) == 1 else other


def say(language: str, key: str, **facts: Any) -> str:
    """The sentence with its facts put in; a key nobody wrote a sentence for stands for itself."""
    text = sentences(language).get(key)
    if text is None:
        return key
    known = {name: Count(fact) if type(fact) is int else fact for name, fact in facts.items()}
    return text.format(**known)


def speaker(language: str) -> Callable[..., str]:
    """`say` in one language."""

    def speak(key: str, **facts: Any) -> str:
        return say(language, key, **facts)

    return speak


MINUS = "\u2212"
SPECIAL = {"nan": "NaN", "inf": "∞", "-inf": MINUS + "∞"}


def number(value: Any, digits: int = 3) -> str:
    """A number as the page shows it: few significant digits, no trailing zeros, a true minus."""
    if isinstance(value, str):
        return SPECIAL.get(value, value)
    if isinstance(value, (bool, int)):
        return str(value).replace("-", MINUS)
    if value != value:
        return SPECIAL["nan"]
    if value in (float("inf"), float("-inf")):
        return SPECIAL["inf" if value > 0 else "-inf"]
    text = f"{value:.{digits}g}"
    mantissa, mark, exponent = text.partition("e")
    if mark and -5 < int(exponent) < 7:  # 1e+03 reads worse than 1000
        mantissa, mark = f"{float(text):f}".rstrip("0").rstrip("."), ""
    if mark:
        return f"{mantissa}e{int(exponent)}".replace("-", MINUS)
    return "0" if mantissa in ("-0", "0") else mantissa.replace("-", MINUS)


def numbers(value: Value | None, limit: int = 8, gap: str = " ") -> str:
    """The elements of a value in a row; its shape when there are too many."""
    if value is None:
        return "None"
    if value.data is None or len(value.data) > limit:
        return shape(value.shape)
    return gap.join(number(item) for item in value.data) if value.data else shape(value.shape)


def shape(sizes: tuple[int, ...]) -> str:
    """A shape as Python writes it: (3,), (2, 3), ()."""
    return str(tuple(sizes))
