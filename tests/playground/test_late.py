"""A program waits for modules that are still on their way, and finds them when they have come."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from playground import late


@pytest.fixture
def split_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of which one module is here and one comes to another folder."""
    first = tmp_path / "first/halves"
    first.mkdir(parents=True)
    (first / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path / "first"))
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    yield tmp_path / "second"
    for name in [name for name in sys.modules if name.split(".")[0] == "halves"]:
        del sys.modules[name]


def test_the_rest_of_a_package_is_found_where_it_came_to(split_package: Path) -> None:
    assert late.missing("import halves.later") == ["halves.later"]
    (split_package / "halves").mkdir(parents=True)
    (split_package / "halves/later.py").write_text("value = 7")
    late.arrived(str(split_package))
    assert late.missing("import halves.later") == []
    assert importlib.import_module("halves.later").value == 7


def test_arriving_twice_adds_one_finder(split_package: Path) -> None:
    late.arrived(str(split_package))
    late.arrived(str(split_package))
    assert sum(isinstance(finder, late.Remainder) for finder in sys.meta_path) == 1


def test_what_a_program_is_missing() -> None:
    source = "import torch.nn\nimport math, no_such_thing.part\nfrom other_thing import a\n"
    nested = "def f():\n    import third_thing\n    from . import sibling\n"
    assert late.missing(source + nested) == ["no_such_thing.part", "other_thing", "third_thing"]


@pytest.mark.parametrize("source", ["", "def", "\0", "(" * 300])
def test_what_is_no_program_misses_nothing(source: str) -> None:
    assert late.missing(source) == []
