"""The programs that are timed, each written for every contender.

A workload is a class with one method per contender; each returns a function that does the work once
and returns the gradients, for comparison. `torchlike` serves PyTorch and the engine alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Work = Callable[[], list[Any]]
F = np.float32


def fixed(*shape: int, scale: float = 1.0, seed: int = 0) -> Any:
    """Return the same float32 numbers each time."""
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(F)


class ScalarChain:
    """A chain of operations on numbers, with two parameters that come back again and again."""

    title = "a. scalar chain, 1,000 ops"
    loops = 250
    start, w, b = 0.5, 0.999, 0.001

    def forward(self, y: Any, w: Any, b: Any) -> Any:
        for _ in range(self.loops):
            y = y * w
            y = y + b
            y = y * 0.999
            y = y + 0.002
        return y

    def numpy(self) -> Work:
        start, w, b, c, d = F(self.start), F(self.w), F(self.b), F(0.999), F(0.002)

        def work() -> list[Any]:
            y, kept = start, []
            for _ in range(self.loops):
                kept.append(y)
                y = y * w
                y = y + b
                y = y * c
                y = y + d
            grad, grad_w, grad_b = F(1), F(0), F(0)
            for before in reversed(kept):
                grad = grad * c
                grad_b = grad_b + grad
                grad_w = grad_w + grad * before
                grad = grad * w
            return [grad, grad_w, grad_b]

        return work

    def torchlike(self, torch: Any) -> Work:
        leaves = [torch.tensor(v, requires_grad=True) for v in (self.start, self.w, self.b)]

        def work() -> list[Any]:
            for leaf in leaves:
                leaf.grad = None
            self.forward(*leaves).backward()
            return [leaf.grad for leaf in leaves]

        return work

    def hips(self, autograd: Any) -> Work:
        leaves = (F(self.start), F(self.w), F(self.b))
        return lambda: list(autograd.grad(lambda args: self.forward(*args))(leaves))

    def micrograd(self, Value: Any) -> Work:
        def work() -> list[Any]:
            leaves = [Value(v) for v in (self.start, self.w, self.b)]
            self.forward(*leaves).backward()
            return [leaf.grad for leaf in leaves]

        return work


class LongChain(ScalarChain):
    """The same, twenty times as long: what depth costs."""

    title = "g. chain of 20,000 ops"
    loops = 5000


class OneLeaf(ScalarChain):
    """One leaf that everything uses."""

    title = "e. one leaf used 500 times"
    loops = 250
    start = 0.99

    def forward(self, x: Any, *_: Any) -> Any:
        y = x
        for _ in range(self.loops):
            y = y * x
            y = y + x
        return y

    def numpy(self) -> Work:
        x = F(self.start)

        def work() -> list[Any]:
            y, kept = x, []
            for _ in range(self.loops):
                kept.append(y)
                y = y * x
                y = y + x
            grad, grad_x = F(1), F(0)
            for before in reversed(kept):
                grad_x = grad_x + grad
                grad_x = grad_x + grad * before
                grad = grad * x
            return [grad_x + grad]

        return work

    def torchlike(self, torch: Any) -> Work:
        x = torch.tensor(self.start, requires_grad=True)

        def work() -> list[Any]:
            x.grad = None
            self.forward(x).backward()
            return [x.grad]

        return work

    def hips(self, autograd: Any) -> Work:
        return lambda: [autograd.grad(self.forward)(F(self.start))]

    def micrograd(self, Value: Any) -> Work:
        def work() -> list[Any]:
            x = Value(self.start)
            self.forward(x).backward()
            return [x.grad]

        return work


class VectorChain:
    """A chain of operations on four numbers at a time."""

    title = "b. shape (4,) chain, 200 ops"
    loops = 50

    def __init__(self) -> None:
        self.arrays = [fixed(4, seed=1), fixed(4, scale=0.1, seed=2) + F(1), fixed(4, seed=3)]

    def forward(self, y: Any, w: Any, b: Any, tanh: Any) -> Any:
        for _ in range(self.loops):
            y = y * w
            y = y + b
            y = tanh(y)
            y = y * 0.9
        return y

    def numpy(self) -> Work:
        x, w, b = self.arrays
        c = np.array(0.9, F)

        def work() -> list[Any]:
            y, kept = x, []
            for _ in range(self.loops):
                before = y
                y = y * w
                y = y + b
                y = np.tanh(y)
                kept.append((before, y))
                y = y * c
            grad = np.ones(4, F)
            grad_w, grad_b = np.zeros(4, F), np.zeros(4, F)
            for before, after in reversed(kept):
                grad = grad * c
                grad = grad * (1 - after * after)
                grad_b = grad_b + grad
                grad_w = grad_w + grad * before
                grad = grad * w
            return [grad, grad_w, grad_b]

        return work

    def torchlike(self, torch: Any) -> Work:
        leaves = [torch.tensor(a, requires_grad=True) for a in self.arrays]

        def work() -> list[Any]:
            for leaf in leaves:
                leaf.grad = None
            self.forward(*leaves, torch.tanh).sum().backward()
            return [leaf.grad for leaf in leaves]

        return work

    def hips(self, autograd: Any) -> Work:
        anp = autograd.numpy

        def loss(args: Any) -> Any:
            return anp.sum(self.forward(*args, anp.tanh))

        return lambda: list(autograd.grad(loss)(tuple(self.arrays)))


class NormLoop:
    """Double until the norm is large: control flow that depends on values."""

    title = "f. norm-doubling while loop"
    limit = 1e6

    def __init__(self) -> None:
        self.x = fixed(3, seed=4)
        self.v = np.array([0.1, 1.0, 0.0001], F)

    def numpy(self) -> Work:
        x, v, two = self.x, self.v, np.array(2, F)

        def work() -> list[Any]:
            y, times = x * two, 1
            while np.sqrt(y.dot(y)) < self.limit:
                y = y * two
                times += 1
            grad = v
            for _ in range(times):
                grad = grad * two
            return [grad]

        return work

    def torchlike(self, torch: Any) -> Work:
        x, v = torch.tensor(self.x, requires_grad=True), torch.tensor(self.v)

        def work() -> list[Any]:
            x.grad = None
            y = x * 2
            while y.norm() < self.limit:
                y = y * 2
            y.backward(v)
            return [x.grad]

        return work

    def hips(self, autograd: Any) -> Work:
        anp = autograd.numpy

        def loss(x: Any) -> Any:
            y = x * 2
            while anp.sqrt(anp.sum(y * y)) < self.limit:
                y = y * 2
            return anp.sum(y * self.v)

        return lambda: [autograd.grad(loss)(self.x)]


CHAINS = (ScalarChain, VectorChain, OneLeaf, NormLoop, LongChain)
