"""Every recorded program prints on the engine what it printed on PyTorch, to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden.play import PROGRAMS, engine_as_torch, normalise, play, programs

CASES = {p.relative_to(PROGRAMS).with_suffix("").as_posix(): p for p in programs()}


@pytest.mark.parametrize("path", CASES.values(), ids=CASES.keys())
def test_program_prints_what_pytorch_printed(path: Path) -> None:
    expected = path.with_suffix(".out").read_text(encoding="utf-8")
    with engine_as_torch():
        printed = play(path.read_text(encoding="utf-8"), path.name)
    assert normalise(printed) == normalise(expected)


def test_every_program_was_recorded() -> None:
    assert [name for name, path in CASES.items() if not path.with_suffix(".out").exists()] == []
    assert len(CASES) > 100
