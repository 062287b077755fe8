"""Dims in another order."""

from __future__ import annotations

from typing import Any

from engine.errors import fail
from engine.ops.dims import wrap_dim
from engine.ops.record import Array, bind, function, op
from engine.ops.samples import Sample, t
from engine.ops.shape import alias
from engine.tensor import Tensor


@op(
    "permute",
    latex=r"\val{result} = \val{input} \text{ with dims } \val{dims}",
    grad_fn="PermuteBackward0",
    binds=("torch.permute", "Tensor.permute"),
    samples=lambda: [Sample((t(2, 3), (1, 0))), Sample((t(1, 2, 3), (2, 0, 1)))],
    view=True,
    variadic="dims",
)
def permute(input: Array, dims: Any) -> Array:
    """Put the dims into another order.

    >>> torch.permute(torch.ones(2, 3, 4), (2, 0, 1)).shape
    torch.Size([4, 2, 3])
    """
    return input.transpose(dims)


@permute.prepare
def _(input: Tensor, dims: Any) -> dict[str, Any]:
    given = tuple(dims)
    if len(given) != input.ndim:
        raise fail(
            "permute-dims",
            "permute(sparse_coo): number of dimensions in the tensor input does not match the"
            " length of the desired ordering of dimensions i.e. input.dim() ="
            f" {input.ndim} is not equal to len(dims) = {len(given)}",
        )
    wrapped = tuple(wrap_dim(d, input.ndim) for d in given)
    if len(set(wrapped)) != len(wrapped):
        raise fail("permute-twice", "permute(): duplicate dims are not allowed.")
    return {"dims": wrapped}


@permute.vjp("input", latex=r"\grad{input} = \grad{result} \text{ with dims put back}")
def _(grad: Any, dims: Any) -> Any:
    back = [0] * len(dims)
    for i, d in enumerate(dims):
        back[d] = i
    return permute(grad, tuple(back))


@op(
    "transpose",
    latex=r"\val{result} = \val{input} \text{ with dims } \val{dim0}, \val{dim1} \text{ swapped}",
    grad_fn="TransposeBackward0",
    binds=(
        "torch.transpose", "torch.swapaxes", "torch.swapdims", "Tensor.transpose",
        "Tensor.swapaxes", "Tensor.swapdims",
    ),
    samples=lambda: [Sample((t(2, 3), 0, 1)), Sample((t(1, 2, 3), -1, 0))],
    view=True,
)  # fmt: skip
def transpose(input: Array, dim0: int, dim1: int) -> Array:
    """Swap two dims.

    >>> torch.transpose(torch.ones(2, 3), 0, 1).shape
    torch.Size([3, 2])
    """
    return input.swapaxes(dim0, dim1) if input.ndim else input[...]


@transpose.prepare
def _(input: Tensor, dim0: int, dim1: int) -> dict[str, Any]:
    return {"dim0": wrap_dim(dim0, input.ndim), "dim1": wrap_dim(dim1, input.ndim)}


@transpose.vjp("input", latex=r"\grad{input} = \grad{result} \text{ with the dims swapped back}")
def _(grad: Any, dim0: int, dim1: int) -> Any:
    return transpose(grad, dim0, dim1)


@op(
    "t",
    latex=r"\val{result} = \val{input}^{\mathsf T}",
    grad_fn="TBackward0",
    binds=("torch.t", "Tensor.t"),
    samples=lambda: [Sample((t(2, 3),)), Sample((t(3),))],
    view=True,
)
def matrix_t(input: Array) -> Array:
    """Transpose a matrix.

    >>> torch.t(torch.ones(2, 3)).shape
    torch.Size([3, 2])
    """
    return input.T


@matrix_t.prepare
def _(input: Tensor) -> None:
    if input.ndim > 2:
        raise fail(
            "t-of-many-dims",
            f"t() expects a tensor with <= 2 dimensions, but self is {input.ndim}D",
        )


@matrix_t.vjp("input", latex=r"\grad{input} = \grad{result}^{\mathsf T}")
def _(grad: Any) -> Any:
    return matrix_t(grad)


def _movedim_check(source: tuple[int, ...], destination: tuple[int, ...]) -> None:
    if len(source) != len(destination):
        raise fail(
            "movedim",
            f"movedim: Invalid source or destination dims: source ({list(source)} dims) should"
            f" contain the same number of dims as destination ({list(destination)} dims)",
        )
    for name, dims in (("source", source), ("destination", destination)):
        if len(set(dims)) != len(dims):
            raise fail("movedim", f"movedim: repeated dim in `{name}` ({list(dims)})")


@function("torch.movedim", "torch.moveaxis", "Tensor.movedim", "Tensor.moveaxis")
def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    """Move dims to other places; the rest keeps its order."""
    old = tuple(source) if isinstance(source, (tuple, list)) else (source,)
    new = tuple(destination) if isinstance(destination, (tuple, list)) else (destination,)
    old = tuple(wrap_dim(d, input.ndim) for d in old)
    new = tuple(wrap_dim(d, input.ndim) for d in new)
    _movedim_check(old, new)
    if not input.ndim:
        return alias(input)  # type: ignore[no-any-return]
    order = [d for d in range(input.ndim) if d not in old]
    for place, d in sorted(zip(new, old, strict=True)):
        order.insert(place, d)
    result: Tensor = permute(input, tuple(order))
    return result


def matrix_dims(input: Tensor, name: str) -> None:
    """Refuse to transpose matrices where there are none."""
    if input.ndim < 2:
        raise fail(
            "needs-matrix",
            f"tensor.{name} is only supported on matrices or batches of matrices. Got"
            f" {input.ndim}-D tensor.",
        )


def reversed_dims(input: Tensor) -> Tensor:
    """Put the dims into the opposite order: `x.T`."""
    result: Tensor = permute(input, tuple(range(input.ndim))[::-1])
    return result


def transposed_matrices(input: Tensor) -> Tensor:
    """Swap the last two dims: `x.mT`."""
    if not input.ndim:
        return input
    matrix_dims(input, "mT")
    result: Tensor = transpose(input, -2, -1)
    return result


def adjoint_matrix(input: Tensor) -> Tensor:
    """Transpose a matrix: `x.H`."""
    if input.ndim not in (0, 2):
        raise fail(
            "needs-matrix",
            f"tensor.H is only supported on matrices (2-D tensors). Got {input.ndim}-D tensor.",
        )
    result: Tensor = transpose(input, 0, 1) if input.ndim else input
    return result


for _name, _get in (
    ("T", reversed_dims),
    ("mT", transposed_matrices),
    ("H", adjoint_matrix),
    ("mH", transposed_matrices),
):
    bind(f"Tensor.{_name}", property(_get))


@function("torch.adjoint", "Tensor.adjoint")
def adjoint(input: Tensor) -> Tensor:
    """Swap the last two dims."""
    return transposed_matrices(input)
