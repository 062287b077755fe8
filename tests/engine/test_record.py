"""The registry refuses incomplete declarations; what is declared holds together."""

from __future__ import annotations

import re
from typing import Any

import pytest

import engine as torch
from engine.ops import expressions
from engine.ops.record import PUBLIC, REGISTRY, Array, Op, op
from engine.ops.signature import bind_arguments


def documented(input: Array, other: Array, *, alpha: float = 1) -> Array:
    """Add, for a test."""
    return input + other * alpha


def names_in(macro: str, latex: str) -> set[str]:
    found = re.findall(rf"\\{macro}\{{(\w+)\}}", latex)
    return set(found)


def test_second_op_of_a_name_is_refused() -> None:
    with pytest.raises(ValueError, match="a second op called mul"):
        op("mul", latex="")(documented)


def test_op_without_docstring_is_refused() -> None:
    def bare(input: Array) -> Array:
        return input

    with pytest.raises(ValueError, match="has no docstring"):
        op("nameless_for_a_test", latex="")(bare)
    assert "nameless_for_a_test" not in REGISTRY


def test_rule_for_an_unknown_input_is_refused() -> None:
    with pytest.raises(ValueError, match="op mul has no input nothing"):
        REGISTRY["mul"].vjp("nothing", latex="")


def test_spelling_bound_twice_is_refused() -> None:
    from engine.ops.record import function

    with pytest.raises(ValueError, match=r"torch\.mul is bound twice"):
        function("torch.mul")(documented)


def test_every_spelling_is_public() -> None:
    for spelling in PUBLIC:
        where, _, name = spelling.rpartition(".")
        if where == "torch":
            assert hasattr(torch, name), spelling
        elif where == "Tensor":
            assert hasattr(torch.Tensor, name), spelling


DIFFERENTIABLE = {name: record for name, record in REGISTRY.items() if record.vjps}


@pytest.mark.parametrize("record", DIFFERENTIABLE.values(), ids=DIFFERENTIABLE.keys())
def test_what_a_rule_saves_exists(record: Op) -> None:
    known = {p.name for p in record.params}.union(record.outputs, record.hidden)
    for vjp in record.vjps.values():
        for name in vjp.names:
            owner = re.sub("_(shape|layout)$", "", name)
            assert name in known or owner in known, (vjp.wrt, name)


@pytest.mark.parametrize(
    ("args", "kwargs", "text"),
    [
        ((1,), {}, 'f() missing 1 required positional arguments: "other"'),
        ((1, 2, 3), {}, "f() takes 2 positional arguments but 3 were given"),
        ((1, 2), {"nothing": 3}, "f() got an unexpected keyword argument 'nothing'"),
        ((1, 2), {"other": 3}, "f() got multiple values for argument 'other'"),
    ],
)
def test_refused_arguments(args: Any, kwargs: Any, text: str) -> None:
    params = REGISTRY["mul"].params
    with pytest.raises(TypeError, match=re.escape(text)):
        bind_arguments("f", params, args, kwargs)


def test_numpys_names_of_arguments_are_understood() -> None:
    x = torch.ones(2, 3)
    for _ in range(3):
        assert torch.sum(x, axis=0, keepdims=True).shape == (1, 3)
        assert torch.add(input=x, other=1).sum().item() == 12


def test_expression_of_a_forward_replaces_the_call() -> None:
    scope: dict[str, Any] = {}
    assert expressions.source_of(documented, ["a", "b"], scope) == "a + b * 1"
    rule = REGISTRY["sin"].vjps["input"].function
    source = expressions.source_of(rule, ["grad", "node.saved._array"], scope)
    assert source.startswith("grad * cos") and source.endswith("(node.saved._array)")


def test_condition_on_a_default_is_decided_when_the_form_is_made() -> None:
    forward = REGISTRY["add"].forward
    assert expressions.source_of(forward, ["a", "b"], {}) == "a + b"


def test_function_of_several_statements_is_called() -> None:
    def long_way(input: Any) -> Any:
        doubled = input * 2
        return doubled + 1

    scope: dict[str, Any] = {}
    source = expressions.source_of(long_way, ["a"], scope)
    assert eval(source, {**scope, "a": 3}) == 7
