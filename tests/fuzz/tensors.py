"""The pieces that fill a line's holes with tensors and numbers."""

from __future__ import annotations

import math
import random
import re
from typing import Any

from tests.fuzz.shapes import broadcasts, expands

HOLE = re.compile(r"\{(\w+)\}")
FLOATS = ("torch.float32", "torch.float64", "torch.float16")
NUMBERS = ("2", "3", "-1", "0.5", "2.0", "-1.5", "1", "0", "1e-3", "10", "0.1", "-0.25", "4.0")
ODD_NUMBERS = ("True", "float('nan')", "float('inf')", "-0.0", "1e10", "2**40", "'a'", "None")
DTYPES = (
    "torch.float32", "torch.float64", "torch.int64", "torch.bool", "torch.int32",
    "torch.float16", "torch.uint8", "torch.int16", "torch.int8",
)  # fmt: skip
VALUES = (0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, 0.25, -0.75, 1.5, 4.0, -3.0, 0.1, 10.0)


class Unfillable(Exception):
    """No tensor fits and none can be made for this hole."""


class Tensors:
    """Fills one line; `needs` collects creation statements to run before it."""

    def __init__(self, rng: random.Random, tensors: dict[str, Any], wrong: float = 0.04) -> None:
        self.rng = rng
        self.tensors = tensors
        self.wrong = wrong
        self.first: Any = None
        self.inner3 = (1, 1)

    def fill(self, line: str) -> str:
        return HOLE.sub(lambda hole: str(getattr(self, "h_" + hole[1])()), line)

    def oops(self) -> bool:
        return self.rng.random() < self.wrong

    # ---- tensors -------------------------------------------------------------------------

    def pick(self, fits: Any, first: bool = True) -> str:
        """A name whose tensor fits, recent ones preferred."""
        names = [n for n, t in self.tensors.items() if fits(t)]
        if not names:
            raise Unfillable
        at = len(names) - 1 - int(len(names) * self.rng.random() ** 1.6)
        if first and self.first is None:
            self.first = self.tensors[names[at]]
        return names[at]

    def h_a(self) -> str:
        return self.pick(lambda t: True)

    def h_f(self) -> str:
        """A floating-point tensor."""
        if self.oops():
            return self.pick(lambda t: True)
        return self.pick(lambda t: t.is_floating_point())

    def h_g(self) -> str:
        """A tensor that requires grad, non-leaves preferred."""
        wanted = [lambda t: t.grad_fn is not None, lambda t: t.requires_grad]
        for fits in wanted:
            try:
                return self.pick(fits)
            except Unfillable:
                continue
        if self.oops():
            return self.pick(lambda t: True)
        raise Unfillable

    def h_leaf(self) -> str:
        return self.pick(lambda t: t.requires_grad and t.is_leaf)

    def h_steps(self) -> str:
        """Three steps of an optimizer on a leaf."""
        kind = self.rng.choice(
            (
                "SGD([p], lr=0.1, momentum=0.9, nesterov=True)", "Adam([p], lr=0.1)",
                "AdamW([p], lr=0.05)", "RMSprop([p], lr=0.01)", "Adagrad([p], lr=0.1)",
            )
        )  # fmt: skip
        one = "(o.zero_grad(), (p.sin() * p).sum().backward(), o.step())"
        return f"[{one} for p in [{self.h_leaf()}] for o in [torch.optim.{kind}] for _ in 'abc']"

    def h_i(self) -> str:
        return self.pick(lambda t: not t.is_floating_point() and "int" in str(t.dtype))

    def h_b(self) -> str:
        return self.pick(lambda t: str(t.dtype) == "torch.bool")

    def h_nd(self) -> str:
        """A tensor with at least one dimension."""
        return self.pick(lambda t: t.dim() >= 1)

    def h_f1(self) -> str:
        return self.pick(lambda t: t.is_floating_point() and t.dim() == 1)

    def h_f2(self) -> str:
        return self.pick(lambda t: t.is_floating_point() and t.dim() == 2)

    def h_f3(self) -> str:
        """A batch of matrices, made on the spot when there is none."""
        name = self.pick(lambda t: t.is_floating_point())
        if self.first.dim() == 3:
            return name
        size = [self.rng.choice((1, 2, 3)) for _ in "abc"]
        self.inner3 = (size[0], size[2])
        return f"torch.randn({tuple(size)}, requires_grad=True)"

    def h_mm3(self) -> str:
        """What `torch.bmm` takes beside `{f3}`."""
        batch, inner = self.first.shape[::2] if self.first.dim() == 3 else self.inner3
        dtype = str(self.first.dtype) if self.first.dim() == 3 else "torch.float32"
        return self.literal((batch, inner, self.rng.choice((1, 2))), dtype)

    def h_fnd(self) -> str:
        return self.pick(lambda t: t.is_floating_point() and t.dim() >= 1)

    def h_same(self) -> str:
        """Another tensor of the first's shape."""
        shape = tuple(self.first.shape)
        if self.oops():
            return self.pick(lambda t: True)
        fitting = [n for n, t in self.tensors.items() if tuple(t.shape) == shape]
        if fitting and self.rng.random() < 0.75:
            return self.rng.choice(fitting)
        return self.literal(shape, str(self.first.dtype))

    def h_samef(self) -> str:
        """One of the first's shape and dtype."""
        dtype, shape = self.first.dtype, self.first.shape
        fitting = [n for n, t in self.tensors.items() if t.shape == shape and t.dtype == dtype]
        if fitting and self.rng.random() < 0.7:
            return self.rng.choice(fitting)
        return self.literal(tuple(shape), str(dtype))

    def h_s(self) -> str:
        """Something that broadcasts with the first: a tensor or a number."""
        roll = self.rng.random()
        if roll < 0.25:
            return self.h_k()
        if self.oops():
            return self.pick(lambda t: True)
        return self.h_bt()

    def h_bt(self) -> str:
        """A tensor that broadcasts with the first."""
        fitting = [n for n, t in self.tensors.items() if broadcasts(t.shape, self.first.shape)]
        if fitting and self.rng.random() < 0.8:
            return self.rng.choice(fitting)
        return self.literal(self.shrunk(tuple(self.first.shape)), self.dtype_like())

    def h_into(self) -> str:
        """A tensor that can be expanded to the first's shape."""
        shape = tuple(self.first.shape)
        fitting = [n for n, t in self.tensors.items() if expands(tuple(t.shape), shape)]
        if fitting and self.rng.random() < 0.7:
            return self.rng.choice(fitting)
        return self.literal(self.shrunk(shape), self.dtype_like())

    def dtype_like(self) -> str:
        same = str(self.first.dtype)
        return same if self.rng.random() < 0.8 else self.rng.choice(DTYPES)

    def shrunk(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """A shape that broadcasts to `shape`."""
        short = shape[self.rng.randint(0, len(shape)) :] if self.rng.random() < 0.4 else shape
        return tuple(1 if self.rng.random() < 0.25 else n for n in short)

    def literal(self, shape: tuple[int, ...], dtype: str) -> str:
        """An expression that makes a tensor of this shape."""
        count = math.prod(shape)
        if dtype not in DTYPES:
            dtype = "torch.float32"
        roll = self.rng.random()
        if dtype in FLOATS and roll < 0.3:
            tail = "" if dtype == "torch.float32" else f", dtype={dtype}"
            return f"torch.randn({shape}{tail})"
        if count == 0 or roll < 0.4:
            return f"torch.{self.rng.choice(('ones', 'zeros'))}({shape}, dtype={dtype})"
        if count > 12:
            return f"(torch.arange({count}).reshape({shape}) % 5).to({dtype})"
        return f"torch.tensor({self.nested(shape, dtype)}, dtype={dtype})"

    def nested(self, shape: tuple[int, ...], dtype: str) -> Any:
        if shape:
            return [self.nested(shape[1:], dtype) for _ in range(shape[0])]
        if dtype == "torch.bool":
            return self.rng.random() < 0.5
        if dtype in FLOATS:
            if self.rng.random() < 0.03:
                return Verbatim(self.rng.choice(("float('nan')", "float('inf')", "-0.0", "1e-8")))
            return self.rng.choice(VALUES)
        low = 0 if dtype == "torch.uint8" else -4
        return self.rng.randint(low, 6)

    # ---- numbers -------------------------------------------------------------------------

    def h_k(self) -> str:
        if self.oops():
            return self.rng.choice(ODD_NUMBERS)
        return self.rng.choice(NUMBERS)

    def h_r(self) -> str:
        return self.rng.choice(("0", "1", "5", "-2", "0.5", "2.5", "3.", "7"))

    def h_half(self) -> str:
        return self.rng.choice(("1", "2", "0.5", "-1", "-0.5", "0", "1.0", "0.3"))

    def h_n(self) -> str:
        return str(self.rng.choice((1, 2, 3)))

    def h_small(self) -> str:
        return str(self.rng.choice((0, 1, 1, 2, -1, -2)))

    def h_pos(self) -> str:
        return self.rng.choice(("0.5", "1.0", "2.0", "0.1", "3"))

    def h_bool(self) -> str:
        return self.rng.choice(("True", "False"))

    def h_seed(self) -> str:
        return str(self.rng.randint(0, 99))

    def h_dt(self) -> str:
        return self.rng.choice(DTYPES[:4] if self.rng.random() < 0.8 else DTYPES)

    def h_fdt(self) -> str:
        return self.rng.choice(FLOATS[:2] if self.rng.random() < 0.85 else FLOATS)


class Verbatim(str):
    """Source text inside a nested list."""

    def __repr__(self) -> str:
        return str(self)
