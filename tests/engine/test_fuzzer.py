"""The parts of the fuzzer that need no PyTorch: comparing, shrinking, rendering."""

from __future__ import annotations

from typing import Any

from tests.fuzz.compare import first_difference, same_text_loosely
from tests.fuzz.observe import Seen
from tests.fuzz.render import render
from tests.fuzz.shrink import shrink
from tests.golden.play import engine_as_torch, play


def tensor(values: list[float], text: str = "", dtype: str = "torch.float32") -> dict[str, Any]:
    shape = (len(values),)
    return {
        "type": "Tensor", "dtype": dtype, "shape": shape, "stride": (1,), "values": values,
        "text": text,
    }  # fmt: skip


def test_rounding_is_no_difference_but_another_value_is() -> None:
    want = [Seen(made={"v1": tensor([1.0, 2.0])})]
    near = [Seen(made={"v1": tensor([1.0000001, 2.0])})]
    far = [Seen(made={"v1": tensor([1.01, 2.0])})]
    assert first_difference(want, near) is None
    found = first_difference(want, far)
    assert found is not None
    assert (found.at, found.kind, found.name) == (0, "value", "v1")


def test_sign_of_zero_and_error_text_are_differences() -> None:
    zero = first_difference([Seen(made={"v": tensor([0.0])})], [Seen(made={"v": tensor([-0.0])})])
    error = first_difference([Seen(error="RuntimeError: a")], [Seen(error="RuntimeError: b")])
    assert zero is not None
    assert error is not None
    assert (zero.kind, error.kind) == ("sign of zero", "error")


def test_versions_count_from_a_tensor_s_birth() -> None:
    want = [Seen(made={"v": 1}, flags={"v": (1, False, True, None)})]
    got = [Seen(made={"v": 1}, flags={"v": (0, False, True, None)})]
    assert first_difference(want, got) is None
    later = Seen(flags={"v": (2, False, True, None)})
    found = first_difference([*want, later], [*got, Seen(flags={"v": (0, False, True, None)})])
    assert found is not None
    assert found.kind == "flags.version"


def test_texts_agree_but_for_last_digits() -> None:
    assert same_text_loosely("tensor([1.2345,  2.])", "tensor([1.2346, 2.])")
    assert not same_text_loosely("tensor([1.])", "tensor([1.], grad_fn=<A>)")


def test_shrinking_keeps_what_is_needed() -> None:
    program = tuple("abcdef")
    assert shrink(program, lambda p: "b" in p and "e" in p) == ("b", "e")


def test_a_rendered_program_runs_and_shows_its_errors() -> None:
    source = render(("v1 = torch.ones(2)", "v2 = v1 @ torch.ones(3)"))
    with engine_as_torch():
        printed = play(source, "rendered.py")
    assert printed.startswith("v1 tensor([1., 1.])")
    assert "RuntimeError" in printed
