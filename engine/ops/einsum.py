"""Sums of products written with letters: einsum."""

from __future__ import annotations

import math
from typing import Any

from engine.errors import fail
from engine.ops.diagonals import diagonal
from engine.ops.dims import broadcast_shapes
from engine.ops.expanding import unsqueeze
from engine.ops.mm import bmm
from engine.ops.permuting import permute
from engine.ops.pointwise import mul
from engine.ops.record import function
from engine.ops.reduce import sum_dims
from engine.ops.shape import reshape
from engine.tensor import Tensor

ELLIPSIS = "."


def _refuse(text: str) -> Exception:
    return fail("einsum", f"einsum(): {text}")


def _labels(term: str, offset: int) -> list[str]:
    """Return the subscripts of a term, an ellipsis as one."""
    found: list[str] = []
    i = 0
    while i < len(term):
        c = term[i]
        if c == " ":
            i += 1
        elif c == ".":
            if term[i : i + 3] != "..." or ELLIPSIS in found:
                raise _refuse(
                    "found '.' that is not part of any ellipsis"
                    if term[i : i + 3] != "..."
                    else "found '.' for operand 0 for which an ellipsis was already found"
                )
            found.append(ELLIPSIS)
            i += 3
        elif c.isascii() and c.isalpha():
            found.append(c)
            i += 1
        else:
            raise _refuse(
                f"invalid subscript given at index {offset + i} in the equation string, subscripts"
                " must be in [a-zA-Z]"
            )
    return found


class Equation:
    """An equation read together with its operands."""

    def __init__(self, equation: str, operands: list[Any]) -> None:
        left, arrow, right = equation.partition("->")
        terms = left.split(",")
        if len(terms) > len(operands):
            raise _refuse("fewer operands were provided than specified in the equation")
        if len(terms) < len(operands):
            raise _refuse("more operands were provided than specified in the equation")
        offsets = [sum(len(x) + 1 for x in terms[:i]) for i in range(len(terms))]
        self.inputs = [_labels(x, o) for x, o in zip(terms, offsets, strict=True)]
        self.dots = 0
        for i, (labels, x) in enumerate(zip(self.inputs, operands, strict=True)):
            self._check_count(i, labels, x)
        self.output = self._output(right, bool(arrow))
        self.summed = sorted(
            {c for labels in self.inputs for c in labels if c != ELLIPSIS} - set(self.output)
        )
        self.sizes: dict[str, int] = {}

    def _check_count(self, i: int, labels: list[str], x: Any) -> None:
        named = sum(c != ELLIPSIS for c in labels)
        if ELLIPSIS in labels:
            if named > x.ndim:
                raise _refuse(
                    f"the number of subscripts in the equation ({named}) is more than the number of"
                    f" dimensions ({x.ndim}) for operand {i}"
                )
            self.dots = max(self.dots, x.ndim - named)
        elif named != x.ndim:
            raise _refuse(
                f"the number of subscripts in the equation ({named}) does not match the number of"
                f" dimensions ({x.ndim}) for operand {i} and no ellipsis was given"
            )

    def _output(self, right: str, explicit: bool) -> list[str]:
        counts: dict[str, int] = {}
        for labels in self.inputs:
            for c in labels:
                counts[c] = counts.get(c, 0) + 1
        if not explicit:
            once = sorted(c for c, n in counts.items() if n == 1 and c != ELLIPSIS)
            return [ELLIPSIS, *once] if ELLIPSIS in counts else once
        output = _labels(right, 0)
        for c in output:
            if c != ELLIPSIS and c not in counts:
                raise _refuse(
                    f"output subscript {c} does not appear in the equation for any input operand"
                )
            if output.count(c) > 1:
                raise _refuse(f"output subscript {c} appears more than once in the output")
        return output

    def order(self) -> list[str]:
        """Return all labels: the output's, then those summed over."""
        return [*self.output, *self.summed]


def _aligned(x: Any, labels: list[str], eq: Equation, i: int) -> Any:
    """Give an operand one dim per label of the equation, in one order."""
    dims: dict[str, int] = {}
    at = 0
    dots = x.ndim - sum(c != ELLIPSIS for c in labels)
    dotted: list[int] = []
    for c in labels:
        if c == ELLIPSIS:
            dotted = list(range(at, at + dots))
            at += dots
        elif c in dims:
            n, m = x.shape[dims[c]], x.shape[at]
            if n != m:
                raise _refuse(
                    f"subscript {c} is repeated for operand {i} but the sizes don't match, {m} !="
                    f" {n}"
                )
            x = permute(
                diagonal(x, 0, dims[c], at),
                _last_to(dims[c], x.ndim - 1),
            )
        else:
            n = x.shape[at]
            seen = eq.sizes.get(c, 1)
            if n != seen and 1 not in (n, seen):
                raise _refuse(
                    f"subscript {c} has size {n} for operand {i} which does not broadcast with"
                    f" previously seen size {seen}"
                )
            eq.sizes[c] = max(n, seen) if n else n
            dims[c] = at
            at += 1
    places: list[int | None] = []
    order = eq.order() if ELLIPSIS in eq.output or not eq.dots else [ELLIPSIS, *eq.order()]
    for c in order:
        if c == ELLIPSIS:
            places.extend([None] * (eq.dots - len(dotted)))
            places.extend(dotted)
        else:
            places.append(dims.get(c))
    for place in places:
        if place is None:
            x = unsqueeze(x, x.ndim)
    fresh = iter(range(at, len(places)))
    return permute(x, tuple(next(fresh) if p is None else p for p in places))


def _last_to(place: int, ndim: int) -> tuple[int, ...]:
    order = list(range(ndim - 1))
    order.insert(place, ndim - 1)
    return tuple(order)


def _pair(a: Any, b: Any, summed: list[int]) -> Any:
    """Multiply two aligned operands and add up over dims, by a batched matrix product."""
    for d in summed:
        for x, other in ((a, b), (b, a)):
            if x.shape[d] != other.shape[d] and x.shape[d] == 1:
                reduced = sum_dims(other, (d,), True)
                a, b = (a, reduced) if other is b else (reduced, b)
    inner = [d for d in summed if a.shape[d] != 1]
    if not inner:
        return mul(a, b)
    kinds: dict[str, list[int]] = {"batch": [], "left": [], "right": [], "both_one": []}
    for d in range(a.ndim):
        if d in inner:
            continue
        n, m = a.shape[d], b.shape[d]
        if n == m:
            kinds["batch"].append(d)
        elif m == 1:
            kinds["left"].append(d)
        else:
            kinds["right"].append(d)
    batch, left, right = kinds["batch"], kinds["left"], kinds["right"]
    shape = [
        *(a.shape[d] for d in batch),
        *(a.shape[d] for d in left),
        *(1 for _ in inner),
        *(b.shape[d] for d in right),
    ]
    order = [*batch, *left, *inner, *right]
    back = [0] * len(order)
    for i, d in enumerate(order):
        back[d] = i
    size = {
        k: math.prod(a.shape[d] for d in v) for k, v in (("b", batch), ("l", left), ("i", inner))
    }
    width = math.prod(b.shape[d] for d in right)
    first = reshape(
        permute(a, tuple([*batch, *left, *inner, *right])), (size["b"], size["l"], size["i"])
    )
    second = reshape(
        permute(b, tuple([*batch, *inner, *right, *left])), (size["b"], size["i"], width)
    )
    joined = reshape(bmm(first, second), tuple(shape))
    return permute(joined, tuple(back))


@function("torch.einsum")
def einsum(equation: Any, *operands: Any) -> Tensor:
    """Add up products of elements as an equation of letters says."""
    if not isinstance(equation, str):
        raise TypeError(
            f"einsum(): argument 'equation' (position 1) must be str, not {type(equation).__name__}"
        )
    given = (
        list(operands[0])
        if len(operands) == 1 and isinstance(operands[0], (list, tuple))
        else list(operands)
    )
    if not given:
        raise _refuse("must provide at least one operand")
    eq = Equation(equation, given)
    aligned = [_aligned(x, eq.inputs[i], eq, i) for i, x in enumerate(given)]
    broadcast_shapes(*(x.shape for x in aligned))
    n = aligned[0].ndim
    kept = len(eq.output) + (eq.dots - 1 if ELLIPSIS in eq.output else 0)
    dropped = list(range(kept, n))
    if eq.dots and ELLIPSIS not in eq.output:  # the ellipsis comes first and is summed over
        dropped = [*range(eq.dots), *range(eq.dots + kept, n)]
    return _contract(aligned, dropped)


def _contract(operands: list[Any], dropped: list[int]) -> Tensor:
    result, *rest = operands
    if not rest:
        return sum_dims(result, tuple(dropped)) if dropped else result  # type: ignore[no-any-return]
    for k, other in enumerate(rest):
        # A dim can be summed as soon as no later operand has it.
        later = rest[k + 1 :]
        now = [d for d in dropped if all(x.shape[d] == 1 for x in later)]
        result = _pair(result, other, now)
    if dropped:
        shape = tuple(m for d, m in enumerate(result.shape) if d not in dropped)
        left = [d for d in dropped if result.shape[d] != 1]
        result = sum_dims(result, tuple(dropped)) if left else reshape(result, shape)
    return result  # type: ignore[no-any-return]
