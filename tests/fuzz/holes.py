"""Fill the holes of a catalogue line with what fits the tensors a program has made so far.

A line such as `torch.sum({a}, {dim}, keepdim={bool})` is filled from left to right. The first
tensor hole sets the *first* tensor; holes after it (`{dim}`, `{s}`, `{like}` …) are chosen to fit it.
One filling in about twenty-five is wrong on purpose, so that errors are compared as well.
"""

from __future__ import annotations

import math
import random
import re
from typing import Any

HOLE = re.compile(r"\{(\w+)\}")
FLOATS = ("torch.float32", "torch.float64", "torch.float16", "torch.bfloat16")
NUMBERS = ("2", "3", "-1", "0.5", "2.0", "-1.5", "1", "0", "1e-3", "10", "0.1", "-0.25", "4.0")
ODD_NUMBERS = ("True", "float('nan')", "float('inf')", "-0.0", "1e10", "2**40", "'a'", "None")
DTYPES = ("torch.float32", "torch.float64", "torch.int64", "torch.bool", "torch.int32",
          "torch.float16", "torch.uint8", "torch.bfloat16", "torch.int16", "torch.int8")  # fmt: skip
VALUES = (0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, 0.25, -0.75, 1.5, 4.0, -3.0, 0.1, 10.0)


class Unfillable(Exception):
    """No tensor fits and none can be made for this hole."""


class Filler:
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

    # ---- dims and shapes -----------------------------------------------------------------

    def h_dim(self) -> str:
        rank = max(self.first.dim(), 1)
        if self.oops():
            return str(self.rng.choice((rank, rank + 1, -rank - 1, -rank - 2)))
        return str(self.rng.randint(-rank, rank - 1))

    def h_dims(self) -> str:
        """A dim, or several as a tuple or list."""
        rank = max(self.first.dim(), 1)
        if rank == 1 or self.rng.random() < 0.4:
            return self.h_dim()
        some = self.rng.sample(range(rank), self.rng.randint(1, rank))
        some = [d - rank if self.rng.random() < 0.3 else d for d in some]
        if self.oops():
            some.append(self.rng.choice((some[0], rank + 1)))
        return str(tuple(some) if self.rng.random() < 0.7 else some)

    def h_perm(self) -> str:
        order = list(range(self.first.dim()))
        self.rng.shuffle(order)
        if self.oops():
            order.append(0)
        return str(tuple(order))

    def h_shape(self) -> str:
        return str(random_shape(self.rng))

    def h_size(self) -> str:
        """A shape of as many elements as the first."""
        count = self.first.numel()
        sizes = factors(self.rng, count)
        if count and self.rng.random() < 0.3:
            sizes[self.rng.randrange(len(sizes))] = -1
        if self.oops():
            sizes.append(self.rng.choice((2, -1, -2)))
        return str(tuple(sizes))

    def h_grown(self) -> str:
        """A shape the first can be expanded to."""
        shape = list(self.first.shape)
        out = [self.rng.choice((1, 2, 3)) if n == 1 else n for n in shape]
        out = [-1 if self.rng.random() < 0.15 else n for n in out]
        out = [self.rng.choice((1, 2))] * (self.rng.random() < 0.3) + out
        if self.oops():
            out.append(3)
        return str(tuple(out))

    def h_sections(self) -> str:
        rank = self.first.dim()
        size = self.first.shape[0] if rank else 1
        if self.rng.random() < 0.6 or size == 0:
            return str(self.rng.randint(1, max(size, 1)) if not self.oops() else 0)
        cut = self.rng.randint(0, size)
        return str([cut, size - cut + (1 if self.oops() else 0)])

    def h_mm(self) -> str:
        """What can stand on the right of `first @`."""
        inner = self.first.shape[-1] if self.first.dim() else 1
        rank = self.first.dim()
        fitting = [
            n for n, t in self.tensors.items()
            if t.dim() and t.dtype == self.first.dtype
            and (t.shape[-2] if t.dim() > 1 else t.shape[0]) == inner
        ]  # fmt: skip
        if fitting and self.rng.random() < 0.6:
            return self.rng.choice(fitting)
        if self.oops():
            return self.pick(lambda t: True)
        shape = (inner,) if self.rng.random() < 0.3 else (inner, self.rng.choice((1, 2, 3)))
        if rank == 3 and self.rng.random() < 0.4:
            shape = (self.first.shape[0], *shape) if len(shape) == 2 else shape
        return self.literal(tuple(shape), str(self.first.dtype))

    def h_right2(self) -> str:
        """A matrix that can stand on the right of the first, a matrix."""
        if self.oops():
            return self.pick(lambda t: True)
        shape = (self.first.shape[-1], self.rng.choice((1, 2, 3)))
        return self.literal(shape, str(self.first.dtype))

    # ---- indices -------------------------------------------------------------------------

    def h_idx(self) -> str:
        """An index expression for the first."""
        parts: list[str] = []
        for size in self.first.shape:
            parts.append(self.index_part(size))
            if self.rng.random() < 0.4:
                break
        if self.rng.random() < 0.12:
            parts.insert(self.rng.randint(0, len(parts)), "None")
        if self.rng.random() < 0.1:
            parts.insert(self.rng.randint(0, len(parts)), "...")
        if self.rng.random() < 0.12 and self.first.dim():
            return self.h_mask()
        return ", ".join(parts) or self.rng.choice(("...", "None", "()"))

    def index_part(self, size: int) -> str:
        rng = self.rng
        roll = rng.random()
        if self.oops() or size == 0:
            return rng.choice((":", str(size), "[0]", "0.5", "1:1"))
        if roll < 0.35:
            return str(rng.randint(-size, size - 1))
        if roll < 0.7:
            ends = [str(rng.randint(-size, size)) if rng.random() < 0.6 else "" for _ in "ab"]
            step = rng.choice(("", "", "", ":2"))
            return f"{ends[0]}:{ends[1]}{step}"
        picks = [rng.randint(-size, size - 1) for _ in range(rng.choice((1, 2, 3)))]
        if roll < 0.8:
            return str(picks)
        if roll < 0.9:
            return f"torch.tensor({picks})"
        if roll < 0.95:
            return f"torch.tensor({[rng.random() < 0.5 for _ in range(size)]})"
        return ":"

    def h_mask(self) -> str:
        """A boolean tensor of the first's shape."""
        if self.first is None:
            self.h_a()
        name = next((n for n, t in self.tensors.items() if t is self.first), None)
        if name is None or self.oops():
            return self.literal(self.shrunk(tuple(self.first.shape)), "torch.bool")
        return f"({name} {self.rng.choice(('>', '<=', '!='))} {self.rng.choice(('0', '1', '0.5'))})"

    def h_where(self) -> str:
        """A dim and, for gather and scatter, an index tensor: `dim, index`."""
        rank = self.first.dim()
        dim = self.rng.randrange(rank) if rank else 0
        shape = list(self.first.shape)
        size = shape[dim] if rank else 1
        if rank:
            shape[dim] = self.rng.choice((1, 2, size))
        top = max(size - 1, 0) + (1 if self.oops() else 0)
        return f"{dim}, {self.indices(tuple(shape), top)}"

    def indices(self, shape: tuple[int, ...], top: int) -> str:
        def nest(rest: tuple[int, ...]) -> Any:
            if rest:
                return [nest(rest[1:]) for _ in range(rest[0])]
            return self.rng.randint(0, top)

        if math.prod(shape) == 0:
            return f"torch.zeros({shape}, dtype=torch.int64)"
        return f"torch.tensor({nest(shape)})"

    def h_rows(self) -> str:
        """`dim, index` with a 1-D index, for index_select and index_add."""
        rank = self.first.dim()
        dim = self.rng.randrange(rank) if rank else 0
        size = self.first.shape[dim] if rank else 1
        count = self.rng.choice((1, 2, 3))
        top = max(size - 1, 0) + (1 if self.oops() else 0)
        return f"{dim}, {self.indices((count,), top)}"

    def h_classes(self) -> str:
        """Class indices for a loss over the first's dim 1 (or 0 when it is 1-D)."""
        shape = tuple(self.first.shape)
        classes = shape[1] if len(shape) > 1 else (shape[0] if shape else 1)
        target = (shape[0], *shape[2:]) if len(shape) > 1 else ()
        return self.indices(target, max(classes - 1, 0) + (1 if self.oops() else 0))


class Verbatim(str):
    """Source text inside a nested list."""

    def __repr__(self) -> str:
        return str(self)


def random_shape(rng: random.Random) -> tuple[int, ...]:
    """Small shapes, with sizes 1 and 0 now and then."""
    rank = rng.choices((0, 1, 2, 3, 4), (3, 6, 7, 3, 0.4))[0]
    return tuple(rng.choices((0, 1, 2, 3, 4, 5), (0.35, 2, 4, 4, 1, 0.3))[0] for _ in range(rank))


def factors(rng: random.Random, count: int) -> list[int]:
    """Random sizes whose product is `count`."""
    if count == 0:
        return [0, rng.choice((1, 2, 3))]
    sizes: list[int] = []
    while count > 1:
        size = rng.choice([d for d in range(2, count + 1) if count % d == 0])
        sizes.append(size)
        count //= size
    if not sizes or rng.random() < 0.2:
        sizes.insert(rng.randint(0, len(sizes)), 1)
    return sizes


def broadcasts(a: Any, b: Any) -> bool:
    return all(x in (1, y) or y == 1 for x, y in zip(reversed(a), reversed(b), strict=False))


def expands(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return len(a) <= len(b) and all(x in (1, y) for x, y in zip(a[::-1], b[::-1], strict=False))
