"""What every op must do because it is in the registry; no op is tested by hand for these."""

from __future__ import annotations

import dis
import doctest
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine as torch
from engine.ops.calls import is_in_place
from engine.ops.record import PUBLIC, REGISTRY, Op
from tests.engine.op_cases import (
    SYMMETRIC,
    agree,
    arguments,
    bound_names,
    differentiable,
    has_gradient,
    name_of,
    outputs,
    records,
    sampled,
    slopes,
    weighed,
    weights,
)
from tests.golden.ops import TABLE, shown, spelling_of

GOLDEN = json.loads(TABLE.read_text(encoding="utf-8"))
LOCALES = Path(__file__).parents[2] / "web" / "locales"
TRIED = sampled(has_gradient)


class Trial:
    """A sample of an op, in double precision, as a function of its inputs."""

    def __init__(self, case: tuple[Op, int]) -> None:
        op, number = case
        args, kwargs = arguments(op.samples()[number], double=True)
        self.op = op
        self.call = lambda: op(*args, **kwargs)
        self.inputs = differentiable(op, bound_names(op, args, kwargs))
        for x in self.inputs:
            x.requires_grad_()

    def value(self) -> Any:
        """Return one number made of the outputs."""
        return weighed(outputs(self.call()))

    def gradients(self, create_graph: bool = False) -> Any:
        """Return the gradients of that number."""
        return torch.autograd.grad(
            self.value(), self.inputs, create_graph=create_graph, allow_unused=True
        )

    def weighed_gradients(self, create_graph: bool = False) -> Any:
        """Return one number made of the gradients."""
        found = self.gradients(create_graph)
        parts = [(g * weights(g.shape, 7 + i)).sum() for i, g in enumerate(found) if g is not None]
        return sum(parts[1:], parts[0]) if parts else torch.zeros(())

    def compare(self, found: Any, right: Any, left: Any) -> None:
        """Assert that a gradient is the slope."""
        if self.op.name in SYMMETRIC:
            found, right, left = (a + a.swapaxes(-1, -2) for a in (found, right, left))
        assert agree(found, right, left)


def array(g: Any, x: Any) -> Any:
    return np.zeros(tuple(x.shape)) if g is None else g.detach().numpy()


@pytest.mark.parametrize("op", [r for r in records() if spelling_of(r)], ids=name_of)
def test_values_and_nodes_are_the_recorded_ones(op: Op) -> None:
    for expected, sample in zip(GOLDEN[op.name], op.samples(), strict=True):
        if expected is None:
            continue
        for want, got in zip(expected, shown(torch, op, sample) or [], strict=True):
            assert {k: got[k] for k in ("dtype", "shape", "grad_fn")} == {
                k: want[k] for k in ("dtype", "shape", "grad_fn")
            }
            assert np.allclose(got["data"], want["data"], rtol=1e-5, atol=1e-6, equal_nan=True)


@pytest.mark.parametrize("case", TRIED, ids=name_of)
def test_gradient_is_the_slope(case: tuple[Op, int]) -> None:
    trial = Trial(case)
    for x, g in zip(trial.inputs, trial.gradients(), strict=True):
        trial.compare(array(g, x), *slopes(lambda: trial.value().item(), x))


@pytest.mark.parametrize("case", TRIED, ids=name_of)
def test_second_gradient_is_the_slope_of_the_first(case: tuple[Op, int]) -> None:
    trial = Trial(case)
    total = trial.weighed_gradients(create_graph=True)
    if not total.requires_grad:
        found: Any = [None] * len(trial.inputs)
    elif ends_undefined(total.grad_fn):
        with pytest.raises(RuntimeError, match="is not implemented"):
            torch.autograd.grad(total, trial.inputs, allow_unused=True)
        return
    else:
        found = torch.autograd.grad(total, trial.inputs, allow_unused=True)
    for x, g in zip(trial.inputs, found, strict=True):
        trial.compare(array(g, x), *slopes(lambda: trial.weighed_gradients().item(), x))


def ends_undefined(node: Any) -> bool:
    """Whether a graph holds a node PyTorch has no rule for."""
    if node is None:
        return False
    if "NotImplemented" in node.name():
        return True
    return any(ends_undefined(edge) for edge, _ in node.next_functions)


@pytest.mark.parametrize("case", TRIED, ids=name_of)
def test_rules_give_the_same_on_arrays_and_on_tensors(case: tuple[Op, int]) -> None:
    trial = Trial(case)
    for plain, tracked in zip(trial.gradients(), trial.gradients(create_graph=True), strict=True):
        assert (plain is None) == (tracked is None)
        if plain is not None:
            assert plain.shape == tracked.shape
            assert np.allclose(plain.numpy(), tracked.detach().numpy(), equal_nan=True)


def in_place_spelling(op: Op) -> str | None:
    methods = [b for b in op.binds if b.startswith("Tensor.") and not b.startswith("Tensor.__")]
    return next((b for b in methods if is_in_place(b[7:])), None)


@pytest.mark.parametrize("case", sampled(lambda r: in_place_spelling(r) is not None), ids=name_of)
def test_in_place_form_writes_the_same_and_counts_it(case: tuple[Op, int]) -> None:
    op, number = case
    args, kwargs = arguments(op.samples()[number])
    expected = op(*args, **kwargs)
    target = args[0].clone()
    if expected.shape != target.shape or expected.dtype is not target.dtype:
        return
    got = PUBLIC[in_place_spelling(op)](target, *args[1:], **kwargs)  # type: ignore[index]
    assert got is target
    assert target._version == 1
    assert np.array_equal(target.numpy(), expected.numpy(), equal_nan=target.is_floating_point())


# PyTorch saves for them what their zeros do not need: a second backward is refused.
SAVE_MORE = {"div_mode", "sgn"}


@pytest.mark.parametrize(
    "op", [o for o in REGISTRY.values() if o.name not in SAVE_MORE], ids=name_of
)
def test_nothing_is_saved_in_vain(op: Op) -> None:
    for vjp in op.vjps.values():
        code = vjp.function.__code__
        inner = [c for c in code.co_consts if hasattr(c, "co_freevars")]
        used = {i.argval for i in dis.get_instructions(code) if i.opname.startswith("LOAD")}
        used |= {
            name
            for i in dis.get_instructions(code)
            if isinstance(i.argval, tuple)
            for name in i.argval
        }
        used |= {name for c in inner for name in c.co_freevars}
        assert set(vjp.names) <= used


def names_in(macro: str, latex: str) -> set[str]:
    return set(re.findall(r"\\" + macro + r"\{(\w+)\}", latex))


@pytest.mark.parametrize("op", REGISTRY.values(), ids=name_of)
def test_formula_names_what_the_rule_uses(op: Op) -> None:
    attributes = {p.name for p in op.params if not p.is_tensor}
    for wrt, vjp in op.vjps.items():
        if op.name not in SAVE_MORE:
            assert names_in("val", vjp.latex) - attributes == vjp.saved_names
        grads = names_in("grad", vjp.latex)
        assert wrt in grads
        assert grads - {wrt} <= set(op.outputs)
        assert grads - {wrt}


@pytest.mark.parametrize("op", REGISTRY.values(), ids=name_of)
def test_formula_of_the_result_names_inputs_and_outputs(op: Op) -> None:
    known = {p.name for p in op.params} | set(op.outputs) | set(op.hidden)
    assert names_in("val", op.latex) <= known


@pytest.mark.parametrize("op", REGISTRY.values(), ids=name_of)
def test_example_of_the_docstring_runs(op: Op) -> None:
    text = op.forward.__doc__ or ""
    if op.binds and op.samples is not None:
        assert ">>> " in text
    test = doctest.DocTestParser().get_doctest(text, {"torch": torch}, op.name, None, 0)
    out: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=out.append)
    assert not out, "".join(out)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_op_has_its_summary(language: str) -> None:
    words = json.loads((LOCALES / language / "ops.json").read_text(encoding="utf-8"))
    assert {f"op.{name}.summary" for name in REGISTRY} <= set(words)
    assert all(text.strip() for text in words.values())


def test_registry_refuses_what_would_confuse() -> None:
    with pytest.raises(ValueError, match="second op"):
        Op(records()[0].forward, records()[0].name, latex="")
    with pytest.raises(ValueError, match="no input"):
        REGISTRY["mul"].vjp("nobody", latex="")
    with pytest.raises(ValueError, match="docstring"):
        Op(lambda input: input, "undocumented", latex="")
