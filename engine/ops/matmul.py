"""Matrix products: mm, mv, dot, bmm, matmul, addmm and their kin, outer, tensordot, kron."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.dtypes import LEGACY_NAMES, SCALAR_NAMES
from engine.errors import fail
from engine.ops.dims import (
    add_reduce,
    wrap_dim,
)
from engine.ops.mutate import squeeze_in_place
from engine.ops.pointwise import mul
from engine.ops.products import inner as inner_product
from engine.ops.products import product, times_vector
from engine.ops.record import Array, function, op
from engine.ops.reduce import sum_dims
from engine.ops.samples import Sample, t
from engine.ops.shape import (
    clone_of,
    expand,
    matrix_t,
    permute,
    reshape,
    transpose,
    unsafe_view,
    unsqueeze,
    view,
)
from engine.tensor import Tensor


def _same_types(first: Tensor, second: Tensor) -> None:
    if first.dtype is not second.dtype:
        one, two = (SCALAR_NAMES[x.dtype] for x in (first, second))
        long = {"long": "int64_t"}
        raise fail(
            "matmul-dtypes",
            "expected m1 and m2 to have the same dtype, but got:"
            f" {long.get(one, one)} != {long.get(two, two)}",
        )


@op(
    "mm",
    latex=r"\val{result} = \val{input}\,\val{mat2}",
    grad_fn="MmBackward0",
    binds=("torch.mm", "Tensor.mm"),
    samples=lambda: [Sample((t(2, 3), t(3, 4, seed=1)))],
)
def mm(input: Array, mat2: Array) -> Array:
    """Multiply two matrices.

    >>> torch.mm(torch.ones(2, 3), torch.ones(3, 1))
    tensor([[3.],
            [3.]])
    """
    return product(input, mat2)


def check_mm(first: Tensor, second: Tensor, names: tuple[str, str] = ("self", "mat2")) -> None:
    """Refuse what is no pair of matrices that go together."""
    one, two = first._array.shape, second._array.shape  # plain tuples: quicker to look into
    if len(one) == 2 == len(two) and one[1] == two[0] and first.dtype is second.dtype:
        return
    for name, x in zip(names, (first, second), strict=True):
        if x.ndim != 2:
            raise fail("not-a-matrix", f"{name} must be a matrix", name=name, ndim=x.ndim)
    if first.shape[1] != second.shape[0]:
        shapes = ["x".join(map(str, x.shape)) for x in (first, second)]
        raise fail(
            "matmul-shapes",
            f"mat1 and mat2 shapes cannot be multiplied ({shapes[0]} and {shapes[1]})",
            mat1=first.shape,
            mat2=second.shape,
        )
    _same_types(first, second)


@mm.prepare
def _(input: Tensor, mat2: Tensor) -> None:
    return check_mm(input, mat2)


@mm.vjp("input", latex=r"\grad{input} = \grad{result}\,\val{mat2}^{\mathsf T}")
def _(grad: Any, mat2: Any) -> Any:
    return mm(grad, matrix_t(mat2))


@mm.vjp("mat2", latex=r"\grad{mat2} = \val{input}^{\mathsf T}\,\grad{result}")
def _(grad: Any, input: Any) -> Any:
    return mm(matrix_t(input), grad)


@op(
    "mv",
    latex=r"\val{result} = \val{input}\,\val{vec}",
    grad_fn="MvBackward0",
    binds=("torch.mv", "Tensor.mv"),
    samples=lambda: [Sample((t(2, 3), t(3, seed=1)))],
)
def mv(input: Array, vec: Array) -> Array:
    """Multiply a matrix by a vector.

    >>> torch.mv(torch.ones(2, 3), torch.ones(3))
    tensor([3., 3.])
    """
    return times_vector(input, vec)


def check_mv(mat: Tensor, vec: Tensor, size: int | None = None) -> None:
    """Refuse what is no matrix and vector that go together."""
    if mat.ndim != 2 or vec.ndim != 1:
        first = 1 if size is None else size
        raise fail(
            "mv-dims",
            f"vector + matrix @ vector expected, got {first}, {mat.ndim}, {vec.ndim}",
        )
    if mat.shape[1] != vec.shape[0]:
        rows = mat.shape[0] if size is None else size
        raise fail(
            "mv-shapes",
            f"size mismatch, got input ({rows}), mat ({mat.shape[0]}x{mat.shape[1]}), vec"
            f" ({vec.shape[0]})",
        )
    if mat.dtype is not vec.dtype:
        raise fail(
            "matmul-dtypes",
            f"expected scalar type {LEGACY_NAMES[mat.dtype]} but found {LEGACY_NAMES[vec.dtype]}",
        )


@mv.prepare
def _(input: Tensor, vec: Tensor) -> None:
    check_mv(input, vec)


@mv.vjp("input", latex=r"\grad{input} = \grad{result}\,\val{vec}^{\mathsf T}")
def _(grad: Any, vec: Any) -> Any:
    return grad.reshape((-1, 1)) * vec


@mv.vjp("vec", latex=r"\grad{vec} = \val{input}^{\mathsf T}\,\grad{result}")
def _(grad: Any, input: Any) -> Any:
    return mv(matrix_t(input), grad)


def check_dot(input: Tensor, other: Tensor) -> None:
    """Refuse what are no two vectors of one length."""
    if input.ndim != 1 or other.ndim != 1:
        raise fail(
            "dot-dims", f"1D tensors expected, but got {input.ndim}D and {other.ndim}D tensors"
        )
    if input.dtype is not other.dtype:
        raise fail(
            "matmul-dtypes",
            "dot : expected both vectors to have same dtype, but found"
            f" {LEGACY_NAMES[input.dtype]} and {LEGACY_NAMES[other.dtype]}",
        )
    n, m = input.shape[0], other.shape[0]
    if n != m:
        raise fail(
            "dot-sizes",
            f"inconsistent tensor size, expected tensor [{n}] and src [{m}] to have the same number"
            f" of elements, but got {n} and {m} elements respectively",
        )


@op(
    "dot",
    latex=r"\val{result} = \val{input} \cdot \val{tensor}",
    grad_fn="DotBackward0",
    binds=("torch.dot", "Tensor.dot"),
    samples=lambda: [Sample((t(3), t(3, seed=1)))],
)
def dot(input: Array, tensor: Array) -> Array:
    """Add up the products of two vectors' elements.

    >>> torch.dot(torch.tensor([1., 2.]), torch.tensor([3., 4.]))
    tensor(11.)
    """
    return inner_product(input, tensor)


@dot.prepare
def _(input: Tensor, tensor: Tensor) -> None:
    check_dot(input, tensor)


@dot.vjp("input", latex=r"\grad{input} = \grad{result} \odot \val{tensor}")
def _(grad: Any, tensor: Any) -> Any:
    return grad * tensor


@dot.vjp("tensor", latex=r"\grad{tensor} = \grad{result} \odot \val{input}")
def _(grad: Any, input: Any) -> Any:
    return grad * input


@op(
    "vdot",
    latex=r"\val{result} = \val{input} \cdot \val{other}",
    grad_fn="VdotBackward0",
    binds=("torch.vdot", "Tensor.vdot"),
    samples=lambda: [Sample((t(3), t(3, seed=1)))],
)
def vdot(input: Array, other: Array) -> Array:
    """Do the same as `dot` for real numbers.

    >>> torch.vdot(torch.tensor([1., 2.]), torch.tensor([3., 4.]))
    tensor(11.)
    """
    return inner_product(input, other)


@vdot.prepare
def _(input: Tensor, other: Tensor) -> None:
    check_dot(input, other)


@vdot.vjp("input", latex=r"\grad{input} = \grad{result} \odot \val{other}")
def _(grad: Any, other: Any) -> Any:
    return grad * other


@vdot.vjp("other", latex=r"\grad{other} = \grad{result} \odot \val{input}")
def _(grad: Any, input: Any) -> Any:
    return grad * input


@op(
    "bmm",
    latex=r"\val{result}_b = \val{input}_b\,\val{mat2}_b",
    grad_fn="BmmBackward0",
    binds=("torch.bmm", "Tensor.bmm"),
    samples=lambda: [Sample((t(2, 2, 3), t(2, 3, 1, seed=1)))],
)
def bmm(input: Array, mat2: Array) -> Array:
    """Multiply two batches of matrices.

    >>> torch.bmm(torch.ones(1, 2, 3), torch.ones(1, 3, 1))
    tensor([[[3.],
             [3.]]])
    """
    return product(input, mat2)


def check_bmm(first: Tensor, second: Tensor) -> None:
    """Refuse what are no two batches of matrices that go together."""
    for name, x in (("batch1", first), ("batch2", second)):
        if x.ndim != 3:
            raise fail("not-a-batch", f"{name} must be a 3D tensor", name=name, ndim=x.ndim)
    n, _, inner = first.shape
    if second.shape[:2] != (n, inner):
        raise fail(
            "bmm-shapes",
            f"Expected size for first two dimensions of batch2 tensor to be: [{n}, {inner}] but"
            f" got: [{second.shape[0]}, {second.shape[1]}].",
        )
    if first.dtype is not second.dtype:
        raise fail(
            "matmul-dtypes",
            f"expected scalar type {LEGACY_NAMES[first.dtype]} but found"
            f" {LEGACY_NAMES[second.dtype]}",
        )


@bmm.prepare
def _(input: Tensor, mat2: Tensor) -> None:
    check_bmm(input, mat2)


@bmm.vjp("input", latex=r"\grad{input}_b = \grad{result}_b\,\val{mat2}_b^{\mathsf T}")
def _(grad: Any, mat2: Any) -> Any:
    return bmm(grad, transpose(mat2, 1, 2))


@bmm.vjp("mat2", latex=r"\grad{mat2}_b = \val{input}_b^{\mathsf T}\,\grad{result}_b")
def _(grad: Any, input: Any) -> Any:
    return bmm(transpose(input, 1, 2), grad)


def scaled(x: Any, factor: Any) -> Any:
    """Multiply unless the factor is one; integers by its whole part."""
    if factor == 1:
        return x
    whole = isinstance(factor, float) and getattr(x.dtype, "kind", "f") in "iub"
    return x * (int(factor) if whole else factor)


@op(
    "addmm",
    latex=r"\val{result} = \val{beta}\,\val{input} + \val{alpha}\,\val{mat1}\,\val{mat2}",
    grad_fn="AddmmBackward0",
    binds=("torch.addmm", "Tensor.addmm", "Tensor.addmm_"),
    samples=lambda: [
        Sample((t(4, seed=2), t(2, 3), t(3, 4, seed=1))),
        Sample((t(2, 1, seed=2), t(2, 3), t(3, 4, seed=1)), {"beta": 0.5, "alpha": 2}),
    ],
)
def addmm(input: Array, mat1: Array, mat2: Array, *, beta: float = 1, alpha: float = 1) -> Array:
    """Add a matrix, or a row for each row, to a product of two matrices.

    >>> torch.addmm(torch.ones(1), torch.ones(1, 3), torch.ones(3, 2))
    tensor([[4., 4.]])
    """
    result = scaled(product(mat1, mat2), alpha)
    return result if beta == 0 else result + scaled(input, beta)


def check_added(input: Tensor, shape: tuple[int, ...]) -> None:
    """Refuse a summand that does not expand to the shape of the product."""
    from engine.ops.shape import expanded

    expanded(input, shape)


@addmm.prepare
def _(input: Tensor, mat1: Tensor, mat2: Tensor, beta: Any, alpha: Any) -> None:
    for name, x in (("self", input), ("mat1", mat1)):
        if x.dtype is not mat2.dtype:
            raise fail(
                "matmul-dtypes",
                f"{name} and mat2 must have the same dtype, but got"
                f" {LEGACY_NAMES[x.dtype]} and {LEGACY_NAMES[mat2.dtype]}",
            )
    check_mm(mat1, mat2, ("mat1", "mat2"))
    check_added(input, (mat1.shape[0], mat2.shape[1]))


@addmm.vjp("input", latex=r"\grad{input} = \val{beta}\,\grad{result}")
def _(grad: Any, beta: Any) -> Any:
    return scaled(grad, beta)


@addmm.vjp("mat1", latex=r"\grad{mat1} = \val{alpha}\,\grad{result}\,\val{mat2}^{\mathsf T}")
def _(grad: Any, mat2: Any, alpha: Any) -> Any:
    return scaled(mm(grad, matrix_t(mat2)), alpha)


@addmm.vjp("mat2", latex=r"\grad{mat2} = \val{alpha}\,\val{mat1}^{\mathsf T}\,\grad{result}")
def _(grad: Any, mat1: Any, alpha: Any) -> Any:
    return scaled(mm(matrix_t(mat1), grad), alpha)


@op(
    "addmv",
    latex=r"\val{result} = \val{beta}\,\val{input} + \val{alpha}\,\val{mat}\,\val{vec}",
    grad_fn="AddmvBackward0",
    binds=("torch.addmv", "Tensor.addmv", "Tensor.addmv_"),
    samples=lambda: [Sample((t(2, seed=2), t(2, 3), t(3, seed=1)), {"alpha": 2})],
)
def addmv(input: Array, mat: Array, vec: Array, *, beta: float = 1, alpha: float = 1) -> Array:
    """Add a vector to a product of matrix and vector.

    >>> torch.addmv(torch.ones(2), torch.ones(2, 3), torch.ones(3))
    tensor([4., 4.])
    """
    result = scaled(times_vector(mat, vec), alpha)
    return result if beta == 0 else result + scaled(input, beta)


@addmv.prepare
def _(input: Tensor, mat: Tensor, vec: Tensor, beta: Any, alpha: Any) -> None:
    size = input.shape[0] if input.ndim else 1
    check_mv(mat, vec, size)
    if size not in (1, mat.shape[0]):
        raise fail(
            "mv-shapes",
            f"size mismatch, got input ({size}), mat ({mat.shape[0]}x{mat.shape[1]}), vec"
            f" ({vec.shape[0]})",
        )
    check_added(input, (mat.shape[0],))


@addmv.vjp("input", latex=r"\grad{input} = \val{beta}\,\grad{result}")
def _(grad: Any, beta: Any) -> Any:
    return scaled(grad, beta)


@addmv.vjp("mat", latex=r"\grad{mat} = \val{alpha}\,\grad{result}\,\val{vec}^{\mathsf T}")
def _(grad: Any, vec: Any, alpha: Any) -> Any:
    return scaled(grad.reshape((-1, 1)) * vec, alpha)


@addmv.vjp("vec", latex=r"\grad{vec} = \val{alpha}\,\val{mat}^{\mathsf T}\,\grad{result}")
def _(grad: Any, mat: Any, alpha: Any) -> Any:
    return scaled(mv(matrix_t(mat), grad), alpha)


@op(
    "addr",
    latex=r"\val{result} = \val{beta}\,\val{input} +"
    r" \val{alpha}\,\val{vec1}\,\val{vec2}^{\mathsf T}",
    grad_fn="AddrBackward0",
    binds=("torch.addr", "Tensor.addr", "Tensor.addr_"),
    samples=lambda: [Sample((t(2, 3, seed=2), t(2), t(3, seed=1)), {"alpha": 2})],
)
def addr(input: Array, vec1: Array, vec2: Array, *, beta: float = 1, alpha: float = 1) -> Array:
    """Add a matrix to the outer product of two vectors.

    >>> torch.addr(torch.ones(1, 2), torch.ones(1), torch.ones(2))
    tensor([[2., 2.]])
    """
    result = scaled(np.outer(vec1, vec2), alpha)
    return result if beta == 0 else result + scaled(input, beta)


@addr.prepare
def _(input: Tensor, vec1: Tensor, vec2: Tensor, beta: Any, alpha: Any) -> None:
    for name, x in (("vec1", vec1), ("vec2", vec2)):
        if x.ndim != 1:
            raise fail(
                "addr-dims",
                f"addr: Expected 1-D argument {name}, but got {x.ndim}-D",
            )
    check_added(input, (vec1.shape[0], vec2.shape[0]))


@addr.vjp("input", latex=r"\grad{input} = \val{beta}\,\grad{result}")
def _(grad: Any, beta: Any) -> Any:
    return scaled(grad, beta)


@addr.vjp("vec1", latex=r"\grad{vec1} = \val{alpha}\,\grad{result}\,\val{vec2}")
def _(grad: Any, vec2: Any, alpha: Any) -> Any:
    return scaled(mv(grad, vec2), alpha)


@addr.vjp("vec2", latex=r"\grad{vec2} = \val{alpha}\,\grad{result}^{\mathsf T}\,\val{vec1}")
def _(grad: Any, vec1: Any, alpha: Any) -> Any:
    return scaled(mv(matrix_t(grad), vec1), alpha)


def _batches() -> list[Sample]:
    return [Sample((t(2, 1, seed=2), t(3, 2, 3), t(3, 3, 2, seed=1)), {"alpha": 2, "beta": 0.5})]


@op(
    "baddbmm",
    latex=r"\val{result}_b = \val{beta}\,\val{input}_b +"
    r" \val{alpha}\,\val{batch1}_b\,\val{batch2}_b",
    grad_fn="BaddbmmBackward0",
    binds=("torch.baddbmm", "Tensor.baddbmm", "Tensor.baddbmm_"),
    samples=_batches,
)
def baddbmm(
    input: Array, batch1: Array, batch2: Array, *, beta: float = 1, alpha: float = 1
) -> Array:
    """Add to the products of two batches of matrices.

    >>> torch.baddbmm(torch.ones(1), torch.ones(1, 1, 3), torch.ones(1, 3, 2))
    tensor([[[4., 4.]]])
    """
    result = scaled(product(batch1, batch2), alpha)
    return result if beta == 0 else result + scaled(input, beta)


@baddbmm.prepare
def _(input: Tensor, batch1: Tensor, batch2: Tensor, beta: Any, alpha: Any) -> None:
    check_bmm(batch1, batch2)
    check_added(input, (*batch1.shape[:2], batch2.shape[2]))


@baddbmm.vjp("input", latex=r"\grad{input} = \val{beta}\,\grad{result}")
def _(grad: Any, beta: Any) -> Any:
    return scaled(grad, beta)


@baddbmm.vjp(
    "batch1", latex=r"\grad{batch1}_b = \val{alpha}\,\grad{result}_b\,\val{batch2}_b^{\mathsf T}"
)
def _(grad: Any, batch2: Any, alpha: Any) -> Any:
    return scaled(bmm(grad, transpose(batch2, 1, 2)), alpha)


@baddbmm.vjp(
    "batch2", latex=r"\grad{batch2}_b = \val{alpha}\,\val{batch1}_b^{\mathsf T}\,\grad{result}_b"
)
def _(grad: Any, batch1: Any, alpha: Any) -> Any:
    return scaled(bmm(transpose(batch1, 1, 2), grad), alpha)


@op(
    "addbmm",
    latex=r"\val{result} = \val{beta}\,\val{input}"
    r" + \val{alpha} \sum_b \val{batch1}_b\,\val{batch2}_b",
    grad_fn="AddbmmBackward0",
    binds=("torch.addbmm", "Tensor.addbmm", "Tensor.addbmm_"),
    samples=_batches,
)
def addbmm(
    input: Array, batch1: Array, batch2: Array, *, beta: float = 1, alpha: float = 1
) -> Array:
    """Add to the sum of the products of two batches of matrices.

    >>> torch.addbmm(torch.ones(1), torch.ones(2, 1, 3), torch.ones(2, 3, 2))
    tensor([[7., 7.]])
    """
    result = scaled(add_reduce(np.matmul(batch1, batch2), 0), alpha)
    return result if beta == 0 else result + scaled(input, beta)


@addbmm.prepare
def _(input: Tensor, batch1: Tensor, batch2: Tensor, beta: Any, alpha: Any) -> None:
    check_bmm(batch1, batch2)
    check_added(input, (batch1.shape[1], batch2.shape[2]))


@addbmm.vjp("input", latex=r"\grad{input} = \val{beta}\,\grad{result}")
def _(grad: Any, beta: Any) -> Any:
    return scaled(grad, beta)


def _for_each(grad: Any, n: int) -> Any:
    return expand(unsqueeze(grad, 0), (n, *grad.shape))


@addbmm.vjp(
    "batch1", latex=r"\grad{batch1}_b = \val{alpha}\,\grad{result}\,\val{batch2}_b^{\mathsf T}"
)
def _(grad: Any, batch2: Any, alpha: Any) -> Any:
    return scaled(bmm(_for_each(grad, batch2.shape[0]), transpose(batch2, 1, 2)), alpha)


@addbmm.vjp(
    "batch2", latex=r"\grad{batch2}_b = \val{alpha}\,\val{batch1}_b^{\mathsf T}\,\grad{result}"
)
def _(grad: Any, batch1: Any, alpha: Any) -> Any:
    return scaled(bmm(transpose(batch1, 1, 2), _for_each(grad, batch1.shape[0])), alpha)


# --- products made of these -----------------------------------------------------------------------


@function("torch.matmul", "Tensor.matmul", "torch.linalg.matmul")
def matmul(input: Tensor, other: Tensor) -> Any:
    """Multiply as `@` does: vectors, matrices, and batches of matrices that broadcast."""
    both = isinstance(input, Tensor) and isinstance(other, Tensor)
    if both and len(input.shape) == 2 == len(other.shape):
        return mm.on_tensors(input, other)
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
        return squeeze_in_place(mm(unsqueeze(input, 0), other), 0)
    if m <= 2 or n <= 2:
        return _folded(input, other)
    return _batched(input, other)


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


@function("Tensor.__matmul__")
def matmul_sign(input: Tensor, other: Any) -> Any:
    """Multiply for `@`; a number is left to Python's own refusal."""
    return matmul(input, other) if isinstance(other, Tensor) else NotImplemented


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
