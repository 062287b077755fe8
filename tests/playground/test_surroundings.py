"""No run can tell what the run before it did."""

from __future__ import annotations

import pytest

from playground.session.run import run

LOOK = """import math, os, random
import numpy as np
import torch

x = torch.tensor([1.123456, 2.0], requires_grad=True)
y = (x * 2).sum()
y.backward()
print(x, y, x.grad, torch.rand(1), torch.ones(1), torch.nn.Linear(1, 1))
print(np.array([1.123456]), np.random.rand(), random.random(), math.pi, os.environ.get("MINE"))
print(sorted([2, 1]), torch.is_anomaly_enabled(), torch.is_grad_enabled(), hasattr(torch, "mine"))
"""
MISCHIEF = [
    "torch.tensor = torch.tensor([1.0])",
    "torch.mine = 1",
    "del torch.ones",
    "torch.Tensor.__mul__ = lambda a, b: 3",
    "torch.Tensor.grad = 5",
    "torch.nn.Linear.__repr__ = lambda self: 'mine'",
    "torch.set_default_dtype(torch.float64)",
    "torch.set_printoptions(precision=2)",
    "torch.no_grad().__enter__()",
    "torch.autograd.set_detect_anomaly(True)",
    "torch.nn.modules.module.register_module_forward_hook(lambda *_: 1 / 0)",
    "import builtins; builtins.sorted = len",
    "import math; math.pi = 3",
    "import random; random.random = lambda: 0",
    "import numpy; numpy.set_printoptions(precision=2)",
    "import numpy; numpy.random.seed = None",
    "import os; os.environ['MINE'] = '1'",
    "import sys; sys.meta_path.clear()",
    "import warnings; warnings.warn = None; warnings.simplefilter('error')",
]


@pytest.mark.parametrize("line", MISCHIEF)
def test_what_a_program_changes_is_put_back(line: str) -> None:
    expected = run(LOOK)
    run(f"import torch\n{line}\n")
    again = run(LOOK)
    assert expected.error is None
    assert again == expected


def test_an_operation_keeps_the_faster_form_it_came_to() -> None:
    import engine

    run("import torch\nx = torch.ones(2)\nfor _ in range(5):\n    x = torch.arctan(x)\n")
    form = engine.arctan  # type: ignore[attr-defined]
    run("import torch\ntorch.arctan = None\n")
    assert engine.arctan is form  # type: ignore[attr-defined]
