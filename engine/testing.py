"""Comparing results in tests (torch.testing)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from engine import dtypes
from engine.dtypes import dtype
from engine.tensor import Tensor

_TOLERANCES = {
    dtypes.float16: (1e-3, 1e-5),
    dtypes.float32: (1.3e-6, 1e-5),
    dtypes.float64: (1e-7, 1e-7),
}
Message = str | Callable[[str], str] | None
Tolerances = tuple[float | None, float | None]


class _Options(NamedTuple):
    given: Tolerances
    equal_nan: bool
    check_dtype: bool


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: Message = None,
) -> None:
    """Raise AssertionError unless |actual - expected| <= atol + rtol * |expected| everywhere.

    Tensors, numbers, and sequences and mappings of them. Tolerances not given depend on the dtype;
    integers have to be equal.
    """
    if (rtol is None) != (atol is None):
        missing = "atol" if atol is None else "rtol"
        raise ValueError(
            f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {missing}."
        )
    try:
        _compare(actual, expected, _Options((rtol, atol), equal_nan, check_dtype), [])
    except AssertionError as error:
        text = str(error)
        if msg is None:
            raise
        raise AssertionError(msg(text) if callable(msg) else msg) from None


def _compare(actual: Any, expected: Any, options: _Options, path: list[Any]) -> None:
    if isinstance(actual, Tensor) and isinstance(expected, Tensor):
        _compare_tensors(actual, expected, options, path)
    elif isinstance(actual, bool) and isinstance(expected, bool):
        if actual is not expected:
            _fail(f"Booleans mismatch: {actual} is not {expected}", path)
    elif _is_number(actual) and _is_number(expected):
        rtol, atol = _scalar_tolerances(actual, expected, options.given)
        _compare_numbers(actual, expected, rtol, atol, options.equal_nan, path)
    elif _is_sequence(actual) and _is_sequence(expected):
        if len(actual) != len(expected):
            _fail(f"The length of the sequences mismatch: {len(actual)} != {len(expected)}", path)
        for i, (a, b) in enumerate(zip(actual, expected, strict=True)):
            _compare(a, b, options, [*path, i])
    elif isinstance(actual, Mapping) and isinstance(expected, Mapping):
        _compare_mappings(actual, expected, options, path)
    elif actual is None and expected is None:
        return
    else:
        raise TypeError(
            "No comparison pair was able to handle inputs of type "
            f"{type(actual)} and {type(expected)}."
        )


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number))


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _fail(text: str, path: list[Any]) -> None:
    if path:
        text += "\n\nThe failure occurred for item " + "".join(f"[{key!r}]" for key in path)
    raise AssertionError(text)


def _compare_mappings(
    actual: Mapping[Any, Any], expected: Mapping[Any, Any], options: _Options, path: list[Any]
) -> None:
    missing = sorted(set(expected) - set(actual))
    additional = sorted(set(actual) - set(expected))
    if missing or additional:
        _fail(
            "The keys of the mappings do not match:\n"
            f"Missing keys in the actual mapping: {missing}\n"
            f"Additional keys in the actual mapping: {additional}",
            path,
        )
    for key in sorted(actual):
        _compare(actual[key], expected[key], options, [*path, key])


def _tolerances(kinds: list[dtype], given: Tolerances) -> tuple[float, float]:
    if given[0] is not None and given[1] is not None:
        return given[0], given[1]
    pairs = [_TOLERANCES.get(kind, (0.0, 0.0)) for kind in kinds]
    return max(pair[0] for pair in pairs), max(pair[1] for pair in pairs)


def _scalar_tolerances(actual: Any, expected: Any, given: Tolerances) -> tuple[float, float]:
    kinds = [
        dtypes.int64 if isinstance(v, (int, np.integer)) else dtypes.float64
        for v in (actual, expected)
    ]
    return _tolerances(kinds, given)


def _allowed(tolerance: float, exact: bool) -> str:
    return "" if exact else f" (up to {tolerance} allowed)"


def _compare_numbers(
    actual: Any, expected: Any, rtol: float, atol: float, equal_nan: bool, path: list[Any]
) -> None:
    both_nan = equal_nan and math.isnan(actual) and math.isnan(expected)
    difference = abs(actual - expected)
    if actual == expected or both_nan or difference <= atol + rtol * abs(expected):
        return
    exact = rtol == 0 and atol == 0
    relative = math.inf if expected == 0 else abs(difference / expected)
    _fail(
        f"Scalars are not {'equal' if exact else 'close'}!\n\n"
        f"Expected {expected} but got {actual}.\n"
        f"Absolute difference: {difference}{_allowed(atol, exact)}\n"
        f"Relative difference: {relative}{_allowed(rtol, exact)}",
        path,
    )


def _compare_tensors(actual: Tensor, expected: Tensor, options: _Options, path: list[Any]) -> None:
    for name in ("shape", "dtype") if options.check_dtype else ("shape",):
        a, b = getattr(actual, name), getattr(expected, name)
        if a != b:
            _fail(f"The values for attribute {name!r} do not match: {a} != {b}.", path)
    rtol, atol = _tolerances([actual.dtype, expected.dtype], options.given)
    kind = dtypes.promote_types(actual.dtype, expected.dtype)
    x, y = (np.asarray(t._array).astype(kind.np) for t in (actual, expected))
    if x.dtype.kind != "f":
        x, y = x.astype(np.int64), y.astype(np.int64)
    difference = np.abs(x - y)
    close = (x == y) | (np.isfinite(y) & (difference <= atol + rtol * np.abs(y)))
    if options.equal_nan:
        close = close | ((x != x) & (y != y))
    if close.all():
        return
    if not x.ndim:
        _compare_numbers(x.item(), y.item(), rtol, atol, options.equal_nan, path)
    exact = rtol == 0 and atol == 0
    if x.dtype.kind != "f":
        relative = difference.astype(np.float32) / np.abs(y).astype(np.float32)
    else:
        relative = difference / np.abs(y)
    bad = int((~close).sum())
    _fail(
        f"Tensor-likes are not {'equal' if exact else 'close'}!\n\n"
        f"Mismatched elements: {bad} / {x.size} ({bad / x.size:.1%})\n"
        + _greatest("absolute", difference, close, atol, exact)
        + "\n"
        + _greatest("relative", relative, close, rtol, exact),
        path,
    )


def _greatest(name: str, values: Any, close: Any, tolerance: float, exact: bool) -> str:
    values = np.where(close, values.dtype.type(0), values)
    place = tuple(int(i) for i in np.unravel_index(int(np.argmax(values)), values.shape))
    return f"Greatest {name} difference: {values[place].item()} at index {place}" + _allowed(
        tolerance, exact
    )


def assert_allclose(actual: Any, expected: Any, rtol: Any = None, atol: Any = None) -> None:
    """Do what `assert_close` does, with dtypes unchecked and nan equal; the old name."""
    assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=True, check_dtype=False)
