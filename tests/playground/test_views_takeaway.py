"""What is taken home: programs that check their numbers, notebooks, DOT, pictures."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from playground.session import run
from playground.state import state_at
from playground.takeaway.asserts import literal
from playground.takeaway.dot import dot, quoted
from playground.takeaway.notebook import notebook
from playground.takeaway.program import script, seeded
from playground.trace import Trace, Value
from playground.views.frame import Say
from playground.words import LOCALES, speaker
from tests.playground import samples
from tests.playground.drawn import Talk

EXAMPLES = sorted((LOCALES.parent / "examples").glob("*.py"))
ENGLISH: Say = speaker("en")


def check(text: str) -> int:
    """Run a script that was taken home on the engine; how many tensors it compared."""
    error = run(text).error
    if error is not None:
        raise AssertionError(f"{error.type}: {error.message}")
    return text.count("assert_close(")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_taken_home_passes_its_own_checks(path: Path) -> None:
    assert check(script(run(path.read_text("utf-8")), ENGLISH)) >= 3


def test_the_numbers_of_the_end_are_asserted() -> None:
    text = script(
        run("import torch\nx = torch.ones(2, requires_grad=True)\n(x * 3).sum().backward()"),
        ENGLISH,
    )
    assert text.startswith("# From the Autograd Playground")
    assert "torch.testing.assert_close(x.grad, torch.tensor([3.0, 3.0]))" in text


def test_a_changed_number_does_not_pass() -> None:
    text = script(run(samples.COMPOSITE_SOURCE), ENGLISH)
    with pytest.raises(AssertionError):
        check(text.replace("x.grad, torch.tensor([6.0", "x.grad, torch.tensor([7.0"))


def test_a_statement_that_raised_has_to_raise_again() -> None:
    source = samples.TWICE_SOURCE + "print('never')\n"
    text = script(run(source), ENGLISH)
    assert "except RuntimeError:" in text
    assert text.rstrip().endswith("# print('never')")
    assert check(text) > 0
    with pytest.raises(AssertionError, match="expected RuntimeError"):
        check(
            text.replace("    loss.backward()", "    pass").replace("    z.backward()", "    pass")
        )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Value((), "float32", (0.1,)), "torch.tensor(0.1)"),
        (Value((2,), "float32", ("nan", "-inf")), "torch.tensor([torch.nan, -torch.inf])"),
        (Value((2, 1), "int64", (1, 2)), "torch.tensor([[1], [2]])"),
        (Value((1,), "float64", (0.1,)), "torch.tensor([0.1], dtype=torch.float64)"),
        (Value((0, 3), "float32", ()), "torch.zeros((0, 3), dtype=torch.float32)"),
        (Value((1,), "float32", (0.10000000149011612,)), "torch.tensor([0.1])"),
        (Value((1,), "bool", (True,)), "torch.tensor([True])"),
    ],
)
def test_values_as_pytorch_text(value: Value, text: str) -> None:
    assert literal(value) == text


def test_nan_equals_nan_and_large_tensors_have_a_shape() -> None:
    source = "import torch\nx = torch.tensor([0.]) / 0\nw = torch.zeros(100, 100)\n"
    text = script(run(source), ENGLISH)
    assert "assert_close(x, torch.tensor([torch.nan]), equal_nan=True)" in text
    assert "assert w.shape == (100, 100)" in text


def test_names_that_cannot_be_checked_are_left_out() -> None:
    source = (
        "import torch\nfrom torch import nn\nnet = nn.Sequential(nn.Linear(1, 1))\n"
        "net = nn.Linear(1, 1)\nstate = {'a.1.b': torch.ones(1)}\n"
        "def f():\n    inner = torch.ones(1)\n    return inner\nout = f()\n"
    )
    text = script(run(source), ENGLISH)
    assert "net.weight, " in text and "state['a.1.b']" in text and "assert_close(out" in text
    assert "net[0]" not in text and "assert_close(inner" not in text


def test_data_changed_behind_autograd_is_asserted_as_it_is() -> None:
    source = "import torch\nw = torch.ones(1, requires_grad=True)\nw.data = w.data - 0.5\n"
    assert "assert_close(w, torch.tensor([0.5]))" in script(run(source), ENGLISH)


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("import torch\nx = torch.ones(1)\n", "import torch\nx = torch.ones(1)\n"),
        (
            "import torch\nx = torch.rand(1)\n",
            "import torch\ntorch.manual_seed(7)\nx = torch.rand(1)\n",
        ),
        (
            "'''doc'''\nfrom __future__ import annotations\nfrom torch import rand\nrand(1)\n",
            "'''doc'''\nfrom __future__ import annotations\nimport torch\n\n"
            "torch.manual_seed(7)\n\nfrom torch import rand\nrand(1)\n",
        ),
        ("import torch\ntorch.manual_seed(1)\ntorch.rand(1)\n",) * 2,
        ("x = rand(\n",) * 2,
    ],
)
def test_random_programs_get_the_seed_of_the_run(source: str, wanted: str) -> None:
    assert seeded(source, 7) == wanted


def test_a_program_that_is_no_python_is_kept_as_it_is() -> None:
    text = script(run("x = = 1\n"), ENGLISH)
    assert "\nx = = 1\n" in text and "SyntaxError" in text


def test_a_notebook_holds_program_output_and_checks() -> None:
    trace = run(samples.TWICE_SOURCE)
    data = json.loads(notebook(trace, ENGLISH))
    about, program, _, checks = data["cells"]
    assert (data["nbformat"], data["nbformat_minor"]) == (4, 5)
    assert [cell["cell_type"] for cell in data["cells"]] == ["markdown", "code"] * 2
    assert len({cell["id"] for cell in data["cells"]}) == 4
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", cell["id"]) for cell in data["cells"])
    assert about["source"][0] == "# Autograd Playground\n"
    assert "".join(program["source"]) == samples.TWICE_SOURCE.rstrip("\n")
    assert program["metadata"] == {"tags": ["raises-exception"]}
    assert program["outputs"][-1]["ename"] == "RuntimeError"
    assert "assert_close(x.grad" in "".join(checks["source"])
    printed = json.loads(notebook(run("print('a')\nprint('b')"), ENGLISH))["cells"][1]
    assert printed["outputs"] == [
        {"name": "stdout", "output_type": "stream", "text": ["a\n", "b\n"]}
    ]


def test_dot_has_every_node_and_the_gradients() -> None:
    trace = samples.composite()
    text = dot(state_at(trace, len(trace.steps)))
    assert text.startswith("digraph autograd {") and text.endswith("}\n")
    assert 't0 -> op0 [label="6  8  10"]' in text
    assert text.count("shape=box") == 1 and text.count("Backward0") == 4
    before = dot(state_at(trace, 2))
    assert "op1" not in before and 'label="6' not in before


def test_every_edge_of_dot_joins_nodes_that_are_there() -> None:
    for path in EXAMPLES:
        trace = run(path.read_text("utf-8"))
        for cursor in range(0, len(trace.steps) + 1, 3):
            text = dot(state_at(trace, cursor))
            nodes = set(re.findall(r"^  (\w+) \[(?:shape|style)", text, re.MULTILINE))
            ends = re.findall(r"^  (\w+) -> (\w+)", text, re.MULTILINE)
            assert {end for edge in ends for end in edge} <= nodes


def test_dot_quotes_what_stands_in_quotes() -> None:
    assert quoted('d["a"]\n\\') == r'"d[\"a\"]\n\\"'


def saved(trace: Trace, what: str, **around: Any) -> dict[str, Any]:
    talk = Talk(trace, **around)
    talk.intent("save", what=what)
    return talk.only("download")


@pytest.mark.parametrize(
    ("what", "name"),
    [
        ("svg", "graph.svg"),
        ("png", "graph.png"),
        ("dot", "graph.dot"),
        ("py", "program.py"),
        ("ipynb", "program.ipynb"),
        ("trace", "trace.json"),
    ],
)
def test_the_save_menu_gives_files(what: str, name: str) -> None:
    file = saved(samples.composite(), what)
    assert file["name"] == name and file["text"]


def test_a_saved_trace_is_the_trace() -> None:
    trace = samples.composite()
    assert Trace.from_json(saved(trace, "trace")["text"]) == trace


def test_pictures_need_nothing_from_elsewhere() -> None:
    for theme in ("light", "dark"):
        text = saved(samples.broadcast(), "png", theme=theme)["text"]
        root = ElementTree.fromstring(text)
        assert float(root.attrib["width"]) > 100
        assert re.findall(r"(?:href|url\(|https?:(?!//www\.w3\.org/2000/svg))", text) == []


def test_words_follow_the_language() -> None:
    assert "演练场" in saved(samples.composite(), "py", language="zh")["text"]


def test_nothing_is_saved_under_an_unknown_name() -> None:
    talk = Talk(samples.composite())
    talk.intent("save", what="exe")
    assert [m for m in talk.heard if m["type"] == "download"] == []
