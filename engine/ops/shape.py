"""Other shapes over the same memory: view, permute, transpose, expand, squeeze, unsqueeze."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.dtypes import LEGACY_NAMES, dtype
from engine.errors import fail
from engine.ops.dims import as_int, wrap_dim, wrap_dims
from engine.ops.record import Array, bind, function, op
from engine.ops.samples import Sample, t
from engine.ops.strided import stretch
from engine.tensor import Tensor


def sizes(size: Any) -> tuple[int, ...]:
    """Return sizes given as one tuple or list, or as several integers."""
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        size = size[0]
    return tuple(as_int(n) for n in size)


def infer_size(size: tuple[int, ...], numel: int) -> tuple[int, ...]:
    """Fill in the one -1 of a shape."""
    unknown = [i for i, n in enumerate(size) if n == -1]
    known = math.prod(n for n in size if n != -1)
    if len(unknown) > 1:
        raise fail("several-unknown-sizes", "only one dimension can be inferred")
    for i, n in enumerate(size):
        if n < -1:
            raise fail(
                "negative-size", f"invalid shape dimension {n} at index {i} of shape {list(size)}"
            )
    if not unknown and known == numel:
        return size
    if unknown and known == 0 and numel == 0:
        raise fail(
            "ambiguous-size",
            f"cannot reshape tensor of 0 elements into shape {list(size)} because the unspecified"
            " dimension size -1 can be any value and is ambiguous",
        )
    if not unknown or known == 0 or numel % known:
        raise fail(
            "shape-does-not-fit",
            f"shape '{list(size)}' is invalid for input of size {numel}",
            shape=size,
            numel=numel,
        )
    return tuple(numel // known if n == -1 else n for n in size)


def viewed(array: Any, size: tuple[int, ...]) -> Any:
    """Return the array in another shape without a copy, None where that cannot be."""
    if isinstance(array, np.generic):
        return array.reshape(size)
    seen = array.reshape(size)
    if array.size == 0 or np.may_share_memory(seen, array):
        return seen
    return None


def _views() -> list[Sample]:
    return [Sample((t(2, 3), (3, 2))), Sample((t(2, 3), (-1,))), Sample((t(), (1, 1)))]


@op(
    "view",
    latex=r"\val{result} = \val{input} \text{ in shape } \val{size}",
    grad_fn="ViewBackward0",
    samples=_views,
    view=True,
)
def view(input: Array, size: tuple[int, ...]) -> Array:
    """Look at the same elements in another shape.

    >>> torch.arange(4).view(2, 2)
    tensor([[0, 1],
            [2, 3]])
    """
    return input.reshape(size)


@view.prepare
def _(input: Tensor, size: tuple[int, ...]) -> dict[str, Any]:
    size = infer_size(sizes((size,)), input.shape.numel())
    if viewed(input._array, size) is None:
        raise fail(
            "view-of-gaps",
            "view size is not compatible with input tensor's size and stride (at least one"
            " dimension spans across two contiguous subspaces). Use .reshape(...) instead.",
            shape=input.shape,
            size=size,
        )
    return {"size": size}


@view.vjp("input", latex=r"\grad{input} = \grad{result} \text{ in the shape of input}")
def _(grad: Any, input_shape: Any) -> Any:
    return grad.reshape(input_shape)


@op(
    "unsafe_view",
    latex=r"\val{result} = \val{input} \text{ in shape } \val{size}",
    grad_fn="UnsafeViewBackward0",
    samples=_views,
)
def unsafe_view(input: Array, size: tuple[int, ...]) -> Array:
    """Reshape a fresh copy, which nobody else sees."""
    return input.reshape(size)


@unsafe_view.vjp("input", latex=r"\grad{input} = \grad{result} \text{ in the shape of input}")
def _(grad: Any, input_shape: Any) -> Any:
    return grad.reshape(input_shape)


@op(
    "reshape_alias",
    latex=r"\val{result} = \val{input} \text{ in shape } \val{size}",
    grad_fn="ReshapeAliasBackward0",
    samples=_views,
    view=True,
)
def reshape_alias(input: Array, size: tuple[int, ...]) -> Array:
    """Look at elements that lie apart in another shape."""
    return input.reshape(size)


@reshape_alias.vjp("input", latex=r"\grad{input} = \grad{result} \text{ in the shape of input}")
def _(grad: Any, input_shape: Any) -> Any:
    return grad.reshape(input_shape)


@op(
    "alias",
    latex=r"\val{result} = \val{input}",
    grad_fn="AliasBackward0",
    samples=lambda: [Sample((t(2, 3),))],
    view=True,
)
def alias(input: Array) -> Array:
    """Look at the same elements once more."""
    return input[...]


@alias.vjp("input", latex=r"\grad{input} = \grad{result}")
def _(grad: Any) -> Any:
    return grad


@function("Tensor.view")
def view_method(input: Tensor, *size: Any) -> Tensor:
    """Look at the same elements in another shape; -1 stands for what is left."""
    if len(size) == 1 and isinstance(size[0], dtype):
        return view_as_dtype(input, size[0])
    if not size or not all(hasattr(n, "__index__") or isinstance(n, (tuple, list)) for n in size):
        got = ", ".join(type(n).__name__ for n in size)
        wrong = f"      didn't match because some of the arguments have invalid types: (!{got}!)\n"
        raise TypeError(
            f"view() received an invalid combination of arguments - got ({got}), but expected one"
            f" of:\n * (torch.dtype dtype)\n{wrong} * (tuple of ints size)\n{wrong}"
        )
    result: Tensor = view(input, sizes(size))
    return result


def view_as_dtype(input: Tensor, kind: dtype) -> Tensor:
    """Read the same bytes as another type."""
    from engine.tensor import make

    if input.dtype is kind:
        result: Tensor = alias(input)
        return result
    array = np.asarray(input._array)
    return make(array.view(kind.np) if array.ndim else array.reshape(1).view(kind.np).reshape(()))


@function("torch.reshape")
def reshape(input: Tensor, shape: Any) -> Tensor:
    """Look at the elements in another shape, or copy them where no view can do it."""
    size = infer_size(sizes((shape,)), input.shape.numel())
    array = input._array
    result: Tensor
    if isinstance(array, np.generic) or array.flags.c_contiguous:
        result = view(input, size)
    elif viewed(array, size) is not None:
        result = reshape_alias(input, size)
    else:
        result = unsafe_view(clone_of(input), size)
    return result


def clone_of(input: Tensor) -> Tensor:
    """Copy a tensor into memory of its own, row by row."""
    from engine.ops.record import PUBLIC

    result: Tensor = PUBLIC["torch.clone"](input)
    if not result._array.flags.c_contiguous:
        result._array = np.ascontiguousarray(result._array)
    return result


@function("Tensor.reshape")
def reshape_method(input: Tensor, *shape: Any) -> Tensor:
    """Look at the elements in another shape, or copy them."""
    return reshape(input, sizes(shape))  # type: ignore[no-any-return]


@function("Tensor.view_as")
def view_as(input: Tensor, other: Tensor) -> Tensor:
    """Look at the elements in the shape of another tensor."""
    result: Tensor = view(input, tuple(other.shape))
    return result


@function("Tensor.reshape_as")
def reshape_as(input: Tensor, other: Tensor) -> Tensor:
    """Reshape to the shape of another tensor."""
    return reshape(input, tuple(other.shape))  # type: ignore[no-any-return]


@function("torch.flatten", "Tensor.flatten")
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Make one dim of several neighbouring ones."""
    n = input.ndim
    start, end = wrap_dim(start_dim, n), wrap_dim(end_dim, n)
    if n == 0:
        return reshape(input, (1,))  # type: ignore[no-any-return]
    if start > end:
        raise fail(
            "flatten-backwards",
            "flatten() has invalid args: start_dim cannot come after end_dim",
        )
    if start == end:
        return input
    middle = math.prod(input.shape[start : end + 1])
    return reshape(input, (*input.shape[:start], middle, *input.shape[end + 1 :]))  # type: ignore[no-any-return]


@function("torch.ravel", "Tensor.ravel")
def ravel(input: Tensor) -> Tensor:
    """Make one dim of all."""
    array = input._array
    if isinstance(array, np.ndarray) and not array.flags.c_contiguous:
        input = clone_of(input)
    result: Tensor = view(input, (-1,))
    return result


@function("torch.unflatten", "Tensor.unflatten")
def unflatten(input: Tensor, dim: int, sizes: Any) -> Tensor:
    """Make several dims of one."""
    at = wrap_dim(dim, input.ndim)
    size = tuple(sizes)
    n = input.shape[at]
    known = math.prod(s for s in size if s != -1)
    if size.count(-1) > 1 or (-1 not in size and known != n) or (known and n % known):
        raise fail(
            "unflatten",
            f"unflatten: Provided sizes {list(size)} don't multiply up to the size of dim {at}"
            f" ({n}) in the input tensor",
        )
    result: Tensor = view(input, (*input.shape[:at], *infer_size(size, n), *input.shape[at + 1 :]))
    return result


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


@op(
    "expand",
    latex=r"\val{result} = \val{input} \text{ repeated to shape } \val{size}",
    grad_fn="ExpandBackward0",
    binds=("Tensor.expand",),
    samples=lambda: [Sample((t(2, 1), (2, 3))), Sample((t(3), (2, -1))), Sample((t(), (2,)))],
    view=True,
    variadic="size",
)
def expand(input: Array, size: Any) -> Array:
    """Repeat dims of size 1 without copying.

    >>> torch.tensor([[1], [2]]).expand(2, 3)
    tensor([[1, 1, 1],
            [2, 2, 2]])
    """
    if not isinstance(input, np.ndarray):
        return stretch(input, size)
    result = np.broadcast_to(input, size)
    result.flags.writeable = input.flags.writeable  # what may be written is decided elsewhere
    return result


@expand.prepare
def _(input: Tensor, size: Any) -> dict[str, Any]:
    return {"size": expanded(input, sizes((size,)))}


def expanded(input: Tensor, size: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape an expansion leads to, or refuse."""
    shape, lead = input.shape, len(size) - input.ndim
    if lead < 0:
        raise fail(
            "expand-to-fewer-dims",
            f"expand(torch.{LEGACY_NAMES[input.dtype]}Tensor{{{list(shape)}}}, size={list(size)}):"
            f" the number of sizes provided ({len(size)}) must be greater or equal to the number of"
            f" dimensions in the tensor ({input.ndim})",
        )
    result = list(size)
    for i, n in enumerate(size):
        if n == -1 and i < lead:
            raise fail(
                "expand-leading",
                f"The expanded size of the tensor ({n}) isn't allowed in a leading, non-existing"
                f" dimension {i}",
            )
        have = shape[i - lead] if i >= lead else 1
        if n == -1:
            result[i] = have
        elif have not in (1, n):
            raise fail(
                "expand-size",
                f"The expanded size of the tensor ({n}) must match the existing size ({have}) at"
                f" non-singleton dimension {i}.  Target sizes: {list(size)}.  Tensor sizes:"
                f" {list(shape)}",
                size=size,
                shape=tuple(shape),
            )
    return tuple(result)


@expand.vjp("input", latex=r"\grad{input} = \grad{result} \text{, summed over the repeats}")
def _(grad: Any) -> Any:
    return grad


@function("Tensor.expand_as")
def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """Repeat to the shape of another tensor."""
    result: Tensor = expand(input, tuple(other.shape))
    return result


@function("torch.broadcast_to", "Tensor.broadcast_to")
def broadcast_to(input: Tensor, size: Any) -> Tensor:
    """Repeat to a shape without copying."""
    result: Tensor = expand(input, tuple(size))
    return result


@function("torch.broadcast_tensors")
def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """Repeat tensors to their common shape."""
    from engine.ops.dims import broadcast_shapes

    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors
    shape = broadcast_shapes(*(x.shape for x in given))
    return tuple(x if tuple(x.shape) == shape else expand(x, shape) for x in given)


@function("torch.broadcast_shapes")
def broadcast_shapes_of(*shapes: Any) -> Any:
    """Return the common shape of several."""
    from engine.dtypes import Size
    from engine.ops.dims import broadcast_shapes

    try:
        return Size(broadcast_shapes(*((s,) if isinstance(s, int) else s for s in shapes)))
    except RuntimeError:
        raise RuntimeError(
            "Shape mismatch: objects cannot be broadcast to a single shape"
        ) from None


def _squeezed(shape: Any, dims: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n for i, n in enumerate(shape) if not (i in dims and n == 1))


@op(
    "squeeze",
    latex=r"\val{result} = \val{input} \text{ without dims of size 1}",
    grad_fn=lambda dim, **_: f"SqueezeBackward{_squeeze_kind(dim)}",
    binds=("torch.squeeze", "Tensor.squeeze"),
    samples=lambda: [
        Sample((t(1, 2, 1),)),
        Sample((t(1, 2), 0)),
        Sample((t(1, 2), 1)),
        Sample((t(1, 2, 1), (0, 2))),
    ],
    view=True,
)
def squeeze(input: Array, dim: Any = None) -> Array:
    """Drop dims of size 1: all, or those named.

    >>> torch.squeeze(torch.ones(1, 3, 1)).shape
    torch.Size([3])
    """
    dims = range(input.ndim) if dim is None else (dim,) if isinstance(dim, int) else dim
    return input.reshape(_squeezed(input.shape, tuple(dims)))


def _squeeze_kind(dim: Any) -> int:
    if dim is None:
        return 0
    return 1 if isinstance(dim, int) else 2


@squeeze.prepare
def _(input: Tensor, dim: Any) -> dict[str, Any] | None:
    if dim is None:
        return None
    if isinstance(dim, (tuple, list)):
        return {"dim": wrap_dims(dim, input.ndim)}
    return {"dim": wrap_dim(dim, input.ndim)}


@squeeze.vjp("input", latex=r"\grad{input} = \grad{result} \text{ in the shape of input}")
def _(grad: Any, input_shape: Any, dim: Any) -> Any:
    dims = range(len(input_shape)) if dim is None else (dim,) if isinstance(dim, int) else dim
    for d in sorted(dims):
        if input_shape and input_shape[d] == 1:
            grad = unsqueeze(grad, d)
    return grad


@op(
    "unsqueeze",
    latex=r"\val{result} = \val{input} \text{ with a dim of size 1 at } \val{dim}",
    grad_fn="UnsqueezeBackward0",
    binds=("torch.unsqueeze", "Tensor.unsqueeze"),
    samples=lambda: [Sample((t(2, 3), 0)), Sample((t(2, 3), -1)), Sample((t(), 0))],
    view=True,
)
def unsqueeze(input: Array, dim: int) -> Array:
    """Insert a dim of size 1.

    >>> torch.unsqueeze(torch.ones(3), 1).shape
    torch.Size([3, 1])
    """
    return np.expand_dims(input, dim)


@unsqueeze.prepare
def _(input: Tensor, dim: int) -> dict[str, Any]:
    return {"dim": wrap_dim(dim, input.ndim + 1)}


@unsqueeze.vjp("input", latex=r"\grad{input} = \grad{result} \text{ without that dim}")
def _(grad: Any, dim: int) -> Any:
    return squeeze(grad, dim)


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
