"""The build's own environment is made once, and never taken away by who cannot make it."""

import sys
from pathlib import Path

import pytest

from builder import machine
from builder.places import Failure


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment that another version of Python made."""
    python = tmp_path / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    python.parent.mkdir()
    python.touch()
    (tmp_path / "made-by").write_text("another Python", encoding="utf-8")
    monkeypatch.setattr(machine, "VENV", tmp_path)
    return python


def test_the_environment_that_this_python_made_is_taken(made: Path) -> None:
    (made.parents[1] / "made-by").write_text(f"{made.parents[1]} {sys.version}", encoding="utf-8")
    assert machine.venv_python() == made


@pytest.mark.parametrize("lacking", ["venv", "pip"])
def test_a_python_that_can_make_no_environment_removes_none(
    made: Path, monkeypatch: pytest.MonkeyPatch, lacking: str
) -> None:
    gone = {"venv": ("venv",), "pip": ("ensurepip", "pip")}[lacking]
    find = machine.importlib.util.find_spec
    hidden = lambda name: None if name in gone else find(name)  # noqa: E731
    monkeypatch.setattr(machine.importlib.util, "find_spec", hidden)
    with pytest.raises(Failure, match="venv"):
        machine.venv_python()
    assert made.exists()
