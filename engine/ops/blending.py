"""Elements mixed of two or three: lerp, addcmul, addcdiv."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops.dims import LABELS
from engine.ops.record import Array, op
from engine.ops.samples import Sample, t
from engine.tensor import Tensor


@op(
    "lerp",
    latex=r"\val{result} = \val{input} + \val{weight} (\val{end} - \val{input})",
    grad_fn=lambda weight, **_: f"LerpBackward{1 if isinstance(weight, Tensor) else 0}",
    binds=("torch.lerp", "Tensor.lerp", "Tensor.lerp_"),
    samples=lambda: [
        Sample((t(2, 3), t(3, seed=1), 0.3)),
        Sample((t(2, 3), t(2, 3, seed=1), t(3, seed=2, low=0.1, high=0.9))),
    ],
    promote="arithmetic",
)
def lerp(input: Array, end: Array, weight: Array) -> Array:
    """Go from the first to the second by a fraction of the way.

    >>> torch.lerp(torch.tensor([0.]), torch.tensor([10.]), 0.25)
    tensor([2.5000])
    """
    # As PyTorch does: from the nearer end, so that weights 0 and 1 are exact.
    near, far = input + weight * (end - input), end - (end - input) * (1 - weight)
    return np.where(np.abs(weight) < 0.5, near, far)[()]


@lerp.prepare
def _(input: Tensor, end: Any, weight: Any) -> None:
    for name, value in (("end", end), ("weight", weight)):
        alone = name == "weight" and isinstance(value, Tensor) and not value.ndim
        if isinstance(value, Tensor) and value.dtype is not input.dtype and not alone:
            names = dtypes.SCALAR_NAMES
            other = {"long": "long int"}.get(names[value.dtype], names[value.dtype])
            raise fail(
                "dtypes-differ",
                f"expected dtype {names[input.dtype]} for `{name}` but got dtype {other}",
            )
    if not isinstance(end, Tensor) or not isinstance(weight, (Tensor, int, float)):
        raise TypeError(_lerp_text(end, weight))


def _lerp_text(end: Any, weight: Any) -> str:
    marks = ", ".join(
        type(v).__name__ if ok else f"!{type(v).__name__}!"
        for v, ok in ((end, isinstance(end, Tensor)), (weight, False))
    )
    wrong = f"      didn't match because some of the arguments have invalid types: ({marks})\n"
    return (
        "lerp() received an invalid combination of arguments - got"
        f" ({type(end).__name__}, {type(weight).__name__}), but expected one of:\n"
        f" * (Tensor end, Tensor weight)\n{wrong} * (Tensor end, Number weight)\n{wrong}"
    )


@lerp.vjp("input", latex=r"\grad{input} = \grad{result} \odot (1 - \val{weight})")
def _(grad: Any, weight: Any) -> Any:
    return grad * (1 - weight)


@lerp.vjp("end", latex=r"\grad{end} = \grad{result} \odot \val{weight}")
def _(grad: Any, weight: Any) -> Any:
    return grad * weight


@lerp.vjp("weight", latex=r"\grad{weight} = \grad{result} \odot (\val{end} - \val{input})")
def _(grad: Any, input: Any, end: Any) -> Any:
    return grad * (end - input)


def _triples() -> list[Sample]:
    three = (t(2, 3), t(2, 3, seed=1), t(2, 3, seed=2, low=0.4))
    return [
        Sample(three),
        Sample(three, {"value": 0.5}),
        Sample((t(), t(3, seed=1), t(2, 1, seed=2))),
    ]


@op(
    "addcmul",
    latex=r"\val{result} = \val{input} + \val{value}\,\val{tensor1} \odot \val{tensor2}",
    grad_fn="AddcmulBackward0",
    binds=("torch.addcmul", "Tensor.addcmul", "Tensor.addcmul_"),
    samples=_triples,
    promote="arithmetic",
)
def addcmul(input: Array, tensor1: Array, tensor2: Array, *, value: float = 1) -> Array:
    """Add a product.

    >>> torch.addcmul(torch.tensor([1.]), torch.tensor([2.]), torch.tensor([3.]), value=10)
    tensor([61.])
    """
    product = tensor1 * tensor2
    return input + product if value == 1 else input + product * value


@addcmul.vjp("input", latex=r"\grad{input} = \grad{result}")
def _(grad: Any) -> Any:
    return grad


@addcmul.vjp("tensor1", latex=r"\grad{tensor1} = \val{value}\,\grad{result} \odot \val{tensor2}")
def _(grad: Any, tensor2: Any, value: Any) -> Any:
    return grad * (tensor2 * value)


@addcmul.vjp("tensor2", latex=r"\grad{tensor2} = \val{value}\,\grad{result} \odot \val{tensor1}")
def _(grad: Any, tensor1: Any, value: Any) -> Any:
    return grad * (tensor1 * value)


@op(
    "addcdiv",
    latex=r"\val{result} = \val{input} + \val{value}\,\val{tensor1} / \val{tensor2}",
    grad_fn="AddcdivBackward0",
    binds=("torch.addcdiv", "Tensor.addcdiv", "Tensor.addcdiv_"),
    samples=_triples,
    promote="arithmetic",
)
def addcdiv(input: Array, tensor1: Array, tensor2: Array, *, value: float = 1) -> Array:
    """Add a quotient.

    >>> torch.addcdiv(torch.tensor([1.]), torch.tensor([6.]), torch.tensor([3.]), value=10)
    tensor([21.])
    """
    return input + tensor1 * value / tensor2


@addcdiv.prepare
def _(input: Any, tensor1: Any, tensor2: Any, value: Any) -> None:
    if not any(x.dtype.is_floating_point for x in (tensor1, tensor2)):
        raise fail(
            "integer-addcdiv",
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv"
            " will perform a true division of tensor1 and tensor2. The historic addcdiv behavior"
            " can be implemented as (input + value * torch.trunc(tensor1 /"
            " tensor2)).to(input.dtype)"
            " for integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The"
            " future addcdiv behavior is just the latter implementation: (input + value * tensor1 /"
            " tensor2), for all dtypes.",
            dtype=LABELS[tensor1.dtype],
        )


@addcdiv.vjp("input", latex=r"\grad{input} = \grad{result}")
def _(grad: Any) -> Any:
    return grad


@addcdiv.vjp("tensor1", latex=r"\grad{tensor1} = \val{value}\,\grad{result} / \val{tensor2}")
def _(grad: Any, tensor2: Any, value: Any) -> Any:
    return grad * (value / tensor2)


@addcdiv.vjp(
    "tensor2",
    latex=r"\grad{tensor2} = -\val{value}\,\grad{result} \odot \val{tensor1} / \val{tensor2}^2",
)
def _(grad: Any, tensor1: Any, tensor2: Any, value: Any) -> Any:
    return -grad * (tensor1 * value / (tensor2 * tensor2))
