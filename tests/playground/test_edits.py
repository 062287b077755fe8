"""Edits change what they should, nothing else, and lead back to the identical text."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from playground.edits import (
    EditError,
    changed_lines,
    insert_clear,
    insert_retain_grad,
    make_out_of_place,
    recompute,
    set_detach,
    set_no_grad,
    set_requires_grad,
    set_retain_graph,
    sum_before_backward,
)
from tests.golden.play import programs

# (line as it is, the same line with requires_grad switched)
SWITCHES = [
    ("x = torch.tensor([1., 2.])", "x = torch.tensor([1., 2.], requires_grad=True)"),
    ("x = torch.tensor([1., 2.], requires_grad=True)", "x = torch.tensor([1., 2.])"),
    ("x = torch.ones(2, requires_grad=True)  # 叶子", "x = torch.ones(2)  # 叶子"),
    ("x = torch.tensor([1.], requires_grad=False)",
     "x = torch.tensor([1.], requires_grad=False).requires_grad_()"),
    ("x = torch.tensor([1.], requires_grad=True, dtype=torch.float64)",
     "x = torch.tensor([1.], requires_grad=False, dtype=torch.float64)"),
    ("x = torch.tensor([1.],  requires_grad=True)", "x = torch.tensor([1.],  requires_grad=False)"),
    ("x = torch.ones(2, requires_grad = True)", "x = torch.ones(2, requires_grad = False)"),
    ("x = torch.randn(size=())", "x = torch.randn(size=(), requires_grad=True)"),
    ("x = torch.ones((2, 3))", "x = torch.ones((2, 3), requires_grad=True)"),
    ("x = torch.ones(2,)", "x = torch.ones(2, requires_grad=True,)"),
    ("名 = 3; x = torch.ones(2); y = 1", "名 = 3; x = torch.ones(2, requires_grad=True); y = 1"),
    ('s = "梯度"; x = torch.ones(2)', 's = "梯度"; x = torch.ones(2, requires_grad=True)'),
    ("a, x = torch.ones(2), torch.ones(3)",
     "a, x = torch.ones(2), torch.ones(3, requires_grad=True)"),
    ("a = x = torch.ones(3)", "a = x = torch.ones(3, requires_grad=True)"),
    ("x: Tensor = torch.ones(3)", "x: Tensor = torch.ones(3, requires_grad=True)"),
    ("if (x := torch.ones(3)).sum() > 0: pass",
     "if (x := torch.ones(3, requires_grad=True)).sum() > 0: pass"),
    ("x = torch.arange(4.).reshape(2, 2)", "x = torch.arange(4.).reshape(2, 2).requires_grad_()"),
    ("x = torch.randn(3) * 0.1", "x = (torch.randn(3) * 0.1).requires_grad_()"),
    ("x = (torch.randn(3) * 0.1)", "x = (torch.randn(3) * 0.1).requires_grad_(True)"),
    ("x = (torch.randn(3) * 0.1).requires_grad_()", "x = torch.randn(3) * 0.1"),
    ("x = torch.ones(3).requires_grad_()", "x = torch.ones(3).requires_grad_(requires_grad=False)"),
    ("x = torch.ones(3).requires_grad_(True)", "x = torch.ones(3).requires_grad_(False)"),
    ("x = torch.ones(3, requires_grad=flag)",
     "x = torch.ones(3, requires_grad=flag).requires_grad_()"),
    ("x = nn.Parameter(torch.ones(3))", "x = nn.Parameter(torch.ones(3), requires_grad=False)"),
    ("x = Variable(torch.ones(2), requires_grad=True)", "x = Variable(torch.ones(2))"),
    ("x = torch.from_numpy(a)", "x = torch.from_numpy(a).requires_grad_()"),
    ("x = torch.tensor(\n    [1.,  # one\n     2.],\n)",
     "x = torch.tensor(\n    [1.,  # one\n     2.], requires_grad=True,\n)"),
    ("x = torch \\\n    .ones(2)", "x = torch \\\n    .ones(2, requires_grad=True)"),
    ("x = torch.arange(4.0)\nx.requires_grad_(True)",
     "x = torch.arange(4.0)\nx.requires_grad_(False)"),
    ("x = torch.arange(4.0)\nx.requires_grad_()",
     "x = torch.arange(4.0)\nx.requires_grad_(requires_grad=False)"),
    ("x = torch.ones(2)\nx.requires_grad = True", "x = torch.ones(2)\nx.requires_grad = False"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), SWITCHES)
@pytest.mark.parametrize("frame", ["{}\n", "import torch\r\n\r\n{}\r\nprint(1)", "{}"])
def test_requires_grad_switches_and_switches_back(before: str, after: str, frame: str) -> None:
    newline = "\r\n" if "\r\n" in frame else "\n"
    line = 3 if "\r\n" in frame else 1
    old, new = (frame.format(text.replace("\n", newline)) for text in (before, after))
    on = _asks(after)
    edit = set_requires_grad(old, "x", line, on)
    assert edit.text == new
    assert set_requires_grad(edit.text, "x", line, not on).text == old


def _asks(text: str) -> bool:
    if "requires_grad=False).requires_grad_()" in text:
        return True
    if "False" in text:
        return False
    return "requires_grad" in text


def test_requires_grad_inside_indented_code() -> None:
    source = "def f():\n\tfor i in range(2):\n\t\tx = torch.ones(2)\n\t\ty = x * 2\n"
    on = set_requires_grad(source, "x", 3, True)
    assert "\t\tx = torch.ones(2, requires_grad=True)\n" in on.text
    assert set_requires_grad(on.text, "x", 3, False).text == source


def test_requires_grad_of_an_element_of_a_list() -> None:
    source = "params = [torch.ones(2), torch.ones(3)]\n"
    edit = set_requires_grad(source, "params[1]", 1, True)
    assert edit.text == "params = [torch.ones(2), torch.ones(3, requires_grad=True)]\n"
    assert set_requires_grad(edit.text, "params[1]", 1, False).text == source


def test_requires_grad_of_an_attribute() -> None:
    source = "class Net:\n    def __init__(self):\n        self.w = torch.ones(3)\n"
    edit = set_requires_grad(source, "net.w", 3, True)
    assert "self.w = torch.ones(3, requires_grad=True)" in edit.text
    assert set_requires_grad(edit.text, "net.w", 3, False).text == source


@pytest.mark.parametrize("end", ["\n", "", "\nprint(model)\n"])
def test_a_parameter_without_a_text_of_its_own_gets_a_line(end: str) -> None:
    source = "model = nn.Linear(3, 1)" + end
    off = set_requires_grad(source, "model.weight", 1, False)
    assert off.text.split("\n")[1] == "model.weight.requires_grad_(False)"
    assert set_requires_grad(off.text, "model.weight", 1, True).text == source


def test_a_parameter_made_in_a_class_gets_its_line_where_the_model_is_made() -> None:
    source = (
        "class Net:\n    def __init__(self):\n        self.fc = nn.Linear(2, 1)\n\nnet = Net()\n"
    )
    off = set_requires_grad(source, "net.fc.weight", 3, False)
    assert off.text == source + "net.fc.weight.requires_grad_(False)\n"
    assert set_requires_grad(off.text, "net.fc.weight", 3, True).text == source


def test_a_leaf_a_function_returns_is_switched_where_it_is_made() -> None:
    source = "def make(n):\n    return torch.ones(n)\nx = make(2)\n"
    on = set_requires_grad(source, "x", 2, True)
    assert "    return torch.ones(n, requires_grad=True)\n" in on.text
    assert set_requires_grad(on.text, "x", 2, False).text == source


def test_a_chain_of_elif_stays_a_chain() -> None:
    source = "if a:\n    b = 1\nelif c:\n    d = 2\nelse:\n    e = 3\n"
    on = set_no_grad(source, 3, 3, True)
    assert on.text.startswith("with torch.no_grad():\n    if a:\n        b = 1\n    elif c:")
    assert set_no_grad(on.text, on.first, on.last, False).text == source
    inner = set_no_grad(source, 4, 4, True)
    assert "elif c:\n    with torch.no_grad():\n        d = 2\nelse:" in inner.text


def test_a_name_made_elsewhere_has_no_switch() -> None:
    with pytest.raises(EditError) as caught:
        set_requires_grad("for x in tensors:\n    print(x)\n", "x", 1, True)
    assert caught.value.key == "edit.no-creation"


def test_a_program_that_does_not_parse_is_left_alone() -> None:
    with pytest.raises(EditError) as caught:
        set_requires_grad("x = torch.ones(", "x", 1, True)
    assert caught.value.key == "edit.syntax"


# (program, first line, last line, its counterpart): the left is without no_grad, the right with
WRAPS = [
    ("y = x * 2\n", 1, 1, "with torch.no_grad():\n    y = x * 2\n"),
    ("y = x * 2", 1, 1, "with torch.no_grad():\n    y = x * 2"),
    ("y = 1; z = 2  # 两句\n", 1, 1, "with torch.no_grad():\n    y = 1; z = 2  # 两句\n"),
    ("a = 1\nb = 2\nc = 3\n", 2, 3, "a = 1\nwith torch.no_grad():\n    b = 2\n    c = 3\n"),
    ("for i in r:\n\ta = 1\n\tb = 2\n", 3, 3,
     "for i in r:\n\ta = 1\n\twith torch.no_grad():\n\t\tb = 2\n"),
    ("if a:\n  b = 1\n\n  # why\n  c = 2\nd = 3\n", 2, 5,
     "if a:\n  with torch.no_grad():\n    b = 1\n\n    # why\n    c = 2\nd = 3\n"),
    ("y = (x +\n     2)\nz = 1\n", 1, 1,
     "with torch.no_grad():\n    y = (x +\n         2)\nz = 1\n"),
    ("y = x + \\\n  2\n", 2, 2, "with torch.no_grad():\n    y = x + \\\n      2\n"),
    ('s = """a\n b\n"""\n', 1, 1, 'with torch.no_grad():\n    s = """a\n b\n"""\n'),
    ('s = f"""a{x}\n b{\ny}"""\nz = 2\n', 1, 4,
     'with torch.no_grad():\n    s = f"""a{x}\n b{\ny}"""\n    z = 2\n'),
    ("@deco\ndef f(x):\n    return x\n", 1, 1,
     "with torch.no_grad():\n    @deco\n    def f(x):\n        return x\n"),
    ("if a: b = 1\n", 1, 1, "with torch.no_grad():\n    if a: b = 1\n"),
    ("x = 1\r\ny = 2\r\n", 2, 2, "x = 1\r\nwith torch.no_grad():\r\n    y = 2\r\n"),
    ("import torch as th\ny = 2\n", 2, 2, "import torch as th\nwith th.no_grad():\n    y = 2\n"),
    ("损失 = 1\n梯度 = 损失\n", 2, 2, "损失 = 1\nwith torch.no_grad():\n    梯度 = 损失\n"),
    ("if a:\n    b = 1\nelse:\n    c = 2\n", 4, 4,
     "if a:\n    b = 1\nelse:\n    with torch.no_grad():\n        c = 2\n"),
    ("def f():\n    with torch.no_grad():\n        g()\n    h()\n", 4, 4,
     "def f():\n    with torch.no_grad():\n        g()\n    with torch.no_grad():\n        h()\n"),
]  # fmt: skip


@pytest.mark.parametrize(("without", "first", "last", "under"), WRAPS)
def test_no_grad_wraps_and_unwraps(without: str, first: int, last: int, under: str) -> None:
    on = set_no_grad(without, first, last, True)
    assert on.text == under
    ast.parse(on.text)
    off = set_no_grad(on.text, on.first, on.last, False)
    assert off.text == without
    again = set_no_grad(off.text, off.first, off.last, True)
    assert (again.text, again.first, again.last) == (on.text, on.first, on.last)


# Blocks the learner wrote: (program, a line in it, the text with that line taken out)
TAKEN_OUT = [
    ("with torch.no_grad(): w -= 0.1 * g\n", 1, "with torch.enable_grad(): w -= 0.1 * g\n"),
    ("with torch.no_grad():  # update\n    w -= 1\n", 2,
     "with torch.enable_grad():  # update\n    w -= 1\n"),
    ("with torch.no_grad(), open(p) as f:\n    w -= 1\n", 2,
     "with torch.enable_grad(), open(p) as f:\n    w -= 1\n"),
    ("with torch.no_grad():\n\n    w -= 1\n", 3, "with torch.enable_grad():\n\n    w -= 1\n"),
    ("with torch.no_grad():\n    a = 1\n    b = 2\n    c = 3\n", 3,
     "with torch.no_grad():\n    a = 1\n    with torch.enable_grad():\n        b = 2\n    c = 3\n"),
    ("@torch.no_grad()\ndef f(x):\n    y = x * 2\n    return y\n", 3,
     "@torch.no_grad()\ndef f(x):\n    with torch.enable_grad():\n        y = x * 2\n"
     "    return y\n"),
    ("from torch import no_grad\nwith no_grad():\n    a = 1\n    b = 2\n", 4,
     "from torch import no_grad\nwith no_grad():\n    a = 1\n    with torch.enable_grad():\n"
     "        b = 2\n"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "line", "out"), TAKEN_OUT)
def test_lines_leave_the_learners_no_grad_and_come_back(source: str, line: int, out: str) -> None:
    off = set_no_grad(source, line, line, False)
    assert off.text == out
    assert set_no_grad(off.text, off.first, off.last, True).text == source


def test_no_grad_that_holds_already_changes_nothing() -> None:
    source = "with torch.no_grad():\n    y = 1\nz = 2\n"
    assert set_no_grad(source, 2, 2, True).text == source
    assert set_no_grad(source, 3, 3, False).text == source


def test_lines_without_a_statement_have_nothing_to_wrap() -> None:
    with pytest.raises(EditError) as caught:
        set_no_grad("x = 1\n\n# only words\n", 2, 3, True)
    assert caught.value.key == "edit.no-statement"


def test_inference_mode_is_not_taken_for_no_grad() -> None:
    with pytest.raises(EditError) as caught:
        set_no_grad("with torch.inference_mode():\n    y = 1\n", 2, 2, True)
    assert caught.value.key == "edit.other-mode"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("loss.backward()", "loss.backward(retain_graph=True)"),
        ("loss.backward(v)", "loss.backward(v, retain_graph=True)"),
        ("y.sum().backward()", "y.sum().backward(retain_graph=True)"),
        ("g, = torch.autograd.grad(y, x)", "g, = torch.autograd.grad(y, x, retain_graph=True)"),
        ("for y in ys: y.backward()", "for y in ys: y.backward(retain_graph=True)"),
    ],
)
def test_retain_graph_comes_and_goes(before: str, after: str) -> None:
    assert set_retain_graph(before, 1, True).text == after
    assert set_retain_graph(after, 1, False).text == before


@pytest.mark.parametrize(
    ("before", "occurrence", "after"),
    [
        ("z = u * x", None, "z = u.detach() * x"),
        ("z = u * u  # u", None, "z = u.detach() * u.detach()  # u"),
        ("z = u * u", 1, "z = u * u.detach()"),
        ("v = 梯; z = u(梯 + u)", None, "v = 梯; z = u.detach()(梯 + u.detach())"),
    ],
)
def test_detach_comes_and_goes(before: str, occurrence: int | None, after: str) -> None:
    assert set_detach(before, 1, "u", True, occurrence).text == after
    assert set_detach(after, 1, "u", False, occurrence).text == before


def test_detach_of_a_name_the_line_does_not_use() -> None:
    with pytest.raises(EditError):
        set_detach("z = u * 2", 1, "w", True)


def test_clearing_a_gradient_is_safe_in_a_loop() -> None:
    assert insert_clear("y.backward()\nz.backward()\n", "x", 2).text == (
        "y.backward()\nx.grad.zero_()\nz.backward()\n"
    )
    assert insert_clear("for i in r:\n    y.backward()\n", "x", 2).text == (
        "for i in r:\n    x.grad = None\n    y.backward()\n"
    )


def test_retain_grad_goes_behind_the_whole_statement() -> None:
    assert insert_retain_grad("y = (x +\n  2)\nz = y\n", "y", 1).text == (
        "y = (x +\n  2)\ny.retain_grad()\nz = y\n"
    )
    assert insert_retain_grad("y = x", "y", 1).text == "y = x\ny.retain_grad()"


def test_a_line_cannot_go_behind_a_one_line_block() -> None:
    with pytest.raises(EditError) as caught:
        insert_retain_grad("if a: y = x\n", "y", 1)
    assert caught.value.key == "edit.no-place"


def test_a_vector_is_summed_before_backward() -> None:
    assert sum_before_backward("(x * x).backward()", 1).text == "(x * x).sum().backward()"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a += 1", "a = a + 1"),
        ("a *= b + c", "a = a * (b + c)"),
        ("a.mul_(b)", "a = a.mul(b)"),
        ("    a.sigmoid_()  # 原地", "    a = a.sigmoid()  # 原地"),
    ],
)
def test_in_place_becomes_out_of_place(before: str, after: str) -> None:
    source = "def f(a):\n" + before if before.startswith(" ") else before
    line = source.count("\n") + 1
    assert make_out_of_place(source, line).text == source.replace(before, after)


def test_lines_are_computed_again_before_another() -> None:
    source = "y = x ** 2\nloss = y.sum()\n\nloss.backward()\nloss.backward()\n"
    edit = recompute(source, [1, 2], 5)
    assert [tuple(line) for line in changed_lines(source, edit.text)] == [
        ("+", 5, "y = x ** 2"),
        ("+", 6, "loss = y.sum()"),
    ]
    assert (edit.first, edit.last) == (5, 6)


# --- every recorded program ----------------------------------------------------------------------

RECORDED = programs("seeds", "core")[::3]


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_every_line_goes_under_no_grad_and_back(path: Path) -> None:
    source = path.read_text("utf-8")
    for line in range(1, source.count("\n") + 2):
        for on in (True, False):
            try:
                edit = set_no_grad(source, line, line, on)
            except EditError as error:
                assert error.key in ("edit.no-statement", "edit.other-mode")
                continue
            ast.parse(edit.text)
            if edit.text != source:
                back = set_no_grad(edit.text, edit.first, edit.last, not on)
                assert back.text == source, f"line {line} {'on' if on else 'off'}"


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_every_assigned_name_switches_and_switches_back(path: Path) -> None:
    source = path.read_text("utf-8")
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        name, line = node.targets[0].id, node.lineno
        for on in (True, False):
            once = set_requires_grad(source, name, line, on)
            ast.parse(once.text)
            if once.text != source:
                there = set_requires_grad(once.text, name, line, not on)
                assert there.text == source, (name, line, on)
