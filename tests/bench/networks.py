"""Whole training steps of small networks, written for every contender."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.bench.workloads import F, Work, fixed

RATE = 1e-8  # so that every step of every contender sees the same parameters


class SmallNet:
    """2-16-16-1 with relu and a mean squared error, on 32 points."""

    title = "c. MLP 2-16-16-1 x 32, training step"

    def __init__(self) -> None:
        self.x, self.y = fixed(32, 2, seed=1), fixed(32, 1, seed=2)
        sizes = (2, 16, 16, 1)
        self.params: list[Any] = []
        for i in range(3):
            self.params.append(fixed(sizes[i], sizes[i + 1], scale=0.4, seed=3 + i))
            self.params.append(fixed(sizes[i + 1], scale=0.1, seed=6 + i))

    def numpy(self) -> Work:
        rate = np.array(RATE, F)
        params = [p.copy() for p in self.params]

        def work() -> list[Any]:
            w1, b1, w2, b2, w3, b3 = params
            h1 = np.maximum(self.x @ w1 + b1, 0)
            h2 = np.maximum(h1 @ w2 + b2, 0)
            error = h2 @ w3 + b3 - self.y
            out = error * F(2 / error.size)
            down2 = (out @ w3.T) * (h2 > 0)
            down1 = (down2 @ w2.T) * (h1 > 0)
            grads = [
                self.x.T @ down1, np.add.reduce(down1, 0), h1.T @ down2, np.add.reduce(down2, 0),
                h2.T @ out, np.add.reduce(out, 0),
            ]  # fmt: skip
            for p, g in zip(params, grads, strict=True):
                p -= rate * g
            return grads

        return work

    def torchlike(self, torch: Any) -> Work:
        x, y = torch.tensor(self.x), torch.tensor(self.y)
        params = [torch.tensor(p, requires_grad=True) for p in self.params]

        def work() -> list[Any]:
            w1, b1, w2, b2, w3, b3 = params
            for p in params:
                p.grad = None
            h1 = torch.relu(x @ w1 + b1)
            h2 = torch.relu(h1 @ w2 + b2)
            loss = ((h2 @ w3 + b3 - y) ** 2).mean()
            loss.backward()
            with torch.no_grad():
                for p in params:
                    p -= RATE * p.grad
            return [p.grad for p in params]

        return work

    def hips(self, autograd: Any) -> Work:
        anp = autograd.numpy

        def loss(params: Any) -> Any:
            w1, b1, w2, b2, w3, b3 = params
            h1 = anp.maximum(anp.dot(self.x, w1) + b1, 0)
            h2 = anp.maximum(anp.dot(h1, w2) + b2, 0)
            return anp.mean((anp.dot(h2, w3) + b3 - self.y) ** 2)

        gradient = autograd.grad(loss)
        params = [p.copy() for p in self.params]

        def work() -> list[Any]:
            grads = gradient(params)
            for p, g in zip(params, grads, strict=True):
                p -= F(RATE) * g
            return list(grads)

        return work

    def micrograd(self, Value: Any) -> Work:
        def layer(rows: list[Any], w: Any, b: Any, relu: bool) -> list[Any]:
            out = []
            for row in rows:
                sums = [
                    sum((row[i] * w[i][j] for i in range(len(row))), b[j]) for j in range(len(b))
                ]
                out.append([s.relu() for s in sums] if relu else sums)
            return out

        def work() -> list[Any]:
            params = [[[Value(float(v)) for v in row] for row in p] if p.ndim == 2
                      else [Value(float(v)) for v in p] for p in self.params]  # fmt: skip
            rows: list[Any] = self.x.tolist()
            for i in range(3):
                rows = layer(rows, params[2 * i], params[2 * i + 1], i < 2)
            errors = [(row[0] - float(t[0])) ** 2 for row, t in zip(rows, self.y, strict=True)]
            (sum(errors) * (1 / len(errors))).backward()
            for p in params:
                for v in (v for row in p for v in (row if isinstance(row, list) else [row])):
                    v.data -= RATE * v.grad
            return [np.array([[v.grad for v in row] if isinstance(row, list) else row.grad
                              for row in p]) for p in params]  # fmt: skip

        return work


class DigitsNet:
    """784-128-10 with relu and cross entropy, on 64 pictures."""

    title = "d. MLP 784-128-10 x 64, training step"

    def __init__(self) -> None:
        self.x = fixed(64, 784, seed=1)
        self.y = np.random.default_rng(2).integers(0, 10, 64)
        self.params = [
            fixed(784, 128, scale=0.05, seed=3), fixed(128, scale=0.1, seed=4),
            fixed(128, 10, scale=0.1, seed=5), fixed(10, scale=0.1, seed=6),
        ]  # fmt: skip

    def numpy(self) -> Work:
        params = [p.copy() for p in self.params]
        rows, rate = np.arange(64), np.array(RATE, F)

        def work() -> list[Any]:
            w1, b1, w2, b2 = params
            h = np.maximum(self.x @ w1 + b1, 0)
            out = h @ w2 + b2
            out -= np.maximum.reduce(out, 1, keepdims=True)
            np.exp(out, out=out)
            out /= np.add.reduce(out, 1, keepdims=True)
            out[rows, self.y] -= 1
            out *= F(1 / 64)
            down = (out @ w2.T) * (h > 0)
            grads = [self.x.T @ down, np.add.reduce(down, 0), h.T @ out, np.add.reduce(out, 0)]
            for p, g in zip(params, grads, strict=True):
                p -= rate * g
            return grads

        return work

    def torchlike(self, torch: Any) -> Work:
        x, y = torch.tensor(self.x), torch.tensor(self.y)
        params = [torch.tensor(p, requires_grad=True) for p in self.params]

        def work() -> list[Any]:
            w1, b1, w2, b2 = params
            for p in params:
                p.grad = None
            h = torch.relu(x @ w1 + b1)
            torch.nn.functional.cross_entropy(h @ w2 + b2, y).backward()
            with torch.no_grad():
                for p in params:
                    p -= RATE * p.grad
            return [p.grad for p in params]

        return work

    def hips(self, autograd: Any) -> Work:
        anp = autograd.numpy
        params = [p.copy() for p in self.params]
        rows = np.arange(64)

        def loss(params: Any) -> Any:
            w1, b1, w2, b2 = params
            out = anp.dot(anp.maximum(anp.dot(self.x, w1) + b1, 0), w2) + b2
            out = out - anp.max(out, axis=1, keepdims=True)
            return anp.mean(anp.log(anp.sum(anp.exp(out), axis=1)) - out[rows, self.y])

        gradient = autograd.grad(loss)

        def work() -> list[Any]:
            grads = gradient(params)
            for p, g in zip(params, grads, strict=True):
                p -= F(RATE) * g
            return list(grads)

        return work


NETWORKS = (SmallNet, DigitsNet)
