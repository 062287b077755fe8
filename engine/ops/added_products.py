"""Products of matrices that are added to something: addmm and its kin."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dtypes import LEGACY_NAMES, SCALAR_NAMES
from engine.errors import fail
from engine.ops.dims import add_reduce
from engine.ops.expanding import expand, unsqueeze
from engine.ops.mm import bmm, check_bmm, check_mm, check_mv, mm, mv
from engine.ops.permuting import matrix_t, transpose
from engine.ops.products import product, times_vector
from engine.ops.record import Array, op
from engine.ops.samples import Sample, t
from engine.tensor import Tensor


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
    from engine.ops.expanding import expanded

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
    binds=("torch.addmv", "Tensor.addmv", "Tensor.addmv_", "torch.addmv_"),
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
    check_mv(mat, vec, size, typed=False)
    if size not in (1, mat.shape[0]):
        raise fail(
            "mv-shapes",
            f"size mismatch, got input ({size}), mat ({mat.shape[0]}x{mat.shape[1]}), vec"
            f" ({vec.shape[0]})",
        )
    if len({x.dtype for x in (input, mat, vec)}) > 1:
        a, b, c = (LEGACY_NAMES[x.dtype] for x in (input, mat, vec))
        raise fail(
            "matmul-dtypes",
            f"addmv input tensors must have the same dtype, but got {a}, {b}, and {c}",
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
    for x, d in ((batch1, 0), (batch1, 1), (batch2, 2)):
        if d >= x.ndim:
            if not x.ndim:
                text = f"Dimension specified as {d} but tensor has no dimensions"
            else:
                text = (
                    f"Dimension out of range (expected to be in range of [{-x.ndim}, {x.ndim - 1}],"
                    f" but got {d})"
                )
            raise fail("dim-out-of-range", text, IndexError, dim=d, ndim=x.ndim)
    check_added(input, (*batch1.shape[:2], batch2.shape[2]))
    if len({x.dtype for x in (input, batch1, batch2)}) > 1:
        a, b, c = (SCALAR_NAMES[x.dtype] for x in (input, batch1, batch2))
        raise fail(
            "matmul-dtypes",
            f"Input dtypes must be the same, got: input {a}, batch1: {b}, batch2: {c}",
        )
    check_bmm(batch1, batch2)


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
