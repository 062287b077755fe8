"""Products of tensors made of those of matrices: matmul, outer, tensordot, kron."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.dims import wrap_dim
from engine.ops.expanding import expand, squeeze, unsqueeze
from engine.ops.mm import bmm, dot, mm, mv
from engine.ops.mutate import squeeze_result
from engine.ops.permuting import matrix_t, permute, transpose
from engine.ops.pointwise import mul
from engine.ops.record import bind, function
from engine.ops.reduce import sum_dims
from engine.ops.shape import clone_of, reshape, unsafe_view, view
from engine.tensor import Tensor, make

# --- products made of these -----------------------------------------------------------------------


@function("torch.matmul", "torch.linalg.matmul")
def matmul(input: Tensor, other: Tensor) -> Any:
    """Multiply as `@` does: vectors, matrices, and batches of matrices that broadcast."""
    both = isinstance(input, Tensor) and isinstance(other, Tensor)
    if both and len(input.shape) == 2 == len(other.shape):
        return mm.on_two(input, other)
    for position, (name, x) in enumerate((("input", input), ("other", other)), 1):
        if not isinstance(x, Tensor):
            raise TypeError(
                f"matmul(): argument '{name}' (position {position}) must be Tensor, not"
                f" {type(x).__name__}"
            )
    n, m = input.ndim, other.ndim
    if n == 0 or m == 0:
        raise fail(
            "matmul-of-scalars",
            f"both arguments to matmul need to be at least 1D, but they are {n}D and {m}D",
        )
    if n == 1 and m == 1:
        return dot(input, other)
    if n == 2 and m == 1:
        return mv(input, other)
    if n == 1 and m == 2:
        return squeeze_result(mm(unsqueeze(input, 0), other), 0)
    if (m <= 2 or n <= 2) and folds(input, other):
        return _folded(input, other)
    if n == m == 3:
        # A batch of one that needs a gradient is a matrix, so that nothing is copied for it.
        if input.shape[0] == 1 < other.shape[0] and input.requires_grad:
            return _folded(squeeze(input, 0), other)
        if other.shape[0] == 1 < input.shape[0] and other.requires_grad:
            return _folded(input, squeeze(other, 0))
    return _batched(input, other)


def folds(input: Any, other: Any) -> bool:
    """Whether PyTorch multiplies a batch and one matrix or vector as two matrices.

    Where neither a copy nor a large gradient of the repeated side is spared, it does not.
    """
    large, small = (input, other) if input.ndim >= other.ndim else (other, input)
    return large is input or small.ndim == 1 or small.requires_grad


def _folded(input: Any, other: Any) -> Any:
    """Fold a batch into rows where the other side is one matrix or vector."""
    turn = input.ndim < other.ndim
    if turn:
        left, right = transpose(other, -1, -2), input
        right = matrix_t(right) if right.ndim == 2 else right
    else:
        left, right = input, other
    shape = tuple(left.shape[:-1])
    rows = reshape(left, (math.prod(shape), left.shape[-1]))
    if right.ndim == 1:
        return unsafe_view(mv(rows, right), shape)
    result = unsafe_view(mm(rows, right), (*shape, right.shape[1]))
    return clone_of(transpose(result, -1, -2)) if turn else result


def _batched(input: Any, other: Any) -> Any:
    from engine.ops.dims import broadcast_shapes

    if input.shape[-1] != other.shape[-2]:
        one, two = input.shape, other.shape
        raise fail(
            "bmm-shapes",
            "Expected size for first two dimensions of batch2 tensor to be:"
            f" [{math.prod(broadcast_shapes(one[:-2], two[:-2]))}, {one[-1]}] but got:"
            f" [{math.prod(broadcast_shapes(one[:-2], two[:-2]))}, {two[-2]}].",
        )
    lead = broadcast_shapes(input.shape[:-2], other.shape[:-2])
    sides = [
        reshape(expand(x, (*lead, *x.shape[-2:])), (math.prod(lead), *x.shape[-2:]))
        for x in (input, other)
    ]
    return unsafe_view(bmm(*sides), (*lead, input.shape[-2], other.shape[-1]))


@function("Tensor.matmul")
def matmul_method(self: Tensor, other: Any) -> Any:
    """Multiply as `@` does."""
    if not isinstance(other, Tensor):
        raise TypeError(
            f"matmul(): argument 'other' (position 1) must be Tensor, not {type(other).__name__}"
        )
    return matmul(self, other)


def matmul_sign(input: Tensor, other: Any) -> Any:
    """Multiply for `@`; a number is left to Python's own refusal."""
    if isinstance(other, Tensor):
        if len(input.shape) == 2 == len(other.shape):
            return mm.on_two(input, other)
        return matmul(input, other)
    return matmul(input, make(other)) if isinstance(other, np.ndarray) else NotImplemented


bind("Tensor.__matmul__", matmul_sign)


@function("Tensor.__rmatmul__")
def rmatmul(input: Tensor, other: Any) -> Any:
    """Multiply from the right."""
    return matmul(other, input) if isinstance(other, Tensor) else NotImplemented


@function("torch.outer", "torch.ger", "Tensor.outer", "Tensor.ger")
def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """Multiply each element of one vector with each of another."""
    for name, x in (("self", input), ("vec2", vec2)):
        if x.ndim != 1:
            raise fail("outer-dims", f"outer: Expected 1-D argument {name}, but got {x.ndim}-D")
    result: Tensor = mul(reshape(input, (-1, 1)), vec2)
    return result


@function("torch.inner", "Tensor.inner")
def inner(input: Tensor, other: Tensor) -> Tensor:
    """Add up products along the last dims."""
    if input.ndim == 0 or other.ndim == 0:
        result: Tensor = mul(input, other)
        return result
    if input.shape[-1] != other.shape[-1]:
        raise fail(
            "inner-sizes",
            "inner() the last dimension must match on both input tensors but got shapes"
            f" {list(input.shape)} and {list(other.shape)}",
        )
    return tensordot(input, other, [[-1], [-1]])  # type: ignore[no-any-return]


def _contracted(a: Any, b: Any, dims: Any) -> tuple[list[int], list[int]]:
    if isinstance(dims, int):
        if dims < 0:
            raise fail("tensordot", f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a.ndim, b.ndim):
            raise fail(
                "tensordot",
                f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}",
            )
        return list(range(-dims, 0)), list(range(dims))
    first, second = dims
    first, second = (list(d) if isinstance(d, (list, tuple)) else [d] for d in (first, second))
    if len(first) != len(second):
        raise fail(
            "tensordot",
            "both dimension lists should have same length, got"
            f" {{{len(first)}}} and {{{len(second)}}}",
        )
    return first, second


@function("torch.tensordot")
def tensordot(a: Any, b: Any, dims: Any = 2, out: Any = None) -> Tensor:
    """Add up products over pairs of dims."""
    if isinstance(dims, Tensor):
        dims = dims.tolist()  # type: ignore[attr-defined]
    first, second = _contracted(a, b, dims)
    for p, q in zip(first, second, strict=True):
        n, m = a.shape[p], b.shape[q]
        if n != m and 1 not in (n, m):
            raise fail(
                "tensordot",
                f"contracted dimensions need to match, but first has size {n} in dim {p} and second"
                f" has size {m} in dim {q}",
            )
    first = [wrap_dim(d, a.ndim) for d in first]
    second = [wrap_dim(d, b.ndim) for d in second]
    for p, q in zip(first, second, strict=True):
        if a.shape[p] != b.shape[q]:  # a dim of size 1 goes with any other
            if a.shape[p] == 1:
                b = sum_dims(b, (q,), True)
            else:
                a = sum_dims(a, (p,), True)
    free_a = [d for d in range(a.ndim) if d not in first]
    free_b = [d for d in range(b.ndim) if d not in second]
    shape = [a.shape[d] for d in free_a] + [b.shape[d] for d in free_b]
    width = math.prod(a.shape[d] for d in first)
    left = permute(a, tuple(free_a + first))
    right = permute(b, tuple(second + free_b))
    if not shape:
        return reshape(dot(reshape(left, (width,)), reshape(right, (width,))), ())  # type: ignore[no-any-return]
    rows = reshape(left, (math.prod(a.shape[d] for d in free_a), width))
    columns = reshape(right, (width, math.prod(b.shape[d] for d in free_b)))
    result: Tensor = view(mm(rows, columns), tuple(shape))
    return result


@function("torch.kron", "Tensor.kron")
def kron(input: Tensor, other: Tensor) -> Tensor:
    """Put a copy of the second tensor, scaled, for each element of the first."""
    if not isinstance(other, Tensor):
        raise TypeError(
            f"kron(): argument 'other' (position 2) must be Tensor, not {type(other).__name__}"
        )
    n = max(input.ndim, other.ndim)
    a = (1,) * (n - input.ndim) + tuple(input.shape)
    b = (1,) * (n - other.ndim) + tuple(other.shape)
    wide_a = unsafe_view(input, tuple(x for m in a for x in (m, 1)))
    wide_b = unsafe_view(other, tuple(x for m in b for x in (1, m)))
    result: Tensor = unsafe_view(wide_a * wide_b, tuple(p * q for p, q in zip(a, b, strict=True)))
    return result


@function("torch.linalg.multi_dot")
def multi_dot(tensors: Any) -> Tensor:
    """Multiply several matrices in the cheapest order."""
    chain = list(tensors)
    if len(chain) < 2:
        raise fail("multi-dot", "multi_dot(): expected at least 2 tensors but got "
                   f"{len(chain)}")  # fmt: skip
    first, last = chain[0].ndim == 1, chain[-1].ndim == 1
    for i, (a, b) in enumerate(itertools.pairwise(chain)):
        if a.shape[-1:] != b.shape[:1]:
            raise fail(
                "multi-dot",
                f"multi_dot(): tensors {i} and {i + 1} with shapes {list(a.shape)} and"
                f" {list(b.shape)} cannot be multiplied",
            )
    shape = (() if first else (chain[0].shape[0],)) + (() if last else (chain[-1].shape[-1],))
    if first:
        chain[0] = unsqueeze(chain[0], 0)
    if last:
        chain[-1] = unsqueeze(chain[-1], -1)
    result: Tensor = view(_cheapest(chain), shape)
    return result


def _cheapest(chain: list[Any]) -> Any:
    """Multiply by dynamic programming over the cost of splitting in two."""
    n = len(chain)
    size = [chain[0].shape[0], *(x.shape[1] for x in chain)]
    cost = [[0] * n for _ in range(n)]
    cut = [[0] * n for _ in range(n)]
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            options = [
                (cost[i][k] + cost[k + 1][j] + size[i] * size[k + 1] * size[j + 1], k)
                for k in range(i, j)
            ]
            cost[i][j], cut[i][j] = min(options)

    def multiply(i: int, j: int) -> Any:
        return chain[i] if i == j else mm(multiply(i, cut[i][j]), multiply(cut[i][j] + 1, j))

    return multiply(0, n - 1)


@function("torch.chain_matmul")
def chain_matmul(*matrices: Tensor) -> Tensor:
    """Multiply several matrices in the cheapest order."""
    return matrices[0] if len(matrices) == 1 else multi_dot(matrices)
