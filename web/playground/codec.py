"""Frozen dataclasses to JSON data and back, with every value checked on the way in.

The checks come from the type annotations, so that a schema is written once. What arrives may have
been made by a stranger's program: nothing is coerced, unknown fields are refused, and a failure
names the place ("steps[4].value.dtype").
"""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from math import isfinite
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

T = TypeVar("T")
Decoder = Callable[[Any], Any]

PLAIN = {int, float, str, bool, type(None)}
INT_LIMIT = 2**64
TEXT_LIMIT = 1_000_000
DEPTH_LIMIT = 16
# Deeper texts are refused unread: the reader recurses, and in a browser that ends the interpreter.
NESTING_LIMIT = 100
_BRACKETS = b"[{]}"
_OTHERS = bytes(set(range(256)) - set(_BRACKETS))
_STEPS = bytes.maketrans(_BRACKETS, b"\x01\x01\xff\xff")


class SchemaError(ValueError):
    """Data that does not fit the schema; `path` says where."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.path = path

    def within(self, outer: str) -> SchemaError:
        """The same error as seen from one level further out."""
        inner = self.path if not self.path or self.path.startswith("[") else "." + self.path
        return SchemaError(self.message, outer + inner)

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


def refuse_deep(text: str) -> None:
    """Raise SchemaError for JSON text that nests deeper than any trace does."""
    # Without escaped quotes every second piece is outside of texts; far quicker than a pattern.
    outside = "".join(text.replace("\\\\", "").replace('\\"', "").split('"')[::2])
    marks = outside.encode("utf-8", "replace").translate(None, _OTHERS)
    depths = np.frombuffer(marks.translate(_STEPS), np.int8).cumsum()
    if depths.max(initial=0) > NESTING_LIMIT:
        raise SchemaError("the trace nests too deeply")


def encode(value: Any) -> Any:
    """Data for json.dumps; fields that equal their default are left out."""
    if type(value) in PLAIN:
        return value
    if isinstance(value, (tuple, list)):
        if type(value[0] if value else None) in PLAIN and PLAIN.issuperset(map(type, value)):
            return value
        return [encode(item) for item in value]
    if isinstance(value, dict):
        return {key: encode(item) for key, item in value.items()}
    out: dict[str, Any] = {}
    for name, default in _fields(value):
        item = getattr(value, name)
        if item is default or (type(item) is type(default) and item == default):
            continue
        out[name] = item if type(item) in PLAIN else encode(item)
    return out


def decode(kind: type[T], data: Any) -> T:
    """An instance of the dataclass `kind`; SchemaError when `data` is not one."""
    result = _decode(kind, data)
    assert isinstance(result, kind)
    return result


def freeze(data: Any, depth: int = 0) -> Any:
    """JSON data with lists turned into tuples; refuses what JSON cannot hold and deep nesting."""
    if data is None or type(data) is bool:
        return data
    if type(data) is float:
        return _float(data)
    if type(data) is int:
        return _int(data)
    if type(data) is str:
        return _str(data)
    if depth > DEPTH_LIMIT:
        raise SchemaError("nested too deeply")
    if isinstance(data, (list, tuple)):
        return tuple(freeze(item, depth + 1) for item in data)
    if isinstance(data, dict):
        return {_str(key): freeze(item, depth + 1) for key, item in data.items()}
    raise SchemaError(f"expected JSON data, got {_describe(data)}")


def _fields(value: Any) -> tuple[tuple[str, Any], ...]:
    kind: Any = type(value)
    return _layout(kind)


def _decode(kind: Any, data: Any) -> Any:
    return _decoder(kind)(data)


@cache
def _layout(kind: Any) -> tuple[tuple[str, Any], ...]:
    return tuple((field.name, field.default) for field in fields(kind))


def _describe(data: Any) -> str:
    if data is None:
        return "nothing"
    names = {dict: "an object", list: "a list", str: "a text", bool: "a truth value"}
    names |= {int: "a whole number", float: "a number"}
    return names.get(type(data), type(data).__name__)


@cache
def _decoder(kind: Any) -> Decoder:
    """The checking function for one annotation."""
    if is_dataclass(kind):
        return _record(kind)
    origin = get_origin(kind)
    if origin is Literal:
        return _literal(get_args(kind))
    if origin in (Union, types.UnionType):
        return _union(get_args(kind))
    if origin is tuple:
        return _tuple(get_args(kind))
    if kind is Any:
        return freeze
    if origin is dict:
        return _mapping
    return {int: _int, float: _float, str: _str, bool: _bool, type(None): _none}[kind]


def _record(kind: Any) -> Decoder:
    hints = get_type_hints(kind)
    decoders = {name: _decoder(hints[name]) for name, _ in _layout(kind)}
    needed = [name for name, default in _layout(kind) if default is MISSING]
    label = kind.__name__

    def read(data: Any) -> Any:
        if type(data) is not dict:
            raise SchemaError(f"expected {label}, got {_describe(data)}")
        values = {}
        for name, item in data.items():
            decoder = decoders.get(name)
            if decoder is None:
                raise SchemaError(f"{label} has no field {_short(name)}")
            try:
                values[name] = decoder(item)
            except SchemaError as error:
                raise error.within(name) from None
        for name in needed:
            if name not in values:
                raise SchemaError(f"{label} lacks the field {name!r}")
        return kind(**values)

    return read


def _literal(options: tuple[Any, ...]) -> Decoder:
    def read(data: Any) -> Any:
        if type(data) is str and data in options:
            return data
        raise SchemaError(f"expected one of {', '.join(options)}, got {_short(data)}")

    return read


def _union(options: tuple[Any, ...]) -> Decoder:
    plain = {option: _decoder(option) for option in options if option in PLAIN}
    rest = [_decoder(option) for option in options if option not in PLAIN]
    if len(rest) > 1:
        raise TypeError(f"ambiguous union: {options}")
    other = rest[0] if rest else None

    def read(data: Any) -> Any:
        decoder = plain.get(type(data), other)
        if decoder is None:
            raise SchemaError(f"got {_describe(data)}")
        return decoder(data)

    return read


def _tuple(items: tuple[Any, ...]) -> Decoder:
    if len(items) == 2 and items[1] is Ellipsis:
        return _sequence(items[0])
    decoders = [_decoder(item) for item in items]

    def read(data: Any) -> Any:
        if type(data) is not list or len(data) != len(decoders):
            raise SchemaError(f"expected {len(decoders)} entries, got {_short(data)}")
        return tuple(decoder(item) for decoder, item in zip(decoders, data, strict=True))

    return read


def _sequence(item: Any) -> Decoder:
    decoder = _decoder(item)
    # Rows of numbers are what a trace is full of: a look at the set of types is enough for most.
    simple = {kind for kind in (float, bool) if kind in (item, *get_args(item))}

    def read(data: Any) -> Any:
        if type(data) is not list:
            raise SchemaError(f"expected a list, got {_describe(data)}")
        if simple and simple.issuperset(map(type, data)) and all(map(isfinite, data)):
            return tuple(data)
        out = []
        for entry in data:
            try:
                out.append(decoder(entry))
            except SchemaError as error:
                raise error.within(f"[{len(out)}]") from None
        return tuple(out)

    return read


def _mapping(data: Any) -> dict[str, Any]:
    if type(data) is not dict:
        raise SchemaError(f"expected an object, got {_describe(data)}")
    result: dict[str, Any] = freeze(data)
    return result


def _short(data: Any) -> str:
    text = repr(data)
    return text if len(text) <= 60 else text[:57] + "..."


def _int(data: Any) -> int:
    if type(data) is not int:
        raise SchemaError(f"expected a whole number, got {_describe(data)}")
    if not -INT_LIMIT < data < INT_LIMIT:
        raise SchemaError("whole number out of range")
    return data


def _float(data: Any) -> float:
    if type(data) is not float:
        raise SchemaError(f"expected a number, got {_describe(data)}")
    if not isfinite(data):
        raise SchemaError("number out of range")
    return data


def _str(data: Any) -> str:
    if type(data) is not str:
        raise SchemaError(f"expected a text, got {_describe(data)}")
    if len(data) > TEXT_LIMIT:
        raise SchemaError("text too long")
    return data


def _bool(data: Any) -> bool:
    if type(data) is not bool:
        raise SchemaError(f"expected true or false, got {_describe(data)}")
    return data


def _none(data: Any) -> None:
    if data is not None:
        raise SchemaError(f"expected nothing, got {_describe(data)}")
