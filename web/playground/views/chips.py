"""Chips: the values of messages, beside their edges."""

from __future__ import annotations

from dataclasses import dataclass

from playground.trace import Value

from . import numbers
from .geometry import Point
from .inside import signed
from .measures import CHIP_H
from .pen import Pen
from .writing import DIGIT

LONGEST = 26  # characters of a chip


@dataclass(frozen=True, slots=True)
class Chip:
    """A message's value, waiting for a free place."""

    value: Value
    places: tuple[tuple[Point, float], ...]  # middle (or left end when aside), length of leader
    solid: bool = False
    aside: bool = False


def chip_text(value: Value) -> str:
    """What a chip says: the numbers, else the shape and the mean of |g|."""
    row = numbers.row(value.data, LONGEST) if value.data is not None else None
    if row is not None:
        return row or "[ ]"
    return f"{numbers.shape(value.shape)} ~{numbers.show(numbers.size(value))}"


def chip_width(pen: Pen, text: str) -> float:
    return len(text) * DIGIT * pen.grow + 16


def place_chips(pen: Pen, chips: list[Chip]) -> None:
    """Draw the chips that fit, those at the cursor first and always."""
    for chip in sorted(chips, key=lambda c: not c.solid):
        if pen.overview and not chip.solid:
            continue
        text = chip_text(chip.value)
        width = chip_width(pen, text)
        for k, ((x, y), lead) in enumerate(chip.places):
            left = x if chip.aside else x - width / 2
            last = k == len(chip.places) - 1 and chip.solid
            if last or pen.free(left, y - CHIP_H / 2, width, CHIP_H):
                draw_chip(pen, left, y, width, text, chip, x, lead)
                break


def draw_chip(
    pen: Pen, left: float, y: float, width: float, text: str, chip: Chip, x: float, lead: float
) -> None:
    theme, sign = pen.theme, numbers.sign(chip.value)
    pen.claim(left, y - CHIP_H / 2, width, CHIP_H)
    color = theme.sign(sign)
    if lead:
        line = color if chip.solid else theme.line
        pen.segment("leads", (x, y + CHIP_H / 2), (x, y + lead), line)
    fill = color if chip.solid else theme.soft(sign)
    border = theme.err if sign == "nan" and not chip.solid else None
    high = CHIP_H * pen.grow
    pen.box("chips", left, y - high / 2, width, high, fill, border, 1)
    if sign == "mixed" and not chip.solid and chip.value.data and "~" not in text:
        signed(pen, "chip_mono", left + 8, y + 4, chip.value, text)
        return
    ink = theme.paper if chip.solid else color
    pen.text("chip_mono", left + width / 2, y + 4 * pen.grow, text, ink, 12, "center", keep=True)
