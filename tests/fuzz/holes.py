"""Fill the holes of a catalogue line with what fits the tensors a program has made so far.

A line such as `torch.sum({a}, {dim}, keepdim={bool})` is filled from left to right. The first
tensor hole sets the *first* tensor; holes after it (`{dim}`, `{s}`, `{same}` …) are chosen to fit
it. One filling in about twenty-five is wrong on purpose, so that errors are compared as well.
"""

from __future__ import annotations

import math
from typing import Any

from tests.fuzz.shapes import factors, random_shape
from tests.fuzz.tensors import Tensors, Unfillable

__all__ = ["Filler", "Unfillable"]


class Filler(Tensors):
    """Adds the holes for dims, shapes and indices."""

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
        shape: tuple[Any, ...] = (
            (inner,) if self.rng.random() < 0.3 else (inner, self.rng.choice((1, 2, 3)))
        )
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
