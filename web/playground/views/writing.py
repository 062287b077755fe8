"""How wide writing is on canvas, near enough to wrap and cut it without asking a browser."""

from __future__ import annotations

DIGIT = 7.23  # one character of 12 px mono
TINY = 6.63  # of 11 px mono
NAME = 7.83  # of 13 px mono

NARROW = frozenset(" .,:;'|!()[]{}ijlftrI")
WIDE = frozenset("mwMW—…")


def width_of(text: str, size: float = 12, bold: bool = False) -> float:
    """Width of sans-serif writing in pixels."""
    total = 0.0
    for char in text:
        if char >= "⺀":
            total += 1.0
        elif char in NARROW:
            total += 0.3
        elif char in WIDE or char.isupper():
            total += 0.72
        else:
            total += 0.555
    return total * size * (1.06 if bold else 1.0)


def mono_width(text: str, each: float = TINY) -> float:
    """Width of fixed-width writing in pixels; a Chinese character is about 11/6.63 as wide."""
    return sum(each * 1.66 if char >= "⺀" else each for char in text)


def cut_mono(text: str, room: float, each: float = TINY) -> str:
    """Fixed-width writing cut to a width in pixels."""
    if mono_width(text, each) <= room:
        return text
    while text and mono_width(text, each) + each > room:
        text = text[:-1]
    return text + "…"


def cut_name(name: str, room: float, each: float) -> str:
    """A name cut to a width: of a dotted one the end says most."""
    if mono_width(name, each) <= room:
        return name
    *owners, last = name.split(".")
    ends = [".".join([*owners[first:], last]) for first in range(1, len(owners))]
    if owners:  # fc1.weight and fc2.weight differ by what stands before the dot
        ends += ["…" + name[-count:] for count in range(len(name) - 1, len(last) + 1, -1)]
    fitting = (end for end in ends if mono_width(end, each) <= room)
    return next(fitting, cut_mono(last, room, each))


def wrap(text: str, room: float, size: float = 12) -> list[str]:
    """Break writing into lines; Chinese may break between any two characters."""
    lines, line = [], ""
    for word in _pieces(text):
        if line and width_of(line + word.rstrip(), size) > room:
            lines.append(line.rstrip())
            line = word.lstrip()
        else:
            line += word
    return [*lines, line.rstrip()] if line.strip() else lines


def _pieces(text: str) -> list[str]:
    pieces: list[str] = []
    word = ""
    for char in text:
        word += char
        if char == " " or char >= "⺀":
            pieces.append(word)
            word = ""
    return [*pieces, word] if word else pieces


def cut(text: str, room: int) -> str:
    """At most that many characters, the last one an ellipsis when something was cut."""
    return text if len(text) <= room else text[: max(0, room - 1)] + "…"


def fitted(text: str, room: float, size: float = 12) -> str:
    """Sans-serif writing cut to a width in pixels."""
    if width_of(text, size) <= room:
        return text
    while text and width_of(text + "…", size) > room:
        text = text[:-1]
    return text.rstrip() + "…"
