"""Explanations as keys and facts, and every one of them a sentence in both languages."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from playground.explain import (
    Sentence,
    explain_error,
    explain_message,
    explain_op,
    explain_step,
    mathml,
    why_entry,
    why_none,
)
from playground.session import run
from playground.state import State, state_at
from playground.trace import Trace, Value
from playground.words import LANGUAGES, numbers, say
from tests.golden.play import programs
from tests.playground.samples import SAMPLES, accumulation, broadcast, composite, twice


def traced(*lines: str) -> Trace:
    return run("import torch\n" + "\n".join(lines) + "\n")


def end(trace: Trace) -> State:
    return state_at(trace, len(trace.steps))


def english(sentence: Sentence | None) -> str:
    assert sentence is not None
    return say("en", sentence.key, **sentence.facts)


def said(trace: Trace) -> list[str]:
    """The sentence of every step."""
    found = [explain_step(state_at(trace, cursor)) for cursor in range(1, len(trace.steps) + 1)]
    return [english(item.sentence) for item in found if item is not None]


# --- sentences -----------------------------------------------------------------------------------


def test_each_step_of_the_composite_has_its_sentence() -> None:
    sentences = said(composite())
    assert (
        sentences[2]
        == "q is computed from y. PowBackward0 is recorded and saves y for the way back."
    )
    assert sentences[5] == "backward() begins at z with the gradient 1."
    assert sentences[7] == (
        "The gradient of v arrives. MulBackward0 multiplies it by 3 and passes it on to q."
    )
    assert sentences[9] == (
        "The gradient of q arrives. PowBackward0 multiplies it by 2·y and passes it on to y."
    )
    assert sentences[12] == "The gradient arrives at leaf x. x.grad was None and becomes 6 8 10."


def test_accumulation_is_told_in_numbers() -> None:
    assert said(accumulation())[-2:] == [
        "The gradient arrives at leaf x and is added to x.grad: 2 2 2 2 was there, 2 2 2 2 is"
        " added, 4 4 4 4 remains.",
        "x.grad.zero_() sets every element of x.grad to 0. The next backward() starts from there.",
    ]


def test_broadcasting_and_writing_in_place_have_their_sentences() -> None:
    sentences = said(broadcast())
    assert (
        "w is one number, the message has 3. Broadcasting copied w 3 times, so its gradient is the"
        " sum of them." in sentences
    )
    assert sentences[-1] == (
        "w is changed in place under no_grad: nothing is recorded, and its version goes from 0 to"
        " 1."
    )


PROGRAMS = {path.stem: path for path in programs("seeds")}


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_step_of_a_seed_program_is_said_in_both_languages(name: str) -> None:
    trace = run(PROGRAMS[name].read_text("utf-8"))
    for cursor in range(1, len(trace.steps) + 1):
        state = state_at(trace, cursor)
        found = explain_step(state)
        assert found is not None and found.sentence is not None
        sentences = [found.sentence, *(row.sentence for row in found.rows)]
        for variable in state.names():
            why = why_none(state, variable)
            assert (why is None) == (state.grad(state.names()[variable]) is not None)
            if why is not None:
                assert [check.passed for check in why.checks].count(False) == 1
                assert not why.checks[-1].passed
                sentences += [why.title, why.lead, *(check.sentence for check in why.checks)]
        for sentence in sentences:
            for language in LANGUAGES:
                assert say(language, sentence.key, **sentence.facts) != sentence.key, sentence
        for level in found.levels:
            ElementTree.fromstring(level.mathml)


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_are_explained_without_the_engine_having_run(name: str) -> None:
    assert all(said(SAMPLES[name]()))


# --- formulas ------------------------------------------------------------------------------------


def test_a_rule_at_three_levels() -> None:
    found = explain_message(end(composite()), 1, 0)
    assert found is not None
    symbols, names, figures = (level.latex for level in found.levels)
    assert (
        symbols
        == r"\frac{\partial L}{\partial a} = \frac{\partial L}{\partial r} \odot n\,a^{n - 1}"
    )
    assert names == r"\frac{\partial z}{\partial y} = \frac{\partial z}{\partial q} \odot 2\,y"
    assert figures == (
        r"\begin{bmatrix}6 & 8 & 10\end{bmatrix} = \begin{bmatrix}1 & 1 & 1\end{bmatrix} \odot"
        r" 2\,\begin{bmatrix}3 & 4 & 5\end{bmatrix}"
    )


def test_incoming_times_local_derivative_is_what_is_passed_on() -> None:
    found = explain_message(end(composite()), 1, 0)
    assert found is not None
    assert [(box.sign, numbers(box.value)) for box in found.boxes] == [
        ("", "1 1 1"),
        ("×", "6 8 10"),
        ("=", "6 8 10"),
    ]


def test_the_finite_difference_agrees() -> None:
    found = explain_message(end(composite()), 1, 0)
    assert found is not None
    texts = [english(row.sentence) for row in found.rows]
    assert "reverse 6 8 10 · forward 6 8 10 · finite difference 6 8 10" in texts
    assert "(3,) arrives, (3,) leaves: nothing to sum." in texts


def test_a_reduction_is_written_as_a_sum() -> None:
    trace = broadcast()
    step = [step for step in trace.steps if step.kind == "reduce"][-1]
    found = explain_step(state_at(trace, step.index))
    assert found is not None and found.tag == "Σ₀"
    assert [box.text or numbers(box.value) for box in found.boxes] == [
        "1 0 1.67",
        "1 + 0 + 1.67",
        "2.67",
    ]
    assert english(found.rows[0].sentence) == "(3,) arrives, () leaves: summed over dim 0."


def test_a_forward_formula_uses_the_learners_names() -> None:
    found = explain_op(end(broadcast()), 0)
    assert found.levels[1].latex == r"\code{w * x} = w \odot x"


@pytest.mark.parametrize(
    ("latex", "wanted"),
    [
        (r"a^{n-1}", "<msup><mi>a</mi><mrow><mi>n</mi><mo>−</mo><mn>1</mn></mrow></msup>"),
        (
            r"\frac12 x_i^2",
            "<mfrac><mn>1</mn><mn>2</mn></mfrac><msubsup><mi>x</mi><mi>i</mi><mn>2</mn>",
        ),
        (r"\sum_i a_i", "<munder><mo>∑</mo><mi>i</mi></munder><msub><mi>a</mi><mi>i</mi></msub>"),
        (r"\sqrt{x} \odot y", "<msqrt><mi>x</mi></msqrt><mo>⊙</mo><mi>y</mi>"),
        (r"\text{a <b> & c}", "<mtext>a\u00a0&lt;b&gt;\u00a0&amp;\u00a0c</mtext>"),
        (
            r"\begin{bmatrix}1 & 2\\3 & 4\end{bmatrix}",
            "<mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd>",
        ),
        (r"\unheardof{x}", "<mtext>unheardof</mtext>"),
        (r"\left[ x \right]", "<mo>[</mo><mi>x</mi><mo>]</mo>"),
    ],
)
def test_latex_becomes_mathml(latex: str, wanted: str) -> None:
    found = mathml(latex)
    ElementTree.fromstring(found)
    assert wanted in found


def test_every_formula_of_the_engine_becomes_mathml_without_unknown_commands() -> None:
    from engine.ops.record import REGISTRY
    from playground.explain.formula import MACRO
    from playground.explain.signs import FUNCTIONS, GREEK, SYMBOLS

    names = set(SYMBOLS) | set(FUNCTIONS) | set(GREEK)
    for record in REGISTRY.values():
        for latex in [record.latex, *(rule.latex for rule in record.vjps.values())]:
            found = ElementTree.fromstring(mathml(MACRO.sub("v", latex)))
            words = {node.text for node in found.iter() if node.tag.endswith("mtext")}
            commands = {f"\\{word}" for word in words if word and word.isalpha()}
            assert not [c for c in commands if c in latex and c[1:] not in names], latex


# --- why None ------------------------------------------------------------------------------------

X = "x = torch.ones(3, requires_grad=True)"
WHY: dict[str, tuple[list[str], str, str, int | None, list[str]]] = {
    "not a leaf": (
        [X, "y = x * 2", "y.sum().backward()"], "y", "none.not_leaf", 3, ["y.retain_grad()"]),
    "requires_grad False": (
        ["x = torch.ones(3)", "w = torch.ones(3, requires_grad=True)", "(x * w).sum().backward()"],
        "x", "none.requires", 2, ["x = torch.ones(3, requires_grad=True)"]),
    "made under no_grad": (
        [X, "with torch.no_grad():", "    y = x * 2"], "y", "none.no_grad", 4, ["y = x * 2"]),
    "cut by detach": ([X, "y = (x * 2)", "u = y.detach()"], "u", "none.detach", 4, ["u = y"]),
    "behind a detach": ([X, "u = x.detach()", "z = u * 2"], "z", "none.detach", 3, ["u = x"]),
    "not reached": (
        [X, "w = torch.ones(1, requires_grad=True)", "(w * 2).sum().backward()"],
        "x", "none.not_reached", 4, []),
    "cut on the way": (
        [X, "w = torch.ones(3, requires_grad=True)", "y = x * 2", "z = y.detach() * w",
         "z.sum().backward()"],
        "x", "none.cut.detach", 5, ["z = y * w"]),
    "backward not called yet": ([X, "y = x * 2"], "x", "none.not_called", None, []),
    "set to None": (
        [X, "(x * 2).sum().backward()", "x.grad = None"], "x", "none.cleared", 4, []),
    "returned by grad": (
        [X, "g, = torch.autograd.grad((x * 2).sum(), x)"], "x", "none.returned", 3, []),
    "an integer": (["i = torch.tensor([1, 2])"], "i", "none.integer", 2, []),
    "computed from constants": (["a = torch.ones(2)", "b = a + 1"], "b", "none.inputs", 3, []),
}  # fmt: skip


@pytest.mark.parametrize(("lines", "name", "key", "line", "added"), WHY.values(), ids=WHY)
def test_why_a_gradient_is_none(
    lines: list[str], name: str, key: str, line: int | None, added: list[str]
) -> None:
    trace = traced(*lines)
    assert trace.error is None, trace.error
    why = why_none(end(trace), name)
    assert why is not None
    assert (why.lead.key, why.line) == (key, line)
    diffs = [diff.text for item in why.remedies for diff in item.diff if diff.kind == "+"]
    assert [text for text in added if text not in diffs] == []
    for item in why.remedies:
        assert run(item.edit.text).error is None


def test_a_remedy_brings_the_gradient() -> None:
    trace = traced(*WHY["cut on the way"][0])
    why = why_none(end(trace), "x")
    assert why is not None
    cured = run(why.remedies[0].edit.text)
    assert end(cured).grad(0) is not None


def test_in_the_middle_of_backward_the_gradient_is_on_its_way() -> None:
    trace = composite()
    call = next(step for step in trace.steps if step.kind == "call")
    why = why_none(state_at(trace, call.index), "x")
    assert why is not None and why.lead.key == "none.running"
    assert english(why.detail) == "A gradient comes to x at step 13."
    before = why_none(state_at(trace, call.index - 1), "x")
    assert before is not None and before.lead.key == "none.not_called"


def test_a_gradient_that_is_there_needs_no_reason() -> None:
    state = end(composite())
    assert why_none(state, "x") is None and why_none(state, "nobody") is None


# --- the ledger ----------------------------------------------------------------------------------


def test_why_four_and_not_two() -> None:
    state = end(accumulation())
    found = why_entry(state, state.ledger(0)[1])
    assert english(found.title) == "Why 4 and not 2?"
    assert english(found.text) == (
        "backward() adds to .grad; it never replaces it. Line 7 had left 2 2 2 2 in x.grad, line 8"
        " brought 2 2 2 2 more along MulBackward0."
    )
    assert [[path.text for path in call.paths] for call in found.calls] == [
        ["Sum → Add → Mul → x"],
        ["Sum → Mul → x"],
    ]
    (fix,) = found.remedies
    assert [(line.kind, line.line, line.text) for line in fix.diff] == [("+", 8, "x.grad.zero_()")]


def test_every_path_to_a_leaf_is_found_and_many_are_counted() -> None:
    trace = traced(X, "y = x * 2 + x", "z = y * y", "(z + y).sum().backward()")
    state = end(trace)
    (call,) = why_entry(state, state.ledger(0)[0]).calls
    texts = {path.text for path in call.paths}
    assert "Sum → Add → Mul → Add → x" in texts and "Sum → Add → Add → Mul → x" in texts
    assert len(call.paths) + call.more == 6


# --- errors --------------------------------------------------------------------------------------


def test_a_second_backward_is_explained_with_both_lines_and_two_ways_out() -> None:
    found = explain_error(twice())
    assert found is not None
    assert english(found.why) == (
        "PowBackward0 (line 4) needs the x it had saved. The backward() of line 7 used it and freed"
        " it; line 8 asks for it again."
    )
    assert [(mark.line, mark.kind) for mark in found.marks] == [
        (4, "note"),
        (7, "error"),
        (8, "error"),
    ]
    first, second = found.remedies
    assert [tuple(line) for line in first.diff] == [
        ("-", 7, "loss.backward()"),
        ("+", 7, "loss.backward(retain_graph=True)"),
    ]
    assert [tuple(line) for line in second.diff] == [
        ("+", 8, "y = x ** 2"),
        ("+", 9, "loss = y.sum()"),
    ]
    for remedy in found.remedies:
        cured = run(remedy.edit.text)
        assert cured.error is None
        assert end(cured).grad(0) == Value((3,), "float32", (4.0, 8.0, 12.0))


ERRORS: dict[str, tuple[list[str], str, int]] = {
    "twice": ([X, "y = (x * x).sum()", "y.backward()", "y.backward()"], "error.backward-twice", 2),
    "vector": ([X, "(x * 2).backward()"], "error.backward-of-a-vector", 1),
    "constant": (["x = torch.ones(3)", "x.sum().backward()"], "error.no-graph", 1),
    "leaf in place": ([X, "x += 1"], "error.leaf-in-place", 2),
    "saved was written": (
        [X, "y = x.exp()", "y += 1", "y.sum().backward()"], "error.modified-in-place", 1),
}  # fmt: skip


@pytest.mark.parametrize(("lines", "key", "remedies"), ERRORS.values(), ids=ERRORS)
def test_an_error_has_a_cause_in_both_languages_and_remedies_that_work(
    lines: list[str], key: str, remedies: int
) -> None:
    trace = traced(*lines)
    found = explain_error(trace)
    assert found is not None and found.key == key
    assert found.why is not None and found.marks
    for language in LANGUAGES:
        text = say(language, found.why.key, **found.why.facts)
        assert text != found.why.key and "?" not in text and "None" not in text
    assert len(found.remedies) == remedies
    for remedy in found.remedies:
        assert remedy.diff
        assert run(remedy.edit.text).error is None, remedy.edit.text


@pytest.mark.parametrize(
    "source",
    [
        "x = (1,\ny = 2",
        "print(undefined)",
        "import torch\ntorch.no_such_thing",
        "import torch\ntorch.tensr([1.])",
        "import torch\ntorch.ones(1).no_such",
        "import torch\nx = torch.ones(1, requires_grad=True)\nx.grad.zero_()",
        "import torchvision",
        "input()",
        "def f(): f()\nf()",
        "import torch\ntorch.ones(2) + torch.ones(3)",
        "import torch\ntorch.ones(6).view(4, 2)",
        "import torch\ntorch.ones(2).sum(5)",
        "import torch\ntorch.ones(2).item()",
        "import torch\nif torch.ones(2): pass",
        "import torch\ntorch.ones(2, requires_grad=True).numpy()",
        "import torch\ntorch.tensor([1, 2], requires_grad=True)",
        "import torch\nx = torch.ones(2)\nx += torch.ones(3, 2)",
    ],
)
def test_an_error_of_python_has_a_cause_in_both_languages(source: str) -> None:
    found = explain_error(run(source))
    assert found is not None and found.why is not None
    for language in LANGUAGES:
        assert say(language, found.why.key, **found.why.facts) != found.why.key


def test_a_program_that_ends_well_has_no_error() -> None:
    assert explain_error(composite()) is None
