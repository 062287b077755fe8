"""The design's example programs as traces, with the numbers of its pictures."""

from __future__ import annotations

from playground.trace import Trace
from tests.playground.builders import TraceBuilder

THIRD = 0.3333333432674408

COMPOSITE_SOURCE = """\
import torch

x = torch.tensor([1., 2., 3.], requires_grad=True)
y = x + 2
q = y ** 2
v = 3 * q
z = v.mean()

z.backward()
print(x.grad)
"""


def composite() -> Trace:
    """The mean of 3(x + 2)²: four operations, one backward call."""
    b = TraceBuilder(COMPOSITE_SOURCE)
    x = b.leaf("x", 3, [1.0, 2.0, 3.0])
    y = b.op(
        "add", "AddBackward0", 4, [("input", ("t", x)), ("other", 2)], [3.0, 4.0, 5.0], name="y"
    )
    q = b.op(
        "pow",
        "PowBackward0",
        5,
        [("input", ("t", y)), ("exponent", 2)],
        [9.0, 16.0, 25.0],
        name="q",
        saved=[("input", y)],
    )
    v = b.op(
        "mul",
        "MulBackward0",
        6,
        [("input", ("t", q)), ("other", 3)],
        [27.0, 48.0, 75.0],
        name="v",
        saved=[("other", None)],
    )
    z = b.op("mean", "MeanBackward0", 7, [("input", ("t", v))], 50.0, name="z")
    b.call(9, z)
    b.rule(3, 9, 1.0, [(0, [THIRD] * 3)])
    b.rule(2, 9, [THIRD] * 3, [(0, [1.0, 1.0, 1.0])])
    b.freed(2, 9)
    b.rule(1, 9, [1.0, 1.0, 1.0], [(0, [6.0, 8.0, 10.0])])
    b.freed(1, 9)
    b.rule(0, 9, [6.0, 8.0, 10.0], [(0, [6.0, 8.0, 10.0])])
    b.write(x, 9, [6.0, 8.0, 10.0], [6.0, 8.0, 10.0])
    b.output(10, "tensor([ 6.,  8., 10.])\n")
    return b.build()


ACCUMULATION_SOURCE = """\
import torch

x = torch.ones(4, requires_grad=True)
y = (2 * x + 1).sum()
z = (2 * x).sum()

y.backward()
z.backward()
x.grad.zero_()
"""


def accumulation() -> Trace:
    """Two backward calls, 2 and 2 make 4, then zero_()."""
    ones, twos = [1.0] * 4, [2.0] * 4
    b = TraceBuilder(ACCUMULATION_SOURCE)
    x = b.leaf("x", 3, ones)

    def double(line: int) -> int:
        return b.op(
            "mul",
            "MulBackward0",
            line,
            [("input", ("t", x)), ("other", 2)],
            twos,
            expression="2 * x",
            saved=[("other", None)],
        )

    first = double(4)
    plus = b.op(
        "add",
        "AddBackward0",
        4,
        [("input", ("t", first)), ("other", 1)],
        [3.0] * 4,
        expression="2 * x + 1",
    )
    y = b.op("sum", "SumBackward0", 4, [("input", ("t", plus))], 12.0, name="y")
    second = double(5)
    z = b.op("sum", "SumBackward0", 5, [("input", ("t", second))], 8.0, name="z")
    b.call(7, y)
    b.rule(2, 7, 1.0, [(0, ones)])
    b.rule(1, 7, ones, [(0, ones)])
    b.rule(0, 7, ones, [(0, twos)])
    b.freed(0, 7)
    b.write(x, 7, twos, twos)
    b.call(8, z)
    b.rule(4, 8, 1.0, [(0, ones)])
    b.rule(3, 8, ones, [(0, twos)])
    b.freed(3, 8)
    b.write(x, 8, twos, [4.0] * 4, before=twos)
    b.zero(x, 9, [0.0] * 4)
    return b.build()


TWICE_SOURCE = """\
import torch

x = torch.tensor([1., 2., 3.], requires_grad=True)
y = x ** 2
loss = y.sum()

loss.backward()
loss.backward()
"""

TWICE_MESSAGE = (
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you call "
    ".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
    "graph a second time or if you need to access saved tensors after calling backward."
)


def twice() -> Trace:
    """A second backward() through a freed graph."""
    squares, ones, grad = [1.0, 4.0, 9.0], [1.0] * 3, [2.0, 4.0, 6.0]
    b = TraceBuilder(TWICE_SOURCE)
    x = b.leaf("x", 3, [1.0, 2.0, 3.0])
    y = b.op(
        "pow",
        "PowBackward0",
        4,
        [("input", ("t", x)), ("exponent", 2)],
        squares,
        name="y",
        saved=[("input", x)],
    )
    loss = b.op("sum", "SumBackward0", 5, [("input", ("t", y))], 14.0, name="loss")
    b.call(7, loss)
    b.rule(1, 7, 1.0, [(0, ones)])
    b.rule(0, 7, ones, [(0, grad)])
    b.freed(0, 7)
    b.write(x, 7, grad, grad)
    b.call(8, loss)
    b.rule(1, 8, 1.0, [(0, ones)])
    b.fail("RuntimeError", TWICE_MESSAGE, 8, "error.backward-twice", op=0)
    return b.build()


BROADCAST_SOURCE = """\
import torch

x = torch.tensor([-1., 0., 1.])
w = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)

h = w * x + b
loss = (h ** 2).mean()
loss.backward()

with torch.no_grad():
    w -= 0.1 * w.grad
"""


def broadcast() -> Trace:
    """Two one-number parameters against three numbers; then an update under no_grad."""
    to_h = [-1.0, THIRD, 1.6666666269302368]
    b = TraceBuilder(BROADCAST_SOURCE)
    x = b.leaf("x", 3, [-1.0, 0.0, 1.0], requires_grad=False)
    w = b.leaf("w", 4, 2.0)
    bias = b.leaf("b", 5, 0.5)
    product = b.op(
        "mul",
        "MulBackward0",
        7,
        [("input", ("t", w)), ("other", ("t", x))],
        [-2.0, 0.0, 2.0],
        expression="w * x",
        saved=[("other", x)],
    )
    h = b.op(
        "add",
        "AddBackward0",
        7,
        [("input", ("t", product)), ("other", ("t", bias))],
        [-1.5, 0.5, 2.5],
        name="h",
    )
    square = b.op(
        "pow",
        "PowBackward0",
        8,
        [("input", ("t", h)), ("exponent", 2)],
        [2.25, 0.25, 6.25],
        expression="h ** 2",
        saved=[("input", h)],
    )
    loss = b.op(
        "mean", "MeanBackward0", 8, [("input", ("t", square))], 2.9166667461395264, name="loss"
    )
    b.call(9, loss)
    b.rule(3, 9, 1.0, [(0, [THIRD] * 3)])
    b.rule(2, 9, [THIRD] * 3, [(0, to_h)])
    b.freed(2, 9)
    b.rule(1, 9, to_h, [(0, to_h), (1, to_h)])
    b.reduce(1, 9, 1, to_h, 1.0, (0,))
    b.write(bias, 9, 1.0, 1.0)
    b.rule(0, 9, to_h, [(0, [1.0, 0.0, 1.6666666269302368])])
    b.freed(0, 9)
    b.reduce(0, 9, 0, [1.0, 0.0, 1.6666666269302368], 2.6666665077209473, (0,))
    b.write(w, 9, 2.6666665077209473, 2.6666665077209473)
    gradient = b.gradient(w, 12, 2.6666665077209473)
    step = b.op(
        "mul",
        None,
        12,
        [("input", ("t", gradient)), ("other", 0.1)],
        0.2666666507720947,
        expression="0.1 * w.grad",
        mode="no_grad",
    )
    b.inplace("sub", 12, w, [("other", ("t", step))], 1.7333333492279053)
    return b.build()


SAMPLES = {
    "composite": composite,
    "accumulation": accumulation,
    "twice": twice,
    "broadcast": broadcast,
}
