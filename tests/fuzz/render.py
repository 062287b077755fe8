"""Write a fuzzed program as an ordinary one that prints what the fuzzer compares."""

from __future__ import annotations

import re

HEAD = """import warnings

import torch
import torch.nn.functional as F

warnings.simplefilter("ignore")
torch.manual_seed(0)


def show(name, value):
    print(name, value)
    if isinstance(value, torch.Tensor) and not value.is_inference():
        flags = value.requires_grad, value.is_leaf, value._version
        print("   ", tuple(value.shape), value.dtype, *flags)


"""
TRY = """try:
    {statement}
{show}except Exception as error:
    print(type(error).__name__, error)
"""
NAME = re.compile(r"(?:with [^:]*: )?(v\d+) = ")


def render(program: tuple[str, ...]) -> str:
    """The source of the program."""
    parts = [HEAD]
    names: list[str] = []
    for statement in program:
        made = NAME.match(statement)
        shown = f"    show({made[1]!r}, {made[1]})\n" if made else ""
        if made:
            names.append(made[1])
        parts.append(TRY.format(statement=statement, show=shown))
    for name in dict.fromkeys(names):
        parts.append(TRY.format(statement=f'show("end {name}", {name})', show=""))
        gradient = f'print("   ", {name}.grad)'
        there = f"isinstance(globals().get({name!r}), torch.Tensor)"
        parts.append(f"if {there} and {name}.is_leaf:\n    {gradient}\n")
    return "".join(parts)
