"""Products of two matrices or vectors, or of batches of them."""

from __future__ import annotations

from typing import Any

from engine.dtypes import LEGACY_NAMES, SCALAR_NAMES
from engine.errors import fail
from engine.ops.permuting import matrix_t, transpose
from engine.ops.products import inner as inner_product
from engine.ops.products import product, times_vector
from engine.ops.record import Array, op
from engine.ops.samples import Sample, t
from engine.tensor import Tensor


def _same_types(first: Tensor, second: Tensor) -> None:
    if first.dtype is not second.dtype:
        one, two = (SCALAR_NAMES[x.dtype] for x in (first, second))
        long = {"long": "long int", "short": "short int"}
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
    exact=True,
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
    for name, x in zip(names, (first, second), strict=True):
        if x.ndim != 2:
            how = f", got {x.ndim}-D tensor" if names[0] == "mat1" else ""
            raise fail("not-a-matrix", f"{name} must be a matrix{how}", name=name, ndim=x.ndim)
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
    if (
        input._array.ndim == 2 == mat2._array.ndim
        and input._array.shape[1] == mat2._array.shape[0]
        and input.dtype is mat2.dtype
    ):
        return None
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


def check_mv(mat: Tensor, vec: Tensor, size: int | None = None, typed: bool = True) -> None:
    """Refuse what is no matrix and vector that go together, also in type unless told not to."""
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
    if typed and mat.dtype is not vec.dtype:
        raise fail(
            "matmul-dtypes",
            "addmv input tensors must have the same dtype, but got"
            f" {LEGACY_NAMES[vec.dtype]}, {LEGACY_NAMES[mat.dtype]}, and {LEGACY_NAMES[vec.dtype]}",
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
