"""Explanations as HTML: sentences, formulas at three levels, sums of values, remedies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from playground.explain import Box, Explanation, Level, Remedy, Row, Sentence, mathml
from playground.trace import Value

from . import numbers
from .frame import Frame
from .html import attributes, button, facts, text

ROOM = 24  # characters of a framed value, where the panel has them
EDGES, GAP = 26, 26  # px of a frame's padding, and between two frames
MONO_BOLD = 7.83  # px a character at 13 px
PLACE = "{g}"
PART = r"(\\partial (?:[^{}]|\{[^{}]*\})*)"
WORDS = re.compile(r"\\text\{([^{}]*)\}")
TURNS = re.compile(r"\\begin|\\end|[{}]| = ")
FRACTION = re.compile(rf"\\frac\{{{PART}\}}\{{{PART}\}}")


def said(frame: Frame, sentence: Sentence | None) -> str:
    """A sentence in the learner's language, as plain text."""
    return frame.say(sentence.key, **sentence.facts) if sentence is not None else ""


def explanation(frame: Frame, found: Explanation) -> str:
    """Everything the Inspector says of a step, an operation or a message."""
    parts = []
    if found.sentence is not None:
        parts.append(f'<p class="sentence">{text(said(frame, found.sentence))}</p>')
    if found.closing is not None:
        parts.append(f'<p class="dim">{text(said(frame, found.closing))}</p>')
    parts += [levels(frame, found.levels), boxes(frame, found.boxes), rows(frame, found.rows)]
    return "".join(parts)


def levels(frame: Frame, found: Sequence[Level]) -> str:
    lines = ((text(frame.say(each.key)), broken(worded(frame, each))) for each in found)
    return facts(lines, "levels")


def worded(frame: Frame, level: Level) -> Level:
    """A formula with the words in it, such as "where", in the learner's language."""

    def said(found: re.Match[str]) -> str:
        word = found[1].strip()
        key = f"formula.{word}"
        other = frame.say(key)
        return found[0] if other == key else found[0].replace(word, other).replace(" ，", "，")

    return Level(level.key, WORDS.sub(said, level.latex))


def broken(level: Level) -> str:
    """A formula; in two before its outermost equals sign, so that the line may break there."""
    depth = 0
    for found in TURNS.finditer(level.latex):
        depth += {"{": 1, "\\begin": 1, "}": -1, "\\end": -1}.get(found[0], 0)
        if found[0] == " = " and not depth:
            left, right = level.latex[: found.start()], level.latex[found.start() :]
            return mathml(left) + mathml(right)
    return level.mathml


def boxes(frame: Frame, found: Sequence[Box]) -> str:
    """Framed values with the signs between them."""
    if not found:
        return ""
    step = frame.state.step
    dims = ", ".join(str(dim) for dim in step.dims) if step is not None else ""
    room = room_of(frame, len(found))
    cells = []
    for i, box in enumerate(found):
        if box.sign:
            cells.append(f'<span class="op">{text(box.sign)}</span>')
        label = text(frame.say(box.label, g=PLACE, dims=dims)).replace(PLACE, inline(box.latex))
        tint = ""
        if i == len(found) - 1 and box.value is not None and box.label != "inspector.after":
            tint = {"pos": "pos", "neg": "neg", "nan": "err"}.get(numbers.sign(box.value), "")
        shown = box.text or framed(box.value, room)
        cells.append(
            f'<div><span class="small faint">{label}</span>'
            f'<b class="{tint}">{text(shown)}</b></div>'
        )
    return f'<div class="sum">{"".join(cells)}</div>'


def inline(latex: str) -> str:
    """A formula inside a line of small writing: fractions with a slash."""
    above, sign, below = FRACTION.sub(r"\1 / \2", latex).partition(" / ")
    return f"{mathml(above + sign)} {mathml(below)}" if sign else mathml(latex) if latex else ""


def room_of(frame: Frame, count: int) -> int:
    """Characters that fit into each of so many frames side by side."""
    wide = frame.size("inspector")[0] - 48  # the panel's padding and scroll bar
    each = (wide - GAP * (count - 1)) / count - EDGES
    return max(8, min(ROOM, int(each / MONO_BOLD)))


def framed(value: Value | None, room: int = ROOM) -> str:
    """A value in one line of a frame."""
    if value is None:
        return "None"
    row = numbers.row(value.data, room) if value.data is not None else None
    if row is not None:
        return row or "[ ]"
    return f"{numbers.shape(value.shape)}  ~{numbers.show(numbers.size(value))}"


def rows(frame: Frame, found: Iterable[Row]) -> str:
    """Labelled lines; a label said once is not said again."""
    lines = []
    before = ""
    for row in found:
        label = "" if row.label == before else frame.say(row.label)
        before = row.label
        lines.append((text(label), text(said(frame, row.sentence))))
    return facts(lines)


def remedies(frame: Frame, found: Sequence[Remedy], of: str) -> str:
    """Edits with their diff, side by side."""
    return "".join(_remedy(frame, remedy, i, of) for i, remedy in enumerate(found))


def _remedy(frame: Frame, remedy: Remedy, i: int, of: str) -> str:
    apply = button(
        text(frame.say("error.apply")),
        {"intent": "remedy", "index": i, "of": of},
        class_="btn line acc" if i == 0 else "btn line",
        aria_label=f"{frame.say('error.apply')}: {said(frame, remedy.title)}",
    )
    note = said(frame, remedy.note)
    foot = f'<span class="small faint">{text(note)}</span>' if note else ""
    title = text(said(frame, remedy.title))
    return (
        f'<div class="remedy"><div class="row"><b class="grow">{title}</b>'
        f"{apply}</div>{diff(remedy)}{foot}</div>"
    )


def diff(remedy: Remedy) -> str:
    """The lines an edit takes away and brings."""
    lines = []
    for line in remedy.diff:
        tag, sign = ("del", "−") if line.kind == "-" else ("ins", "+")
        lines.append(f"<{tag}>{line.line} {sign} {text(line.text)}</{tag}>")
    return f"<div {attributes(class_='diff')}>{''.join(lines)}</div>"
