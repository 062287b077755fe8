"""Comparing, and choosing by what came out."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops.dims import LABELS, broadcast_shapes
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, T, broadcasting_pairs, t
from engine.tensor import Tensor, make


@op(
    "eq",
    latex=r"\val{result} = [\val{input} = \val{other}]",
    binds=("torch.eq", "Tensor.eq", "Tensor.eq_", "Tensor.__eq__"),
    samples=broadcasting_pairs,
    promote="arithmetic",
)
def eq(input: Array, other: Array) -> Array:
    """Tell where elements are equal.

    >>> torch.eq(torch.tensor([1, 2]), 2)
    tensor([False,  True])
    """
    return input == other


@op(
    "ne",
    latex=r"\val{result} = [\val{input} \ne \val{other}]",
    binds=(
        "torch.ne",
        "torch.not_equal",
        "Tensor.ne",
        "Tensor.ne_",
        "Tensor.not_equal",
        "Tensor.not_equal_",
        "Tensor.__ne__",
    ),
    samples=broadcasting_pairs,
    promote="arithmetic",
)
def ne(input: Array, other: Array) -> Array:
    """Tell where elements differ.

    >>> torch.ne(torch.tensor([1, 2]), 2)
    tensor([ True, False])
    """
    return input != other


@op(
    "lt",
    latex=r"\val{result} = [\val{input} < \val{other}]",
    binds=(
        "torch.lt",
        "torch.less",
        "Tensor.lt",
        "Tensor.lt_",
        "Tensor.less",
        "Tensor.less_",
        "Tensor.__lt__",
    ),
    samples=broadcasting_pairs,
    promote="arithmetic",
)
def lt(input: Array, other: Array) -> Array:
    """Tell where the first is less.

    >>> torch.lt(torch.tensor([1, 2]), 2)
    tensor([ True, False])
    """
    return input < other


@op(
    "le",
    latex=r"\val{result} = [\val{input} \le \val{other}]",
    binds=(
        "torch.le",
        "torch.less_equal",
        "Tensor.le",
        "Tensor.le_",
        "Tensor.less_equal",
        "Tensor.less_equal_",
        "Tensor.__le__",
    ),
    samples=broadcasting_pairs,
    promote="arithmetic",
)
def le(input: Array, other: Array) -> Array:
    """Tell where the first is less or equal.

    >>> torch.le(torch.tensor([1, 3]), 2)
    tensor([ True, False])
    """
    return input <= other


@op(
    "gt",
    latex=r"\val{result} = [\val{input} > \val{other}]",
    binds=(
        "torch.gt",
        "torch.greater",
        "Tensor.gt",
        "Tensor.gt_",
        "Tensor.greater",
        "Tensor.greater_",
        "Tensor.__gt__",
    ),
    samples=broadcasting_pairs,
    promote="arithmetic",
)
def gt(input: Array, other: Array) -> Array:
    """Tell where the first is greater.

    >>> torch.gt(torch.tensor([1, 3]), 2)
    tensor([False,  True])
    """
    return input > other


@op(
    "ge",
    latex=r"\val{result} = [\val{input} \ge \val{other}]",
    binds=(
        "torch.ge", "torch.greater_equal", "Tensor.ge",
        "Tensor.ge_", "Tensor.greater_equal", "Tensor.greater_equal_",
        "Tensor.__ge__",
    ),
    samples=broadcasting_pairs,
    promote="arithmetic",
)  # fmt: skip
def ge(input: Array, other: Array) -> Array:
    """Tell where the first is greater or equal.

    >>> torch.ge(torch.tensor([1, 2]), 2)
    tensor([False,  True])
    """
    return input >= other


def _chosen() -> list[Sample]:
    mask = T([[True, False, True], [False, False, True]], "bool")
    return [
        Sample((mask, t(2, 3), t(2, 3, seed=1))),
        Sample((mask, t(3), t(2, 1, seed=1))),
        Sample((T(True, "bool"), t(), t(2, seed=1))),
    ]


@op(
    "where",
    latex=r"\val{result} = \val{condition} \mathbin{?} \val{input} : \val{other}",
    grad_fn="WhereBackward0",
    samples=_chosen,
)
def where(condition: Array, input: Array, other: Array) -> Array:
    """Take elements of the first where the condition holds, of the second elsewhere.

    >>> torch.where(torch.tensor([True, False]), torch.tensor([1., 2.]), torch.tensor([3., 4.]))
    tensor([1., 4.])
    """
    chosen: Any = np.where(condition, input, other)
    return chosen[()]


@where.prepare
def _(condition: Tensor, input: Tensor, other: Tensor) -> dict[str, Any] | None:
    if condition.dtype.category != 0 and condition.dtype is not dtypes.uint8:
        raise fail(
            "condition-not-bool",
            "where expected condition to be a boolean tensor, but got a tensor with dtype"
            f" {LABELS[condition.dtype]}",
            dtype=condition.dtype.name,
        )
    broadcast_shapes(condition.shape, input.shape, other.shape)
    kind = dtypes.result_type([input, other])
    changed: dict[str, Any] = {}
    if condition.dtype.category != 0:
        changed["condition"] = condition.to(dtypes.bool_)  # type: ignore[attr-defined]
    if input.dtype is not kind:
        changed["input"] = input.to(kind)  # type: ignore[attr-defined]
    if other.dtype is not kind:
        changed["other"] = other.to(kind)  # type: ignore[attr-defined]
    return changed


@where.vjp("input", latex=r"\grad{input} = \val{condition} \mathbin{?} \grad{result} : 0")
def _(grad: Any, condition: Any) -> Any:
    return where(condition, grad, zero_like(grad))


@where.vjp("other", latex=r"\grad{other} = \val{condition} \mathbin{?} 0 : \grad{result}")
def _(grad: Any, condition: Any) -> Any:
    return where(condition, zero_like(grad), grad)


def zero_like(x: Any) -> Any:
    """Return a 0-d zero of an array's or a tensor's type."""
    if isinstance(x, Tensor):
        return make(x.dtype.np.type(0))
    return x.dtype.type(0)


def number_beside(value: Any, other: Any) -> Tensor:
    """Return a number as a 0-d tensor, weak as the number: its type gives way to the other's."""
    if isinstance(value, Tensor):
        return value
    kind = dtypes.result_type([value, other])
    if not isinstance(other, Tensor) or other.dtype.category < kind.category:
        return make(kind.np.type(value))
    return make(other.dtype.np.type(value))


@function("torch.where")
def where_or_nonzero(
    condition: Any, input: Any = None, other: Any = None, *, self: Any = None
) -> Any:
    """Choose between two; with the condition alone, say where it holds."""
    from engine.ops.nonzero import nonzero_tuple

    input = self if input is None else input
    if input is None and other is None:
        return nonzero_tuple(condition)
    if not isinstance(condition, Tensor) or not _is_choice(input) or not _is_choice(other):
        raise TypeError(_where_text(condition, input, other))
    return where(condition, number_beside(input, other), number_beside(other, input))


def _is_choice(value: Any) -> bool:
    return isinstance(value, (Tensor, int, float))


def _where_text(*given: Any) -> str:
    got = ", ".join(type(v).__name__ for v in given if v is not None)
    forms = (
        ("condition",),
        ("condition", "input", "other"),
        ("condition", "self", "other"),
        ("condition", "input", "other"),
        ("condition", "self", "other"),
    )
    kinds = (("Tensor",), ("Tensor",) * 3, ("Tensor", "Number", "Tensor"),
             ("Tensor", "Tensor", "Number"), ("Tensor", "Number", "Number"))  # fmt: skip
    lines = []
    for form, names in zip(forms, kinds, strict=True):
        inside = ", ".join(f"{k} {n}" for k, n in zip(names, form, strict=True))
        out = ", *, Tensor out = None" if names == ("Tensor",) * 3 else ""
        lines.append(f" * ({inside}{out})")
        if len(given) == len(form) and None not in given and not out:
            marks = (
                type(v).__name__ if _fits(v, k) else f"!{type(v).__name__}!"
                for v, k in zip(given, names, strict=True)
            )
            lines.append(
                "      didn't match because some of the arguments have invalid types:"
                f" ({', '.join(marks)})"
            )
    return (
        f"where() received an invalid combination of arguments - got ({got}), but expected"
        " one of:\n" + "\n".join(lines) + "\n"
    )


def _fits(value: Any, kind: str) -> bool:
    # PyTorch's message marks every number, since no type is called "Number".
    return kind == "Tensor" and isinstance(value, Tensor)


@function("Tensor.where")
def where_method(self: Tensor, condition: Tensor, other: Any) -> Tensor:
    """Keep the elements where the condition holds."""
    result: Tensor = where_or_nonzero(condition, self, other)
    return result
