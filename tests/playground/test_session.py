"""A run ends in a trace, whatever the program does; and the trace is what the program did."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import pytest

from engine import events
from playground.session import Budgets, evaluate, run
from playground.state import state_at
from playground.trace import Step, Trace, Value
from tests.golden.play import normalise, programs

SEEDS = programs("seeds")


def program(*lines: str) -> Trace:
    return run("import torch\n" + "\n".join(lines) + "\n")


def kinds(trace: Trace) -> list[str]:
    return [step.kind for step in trace.steps]


def steps(trace: Trace, kind: str) -> list[Step]:
    return [step for step in trace.steps if step.kind == kind]


def expressions(trace: Trace) -> list[str]:
    return [tensor.expression for tensor in trace.tensors if tensor.grad_of is None]


@pytest.fixture(scope="module", params=SEEDS, ids=lambda path: path.stem)
def seed(request: pytest.FixtureRequest) -> tuple[Path, Trace]:
    path: Path = request.param
    return path, run(path.read_text("utf-8"))


def test_a_seed_program_prints_what_pytorch_printed(seed: tuple[Path, Trace]) -> None:
    path, trace = seed
    text = trace.stdout
    if trace.error is not None:
        text += f"{trace.error.type}: {trace.error.message}"
    assert normalise(text) == normalise(path.with_suffix(".out").read_text("utf-8"))


def test_a_seed_program_run_twice_gives_an_equal_trace(seed: tuple[Path, Trace]) -> None:
    path, trace = seed
    assert run(path.read_text("utf-8")) == trace


def test_a_seed_programs_trace_survives_json(seed: tuple[Path, Trace]) -> None:
    assert Trace.from_json(seed[1].to_json()) == seed[1]


def test_a_seed_programs_last_state_is_the_programs(seed: tuple[Path, Trace]) -> None:
    """The gradients at the end are those the program itself would see there."""
    _, trace = seed
    count = len(trace.steps)
    state = state_at(trace, count)
    assert state.stdout() == trace.stdout
    for name, tensor in state.names().items():
        if trace.error is None and state.is_leaf(tensor):
            text = f"None if {name}.grad is None else {name}.grad.flatten().tolist()"
            found = evaluate(trace.source, trace.seed, None, count, text)
            grad = state.grad(tensor)
            assert found.text == str(None if grad is None else list(grad.data or ())), name


def test_names_follow_the_program() -> None:
    trace = program("x = torch.ones(3, requires_grad=True)", "z = x * 3 + x", "z = z.mean()")
    assert expressions(trace) == ["x", "x * 3", "z", "z"]
    assert [op.line for op in trace.ops] == [3, 3, 4]
    end = state_at(trace, len(trace.steps))
    assert end.names()["z"] == 3 and state_at(trace, 3).names().get("z") == 2


def test_names_of_locals_elements_and_parameters() -> None:
    trace = program(
        "def f(a):",
        "    b = a * 2",
        "    return b + 1",
        "ps = [torch.ones(1), torch.zeros(2)]",
        "c = f(ps[0])",
    )
    assert expressions(trace) == ["ps[0]", "ps[1]", "b", "c"]


def test_a_model_has_its_parameters_under_the_names_the_program_uses() -> None:
    trace = program(
        "from torch import nn",
        "class Net(nn.Module):",
        "    def __init__(self):",
        "        super().__init__()",
        "        self.fc = nn.Linear(2, 1)",
        "        self.b = nn.Parameter(torch.ones(1))",
        "net = Net()",
    )
    leaves = state_at(trace, len(trace.steps)).leaves()
    names = {leaf.name for leaf in leaves}
    assert names == {"net.fc.weight", "net.fc.bias", "net.b"}
    assert len(steps(trace, "leaf")) == 3


def test_what_a_module_returns_is_called_after_it() -> None:
    trace = program(
        "from torch import nn",
        "net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))",
        "net.train(); net.eval()",
        "y = net(torch.ones(1, 2))",
    )
    made = [tensor.expression for tensor in trace.tensors if tensor.op is not None]
    assert made == [
        "t(net.0.weight)",
        "net.0(torch.ones(1, 2))",
        "net.1(…)",
        "t(net.2.weight)",
        "y",
    ]


def test_a_module_that_hands_its_argument_on_does_not_name_it() -> None:
    trace = program(
        "from torch import nn",
        "net = nn.Sequential(nn.ReLU(), nn.Identity(), nn.Dropout(0.5)).eval()",
        "print(net(torch.ones(2)).shape, net[0](torch.ones(3)).shape)",
    )
    made = [tensor.expression for tensor in trace.tensors if tensor.op is not None]
    assert made == ["net(torch.ones(2))", "net[0](torch.ones(3))"]


def test_backward_written_by_the_learner_has_the_learners_text() -> None:
    trace = program(
        "class Cube(torch.autograd.Function):",
        "    @staticmethod",
        "    def forward(ctx, x):",
        "        ctx.save_for_backward(x)",
        "        return x ** 3",
        "    @staticmethod",
        "    def backward(ctx, g):",
        "        return 3 * g * ctx.saved_tensors[0] ** 2",
        "x = torch.ones(2, requires_grad=True)",
        "Cube.apply(x).sum().backward()",
        "y = x.sin()",
        "y.backward(torch.ones(2), create_graph=True)",
    )
    assert "ctx.saved_tensors[0] ** 2" in expressions(trace)
    assert "3 * g" in expressions(trace) and "cos(x)" in expressions(trace)


def test_a_number_that_became_a_tensor_is_called_by_its_value() -> None:
    trace = program("a = torch.zeros(2)", "a[0] = 10.", "x = torch.tensor(2., requires_grad=True)")
    assert "10.0" in expressions(trace) and "…" not in expressions(trace)


def test_an_expression_in_chinese_text_is_cut_at_the_right_place() -> None:
    trace = program('s = "梯度"; x = torch.ones(2); print("值", (x * 2 + 1).sum())')
    assert expressions(trace) == ["x", "x * 2", "x * 2 + 1", "(x * 2 + 1).sum()"]


def test_a_print_is_one_step_with_its_line() -> None:
    trace = program('print("a", 1)', "print()", 'print("b", end="")', 'print("c\\n")')
    assert [(step.line, step.text) for step in steps(trace, "output")] == [
        (2, "a 1\n"),
        (3, "\n"),
        (4, "b"),
        (5, "c\n\n"),
    ]
    assert trace.stdout == "a 1\n\nbc\n\n"


def test_passes_of_a_loop_are_told_apart() -> None:
    trace = program("k = torch.ones(1)", "for i in range(3):", "    k = k * 2")
    assert [op.group for op in trace.ops] == [("loop:3:1", f"pass:{n}") for n in (1, 2, 3)]
    assert len({step.execution for step in steps(trace, "op")}) == 3


def test_zeroing_and_clearing_are_steps_of_the_leaf() -> None:
    trace = program(
        "x = torch.ones(2, requires_grad=True)",
        "(x * 3).sum().backward()",
        "x.grad.zero_()",
        "x.grad = None",
        "x.grad = None",
    )
    assert kinds(trace)[-3:] == ["write", "zero", "none"]
    ledger = state_at(trace, len(trace.steps)).ledger(0)
    assert [entry.how for entry in ledger] == ["set", "zero", "none"]
    assert ledger[1].total == Value((2,), "float32", (0.0, 0.0))


def test_writing_through_data_is_seen_at_the_leaf() -> None:
    trace = program("w = torch.ones(2, requires_grad=True)", "w.data.sub_(0.5)", "print(w)")
    assert state_at(trace, len(trace.steps)).value(0).data == (0.5, 0.5)


def test_writing_into_a_view_is_seen_at_its_base() -> None:
    trace = program("a = torch.zeros(4)", "b = a.view(2, 2)", "b[0].add_(1)", "print(a)")
    end = state_at(trace, len(trace.steps))
    assert end.value(end.names()["a"]).data == (1.0, 1.0, 0.0, 0.0)


def test_no_grad_is_noted_at_the_operations_it_keeps_off() -> None:
    trace = program(
        "w = torch.ones(1, requires_grad=True)",
        "with torch.no_grad():",
        "    w -= 0.1 * w",
        "y = w * 2",
    )
    assert [(op.op, op.mode) for op in trace.ops] == [
        ("mul", "no_grad"),
        ("sub", "no_grad"),
        ("mul", None),
    ]


def test_gradients_that_are_not_finite_travel_as_words() -> None:
    trace = program("x = torch.zeros(2, requires_grad=True)", "(x / x).sum().backward()")
    assert Trace.from_json(trace.to_json()) == trace
    assert steps(trace, "write")[0].value == Value((2,), "float32", ("nan", "nan"))


# --- programs that fail --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "kind", "line", "key"),
    [
        (["x = (1,", "y = 2"], "SyntaxError", 2, "error.syntax"),
        (["return 3"], "SyntaxError", 2, "error.syntax"),
        (["x = torch.ones(2)", "print(undefined)"], "NameError", 3, "error.name"),
        (["torch.no_such_thing(3)"], "AttributeError", 2, "error.unknown-torch"),
        (["x = torch.ones(2)", "x.no_such_thing()"], "AttributeError", 3, "error.unknown-tensor"),
        (["import torchvision"], "ModuleNotFoundError", 2, "error.no-module"),
        (["import torch.nothing"], "ModuleNotFoundError", 2, "error.no-module"),
        (["import torch.distributed as dist"], "NotImplementedError", 2, "error.unsupported"),
        (["import torch.fx.graph"], "NotImplementedError", 2, "error.unsupported"),
        (
            ["import torch.autograd.forward_ad as fwAD"],
            "NotImplementedError",
            2,
            "error.unsupported",
        ),
        (["n = input()"], "EOFError", 2, "error.input"),
        (["def f(n):", "    return f(n + 1)", "f(0)"], "RecursionError", 3, "error.recursion"),
        (["1 / 0"], "ZeroDivisionError", 2, "error.division"),
        (["raise KeyboardInterrupt"], "KeyboardInterrupt", 2, "error.interrupted"),
        (["x = torch.ones(2, requires_grad=True)", "x.grad.zero_()"], "AttributeError", 3,
         "error.none-attribute"),
        (["x = torch.ones(2, requires_grad=True)", "(x * x).backward()"], "RuntimeError", 3,
         "error.backward-of-a-vector"),
    ],
)  # fmt: skip
def test_a_failing_program_says_where(lines: list[str], kind: str, line: int, key: str) -> None:
    trace = program(*lines)
    assert trace.error is not None
    assert (trace.error.type, trace.error.line, trace.error.key) == (kind, line, key)
    if trace.error.key != "error.syntax":
        assert trace.steps[-1].kind == "error" and trace.steps[-1].line == line
    assert Trace.from_json(trace.to_json()) == trace


def test_what_happened_before_an_error_is_kept() -> None:
    trace = program("x = torch.ones(2, requires_grad=True)", 'print("here")', "1 / 0")
    assert kinds(trace) == ["leaf", "output", "error"] and trace.stdout == "here\n"


@pytest.mark.parametrize("end", ["raise SystemExit", "import sys; sys.exit(3)", "exit()"])
def test_leaving_early_is_no_error(end: str) -> None:
    trace = program("print(1)", end, "print(2)")
    assert trace.error is None and trace.stdout == "1\n"


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        (["while True: pass"], 2),
        (
            [
                "while True:",
                "    try:",
                "        pass",
                "    except BaseException:",
                "        pass",
            ],
            2,
        ),
        (["for i in iter(int, 1):", "    x = i"], 2),
        (["def f():", "    while True:", "        g()", "def g():", "    pass", "f()"], None),
    ],
)
def test_an_endless_loop_is_stopped(lines: list[str], line: int | None) -> None:
    trace = run("import torch\n" + "\n".join(lines), 0, Budgets(lines=20_000))
    assert trace.error is not None and trace.error.key == "error.budget-lines"
    assert line is None or trace.error.line == line
    assert trace.error.facts == {"limit": 20_000}


def test_a_program_that_swallows_everything_is_stopped() -> None:
    lines = [
        "while True:",
        "    try:",
        "        while True: torch.ones(1)",
        "    except BaseException:",
    ]
    trace = run("import torch\n" + "\n".join([*lines, "        pass"]), 0, Budgets(steps=50))
    assert trace.error is not None and trace.error.key == "error.budget-steps"
    assert len(trace.steps) == 51


def test_time_and_output_have_budgets() -> None:
    late = run("while True: pass", 0, Budgets(seconds=0.02, lines=10**9))
    assert late.error is not None and late.error.key == "error.budget-seconds"
    loud = run('while True: print("x" * 100)', 0, Budgets(characters=1000))
    assert loud.error is not None and loud.error.key == "error.budget-characters"
    assert len(loud.stdout) <= 1000


def test_the_page_learns_the_line_before_it_runs_and_the_end() -> None:
    lines: list[int | None] = []
    run(
        "x = 1\nif x:\n    y = 2\nfor i in range(3):\n    y += i\n1 / 0\nz = 3",
        0,
        None,
        lines.append,
    )
    assert lines == [1, 2, 3, 4, 6, None]


def test_a_future_import_and_a_docstring_stay_in_front() -> None:
    trace = run('"""Text."""\nfrom __future__ import annotations\nprint(__doc__)')
    assert trace.error is None and trace.stdout == "Text.\n"


def test_a_full_memory_leaves_room_to_say_so() -> None:
    trace = program("kept = [torch.ones(2)]", "raise MemoryError")
    assert trace.error is not None and trace.error.key == "error.memory"
    assert trace.final == ()


NO_ROOM = "DefaultCPUAllocator: can't allocate memory"
OVERFLOWED = "Storage size calculation overflowed"
# In a browser addresses have 32 bits, and such sizes are no numbers of bytes at all.
NARROW = sys.maxsize < 2**32


@pytest.mark.parametrize(
    ("line", "kind", "text"),
    [
        ("torch.zeros(10**6, 10**7)", "RuntimeError", OVERFLOWED if NARROW else NO_ROOM),
        ("torch.zeros(10**10, 10**10)", "RuntimeError", OVERFLOWED),
        ("numpy.ones((10**6, 10**7))", "ValueError" if NARROW else "MemoryError", ""),
    ],
)
def test_a_tensor_too_large_is_refused_in_the_words_of_its_library(
    line: str, kind: str, text: str
) -> None:
    trace = program("import numpy", line)
    assert trace.error is not None and trace.error.key == "error.memory"
    assert trace.error.type == kind and text in trace.error.message
    assert evaluate("x = 1", 0, None, 1, line.replace("numpy.", "__import__('numpy').")).error


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("torch.concatt", "concat"),
        ("torch.zeroes", "zeros"),
        ("torch.nn.linear", "Linear"),
        ("from torch.nn import Linaer", "Linear"),
        ("torch.ones(1).bakward", "backward"),
    ],
)
def test_the_name_that_was_meant_is_suggested(line: str, meant: str) -> None:
    trace = program(line)
    assert trace.error is not None and trace.error.facts["similar"] == meant
    assert "engine" not in trace.error.message


@pytest.mark.parametrize(
    ("source", "line", "key"),
    [
        ("import torch\nw = torch.ones(1)\nw - 0.1 * w.grad", 3, "none-operand"),
        ("import torch\nx = torch.ones(2)\nx.sum.backward()", 3, "not-called"),
        ("import torch\nx = torch.ones(2).sum().item()\nx.backward()", 3, "number-attribute"),
        ("print = 3\nprint(1)", 2, "not-callable"),
        ("def f():\n    print(q)\n    q = 1\nf()", 2, "name"),
        ("import sys\nsys.stdin.read()", 2, "input"),
        ("print（1）", 1, "wide-character"),
        ("x = 1\x00", 1, "syntax"),
        ("x = 1\r\ny = z\r\n", 2, "name"),
        ("{}['a']", 1, "no-entry"),
        ("[][0]", 1, "list-index"),
        ("(lambda a: a)()", 1, "call"),
    ],
)
def test_what_beginners_meet_has_a_kind_and_a_line(source: str, line: int, key: str) -> None:
    error = run(source).error
    assert error is not None
    assert (error.line, error.key) == (line, f"error.{key}")


def test_a_mark_at_the_start_of_a_file_is_no_text() -> None:
    assert run("\ufeffprint(1)").stdout == "1\n"


def test_the_text_of_an_exit_is_printed() -> None:
    trace = run("import sys\nsys.exit('no data')")
    assert trace.error is None
    assert [(step.text, step.stream) for step in trace.steps] == [("no data\n", "stderr")]


def test_a_caught_error_leaves_no_error() -> None:
    trace = program(
        "x = torch.ones(2, requires_grad=True)",
        "try:",
        "    x.backward()",
        "except RuntimeError as error:",
        "    print(type(error).__name__)",
    )
    assert trace.error is None and trace.stdout == "RuntimeError\n"


def test_runs_do_not_poison_each_other() -> None:
    before = dict(sys.modules)
    program(
        "torch.set_grad_enabled(False)", "torch.set_default_dtype(torch.float64)", "import json"
    )
    trace = program(
        "x = torch.ones(1, requires_grad=True)", "print((x * 2).requires_grad, x.dtype)"
    )
    assert trace.stdout == "True torch.float32\n"
    assert {name for name in sys.modules if name.split(".")[0] == "torch"} == {
        name for name in before if name.split(".")[0] == "torch"
    }
    assert isinstance(sys.modules["__main__"], types.ModuleType)
    assert sys.modules["__main__"] is before["__main__"]


def test_the_seed_decides_what_is_random() -> None:
    source = "import torch, random\nprint(torch.rand(1).item(), random.random())"
    assert run(source, 1).stdout == run(source, 1).stdout != run(source, 2).stdout


# --- evaluating at the cursor --------------------------------------------------------------------

SOURCE = """\
import torch
x = torch.tensor([1., 2., 3.], requires_grad=True)
y = x + 2
z = (y * y).mean()
z.backward()
x.grad.zero_()
"""


def test_an_expression_is_evaluated_in_the_state_at_the_cursor() -> None:
    trace = run(SOURCE)
    write = steps(trace, "write")[0].index

    def at(step: int, expression: str) -> str:
        found = evaluate(SOURCE, 0, None, step, expression)
        return found.error or found.text

    assert at(write - 1, "x.grad") == "None"
    assert at(write, "x.grad") == "tensor([2.0000, 2.6667, 3.3333])"
    assert at(write + 1, "x.grad") == "tensor([0., 0., 0.])"
    assert at(2, "y") == "tensor([3., 4., 5.], grad_fn=<AddBackward0>)"
    assert at(2, "x.sum().item() + 1") == "7.0"
    assert at(1, "y") == "NameError: name 'y' is not defined"
    assert at(0, "x") == "NameError: name 'x' is not defined"
    assert at(len(trace.steps), "z.item()") == "16.66666603088379"
    assert at(2, "1 +") == "SyntaxError: invalid syntax"


def test_evaluating_inside_a_function_sees_its_variables() -> None:
    source = "import torch\ndef f(a):\n    b = a * 2\n    return b + 1\nc = f(torch.ones(1))\n"
    assert evaluate(source, 0, None, 2, "b").text == "tensor([2.])"


def test_a_vector_times_a_matrix_reaches_its_result_and_its_gradient_the_product() -> None:
    source = (
        "import torch\nv = torch.ones(2, requires_grad=True)\ny = v @ torch.ones(2, 3)\n"
        "y.sum().backward()\n"
    )
    trace = run(source, 0)
    [y] = [tensor for tensor in trace.tensors if tensor.name == "y"]
    assert y.shape == (3,)
    assert [op.op for op in trace.ops] == ["unsqueeze", "mm", "squeeze", "sum"]
    sent = [message.target for step in trace.steps for message in step.messages]
    assert ("op", 2) in sent and ("op", 1) in sent


def test_a_shape_changed_in_place_is_told() -> None:
    trace = run("import torch\nx = torch.ones(1, 2)\nx.squeeze_()\n", 0)
    [step] = [step for step in trace.steps if step.kind == "inplace"]
    assert step.value is not None and step.value.shape == (2,)


def test_a_view_made_unusable_is_forgotten_with_its_program() -> None:
    stale = """import torch
x = torch.ones(2, requires_grad=True)
y = x.clone()
a, b = y.unbind()
y.mul_(2)
print(a.grad_fn)"""
    before = events.careful
    assert run(stale).error is not None
    assert events.careful == before
