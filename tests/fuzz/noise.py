"""PyTorch with every rounding slightly off: what rounding alone can change in a program.

A program may amplify the last bit of a float (divide by a difference, round, compare), so two
correct implementations can differ visibly. When a run of PyTorch with noise of a few units in
the last place after each operation shows the same kind of change, the difference is rounding.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

EPS = {torch.float32: 4e-7, torch.float64: 1e-15, torch.float16: 2e-3, torch.bfloat16: 1.6e-2}
# these move values about and round nothing
EXACT = (
    "view", "expand", "permute", "transpose", "slice", "select", "as_strided", "detach", "alias",
    "clone", "copy", "index", "cat", "stack", "empty", "zeros", "ones", "full", "fill", "arange",
    "squeeze", "unbind", "split", "t.", "diagonal", "neg", "abs", "relu", "where", "item", "scalar",
    "lift", "zero", "eye", "gather", "sort", "max", "min", "clone", "set_", "resize", "local",
    "masked", "flip", "roll", "tril", "triu", "repeat", "constant_pad", "_to_copy", "sign",
    "rand", "normal", "uniform", "floor", "ceil", "round", "trunc", "topk", "unfold", "linspace",
)  # fmt: skip


class Noise(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Multiplies each inexact result by 1 + a few ulps, the same way each time for one seed."""

    def __init__(self, seed: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.state = seed * 7919 + 1

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        name = func.__name__
        if not any(name.lstrip("_").startswith(word) for word in EXACT):
            for item in out if isinstance(out, tuple | list) else (out,):
                self.disturb(item)
        return out

    def disturb(self, item: Any) -> None:
        if not isinstance(item, torch.Tensor) or item.dtype not in EPS or not item.numel():
            return
        if item.numel() == 1:
            self.state = (self.state * 1103515245 + 12345) % 2**31
            item.mul_(1 + EPS[item.dtype] * (self.state / 2**30 - 1))
            return
        steps = torch.arange(item.numel(), dtype=torch.float64) * 0.754877 + self.state * 0.5698
        self.state = (self.state * 1103515245 + 12345) % 2**31
        wave = (steps % 1.0) * 2 - 1
        item.mul_((1 + EPS[item.dtype] * wave).to(item.dtype).reshape(item.shape))
