"""Padding: with a constant, by reflection, by repeating the edge, and round the corner."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.joining import cat
from engine.ops.pieces import slice_dim
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, t
from engine.ops.slices import index_add
from engine.ops.zeros import fresh_zeros
from engine.tensor import Tensor, make


def sides(pad: Any, ndim: int) -> list[tuple[int, int]]:
    """Return what is added before and after each dim; the list starts with the last dim."""
    pairs = [(pad[i], pad[i + 1]) for i in range(0, len(pad), 2)]
    return [(0, 0)] * (ndim - len(pairs)) + pairs[::-1]


@op(
    "constant_pad_nd",
    latex=r"\val{result} = \val{input} \text{ surrounded by } \val{value}",
    grad_fn="ConstantPadNdBackward0",
    binds=("torch.constant_pad_nd",),
    samples=lambda: [Sample((t(2, 3), (1, 2))), Sample((t(2, 3), (0, 1, 2, 0), 1.5)),
                     Sample((t(2, 3), (-1, 1)))],
)  # fmt: skip
def constant_pad_nd(input: Array, pad: Any, value: float = 0) -> Array:
    """Surround with a constant; negative padding cuts off.

    >>> torch.constant_pad_nd(torch.ones(2), (1, 2))
    tensor([0., 1., 1., 0., 0.])
    """
    around = sides(pad, input.ndim)
    cut = tuple(
        slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(input.shape, around, strict=True)
    )
    grown = [(max(a, 0), max(b, 0)) for a, b in around]
    return np.pad(input[cut], grown, constant_values=value)


@constant_pad_nd.prepare
def _(input: Tensor, pad: Any, value: Any) -> dict[str, Any]:
    given = tuple(int(p) for p in pad)
    if len(given) % 2:
        raise fail("pad-length", "Padding length must be divisible by 2")
    if len(given) > 2 * input.ndim:
        raise fail(
            "pad-length",
            "Padding length should be less than or equal to two times the input dimension but got"
            f" padding length {len(given)} and input of dimension {input.ndim}",
        )
    for n, (a, b) in zip(input.shape, sides(given, input.ndim), strict=True):
        if n + a + b < 0:
            raise fail(
                "pad-negative",
                f"The input size {n}, plus negative padding {a} and {b}, resulted in a negative"
                " output size, which is invalid.",
            )
    for n, (a, b) in zip(input.shape, sides(given, input.ndim), strict=True):
        if n + min(a, 0) < 0 or n + min(a, 0) + min(b, 0) < 0:  # it is cut before it grows
            raise fail("pad-negative", "narrow(): length must be non-negative.")
    return {"pad": given}


@constant_pad_nd.vjp("input", latex=r"\grad{input} = \grad{result} \text{ without the padding}")
def _(grad: Any, pad: Any) -> Any:
    return constant_pad_nd(grad, tuple(-p for p in pad), 0)


def _reflect(n: int, before: int, after: int) -> Any:
    inside = np.arange(-before, n + after)
    inside = np.abs(inside)
    return np.where(inside >= n, 2 * (n - 1) - inside, inside)


def _replicate(n: int, before: int, after: int) -> Any:
    return np.clip(np.arange(-before, n + after), 0, n - 1)


MODES = {"reflect": _reflect, "replicate": _replicate}
NAMES = {"reflect": "ReflectionPad", "replicate": "ReplicationPad"}


@op(
    "edge_pad",
    latex=r"\val{result} = \val{input} \text{ surrounded by its own elements}",
    grad_fn=lambda padding, mode, **_: f"{NAMES[mode]}{len(padding) // 2}DBackward0",
    samples=lambda: (
        [Sample((t(1, 2, 4), (1, 2), m)) for m in MODES]
        + [Sample((t(1, 3, 3), (1, 0, 2, 1), m)) for m in MODES]
    ),
)
def edge_pad(input: Array, padding: Any, mode: str) -> Array:
    """Surround the last dims by reflection or by repeating the edge.

    >>> torch.nn.functional.pad(torch.tensor([[[1., 2., 3.]]]), (1, 1), mode="reflect")
    tensor([[[2., 1., 2., 3., 2.]]])
    """
    for d, (before, after) in enumerate(sides(padding, input.ndim)):
        if before or after:
            input = np.take(input, MODES[mode](input.shape[d], before, after), d)
    return np.array(input)


@edge_pad.vjp("input", latex=r"\grad{input} = \grad{result} \text{ added up where it came from}")
def _(grad: Any, input_shape: Any, padding: Any, mode: str) -> Any:
    shape = list(grad.shape)
    for d, (before, after) in enumerate(sides(padding, len(input_shape))):
        if before or after:
            index = MODES[mode](input_shape[d], before, after).astype(np.int64)
            shape[d] = input_shape[d]
            place = make(index) if isinstance(grad, Tensor) else index
            grad = index_add(fresh_zeros(grad, shape), d, place, grad)
    return grad


def _circular(input: Any, pad: Any) -> Any:
    for d, (before, after) in enumerate(sides(pad, input.ndim)):
        n = input.shape[d]
        if max(before, after) > n:
            raise fail("pad-circular", "Padding value causes wrapping around more than once.")
        parts = [input]
        if before:
            parts.insert(0, slice_dim(input, d, n - before, n, 1))
        if after:
            parts.append(slice_dim(input, d, 0, after, 1))
        input = cat(parts, d) if len(parts) > 1 else input
    return input


@function("torch.nn.functional.pad")
def pad(input: Any, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    """Surround the last dims; `pad` starts with the last one: (left, right, top, bottom …)."""
    given = tuple(int(p) for p in pad)
    result: Tensor
    if mode == "constant":
        result = constant_pad_nd(input, given, 0 if value is None else value)
        return result
    if mode not in ("reflect", "replicate", "circular"):
        raise fail("pad-mode", f"Unrecognised padding mode {mode}", NotImplementedError)
    if value is not None and value != 0:
        raise fail("pad-value", f'Padding mode "{mode}" doesn\'t take in value argument')
    dims = len(given) // 2
    if dims not in (1, 2, 3) or input.ndim not in (dims + 1, dims + 2):
        raise fail(
            "pad-dims",
            "Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now",
            NotImplementedError,
        )
    if mode == "circular":
        result = _circular(input, given)
        return result
    if mode == "reflect":
        _check_reflection(input, given)
    result = edge_pad(input, given, mode)
    return result


def _check_reflection(input: Tensor, given: tuple[int, ...]) -> None:
    for d, (before, after) in enumerate(sides(given, input.ndim)):
        n = input.shape[d]
        if max(before, after) >= n and (before or after):
            raise fail(
                "pad-reflection",
                "Argument #4: Padding size should be less than the corresponding input dimension,"
                f" but got: padding ({before}, {after}) at dimension {d} of input"
                f" {list(input.shape)}",
            )
